"""What the verdicts of the tasks have in common: a finding, and what is wrong with an array."""

from __future__ import annotations

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
# what PyTorch says, and the mistake that it then is
SAID = {
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

# the mistake by which a call changes an aspect of what it is given; the others have no name
CHANGED = {
    **dict.fromkeys(
        ("values", "layout", "version", "grad", "requires_grad", "graph", "adjoint"), "mutates-input"
    ),
    "saved": "deletes-context-state",
}
# a hint for each aspect that a call has changed; for a modified value, the mistake has its own hint
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


def disturbed(changes: Changes, given: str) -> Iterator[Finding]:
    """Find what the call has changed of the caller's; `given` says for what: `fn = x**4`."""
    for place, aspects in changes.items():
        for aspect in aspects:
            sentence = ASPECTS.get(aspect, "{} is changed").format(*[place] * 2)
            yield wrong(f"{sentence}, for {given}.", CHANGED.get(aspect), place, UNCHANGED.get(aspect, ""))


def wrong(message: str, mistake: str | None = None, argument: str | None = None, hint: str = "") -> Finding:
    """Return a finding, with the hint of its mistake unless there is a better one; the check comes later."""
    return Finding("", message, mistake, argument, hint or (MISTAKES[mistake].hint if mistake else ""))


def raised(error: StudentError, given: str = "", hint: str = "") -> Finding:
    """Return the finding for an exception of the student's code; `given` says for what."""
    before = f"For {given}, " if given else ""
    endless = error["type"] == "TookTooLong"
    told = f"{before}it takes far too long." if endless else tell(error, before)
    for message, mistake in SAID.items():
        if message.find(error["message"]):
            return wrong(told, mistake, hint=hint)
    if counts := Message.NUMBER_OF_GRADIENTS.find(error["message"]):
        too_few = int(counts[2]) < int(counts[1])
        return wrong(told, "too-few-gradients" if too_few else "too-many-gradients", hint=hint)
    return wrong(told, hint=hint or (SHAPES if does_not_fit(error) else ""))


def of_walk(hints: Mapping[str, str]) -> Callable[[object, StudentError], tuple[str | None, str]]:
    """Return what gives the mistake and the hint for an exception of a walk over a graph, by its type."""

    def of_error(_: object, error: StudentError) -> tuple[str | None, str]:
        if _writes_to_a_node(error):
            return "mutates-input", UNCHANGED["graph"]
        return None, CONSTANTS if "NoneType" in error["message"] else hints.get(error["type"], "")

    return of_error


def _writes_to_a_node(error: StudentError) -> bool:
    """Return whether the line sets an attribute that a node of the graph does not have."""
    lacks = re.search(r"Node' object has no attribute '(\w+)'", error["message"])
    return lacks is not None and re.search(rf"\.{lacks[1]}\s*[-+|]?=(?!=)", error["line"]) is not None


def handed_over(
    called: Sequence[str], given: str, to: str = "PyTorch", mistake: str | None = None
) -> Iterator[Finding]:
    """Find what has done the work in the student's place; `to` says what was meant."""
    hint = "The exercise asks you to write what that function does."
    for name in called[:1]:
        yield wrong(f"For {given}, the work is done by {to} ({name}).", mistake, hint=hint)


def overwritten(overwrites: bool, given: str) -> Iterator[Finding]:
    """Find that a call has changed what an earlier one returned; `given` says for what."""
    if overwrites:
        told = f"For {given}, the call changes the values of what an earlier call has returned."
        yield wrong(told, "state-on-class", hint=OF_EACH_CALL)


def gradient_finding(subject: str, found: np.ndarray | None, truth: np.ndarray, argument: str) -> Finding:
    """Return the finding for an array that is not the true one: its sign, its factor, or an entry of it.

    `subject` begins the sentence: `The gradient for weight`. None stands for a gradient that never arrived.
    """
    if found is None or (not found.any() and truth.any()):
        none = "is missing" if found is None else "is zero everywhere"
        return wrong(f"{subject} {none}.", "missing-gradient", argument)
    if found.shape != truth.shape:
        told = f"{subject} has shape {found.shape}; it should be {truth.shape}"
        if found.ndim == truth.ndim == 2 and close(found.T, truth):
            return wrong(f"{told}: it is the transpose.", "missing-transpose", argument)
        return wrong(f"{told}.", "wrong-shape", argument)
    if close(found, -truth):
        return wrong(f"{subject} has the opposite sign.", "wrong-sign", argument)
    times = ratio(found, truth)
    # one number is a multiple of any other
    if times is not None and (np.count_nonzero(truth) > 1 or _simple(times)) and f"{times:.4g}" != "1":
        return wrong(f"{subject} is {times:.4g} times the true one.", "wrong-factor", argument)
    if few := few_digits(subject, found, truth):
        return wrong(few[1], few[0], argument)
    if truth.ndim == 2 and truth.size > 1 and close(found, truth.T.reshape(truth.shape), EXACT):
        told = f"{subject} has the numbers of its transpose, row after row: {difference(found, truth)}"
        return wrong(told, "missing-transpose", argument)
    if truth.size > 1 and close(np.sort(found, axis=None), np.sort(truth, axis=None), EXACT):
        told = f"{subject} has the right numbers in the wrong places: {difference(found, truth)}"
        return wrong(told, "wrong-order", argument)
    return wrong(f"{subject} differs from the true one: {difference(found, truth)}", None, argument, ENTRY)


def few_digits(subject: str, found: np.ndarray, truth: np.ndarray) -> tuple[str, str] | None:
    """Return the mistake and what is said of numbers that are right in their first digits only; else None.

    `subject` begins the sentence: `The adjoint of a`. The shapes are equal.
    """
    if has_digits_of_float32(found, truth):
        return "wrong-dtype", f"{subject} has only the digits of float32: {difference(found, truth)}"
    if close_in_proportion(found, truth, NEARLY) or _rounded(found, truth):
        return "not-precise", f"{subject} is right in its first digits only: {difference(found, truth)}"
    return None


def _rounded(found: np.ndarray, truth: np.ndarray) -> bool:
    """Return whether each number is the true one, rounded to so many decimals (at least two)."""
    if not np.isfinite(truth).all() or close(found, truth, EXACT) or not found.any():
        return False
    return any(bool((np.round(truth, decimals) == found).all()) for decimals in DECIMALS)


def _simple(times: float) -> bool:
    return math.isfinite(times) and abs(times - Fraction(times).limit_denominator(12)) < 1e-9 * abs(times)


def difference(found: np.ndarray, truth: np.ndarray) -> str:
    """Return the entry that is furthest off, in words; the shapes are equal."""
    entry = furthest(found, truth)
    where = f"entry {list(entry)}" if entry else "it"
    return f"{where} {is_not(found[entry], truth[entry])}."
