"""Is the second derivative right, or backward declared once differentiable?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.errors import tell
from autograder.function import gradcheck, requests
from autograder.function.case import Case, Sample
from autograder.function.checks.state import wrong_positions
from autograder.function.gradcheck import Refusal
from autograder.mistakes import named
from autograder.numbers import arrived
from autograder.protocol import Request
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import HigherPullback, Pullback, Supposition

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

    def question(self, supposition: Supposition = "") -> Request[HigherPullback]:
        """Ask what comes of the student's backward, as it is or under a supposition."""
        return requests.higher_vjp(
            self.sample.arguments, self.requires, self.cotangents, self.directions, supposition
        )

    def still_right(self, answer: Pullback) -> bool:
        """Return whether the gradient itself, which was right before, is right once more."""
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
    """Compare the derivative of the pullback with the truth; ask gradgradcheck about the first sample."""
    attempts = [_attempt(case, sample, requires) for sample in case.samples for requires in sample.subsets()]
    first = attempts[0]
    strict = case.exercise.by_gradcheck
    table = gradcheck.second_order(case, first.sample, first.cotangents, fast=True) if strict else None
    further = table.questions if table else []
    answers = case.ask([*(attempt.question() for attempt in attempts), *further])
    tried, evaluations = answers[: len(attempts)], answers[len(attempts) :]
    found = list(_against_truth(attempts, tried))
    yield from found
    if table and not found and not any(answer["declared_once"] for answer in tried):
        yield from _by_gradgradcheck(first, table.refusal(evaluations))


def _attempt(case: Case, sample: Sample, requires: tuple[bool, ...]) -> Attempt:
    cotangents, seconds = case.random_cotangents(sample), case.random_directions(sample, requires)
    for_arguments, for_cotangents = sample.truth.second_vjp(requires, cotangents, seconds)
    return Attempt(case, sample, requires, cotangents, [seconds], [*for_arguments, *for_cotangents])


def _against_truth(attempts: Sequence[Attempt], answers: Sequence[HigherPullback]) -> Iterator[Finding]:
    """Yield what is wrong with the first attempt of which something is."""
    for attempt, answer in zip(attempts, answers, strict=True):
        if answer["declared_once"]:
            if attempt.case.exercise.second_order_asked:
                yield named("wrongly-once-differentiable", CHECK, None, DECLARED)
            return
        if answer["written"]:
            yield named("mutates-saved-tensor", CHECK, None, WRITTEN)
            return
        if attempt.wrong(answer) is not False:
            yield explain(CHECK, attempt, answer)
            return


def _by_gradgradcheck(attempt: Attempt, refusal: Refusal | None) -> Iterator[Finding]:
    """Yield a finding where gradgradcheck refuses entry by entry, too, what it refuses along directions."""
    if refusal is None:
        return
    table = gradcheck.second_order(attempt.case, attempt.sample, attempt.cotangents, fast=False)
    refusal = table.refusal(attempt.case.ask(table.questions))
    if refusal is not None:
        yield named(MISTAKE, CHECK, None, f"gradgradcheck says: {refusal.message}")


def explain(check: str, attempt: Attempt, answer: HigherPullback) -> Finding:
    """Return the finding for a wrong derivative of the gradient: the cause is what would have to change."""
    arguments = attempt.sample.arguments
    questions: list[Request[Any]] = [
        requests.vjp(arguments, attempt.requires, attempt.cotangents),
        attempt.question("nothing detached"),
        attempt.question("forward recorded"),
        requests.intermediates(arguments, attempt.sample.nearby()),
    ]
    again, attached, recorded, places = attempt.case.ask(questions)
    if "error" not in answer and not attempt.still_right(again):
        return Finding(check, CHANGED, None, None, "What does backward look at besides ctx and cotangents?")
    found = attempt.wrong(answer)
    lost = found is None or (isinstance(found, np.ndarray) and not found.any())
    message = f"The derivative of the gradient is {'zero' if lost else 'wrong'}, and nothing warns of it"
    raised = answer.get("error")
    if raised is not None:
        message = tell(raised)
    mistake, why = _cause(attempt, attached, recorded, places)
    if raised is not None and mistake == "numpy-in-backward":
        why = ""  # the message says so
    return named(mistake, check, None, f"{message}: {why}." if why else f"{message}.".replace("..", "."))


def _cause(
    attempt: Attempt, attached: HigherPullback, recorded: HigherPullback, places: Sequence[str]
) -> tuple[str, str]:
    """Return the mistake without which the derivative would be right, and why it goes wrong.

    `attached` is what comes of it where nothing leaves the graph in backward, `recorded` where forward is
    recorded too, and `places` are those on ctx whose values change with the inputs.
    """
    for inspection in attempt.case.inspections:
        if inspection["listed_in_backward"]:
            return (
                "tensors-in-a-list",
                f"apply gets tensors inside a list ({inspection['listed_in_backward']})",
            )
    if attached["detaching"] and attempt.wrong(attached) is False:
        calls = " and ".join(sorted(set(attached["detaching"])))
        return "detached-in-backward", f"{calls} in backward leaves the graph"
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
    for place in places:
        return "intermediate-kept-on-ctx", f"{place} changes with the inputs, and the graph does not know"
    return MISTAKE, ""
