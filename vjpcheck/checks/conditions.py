"""Defines the conditions under which a Function must give the same results.

Each condition changes one thing about a call: the calls around it, the dtype, the memory, the numbers. The
table is ordered by cause: a failure under a later condition follows from a failure under an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from vjpcheck.ask.protocol import Request
from vjpcheck.case import Arrays, Look
from vjpcheck.errors import StudentError, says_what_is_missing, tell
from vjpcheck.mistakes import named
from vjpcheck.numbers import RELATIVE, apart, close, format_distinctly, furthest, no_stricter, ratio
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

# from an array and the true one to the mistake, None if it has no name, and a hint
Cause = Callable[[np.ndarray, np.ndarray], tuple[str | None, str]]

DTYPE = "Which call creates float64 numbers whatever the input is? NumPy's zeros, ones and empty do."
STATE, LAYOUT = "state-on-class", "assumes-contiguous"


def raised_by_state(error: StudentError) -> str:
    """Return the mistake of work that raises only among other calls."""
    if Message.SAVED_AND_OVERWRITTEN.find(error["message"]):
        return "mutates-saved-tensor"
    if "second" not in error["during"]:
        return STATE
    missing = says_what_is_missing(error) or "None" in error["message"]
    return "deletes-context-state" if missing else "mutates-saved-tensor"


def _raised_by_layout(error: StudentError) -> str:
    """Return the mistake of work that raises for another layout; PyTorch's message reports a write."""
    return "mutates-grad-output" if Message.EXPANDED_AND_WRITTEN.find(error["message"]) else LAYOUT


def of_lost_digits(array: np.ndarray, truth: np.ndarray) -> tuple[str | None, str]:
    """Return the mistake and the hint for an array that is right in float64 and wrong in float32."""
    if not np.isfinite(array).all():
        return "not-finite", ""
    return "not-precise", "Does your code subtract two numbers that are almost equal, as a difference does?"


def _blocked(gradient: np.ndarray, truth: np.ndarray) -> tuple[str | None, str]:
    """Return the mistake of a gradient that is 0 at every wrong entry."""
    return ("wrong-mask" if (gradient[apart(gradient, truth)] == 0).all() else None), ""


class Condition(NamedTuple):
    """A change to a call, and the mistake if the result is then wrong.

    `clause` ends the sentence "The gradient for x is wrong …". `mistake` is an id or a function of the
    difference. `raised` is the mistake if the work raises.
    """

    clause: str
    mistake: str | Cause | None = None
    hint: str = ""
    raised: str | Callable[[StudentError], str | None] | None = None


OTHER_CALLS = Condition("if another call happens between forward and backward", STATE, "", raised_by_state)
SECOND_PASS = Condition(
    "in a second backward pass over the same graph",
    "mutates-saved-tensor",
    "What did the first backward change on ctx or in a saved tensor?",
)
A_STEP = Condition(
    "in a second call with the same tensors, whose values were changed in place",
    STATE,
    "Which value do you store under a tensor, or under its id? The tensor stays the same, its values do not.",
)
OTHER_CONSTANTS = Condition(
    "in a later call with tensors of the same shapes and other arguments beside them",
    STATE,
    "Which value do you store for tensors of a shape? It may depend on the other arguments too.",
)
BETWEEN = Condition(
    "where another call, differentiated as often, comes between two derivatives", STATE, "", raised_by_state
)
CONSTANT_COTANGENT = Condition(
    "for a cotangent that does not require grad, as that of y in y.sum()",
    "detached-in-backward",
    "Where does backward ask whether the cotangent requires grad? The saved tensors need their graph.",
    "detached-in-backward",
)
FLOAT32 = Condition("for float32 inputs", of_lost_digits)
STRIDED = Condition(
    "for non-contiguous inputs and cotangents, as after transposing or slicing", LAYOUT, "", LAYOUT
)
EXPANDED = Condition("for expanded inputs and cotangents, as behind sum()", LAYOUT, "", _raised_by_layout)
ONE_TENSOR = Condition(
    "where {} are one tensor",
    lambda gradient, truth: (None if ratio(gradient, truth) is None else "wrong-factor", ""),
    "The engine adds the gradients of both arguments, whether they are one tensor or two with equal values.",
)
SIZE_OF_COTANGENT = Condition(
    "for {}",
    "gradient-nonlinear",
    "With which number does backward compare the cotangent? A small gradient counts as well.",
)
SIZE_OF_INPUT = Condition(
    "for {}", _blocked, "With which number does your code compare its input, or the gradient?"
)
ZEROS = Condition(
    "for {}",
    lambda gradient, truth: (None if gradient.any() else "missing-gradient", ""),
    "Does your code test whether an argument has a nonzero entry? An argument of zeros has a gradient too.",
)
OTHER_SHAPE = Condition("for {}")


class Comparison(NamedTuple):
    """An array from an answer, the true one, its description, and the argument that it belongs to.

    None stands for zeros. `condition` replaces that of the call, if it is not None.
    """

    what: str
    array: np.ndarray | None
    truth: np.ndarray
    input: str | None = None
    condition: Condition | None = None


@dataclass(frozen=True)
class Test:
    """A call under a condition: its question, and the arrays in the answer with the true ones.

    `agree` compares two arrays up to a tolerance. `also` yields further findings about an answer.
    """

    check: str
    condition: Condition
    question: Request[Any]
    compared: Callable[[Any], Iterable[Comparison]]
    tolerance: float = RELATIVE
    agree: Callable[[np.ndarray, np.ndarray, float], bool] = close
    also: Callable[[Any], Iterable[Finding]] = lambda answer: ()

    @property
    def look(self) -> Look:
        """Return the question, and the function that reads the answer."""
        return Look([self.question], lambda answers: self.findings(answers[0]))

    def findings(self, answer: Any) -> Iterator[Finding]:
        """Yield what is wrong in an answer; a wrong output comes alone, as the gradients follow from it."""
        if "error" in answer:
            yield self._raised(answer["error"])
            return
        yield from self.also(answer)
        for each in self.compared(answer):
            array = np.zeros_like(each.truth) if each.array is None else each.array
            if not self.agree(array, each.truth, no_stricter(self.tolerance)):
                yield self._wrong(each, array)
                if each.input is None or each.condition is not None:
                    return

    def _raised(self, error: StudentError) -> Finding:
        clause, _, hint, raised = self.condition
        mistake = raised(error) if callable(raised) else raised
        mistake = "wrong-dtype" if Message.ABOUT_DTYPES.find(error["message"]) else mistake
        # this error names the call itself, in `during`
        prefix = "" if self.condition is OTHER_CALLS else f"{clause[:1].upper()}{clause[1:]}, "
        finding = named(mistake, self.check, None, tell(error, prefix))
        return replace(finding, hint=hint or finding.hint)

    def _wrong(self, each: Comparison, array: np.ndarray) -> Finding:
        clause, mistake, hint, _ = each.condition or self.condition
        if callable(mistake):
            mistake, better = mistake(array, each.truth)
            hint = better or hint
        message = f"{each.what} is wrong {clause}: {_difference(array, each.truth)}."
        finding = named(mistake, self.check, each.input, message)
        return replace(finding, hint=hint or finding.hint)


def _difference(array: np.ndarray, truth: np.ndarray) -> str:
    if array.shape != truth.shape:
        return f"it has shape {array.shape} and should have {truth.shape}"
    entry = furthest(array, truth)
    one, other = format_distinctly(float(array[entry]), float(truth[entry]))
    return f"entry {list(entry)} is {one} and should be {other}"


def in_float32(arrays: Sequence[np.ndarray | None]) -> Arrays:
    """Return the arrays in float32; None stays None."""
    return [None if array is None else array.astype(np.float32) for array in arrays]
