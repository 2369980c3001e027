"""Unbroadcast as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograder.exercise import Exercise
from autograder.result import Outcome

if TYPE_CHECKING:
    from autograder.unbroadcast.probe import UnbroadcastProbe


@dataclass(frozen=True, kw_only=True)
class UnbroadcastExercise(Exercise):
    """(gradient, shape) → the gradient summed to that shape: a NumPy array, or a number for shape ()."""

    @property
    def object_name(self) -> str:
        """Return the function's name, which is the id."""
        return self.id

    def probe(self, work: Any) -> UnbroadcastProbe:
        """Return a probe of a function; raises CannotRun for anything else."""
        from autograder.unbroadcast.probe import UnbroadcastProbe

        return UnbroadcastProbe(work, self.object_name)

    def judge(self, probe: UnbroadcastProbe, seed: int) -> Iterator[Outcome]:
        """Yield the outcome of every check, some of them on shapes drawn at random."""
        from autograder.unbroadcast.verdict import judge

        return judge(self, probe, seed)
