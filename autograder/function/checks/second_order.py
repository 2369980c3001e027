"""Is the second derivative right, or backward declared once differentiable?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from autograder.errors import tell
from autograder.function.case import Case, Sample
from autograder.function.checks.state import wrong_positions
from autograder.function.numbers import arrived
from autograder.mistakes import named
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.higher import HigherPullback, Supposition

CHECK = "second order"
MISTAKE = "needs-once-differentiable"
DECLARED = "backward is declared once differentiable, and the second derivative is asked for."
WRITTEN = "What backward was given has other values after it was differentiated a second time."
CHANGED = "The gradient itself is wrong by now: asked again for the same inputs, backward gives another one."

Arrays = Sequence[np.ndarray | None]


@dataclass(frozen=True)
class Attempt:
    """The inner product of one pullback with random directions, differentiated again, one or more times."""

    case: Case
    sample: Sample
    requires: tuple[bool, ...]
    cotangents: Arrays
    directions: Sequence[Arrays]
    truths: Arrays

    def ask(self, supposition: Supposition = "") -> HigherPullback:
        """Return what comes of the student's backward, as it is or under a supposition."""
        arguments = self.sample.arguments
        return self.case.probe.higher_vjp(
            arguments, self.requires, self.cotangents, self.directions, supposition
        )

    def still_right(self) -> bool:
        """Return whether the gradient itself, which was right before, is right once more."""
        answer = self.case.probe.vjp(self.sample.arguments, self.requires, self.cotangents)
        truths = self.sample.truth.vjp(self.requires, self.cotangents)
        return "error" not in answer and not wrong_positions(self.case, answer["gradients"], truths)

    def wrong(self, answer: HigherPullback) -> np.ndarray | bool | None:
        """Return False if the answer is right, else the first array that is not the true one."""
        if "error" in answer:
            return True
        tolerance = self.case.exercise.second_order_tolerance
        found = [*answer["for_arguments"], *answer["for_cotangents"]]
        for array, truth in zip(found, self.truths, strict=True):
            if truth is not None and not arrived(array, truth, tolerance):
                return array
        return False


def findings(case: Case) -> Iterator[Finding]:
    """Compare the derivative of the pullback with the truth, then ask gradgradcheck."""
    for sample in case.samples:
        for requires in sample.subsets():
            cotangents = case.random_cotangents(sample)
            seconds = case.random_directions(sample, requires)
            for_arguments, for_cotangents = sample.truth.second_vjp(requires, cotangents, seconds)
            truths = [*for_arguments, *for_cotangents]
            attempt = Attempt(case, sample, requires, cotangents, [seconds], truths)
            answer = attempt.ask()
            if answer["declared_once"]:
                if case.exercise.second_order_asked:
                    yield named("wrongly-once-differentiable", CHECK, None, DECLARED)
                return
            if answer["written"]:
                yield named("mutates-saved-tensor", CHECK, None, WRITTEN)
                return
            if attempt.wrong(answer) is not False:
                yield explain(CHECK, attempt, answer)
                return
    first = case.samples[0]
    if case.exercise.by_gradcheck:
        refusal = first.truth.gradgradcheck(case.probe, first.arguments, case.random_cotangents(first))
        if refusal is not None:
            yield named(MISTAKE, CHECK, None, f"gradgradcheck says: {refusal.message}")


def explain(check: str, attempt: Attempt, answer: HigherPullback) -> Finding:
    """Return the finding for a wrong derivative of the gradient: the cause is what would have to change."""
    if "error" not in answer and not attempt.still_right():
        return Finding(check, CHANGED, None, None, "What does backward look at besides ctx and cotangents?")
    found = attempt.wrong(answer)
    lost = found is None or (isinstance(found, np.ndarray) and not found.any())
    message = f"The derivative of the gradient is {'zero' if lost else 'wrong'}, and nothing warns of it"
    raised = answer.get("error")
    if raised is not None:
        message = tell(raised)
    mistake, why = _cause(attempt)
    if raised is not None and mistake == "numpy-in-backward":
        why = ""  # the message says so
    return named(mistake, check, None, f"{message}: {why}." if why else f"{message}.".replace("..", "."))


def _cause(attempt: Attempt) -> tuple[str, str]:
    """Return the mistake without which the derivative would be right, and why it goes wrong."""
    for inspection in attempt.case.inspections:
        if inspection["listed_in_backward"]:
            return (
                "tensors-in-a-list",
                f"apply gets tensors inside a list ({inspection['listed_in_backward']})",
            )
    attached = attempt.ask("nothing detached")
    if attached["detaching"] and attempt.wrong(attached) is False:
        calls = " and ".join(sorted(set(attached["detaching"])))
        return "detached-in-backward", f"{calls} in backward leaves the graph"
    recorded = attempt.ask("forward recorded")
    if recorded["kept"] and attempt.wrong(recorded) is False:
        name = recorded["kept"][0]
        what = (
            "save_for_backward was given a tensor that is neither an input nor an output"
            if name == "saved_tensors"
            else f"ctx.{name} was computed in forward, and is neither an input nor an output"
        )
        return "intermediate-kept-on-ctx", f"{what}, so the graph does not know where it came from"
    if attached["numpy"]:
        return "numpy-in-backward", "backward hands a tensor to NumPy"
    for place in attempt.case.probe.intermediates(attempt.sample.arguments, attempt.sample.nearby()):
        return "intermediate-kept-on-ctx", f"{place} changes with the inputs, and the graph does not know"
    return MISTAKE, ""
