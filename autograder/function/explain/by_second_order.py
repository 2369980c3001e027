"""Names the cause of a wrong second or third derivative: what would have to change for it to be right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from autograder.errors import StudentError, tell
from autograder.function import requests
from autograder.function.explain.further_outputs import FurtherOutputs
from autograder.function.explain.seen import call
from autograder.mistakes import named
from autograder.numbers import furthest
from autograder.protocol import Request
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import HigherPullback
    from autograder.function.checks.second_order import Attempt

ORDERS = {1: "second", 2: "third"}
CHANGED = "The gradient itself is wrong by now: asked again for the same inputs, backward gives another one."
IN_PLACE = "Which tensor is written into after an operation that has saved it for its own derivative?"
TENSORS_STAY = "The engine's operations record what they do to Tensors; an array from .data has no history."
SECOND_FUNCTION = (
    "Which operations does PyTorch have for this? Else make backward's work a Function of its own."
)


def explain(check: str, attempt: Attempt, answer: HigherPullback) -> Finding:
    """Return the finding for a wrong derivative of the gradient.

    The gradients of further outputs come first: where one of them is wrong, so is what is made of it.
    """
    case, arguments = attempt.case, attempt.sample.arguments
    further = FurtherOutputs(case, attempt.sample)
    questions: list[Request[Any]] = [
        requests.vjp(arguments, attempt.requires, attempt.cotangents),
        attempt.question("nothing detached"),
        attempt.question("forward recorded"),
        requests.intermediates(arguments, attempt.sample.nearby()),
        *further.questions,
    ]
    again, attached, recorded, places, *of_outputs = case.ask(questions)
    if "error" not in answer and not attempt.still_right(again):
        return Finding(check, CHANGED, None, None, "What does backward look at besides ctx and cotangents?")
    found = further.finding(check, of_outputs)
    if found is None:
        found = _of_the_graph(check, attempt, answer, attached, recorded, places)
    return replace(found, seen=f"{call(case, attempt.sample)}{_numbers(attempt, answer)}.")


def _of_the_graph(
    check: str,
    attempt: Attempt,
    answer: HigherPullback,
    attached: HigherPullback,
    recorded: HigherPullback,
    places: Sequence[str],
) -> Finding:
    cause = _cause(attempt, attached, recorded, places)
    raised = answer.get("error")
    told = _told(attempt, answer) if raised is None else tell(raised)
    if cause is None:
        mistake = _without_cause(attempt, raised)
        if raised is not None and "modified by an inplace operation" in raised["message"]:
            return replace(named(mistake, check, None, told), hint=IN_PLACE)
        return _with_hint(named(mistake, check, None, f"{told}." if raised is None else told), attempt)
    mistake, why = cause
    if raised is not None and mistake == "numpy-in-backward":
        why = ""  # the message says so
    return _with_hint(named(mistake, check, None, f"{told}: {why}." if why else told), attempt)


def _told(attempt: Attempt, answer: HigherPullback) -> str:
    place = attempt.first_wrong(answer)
    lost = place is not None and not place[0].any()
    order = ORDERS[len(attempt.directions)]
    return f"The {order} derivative is {'zero' if lost else 'wrong'}, and nothing warns of it"


def _without_cause(attempt: Attempt, raised: StudentError | None) -> str:
    """Return the name where nothing is known to have left the graph."""
    if raised is not None:
        return "wrong-dtype" if "dtype" in raised["message"] else "second-backward-raises"
    asked = attempt.case.exercise.second_order_asked
    return "wrong-second-derivative" if asked else "needs-once-differentiable"


def _with_hint(finding: Finding, attempt: Attempt) -> Finding:
    """Return the finding with a hint that fits.

    The engine has no NumPy to leave; where the second derivative is asked for, declaring is no way out.
    """
    if finding.mistake != "numpy-in-backward":
        return finding
    if attempt.case.exercise.library == "engine":
        return replace(finding, hint=TENSORS_STAY)
    return replace(finding, hint=SECOND_FUNCTION) if attempt.case.exercise.second_order_asked else finding


def _cause(
    attempt: Attempt, attached: HigherPullback, recorded: HigherPullback, places: Sequence[str]
) -> tuple[str, str] | None:
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
    if attached["detaching"] and not attempt.wrong(attached):
        calls = " and ".join(sorted(set(attached["detaching"])))
        return "detached-in-backward", f"{calls} in backward leaves the graph"
    if recorded["kept"] and not attempt.wrong(recorded):
        name = recorded["kept"][0]
        what = (
            "save_for_backward was given a tensor that is neither an input nor an output"
            if name == "saved_tensors"
            else f"ctx.{name} was computed in forward, and is neither an input nor an output"
        )
        return "intermediate-kept-on-ctx", f"{what}, so the graph does not know where it came from"
    if attached["numpy"]:
        engine = attempt.case.exercise.library == "engine"
        return "numpy-in-backward", f"backward {'reads .data' if engine else 'hands a tensor to NumPy'}"
    for place in places:
        return "intermediate-kept-on-ctx", f"{place} changes with the inputs, and the graph does not know"
    if attached["cut"]:
        calls = " and ".join(sorted(set(attached["cut"])))
        return "graph-cut-in-backward", f"{calls} in backward makes numbers without a history"
    return None


def _numbers(attempt: Attempt, answer: HigherPullback) -> str:
    """Return the first entry that is not right, with both numbers; '' where nothing came back."""
    place = attempt.first_wrong(answer)
    if "error" in answer or place is None:
        return ""
    found, truth, name = place
    entry = furthest(found, truth)
    at = f"{name}[{', '.join(map(str, entry))}]" if entry else name
    order = "two" if len(attempt.directions) > 1 else "a"
    plural = "s" if len(attempt.directions) > 1 else ""
    return (
        f", for random cotangents and {order} random direction{plural}: the derivative by {at} "
        f"is {found[entry]:.4g} and should be {truth[entry]:.4g}"
    )
