"""Runs a student's sweep on a tape and counts its products."""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from autograder.tasks.calling import Caller, Earlier, called, number
from autograder.tasks.watching import counting_depth
from course.engine.tape import Step
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import Request, schema_of
from vjpcheck.errors import StudentError, WrongReturn, kind
from vjpcheck.probe.callers_world import Changes

# A sweep that walks every path would never return on the deep tapes; it is stopped instead.
PRODUCTS_AT_MOST = 200_000


class Sweep(TypedDict):
    """What the sweep returned, how many products it took, what it changed of what it was given.

    `depth` says how often, at most, one of its functions stood on the stack at once, `overwrites` whether
    the call has changed what an earlier one returned.
    """

    numbers: dict[str, float | None]
    products: int
    depth: int
    changes: Changes
    overwrites: bool
    error: NotRequired[StudentError]


class TooManyProducts(Exception):  # noqa: N818 - an interruption, told as a finding
    """The sweep has multiplied far more often than there are edges."""


class _Counter:
    def __init__(self) -> None:
        self.products = 0


class _Partial(float):
    """A local derivative that counts how often it is multiplied."""

    counter: _Counter

    def __mul__(self, other: Any) -> Any:
        self.counter.products += 1
        if self.counter.products > PRODUCTS_AT_MOST:
            raise TooManyProducts
        return float(self) * other

    __rmul__ = __mul__


class Probe(Caller):
    """Calls a student's sweep."""

    def __init__(self, work: Any, name: str) -> None:
        super().__init__(work, name)
        self._earlier = Earlier(_numbers)

    def run(self, steps: Sequence[Sequence[Any]], arguments: Sequence[Any]) -> Sweep:
        """Call the sweep on a tape of (name, operands, partials), then `arguments`."""
        counter = _Counter()
        tape = [
            Step(name, tuple(operands), _counting(partials, counter)) for name, operands, partials in steps
        ]
        # another process has made lists of the tuples
        given = [tuple(a) if isinstance(a, (list, tuple)) else a for a in arguments]
        answer, deepest = blank(Sweep), [0]
        with called(answer, self._name, tape=tape):
            with counting_depth(deepest):
                returned = self._work(tape, *given)
            if not isinstance(returned, Mapping):
                raise WrongReturn(
                    f"{self._name} must return a dict of node name → number, but returns {kind(returned)}."
                )
            answer["numbers"] = _numbers(returned)
            answer["overwrites"] = self._earlier.overwritten_by(returned)
        answer["products"], answer["depth"] = counter.products, deepest[-1]
        return answer


def _numbers(returned: Mapping[Any, Any]) -> dict[str, float | None]:
    return {str(name): number(value) for name, value in returned.items()}


def _counting(partials: Sequence[float], counter: _Counter) -> tuple[float, ...]:
    counted = tuple(_Partial(partial) for partial in partials)
    for partial in counted:
        partial.counter = counter
    return counted


def run(tape: Sequence[Step], *arguments: Any) -> Request[Sweep]:
    """Ask for the sweep over a tape, the inputs and the seed given as they are, or the seed alone."""
    return Request("run", (tape, arguments), schema_of(Sweep))
