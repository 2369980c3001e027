"""Runs a student's sweep on a tape, counts its lines and measures its time."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, NotRequired, TypedDict

import numpy as np

from autograder.tasks.calls import Answer, FunctionProbe, number
from autograder.tasks.watch import counting_depth, counting_lines
from course.engine.tape import Step
from vjpcheck.errors import StudentError, WrongReturn, kind, student_errors

_clock = time.process_time


class Times(TypedDict):
    """The seconds of processor time that each call has taken."""

    seconds: list[float]
    error: NotRequired[StudentError]


class Probe(FunctionProbe):
    """Measures the depth of a sweep's recursion and, if it is limited, the lines that run."""

    def arguments(
        self, steps: Sequence[Sequence[Any]], arguments: Sequence[Any], lines: int = 0
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return a tape of (name, operands, partials), and the sweep's other arguments.

        With `lines`, the sweep is stopped after so many: one that walks every path would not return.
        """
        self._at_most = lines
        tape = [Step(name, tuple(operands), tuple(partials)) for name, operands, partials in steps]
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

    def times(self, shapes: Sequence[Sequence[int]], others: Sequence[Any]) -> Times:
        """Time the sweep on tapes of a chain, and of steps that have its first node as all their operands.

        A shape has the length of the chain, the number of the steps, and that of the operands of each.
        """
        answer: Times = {"seconds": []}
        with student_errors(answer, self._name):
            for length, wide, operands in shapes:
                chain = [Step(f"w{k}", (f"w{k - 1}",) * (k > 0), (1.0,) * (k > 0)) for k in range(length)]
                tape = chain + [Step(f"v{k}", ("w0",) * operands, (0.5,) * operands) for k in range(wide)]
                ends = tuple(dict.fromkeys([chain[-1].name, tape[-1].name]))
                tape.append(Step("out", ends, (1.0,) * len(ends)))
                start = _clock()
                self._work(tape, *(tuple(a) if isinstance(a, list) else a for a in others))
                answer["seconds"].append(_clock() - start)
        return answer

    @contextmanager
    def watching(self, answer: Answer) -> Iterator[None]:
        """Record the depth and the number of lines, also if the sweep is stopped."""
        deepest, counted = [0], [0]
        limit = counting_lines(counted, self._at_most) if self._at_most else nullcontext()
        try:
            with counting_depth(deepest), limit:
                yield
        finally:
            answer["facts"] = {"lines": counted[-1], "depth": deepest[-1]}
