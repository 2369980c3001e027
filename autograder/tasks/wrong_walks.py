"""Wrong walks over a tape; a student's mistake is a walk that gives the student's numbers in every call."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from autograder.tasks.battery import Candidate, Trial, Values
from autograder.tasks.tape_edges import edges_of
from course.engine.tape import Step

Numbers = dict[str, float]
Tape = Sequence[Step]

ONCE_A_STEP = "If a step uses a node twice, only one of its two edges counts."
FIRST_PARTIAL = "If a step uses a node twice, both of its edges get the local derivative of the first."
BY_PLACE = "What does operands.index(name) return if name occurs twice? zip goes through both tuples in step."
TINY = 1e-30  # a sweep is linear in its seed: no number is too small to be sent on
SMALL = "Does your code compare a number with a threshold? However small, it belongs to the sum."
ADD = "What happens to the first contribution when the second one arrives at the same node?"
PRODUCT = "What does each edge contribute? Write it as a product."
STARTS = "Where does your sweep use the seed?"


class Walk(NamedTuple):
    """A wrong sweep: its mistake (None if it has no name), a description, a hint, and its numbers.

    `numbers` takes a tape and the sweep's other arguments: the seed, or the names of inputs and their seeds.
    """

    mistake: str | None
    message: str
    hint: str
    numbers: Callable[..., Numbers]


def swept(
    steps: Iterable[Step],
    start: Mapping[str, float],
    edge: Callable[[float, float], float] = lambda adjoint, local: adjoint * local,
) -> Numbers:
    """Return the adjoints after each step, in its turn, has added its contributions to its operands.

    With the steps from the last to the first this is a reverse sweep; `edge` computes a contribution.
    """
    adjoints = dict(start)
    for step in steps:
        for operand, local in edges_of(step):
            adjoints[operand] += edge(adjoints[step.name], local)
    return adjoints


def candidates(walks: Sequence[Walk]) -> list[Candidate]:
    """Return the candidates of the walks, for trials with a tape and the walk's other arguments."""

    def values(trial: Trial, _: Values, walk: Walk) -> Values:
        tape, besides = trial.arguments
        return {name: np.asarray(value) for name, value in walk.numbers(tape, *besides).items()}

    return [Candidate(walk.mistake, walk.message, partial(values, walk=walk), walk.hint) for walk in walks]
