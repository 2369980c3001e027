"""A walk over the engine's graph as data: which of the two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograder.exercise import Exercise
from autograder.result import Outcome

if TYPE_CHECKING:
    from autograder.graph_walk.probe import WalkProbe


@dataclass(frozen=True, kw_only=True)
class WalkExercise(Exercise):
    """A function that is given a Tensor and walks over the nodes behind it."""

    @property
    def object_name(self) -> str:
        """Return the function's name, which is the id."""
        return self.id

    def probe(self, work: Any) -> WalkProbe:
        """Return a probe of a function; raises CannotRun for anything else."""
        from autograder.graph_walk.probe import WalkProbe

        return WalkProbe(work, self.object_name)


class OrderExercise(WalkExercise):
    """(tensor) → list of nodes, each before the nodes that it sends gradients to."""

    def judge(self, probe: WalkProbe, seed: int) -> Iterator[Outcome]:
        """Yield the outcome of every check, on graphs partly drawn at random."""
        from autograder.graph_walk.order import judge

        return judge(self, probe, seed)


class AccumulateExercise(WalkExercise):
    """(tensor, seed) adds to the `.grad` of every leaf its derivative, times the seed."""

    def judge(self, probe: WalkProbe, seed: int) -> Iterator[Outcome]:
        """Yield the outcome of every check, on graphs partly drawn at random."""
        from autograder.graph_walk.accumulate import judge

        return judge(self, probe, seed)
