"""What every exercise says about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.result import Outcome


@dataclass(frozen=True, kw_only=True)
class Exercise(ABC):
    """One graded task: plain data, and which probe and verdict go with it.

    `points` gives the points of each check, in the order in which the checks run.
    """

    id: str
    lesson: int
    signature: str
    summary: str
    points: Mapping[str, float]

    @property
    def max_score(self) -> float:
        """Return the points of all checks together."""
        return float(sum(self.points.values()))

    @property
    @abstractmethod
    def object_name(self) -> str:
        """Return the name under which a student hands the work in."""

    @abstractmethod
    def probe(self, work: Any) -> Any:
        """Return what runs beside the student's code and answers with plain arrays and facts.

        Raises `autograder.result.CannotRun` if the work is not of the kind that the exercise asks for.
        """

    @abstractmethod
    def judge(self, probe: Any, seed: int) -> Iterator[Outcome]:
        """Yield one outcome a check; talks to the probe alone and never runs student code itself."""
