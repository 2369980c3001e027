"""An exercise with a probe and a verdict of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from autograder.exercise import Exercise
from autograder.result import Outcome


@dataclass(frozen=True, kw_only=True)
class TaskExercise(Exercise):
    """A task whose folder in `autograder/tasks/` is named after it: `probe.Probe` and `verdict.CHECKS`.

    `needs` says which checks must have passed before another is reached; without it, all before it must.
    """

    is_class: bool = False
    needs: Mapping[str, tuple[str, ...]] | None = None

    @property
    def object_name(self) -> str:
        """Return the id, or the class name made of it."""
        return "".join(word.capitalize() for word in self.id.split("_")) if self.is_class else self.id

    def probe(self, work: Any) -> Any:
        """Return the probe of this task; raises CannotRun for work of another kind."""
        return import_module(f"autograder.tasks.{self.id}.probe").Probe(work, self.object_name)

    def judge(self, probe: Any, seed: int) -> Iterator[Outcome]:
        """Yield the outcome of every check."""
        from autograder.tasks.verdict import judge

        return judge(self, probe, seed)
