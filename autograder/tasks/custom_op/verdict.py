"""Judges a custom op: values and gradients by native PyTorch, the registrations by torch.library.opcheck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np

from autograder.tasks.custom_op.ops import OPS, Case, Op, Rest
from autograder.tasks.custom_op.probe import OpcheckAnswer, Probe, PullAnswer, ValuesAnswer, asked
from autograder.tasks.findings import difference, disturbed, gradient_finding, overwritten, raised, wrong
from autograder.tasks.inputs import drawn
from vjpcheck.ask.protocol import ProbeClient, Request, request
from vjpcheck.domain import Shape
from vjpcheck.errors import says_what_is_missing, tell
from vjpcheck.numbers import EXACT, SINGLE_PRECISION, close
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

DTYPES = ("float64", "float32", "float64")  # of the arrays in opcheck
OP = "torch.library.custom_op turns a function with typed arguments into a named operator."
CLONE = "Slicing returns a view. Which call returns a new tensor with the same values?"
GRAPH = "torch.compile traces every line outside the op: do not print or read values there."
FAKE = "The function given to register_fake returns an empty tensor of the right shape, dtype and device."
OPERATIONS = "backward must consist of PyTorch operations: torch.compile traces it too."
REGISTER = "register_autograd takes the functions backward and setup_context, and connects them with the op."
AGAIN = "What does the first backward pass change on ctx, or write into a tensor that ctx holds?"
SAVED = "Which tensor of backward has no history, since it was not saved by save_for_backward?"

# PyTorch's words on a difference between the fake output and the real one, and the mistake
_DIFFERENT = {"Dtypes ": "wrong-dtype", "Shapes ": "wrong-shape"}

COMPILED = "test_aot_dispatch_dynamic"  # a test of opcheck too, and a slow one

# the meaning of each other test of opcheck, in the order in which one failure causes the next
TESTS = {
    "test_schema": "its schema says that it changes nothing and returns new memory",
    "test_autograd_registration": "its gradient is registered with register_autograd",
    "test_faketensor": "its register_fake gives the shape, strides and dtype of the real output",
}


class Pull(NamedTuple):
    """A case, the words for it, and the request for its gradient."""

    case: Case
    words: str
    request: Request[PullAnswer]


def _forward(probe: ProbeClient, generator: np.random.Generator, op: str) -> Iterator[Finding]:
    asked_for = OPS[op]
    calls: list[Any] = [
        (*drawn(generator, shape, planted=planted), rest, False)
        for planted in (False, True)
        for shape in asked_for.shapes
        for rest in dict.fromkeys(asked_for.rests)
    ]
    first = asked_for.rests[0]
    chosen = calls[0], calls[len(calls) // 2]  # one of each kind of drawing
    single = [(array.astype(np.float32), rest, False) for array, rest, _ in chosen]
    calls += [(array, first, True) for array in drawn(generator, *asked_for.shapes)]
    calls += [(np.zeros(shape), first, False) for shape in asked_for.shapes]
    calls += single
    requests = [(asked_for.argument, x, rest, len(asked_for.outputs), batch) for x, rest, batch in calls]
    for (array, rest, _), answer in zip(calls, probe.each(Probe.values, requests), strict=True):
        yield from _values(asked_for, array, rest, answer)


def _values(op: Op, array: np.ndarray, rest: Rest, answer: ValuesAnswer) -> Iterator[Finding]:
    words, truths = op.said(array, rest), op.values(array, rest)
    if "error" in answer or answer["outputs"] is None:
        aliases = Message.ALIASES_AN_INPUT.find(answer["error"]["message"])
        yield raised(answer["error"], words, CLONE if aliases else "")
        return
    yield from disturbed(answer["changes"], words)
    within = EXACT if array.dtype == np.float64 else SINGLE_PRECISION
    found = zip(op.outputs, answer["outputs"], answer["dtypes"], truths, strict=True)
    for name, output, dtype, truth in found:
        if output.shape != truth.shape:
            message = f"For {words}, {name} has shape {output.shape}, and it should be {truth.shape}"
            yield wrong(f"{message}: {op.value}", "forward-value")
        elif not close(output.astype(float), truth, within):
            different = difference(output.astype(float), truth)
            yield wrong(f"For {words}, {name} differs: {different} Asked for: {op.value}", "forward-value")
        elif dtype != array.dtype.name:
            message = f"If {op.argument} has dtype {array.dtype}, {name} has dtype {dtype}."
            yield wrong(message, "forward-value")
    if not answer["ops"]:
        yield wrong("The work calls no custom op: it only uses PyTorch operations.", hint=OP)
    if answer["shares_memory"]:
        message = f"For {words}, an output shares memory with {op.argument}: it is a view of it."
        yield wrong(message, "returns-input-unchanged", op.argument)


def _pulls(generator: np.random.Generator, op: Op) -> list[Pull]:
    """Return the backward passes; a call with other arguments precedes each but the last, the first again."""
    shapes, used, ordinary = cycle(op.shapes), cycle(op.used), len(op.rests) + 1
    pulls = []
    for number, rest in enumerate([*op.rests, op.rests[0], *op.rests]):
        shape, planted = next(shapes), number >= ordinary
        array, later = drawn(generator, shape, shape, planted=planted)
        sizes = [output.shape for output in op.values(array, rest)]
        drawn_seeds, chosen = drawn(generator, *sizes, planted=planted), next(used)
        seeds = [seed if place in chosen else None for place, seed in enumerate(drawn_seeds)]
        between = (later, op.rests[(number + 1) % len(op.rests)])
        pulls.append(_pull(op, Case(array, rest, seeds), number == len(op.rests), between))
    first = pulls[0].case
    return [*pulls, _pull(op, first, False, (first.x, first.rest))]


def _pull(op: Op, case: Case, by_columns: bool, later: tuple[Any, ...]) -> Pull:
    unused = [name for name, seed in zip(op.outputs, case.cotangents, strict=True) if seed is None]
    words = op.said(case.x, case.rest) + "".join(f" where {name} is not used" for name in unused)
    arguments = (op.argument, *case, by_columns, later)
    return Pull(case, words, asked(Probe.pull, case.x, *arguments))


def _gradient(probe: ProbeClient, generator: np.random.Generator, op: str) -> Iterator[Finding]:
    asked_for = OPS[op]
    pulls = _pulls(generator, asked_for)
    answers = probe.ask([pull.request for pull in pulls])
    found = [[*_pulled(asked_for, *pair)] for pair in zip(pulls, answers, strict=True)]
    if found[0] and not found[-1]:
        message = f"A call with other arguments before backward changes it. {found[0][0].message}"
        yield wrong(message, "state-on-class", asked_for.argument, asked_for.setup)
    for findings in found:
        yield from findings


def _pulled(op: Op, pull: Pull, answer: PullAnswer) -> Iterator[Finding]:
    """Find the mistakes of one backward pass."""
    (case, words, _), name, truth = pull, op.argument, op.gradient(pull.case)
    if "error" in answer:
        yield _of_error(op, pull, answer)
    elif not answer["requires_grad"]:
        message = f"The output does not require grad although {name} does: no backward is registered."
        yield wrong(message, "missing-gradient", name, REGISTER)
    elif answer["gradient"] is None or not close(answer["gradient"], truth, EXACT):
        yield _explained(op, case, words, answer["gradient"], truth)
    elif answer["overwritten"]:
        yield from overwritten(True, f"{words} and a second backward pass over the same graph")
    elif not answer["changes"] and not (
        answer["again"] is not None and close(answer["again"], -2 * truth, EXACT)
    ):
        message = f"For {words}, a second backward pass over the same graph gives a wrong gradient."
        yield wrong(message, "mutates-saved-tensor", name, AGAIN)
    for place in answer["input_on_ctx"]:
        message = f"{place} holds {name}, which stays in memory until backward."
        yield wrong(message, "input-kept-on-ctx", name, op.kept)
    for place in answer["output_on_ctx"]:
        yield wrong(f"{place} holds an output of the op.", "output-kept-on-ctx", name)
    yield from disturbed(answer["changes"], words)


def _of_error(op: Op, pull: Pull, answer: PullAnswer) -> Finding:
    error = answer["error"]
    if "second backward" in error["during"]:
        mistake = "deletes-context-state" if says_what_is_missing(error) else None
        return wrong(tell(error, f"For {pull.words}, "), mistake, op.argument, AGAIN)
    if "NoneType" in error["message"] and any(seed is None for seed in pull.case.cotangents):
        return wrong(tell(error, f"For {pull.words}, "), "none-gradient-unhandled", op.argument)
    if Message.GRADIENT_FOR_NON_TENSOR.find(error["message"]) and not pull.case.rest:
        return wrong(tell(error, f"For {pull.words}, "), "too-many-gradients", op.argument)
    unregistered = Message.NO_AUTOGRAD_FORMULA.find(error["message"])
    return raised(error, pull.words, REGISTER if unregistered else op.setup)


def _explained(op: Op, case: Case, words: str, gradient: np.ndarray | None, truth: np.ndarray) -> Finding:
    subject = f"For {words}, the gradient for {op.argument}"
    if gradient is not None and gradient.any() and gradient.shape == truth.shape:
        for mistake, sentence, wrongly in op.guesses:
            if close(gradient, wrongly(case, gradient)):
                message = f"{subject} {sentence}: {difference(gradient, truth)}"
                return wrong(message, mistake, op.argument)
    return gradient_finding(subject, gradient, truth, op.argument)


def _second(probe: ProbeClient, generator: np.random.Generator, op: str) -> Iterator[Finding]:
    """Check the derivative of the gradient."""
    asked_for, calls = OPS[op], []
    for shape in asked_for.shapes:
        array, along = drawn(generator, shape, shape)
        rest = asked_for.rests[0]
        seeds = drawn(generator, *(output.shape for output in asked_for.values(array, rest)))
        calls.append((Case(array, rest, seeds), along))
    answers = probe.ask([asked(Probe.second, case.x, *case, along) for case, along in calls])
    for (case, along), answer in zip(calls, answers, strict=True):
        words = asked_for.said(case.x, case.rest)
        truth, subject = asked_for.gradient(case, along=along), f"For {words}, "
        if "error" in answer:
            yield raised(answer["error"], words, SAVED)
        elif not answer["requires_grad"]:
            text = "the gradient has no history: it cannot be differentiated again."
            yield wrong(subject + text, "graph-cut-in-backward", asked_for.argument, SAVED)
        elif answer["second"] is None or not close(answer["second"], truth, EXACT):
            text = "the derivative of the gradient is wrong: "
            text += "it is missing." if answer["second"] is None else difference(answer["second"], truth)
            yield wrong(subject + text, "wrong-second-derivative", asked_for.argument, SAVED)


def _opcheck(probe: ProbeClient, generator: np.random.Generator, op: str) -> Iterator[Finding]:
    asked_for = OPS[op]
    hints = dict(zip(TESTS, ("", asked_for.setup, FAKE), strict=True))
    shapes: list[Shape] = [*asked_for.shapes[: len(DTYPES)]]
    arrays = [array.astype(d) for array, d in zip(drawn(generator, *shapes), DTYPES, strict=True)]
    calls = [(t, array, rest) for t in TESTS for array, rest in zip(arrays, asked_for.rests, strict=False)]
    for (test, _, _), answer in zip(calls, probe.each(Probe.opcheck, calls), strict=True):
        yield from _checked(answer, test, TESTS[test], hints[test])


def _checked(answer: OpcheckAnswer, test: str, meaning: str, hint: str) -> Iterator[Finding]:
    if "error" in answer:
        yield raised(answer["error"], hint=hint)
    elif answer["failure"]:
        mistake = next((name for text, name in _DIFFERENT.items() if text in answer["failure"]), None)
        message = f"opcheck's {test}, which checks that {meaning}, fails: {answer['failure']}"
        yield wrong(message, mistake, hint=hint)


def _compiled(probe: ProbeClient, generator: np.random.Generator, op: str) -> Iterator[Finding]:
    """Check one compiled graph; the first compilation in a process takes seconds."""
    asked_for = OPS[op]
    array, second = drawn(generator, asked_for.shapes[0], asked_for.shapes[0])
    rest = asked_for.rests[0]
    case = Case(array, rest, drawn(generator, *(o.shape for o in asked_for.values(array, rest))))
    requests: list[Request[Any]] = [
        asked(Probe.compile, array, asked_for.argument, *case),
        request(Probe.opcheck, COMPILED, second, rest),
    ]
    answer, checked = probe.ask(requests)
    if "error" in answer:
        by_numpy = Message.NOT_TRACED.find(answer["error"]["message"])
        finding = raised(answer["error"], hint=OPERATIONS if by_numpy else GRAPH)
        yield replace(finding, mistake="numpy-in-backward") if by_numpy else finding
    elif answer["gradient"] is None or not close(answer["gradient"], asked_for.gradient(case, 2.0)):
        yield wrong("The gradient of the compiled op differs from the gradient without torch.compile.")
    else:
        yield from disturbed(answer["changes"], "the compiled op")
        yield from _checked(checked, COMPILED, "it gives the same gradient when it is compiled", FAKE)


CHECKS = {
    "forward": _forward,
    "gradient": _gradient,
    "second order": _second,
    "opcheck": _opcheck,
    "compiled": _compiled,
}
