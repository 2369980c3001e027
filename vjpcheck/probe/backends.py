"""Finds the adapter of the library that a Function is written for."""

from __future__ import annotations

from importlib import import_module

from vjpcheck.arguments import Library
from vjpcheck.probe.backend import Backend


def backend_of(library: Library) -> Backend:
    """Return the adapter of a library without importing another library."""
    module = "vjpcheck.probe.torch_backend" if library == "torch" else f"{library}.backend"
    backend: Backend = import_module(module).BACKEND
    return backend
