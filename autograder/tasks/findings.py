"""What the verdicts of the tasks have in common: a finding, and what is wrong with an array."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from autograder.callers_world import ASPECTS, Changes
from autograder.errors import StudentError, tell
from autograder.mistakes import MISTAKES
from autograder.numbers import close, furthest, ratio
from autograder.result import Finding

CONSTANTS = "next_functions has (None, 0) where an operand is a constant."


# a hint for each aspect of what a call has changed; where a value was written to, the mistake has its own
UNCHANGED = {
    "requires_grad": "A detached copy has a requires_grad of its own, and may be switched.",
    "grad": ".backward() adds to .grad of every leaf; torch.autograd.grad returns the gradients instead.",
    "version": "Which copy could be written to in its place?",
    "mode": "Leave train() and eval() to the caller.",
    "setting": "Who else uses it? What has to be another for a moment is put back, also after an error.",
}


def disturbed(changes: Changes, given: str) -> Iterator[Finding]:
    """Find what the call has changed of the caller's; `given` says for what: `fn = x**4`."""
    for place, aspects in changes.items():
        for aspect in aspects:
            sentence = ASPECTS.get(aspect, "{} is changed").format(*[place] * 2)
            written = aspect in ("values", "layout", "version")
            yield wrong(
                f"{sentence}, for {given}.",
                "mutates-input" if written else None,
                place,
                UNCHANGED.get(aspect, ""),
            )


def wrong(message: str, mistake: str | None = None, argument: str | None = None, hint: str = "") -> Finding:
    """Return a finding, with the hint of its mistake unless there is a better one; the check comes later."""
    return Finding("", message, mistake, argument, hint or (MISTAKES[mistake].hint if mistake else ""))


def raised(error: StudentError, given: str = "", hint: str = "") -> Finding:
    """Return the finding for an exception of the student's code; `given` says for what."""
    return wrong(f"For {given}, {tell(error)}" if given else tell(error), hint=hint)


def walk_raised(error: StudentError, where: str, hints: Mapping[str, str]) -> Finding:
    """Return the finding for an exception of a walk over a graph; `hints` has one for a type of it."""
    told = "it takes far too long" if error["type"] == "TookTooLong" else tell(error).rstrip(".")
    return wrong(
        f"{where} {told}.", hint=CONSTANTS if "NoneType" in error["message"] else hints.get(error["type"], "")
    )


def handed_over(to: str, called: Sequence[str], given: str) -> Finding:
    """Return the finding for work that PyTorch has done in the student's place; `to` says what was meant."""
    hint = "What the exercise asks for is what that function does: write it."
    return wrong(f"For {given}, the work is handed over to {to} ({called[0]}).", hint=hint)


def gradient_finding(subject: str, found: np.ndarray | None, truth: np.ndarray, argument: str) -> Finding:
    """Return the finding for an array that is not the true one: its sign, its factor, or an entry of it.

    `subject` begins the sentence: `The gradient for weight`. None stands for a gradient that never arrived.
    """
    if found is None or (not found.any() and truth.any()):
        none = "is missing" if found is None else "is zero everywhere"
        return wrong(f"{subject} {none}.", "missing-gradient", argument)
    if found.shape != truth.shape:
        return wrong(f"{subject} has shape {found.shape}, and it should be {truth.shape}.", None, argument)
    if close(found, -truth):
        return wrong(f"{subject} has the opposite sign.", "wrong-sign", argument)
    times = ratio(found, truth)
    # one number is a multiple of any other
    if times is not None and (np.count_nonzero(truth) > 1 or _simple(times)) and f"{times:.4g}" != "1":
        return wrong(f"{subject} is {times:.4g} times the true one.", "wrong-factor", argument)
    return wrong(f"{subject} differs from the true one: {difference(found, truth)}", None, argument)


def _simple(times: float) -> bool:
    return math.isfinite(times) and abs(times - Fraction(times).limit_denominator(12)) < 1e-9 * abs(times)


def difference(found: np.ndarray, truth: np.ndarray) -> str:
    """Return the entry that is furthest off, in words; the shapes are equal."""
    entry = furthest(found, truth)
    where = f"entry {list(entry)}" if entry else "it"
    digits = 6 if f"{found[entry]:.6g}" != f"{truth[entry]:.6g}" else 15
    return f"{where} is {found[entry]:.{digits}g} and should be {truth[entry]:.{digits}g}."
