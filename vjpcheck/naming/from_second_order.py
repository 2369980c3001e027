"""Names the cause of a wrong second or third derivative by the change that would make it right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from vjpcheck.ask import requests
from vjpcheck.ask.protocol import Request, request
from vjpcheck.errors import StudentError, tell
from vjpcheck.mistakes import named
from vjpcheck.naming.failing_call import call
from vjpcheck.naming.further_outputs import FurtherOutputs
from vjpcheck.numbers import furthest, is_not
from vjpcheck.probe.function_probe import Probe
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

if TYPE_CHECKING:
    from vjpcheck.ask.answers import HigherPullback
    from vjpcheck.checks.second_order import Attempt

ORDERS = {1: "second", 2: "third"}
CHANGED = (
    "The gradient itself is now wrong: for the same inputs, backward returns a different result than before."
)
IN_PLACE = "Which tensor is modified in place after an operation has saved it for its own derivative?"
TENSORS_STAY = "The engine records operations on Tensors; an array from .data has no history."
SECOND_FUNCTION = (
    "Does PyTorch have operations for this? If not, write the computation of backward as a second Function."
)


def explain(check: str, attempt: Attempt, answer: HigherPullback) -> Finding:
    """Return the finding for a wrong derivative of the gradient.

    The gradients of further outputs are checked first: if one of them is wrong, so is the second derivative.
    """
    case, arguments = attempt.case, attempt.sample.arguments
    further = FurtherOutputs(case, attempt.sample)
    questions: list[Request[Any]] = [
        requests.vjp(arguments, attempt.requires, attempt.cotangents),
        attempt.question("nothing detached"),
        attempt.question("forward recorded"),
        request(Probe.intermediates, arguments, attempt.sample.nearby()),
        *further.questions,
    ]
    again, attached, recorded, places, *of_outputs = case.ask(questions)
    if "error" not in answer and not attempt.still_right(again):
        return Finding(
            check, CHANGED, None, None, "What does backward use in addition to ctx and the cotangents?"
        )
    finding = further.finding(check, of_outputs)
    wrong = attempt.first_wrong(answer)
    if finding is None and wrong is not None and not np.isfinite(wrong[0]).all():
        message = f"The {ORDERS[len(attempt.directions)]} derivative is not finite, and the true one is."
        finding = named("not-finite", check, None, message)
    if finding is None:
        finding = _of_the_graph(check, attempt, answer, attached, recorded, places)
    return replace(finding, seen=f"{call(case, attempt.sample)}{_numbers(attempt, answer)}.")


def _of_the_graph(
    check: str,
    attempt: Attempt,
    answer: HigherPullback,
    attached: HigherPullback,
    recorded: HigherPullback,
    places: Sequence[str],
) -> Finding:
    cause = _cause(attempt, answer, attached, recorded, places)
    raised = answer.get("error")
    message = _describe(attempt, answer) if raised is None else tell(raised)
    if cause is None:
        mistake = _without_cause(attempt, raised)
        if raised is not None and Message.SAVED_AND_OVERWRITTEN.find(raised["message"]):
            return replace(named(mistake, check, None, message), hint=IN_PLACE)
        return _with_hint(named(mistake, check, None, f"{message}." if raised is None else message), attempt)
    mistake, why = cause
    if raised is not None and mistake == "numpy-in-backward":
        why = ""  # the message already says it
    return _with_hint(named(mistake, check, None, f"{message}: {why}." if why else message), attempt)


def _describe(attempt: Attempt, answer: HigherPullback) -> str:
    order = ORDERS[len(attempt.directions)]
    return (
        f"The {order} derivative is {'zero' if _zero(attempt, answer) else 'wrong'}, but there is no warning"
    )


def _without_cause(attempt: Attempt, raised: StudentError | None) -> str:
    """Return the mistake if no known cause explains the derivative."""
    if raised is not None:
        return "wrong-dtype" if Message.ABOUT_DTYPES.find(raised["message"]) else "second-backward-raises"
    required = attempt.case.spec.second_order_asked
    return "wrong-second-derivative" if required else "needs-once-differentiable"


def _with_hint(finding: Finding, attempt: Attempt) -> Finding:
    """Return the finding with a suitable hint.

    For another library the hint is about .data. If the second derivative is asked for, declaring backward
    once differentiable does not help.
    """
    if finding.mistake != "numpy-in-backward":
        return finding
    if attempt.case.spec.library != "torch":
        return replace(finding, hint=TENSORS_STAY)
    return replace(finding, hint=SECOND_FUNCTION) if attempt.case.spec.second_order_asked else finding


def _cause(
    attempt: Attempt,
    answer: HigherPullback,
    attached: HigherPullback,
    recorded: HigherPullback,
    places: Sequence[str],
) -> tuple[str, str] | None:
    """Return the mistake that makes the derivative wrong, and the reason in words; None if unknown.

    `attached` is the answer with a backward that detaches nothing, `recorded` the answer with a recorded
    forward. `places` are the places on ctx whose values depend on the inputs.
    """
    for inspection in attempt.case.inspections:
        if inspection["listed_in_backward"]:
            return (
                "tensors-in-a-list",
                f"apply receives tensors inside a list ({inspection['listed_in_backward']})",
            )
    if attached["detaching"] and not attempt.wrong(attached):
        calls = " and ".join(sorted(set(attached["detaching"])))
        return "detached-in-backward", f"{calls} in backward detaches a tensor from the graph"
    if recorded["kept"] and not attempt.wrong(recorded):
        name = recorded["kept"][0]
        what = (
            "save_for_backward received a tensor that is neither an input nor an output"
            if name == "saved_tensors"
            else f"ctx.{name} was computed in forward and is neither an input nor an output"
        )
        return "intermediate-kept-on-ctx", f"{what}, so the graph does not record how it was computed"
    if attached["numpy"]:
        engine = attempt.case.spec.library != "torch"
        return "numpy-in-backward", f"backward {'reads .data' if engine else 'passes a tensor to NumPy'}"
    case = attempt.case
    seconds = [name for name in answer["functions_behind"] if name != case.function]
    written = case.spec.second_order_asked or case.spec.library != "torch" or not _zero(attempt, answer)
    if seconds and written and "error" not in answer:
        return (
            "wrong-second-derivative",
            f"backward calls {seconds[0]}, which must return a gradient for each argument that changes",
        )
    for place in places:
        return (
            "intermediate-kept-on-ctx",
            f"{place} depends on the inputs, but the graph does not record it",
        )
    if attached["cut"]:
        calls = " and ".join(sorted(set(attached["cut"])))
        return "graph-cut-in-backward", f"{calls} in backward creates numbers without a history"
    return None


def _zero(attempt: Attempt, answer: HigherPullback) -> bool:
    """Return whether the first wrong derivative is 0 in all entries."""
    place = attempt.first_wrong(answer)
    return place is not None and not place[0].any()


def _numbers(attempt: Attempt, answer: HigherPullback) -> str:
    """Return the first wrong entry with both numbers in words; '' if there is none."""
    place = attempt.first_wrong(answer)
    if "error" in answer or place is None:
        return ""
    derivative, truth, name = place
    entry = furthest(derivative, truth)
    at = f"{name}[{', '.join(map(str, entry))}]" if entry else name
    order = "two" if len(attempt.directions) > 1 else "a"
    plural = "s" if len(attempt.directions) > 1 else ""
    return (
        f", for random cotangents and {order} random direction{plural}: the derivative with respect to {at} "
        f"{is_not(derivative[entry], truth[entry])}"
    )
