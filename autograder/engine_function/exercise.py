"""A course.engine Function as an exercise: the forward in the engine's own operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from autograder.function.arguments import Arguments
from autograder.function.exercise import FunctionExercise


@dataclass(frozen=True, kw_only=True)
class EngineFunctionExercise(FunctionExercise):
    """A Function exercise whose forward, probe and truth are the engine's; none of them imports torch."""

    forward: Callable[..., Any]

    def probe(self, work: Any) -> Any:
        """Return an EngineProbe, which answers as a FunctionProbe does; raises CannotRun for no Function."""
        from autograder.engine_function.probe import EngineProbe

        return EngineProbe(work, self.object_name)

    def truth(self, arguments: Arguments) -> Any:
        """Return an EngineTruth, which says what a Truth does."""
        from autograder.engine_function.truth import EngineTruth

        return EngineTruth(self, arguments)

    @contextmanager
    def grad_mode(self) -> Iterator[None]:
        """Record operations."""
        from course.engine.node import recording

        with recording(True):
            yield
