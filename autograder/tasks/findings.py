"""Makes the findings that the verdicts of the tasks share, and explains a wrong array."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from vjpcheck.errors import StudentError, does_not_fit, tell
from vjpcheck.mistakes import MISTAKES
from vjpcheck.numbers import (
    EXACT,
    close,
    close_in_proportion,
    furthest,
    has_digits_of_float32,
    is_not,
    ratio,
)
from vjpcheck.probe.callers_world import ASPECTS, Changes
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

CONSTANTS = "next_functions contains (None, 0) for a constant operand."
SHAPES = "Write down the shapes before that line. Which axes must be added, removed or summed first?"
NEARLY = 1e-4  # relative: too near for another formula, too far for rounding
DECIMALS = range(2, 9)  # with fewer, another formula may give the same by chance
# the mistake behind a message of PyTorch
MISTAKES_BY_MESSAGE = {
    Message.VIEW: "assumes-contiguous",
    Message.ALIASES_AN_INPUT: "returns-input-unchanged",
    Message.GRADIENT_FOR_NON_TENSOR: "gradient-for-non-tensor",
    Message.GRADIENT_OF_ANOTHER_SHAPE: "wrong-shape",
    Message.COTANGENT_OF_ANOTHER_SHAPE: "wrong-shape",
    Message.LEAF_OVERWRITTEN: "mutates-input",
}

OF_EACH_CALL = "Where is the result kept between two calls? Each call must return something new."
ENTRY = "Compute this entry by hand. Which step of your code gives a different number?"
LEFT_OVER = "Which value of an earlier call is still stored, and where? A default argument is made only once."

# the mistake of a call that changes an aspect of its arguments; other changes have no name
CHANGED = {
    **dict.fromkeys(
        ("values", "layout", "version", "grad", "requires_grad", "graph", "adjoint"), "mutates-input"
    ),
    "saved": "deletes-context-state",
}
# a hint for each changed aspect; for modified values, the mistake has its own hint
UNCHANGED = {
    "requires_grad": "A detached copy has its own requires_grad, which you may change.",
    "grad": ".backward() adds to .grad of every leaf; torch.autograd.grad returns the gradients instead.",
    "version": "Modify a copy instead. Which call makes one?",
    "saved": "The next pass over this graph needs them too. Let the caller free them.",
    "graph": "Keep what your walk must remember in a variable of its own, not on the nodes.",
    "adjoint": "Keep what your walk must remember in a variable of its own, not on the nodes.",
    "mode": "Do not call train() or eval(); that is for the caller to do.",
    "setting": "Other code uses this setting too. If you change it, restore it, also after an error.",
}


def disturbed(changes: Changes, words: str) -> Iterator[Finding]:
    """Find the caller's objects that the call has changed; `words` describe the call: `fn = x**4`."""
    for place, aspects in changes.items():
        for aspect in aspects:
            sentence = ASPECTS.get(aspect, "{} is changed").format(*[place] * 2)
            yield wrong(f"{sentence}, for {words}.", CHANGED.get(aspect), place, UNCHANGED.get(aspect, ""))


def wrong(message: str, mistake: str | None = None, argument: str | None = None, hint: str = "") -> Finding:
    """Return a finding, with the hint of its mistake unless `hint` is given; the check's name comes later."""
    return Finding("", message, mistake, argument, hint or (MISTAKES[mistake].hint if mistake else ""))


def raised(error: StudentError, words: str = "", hint: str = "") -> Finding:
    """Return the finding for an exception of the student's code; `words` describe the call."""
    start = f"For {words}, " if words else ""
    endless = error["type"] == "TookTooLong"
    text = f"{start}it takes far too long." if endless else tell(error, start)
    for message, mistake in MISTAKES_BY_MESSAGE.items():
        if message.find(error["message"]):
            return wrong(text, mistake, hint=hint)
    if counts := Message.NUMBER_OF_GRADIENTS.find(error["message"]):
        too_few = int(counts[2]) < int(counts[1])
        return wrong(text, "too-few-gradients" if too_few else "too-many-gradients", hint=hint)
    return wrong(text, hint=hint or (SHAPES if does_not_fit(error) else ""))


def of_walk(hints: Mapping[str, str]) -> Callable[[object, StudentError], tuple[str | None, str]]:
    """Return a function from an exception of a walk over a graph to its mistake and its hint."""

    def of_error(_: object, error: StudentError) -> tuple[str | None, str]:
        if _writes_to_a_node(error):
            return "mutates-input", UNCHANGED["graph"]
        return None, CONSTANTS if "NoneType" in error["message"] else hints.get(error["type"], "")

    return of_error


def _writes_to_a_node(error: StudentError) -> bool:
    """Return whether the line sets an attribute that a node of the graph does not have."""
    lacks = re.search(r"Node' object has no attribute '(\w+)'", error["message"])
    return lacks is not None and re.search(rf"\.{lacks[1]}\s*[-+|]?=(?!=)", error["line"]) is not None


def library_call(
    called: Sequence[str], words: str, to: str = "PyTorch", mistake: str | None = None
) -> Iterator[Finding]:
    """Find a call of a library's function that does the student's work; `to` names the library."""
    hint = "The exercise asks you to write what that function does."
    for name in called[:1]:
        yield wrong(f"For {words}, the work is done by {to} ({name}).", mistake, hint=hint)


def overwritten(overwrites: bool, words: str) -> Iterator[Finding]:
    """Find that a call has changed the result of an earlier one; `words` describe the call."""
    if overwrites:
        text = f"For {words}, the call changes the values of what an earlier call has returned."
        yield wrong(text, "state-on-class", hint=OF_EACH_CALL)


def gradient_finding(subject: str, value: np.ndarray | None, truth: np.ndarray, argument: str) -> Finding:
    """Return the finding for a wrong array: by its sign, its factor, its order or one of its entries.

    `subject` begins the sentence: `The gradient for weight`. None stands for a gradient that never arrived.
    """
    if value is None or (not value.any() and truth.any()):
        state = "is missing" if value is None else "is zero everywhere"
        return wrong(f"{subject} {state}.", "missing-gradient", argument)
    if value.shape != truth.shape:
        text = f"{subject} has shape {value.shape}; it should be {truth.shape}"
        if value.ndim == truth.ndim == 2 and close(value.T, truth):
            return wrong(f"{text}: it is the transpose.", "missing-transpose", argument)
        return wrong(f"{text}.", "wrong-shape", argument)
    if close(value, -truth):
        return wrong(f"{subject} has the opposite sign.", "wrong-sign", argument)
    times = ratio(value, truth)
    # any number is a multiple of any other
    if times is not None and (np.count_nonzero(truth) > 1 or _simple(times)) and f"{times:.4g}" != "1":
        return wrong(f"{subject} is {times:.4g} times the true one.", "wrong-factor", argument)
    if few := few_digits(subject, value, truth):
        return wrong(few[1], few[0], argument)
    if truth.ndim == 2 and truth.size > 1 and close(value, truth.T.reshape(truth.shape), EXACT):
        text = f"{subject} has the numbers of its transpose, row after row: {difference(value, truth)}"
        return wrong(text, "missing-transpose", argument)
    if truth.size > 1 and close(np.sort(value, axis=None), np.sort(truth, axis=None), EXACT):
        text = f"{subject} has the right numbers in the wrong places: {difference(value, truth)}"
        return wrong(text, "wrong-order", argument)
    return wrong(f"{subject} differs from the true one: {difference(value, truth)}", None, argument, ENTRY)


def few_digits(subject: str, value: np.ndarray, truth: np.ndarray) -> tuple[str, str] | None:
    """Return the mistake and a sentence for numbers that are right in their first digits only; else None.

    `subject` begins the sentence: `The adjoint of a`. The shapes are equal.
    """
    if has_digits_of_float32(value, truth):
        return "wrong-dtype", f"{subject} has only the digits of float32: {difference(value, truth)}"
    if close_in_proportion(value, truth, NEARLY) or _rounded(value, truth):
        return "not-precise", f"{subject} is right in its first digits only: {difference(value, truth)}"
    return None


def _rounded(value: np.ndarray, truth: np.ndarray) -> bool:
    """Return whether each number is the true one, rounded to some number of decimals (at least two)."""
    if not np.isfinite(truth).all() or close(value, truth, EXACT) or not value.any():
        return False
    return any(bool((np.round(truth, decimals) == value).all()) for decimals in DECIMALS)


def _simple(times: float) -> bool:
    return math.isfinite(times) and abs(times - Fraction(times).limit_denominator(12)) < 1e-9 * abs(times)


def difference(value: np.ndarray, truth: np.ndarray) -> str:
    """Return the entry with the largest error, in words; the shapes are equal."""
    entry = furthest(value, truth)
    where = f"entry {list(entry)}" if entry else "it"
    return f"{where} {is_not(value[entry], truth[entry])}."
