"""Runs a student's sweep on a tape and counts its products."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograder.tasks.calls import Answer, FunctionProbe, number
from autograder.tasks.watch import counting_depth
from course.engine.tape import Step
from vjpcheck.errors import WrongReturn, kind

# A sweep that walks every path would never return on the deep tapes; it is stopped instead.
PRODUCTS_AT_MOST = 200_000


class TooManyProducts(Exception):  # noqa: N818 - an interruption, reported as a finding
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


class Probe(FunctionProbe):
    """Counts the products of a sweep, and the depth of its recursion."""

    def arguments(
        self, steps: Sequence[Sequence[Any]], arguments: Sequence[Any]
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return a tape of (name, operands, partials), and the sweep's other arguments."""
        self._counter = counter = _Counter()
        tape = [
            Step(name, tuple(operands), _counting(partials, counter)) for name, operands, partials in steps
        ]
        # the transfer to this process has made lists of the tuples
        others = [tuple(a) if isinstance(a, (list, tuple)) else a for a in arguments]
        return (tape, *others), {"tape": tape}

    def read(self, returned: Any) -> dict[str, np.ndarray | None]:
        """Return the numbers of a dict."""
        if not isinstance(returned, Mapping):
            raise WrongReturn(
                f"{self._name} must return a dict of node name → number, but returns {kind(returned)}."
            )
        numbers = ((str(name), number(value)) for name, value in returned.items())
        return {name: np.asarray(value) for name, value in numbers if value is not None}

    @contextmanager
    def watching(self, answer: Answer) -> Iterator[None]:
        """Record the number of products and the depth, also if the sweep is stopped."""
        deepest = [0]
        try:
            with counting_depth(deepest):
                yield
        finally:
            answer["facts"] = {"products": self._counter.products, "depth": deepest[-1]}


def _counting(partials: Sequence[float], counter: _Counter) -> tuple[float, ...]:
    counted = tuple(_Partial(partial) for partial in partials)
    for partial in counted:
        partial.counter = counter
    return counted
