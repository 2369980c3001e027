"""Finds the adapter of the library that a Function is written for."""

from __future__ import annotations

from autograder.exercise import Library
from autograder.function.backend import Backend


def backend_of(library: Library) -> Backend:
    """Return the adapter of a library, and import no other library."""
    if library == "torch":
        from autograder.function.torch_backend import TorchBackend

        return TorchBackend()
    from autograder.function.engine_backend import EngineBackend

    return EngineBackend()
