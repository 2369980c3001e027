"""Calls a student's FoolGradcheck, as any Function is called."""

from __future__ import annotations

from autograder.function.probe import FunctionProbe as Probe

__all__ = ["Probe"]
