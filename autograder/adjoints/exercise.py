"""A dict of adjoints as data: the graph, built by the engine, from which the truth is read off."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograder.exercise import Exercise
from autograder.result import Outcome

if TYPE_CHECKING:
    from autograder.adjoints.probe import AdjointsProbe
    from course.engine import Tensor


@dataclass(frozen=True, kw_only=True)
class AdjointsExercise(Exercise):
    """A graph whose every node's adjoint is asked for.

    `nodes` builds it: named Tensors in the order of computation, the output last.
    """

    nodes: Callable[[], Mapping[str, Tensor]]

    @property
    def object_name(self) -> str:
        """Return the variable's name, which is the id."""
        return self.id

    def probe(self, work: Any) -> AdjointsProbe:
        """Return a probe of a dict; raises CannotRun for anything else."""
        from autograder.adjoints.probe import AdjointsProbe

        return AdjointsProbe(work, self.object_name)

    def judge(self, probe: AdjointsProbe, seed: int) -> Iterator[Outcome]:
        """Yield one outcome for the leaves and one for the inner nodes; nothing is random here."""
        from autograder.adjoints.verdict import judge

        return judge(self, probe)
