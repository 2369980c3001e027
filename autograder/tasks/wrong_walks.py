"""A wrong walk over a tape, recognised by its numbers: in every call the student's are equal to them."""

from __future__ import annotations

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
    """A wrong sweep: its mistake (None if it has no name), what it does, a hint, and its numbers.

    `numbers` takes a tape and what the sweep takes besides: the seed, or the names of inputs and their seeds.
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
    """Return the adjoints after the steps have sent theirs on, each in its turn, and all have been added.

    With the steps from the last to the first this is a reverse sweep; `edge` says what an edge contributes.
    """
    found = dict(start)
    for step in steps:
        for operand, local in edges_of(step):
            found[operand] += edge(found[step.name], local)
    return found


def candidates(walks: Sequence[Walk]) -> list[Candidate]:
    """Return what the walks give in a trial whose arguments are a tape, and what the walk takes besides."""

    def values(trial: Trial, _: Values, walk: Walk) -> Values:
        tape, besides = trial.arguments
        return {name: np.asarray(value) for name, value in walk.numbers(tape, *besides).items()}

    return [Candidate(walk.mistake, walk.message, partial(values, walk=walk), walk.hint) for walk in walks]
