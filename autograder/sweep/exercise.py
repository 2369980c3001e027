"""A sweep over a tape as data: which direction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from autograder.exercise import Exercise
from autograder.result import Outcome

if TYPE_CHECKING:
    from autograder.sweep.probe import SweepProbe


@dataclass(frozen=True, kw_only=True)
class SweepExercise(Exercise):
    """`forward`: (tape, inputs, seed) → tangents; `reverse`: (tape, seed) → adjoints; both dicts by name."""

    direction: Literal["forward", "reverse"]

    @property
    def object_name(self) -> str:
        """Return the function's name, which is the id."""
        return self.id

    def probe(self, work: Any) -> SweepProbe:
        """Return a probe of a function; raises CannotRun for anything else."""
        from autograder.sweep.probe import SweepProbe

        return SweepProbe(work, self.object_name)

    def judge(self, probe: SweepProbe, seed: int) -> Iterator[Outcome]:
        """Yield the outcome of every check, on tapes with random local derivatives."""
        from autograder.sweep.verdict import judge

        return judge(self, probe, seed)
