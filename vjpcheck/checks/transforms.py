"""Checks the Function under torch.func and in forward mode against the native forward."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from vjpcheck.ask.protocol import request
from vjpcheck.case import Case, Look, Sample
from vjpcheck.checks.conditions import DTYPE, FLOAT32, STRIDED, Comparison, Test
from vjpcheck.errors import StudentError, tell
from vjpcheck.mistakes import named
from vjpcheck.naming import from_error
from vjpcheck.naming.failing_call import of_tangent
from vjpcheck.naming.from_tangent import explain as explain_jvp
from vjpcheck.numbers import SINGLE_PRECISION, close, furthest, is_not, ratio
from vjpcheck.probe.function_probe import Probe
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Transformed

OUTPUT = "the output of torch.func.jvp"
INPUT, IN_BATCH = "the input after torch.func.jvp", "the input after torch.vmap"
TWICE_IN_A_BATCH = [
    "torch.func.grad of torch.func.grad of torch.vmap",
    "torch.func.grad of torch.func.jvp of torch.vmap",
]
# a derivative through a batch along another axis, and the same one through a batch along the first axis
ALONG_THE_FIRST = {
    "the gradient through torch.vmap": "torch.func.grad of torch.vmap",
    "torch.func.jvp of torch.vmap over axis 1": "torch.func.jvp of torch.vmap",
}
BATCH = 3  # some samples have an axis of this size too, so the size does not identify the batch axis


def setup_context(case: Case) -> Iterator[Finding]:
    """Check that the Function has the static method that torch.func needs."""
    if not case.declared["setup_context"]:
        message = "forward takes ctx; torch.func needs a forward without ctx, and a setup_context."
        yield named("no-setup-context", "setup_context", None, message)


def jvp(case: Case) -> Iterator[Finding]:
    """Check Jacobian-vector products, by torch.func and by dual numbers."""
    names = ["torch.func.jvp", "torch.autograd.forward_ad"]
    yield from _compare(case, "jvp", names, once=[OUTPUT, INPUT], varied=["torch.func.jvp"])


def batched(case: Case) -> Iterator[Finding]:
    """Check torch.vmap, with the rule that the specification asks for."""
    names = [
        "torch.vmap",
        "torch.vmap over axis 1",
        "torch.vmap over the last axis",
        "torch.vmap in torch.vmap",
        "the gradient through torch.vmap",
    ]
    varied = ["torch.vmap", "the gradient through torch.vmap"]
    faults = list(_compare(case, "vmap", names, once=[IN_BATCH], varied=varied))
    yield from faults
    rule = case.spec.vmap_rule
    if faults or rule == "any":
        return
    if rule == "own" and not case.declared["vmap"]:
        yield Finding("vmap", "A vmap static method is asked for, but the generated rule is used.")
    if rule == "generated" and not case.declared["generate_vmap_rule"]:
        yield Finding("vmap", "generate_vmap_rule is asked for, but a vmap static method is used.")


def composed(case: Case) -> Iterator[Finding]:
    """Check composed transforms: whole Jacobians in both modes, batches of derivatives."""
    jacobians = ["torch.func.vjp", "torch.func.jacrev", "torch.func.jacfwd"]
    batches = [
        "torch.vmap of the gradient",
        "torch.func.grad of torch.vmap",
        "torch.func.jvp of torch.vmap",
        "torch.func.jvp of torch.vmap over axis 1",
    ]
    yield from _compare(case, "transforms", [*jacobians, *batches], varied=["torch.func.jvp of torch.vmap"])


def hessian(case: Case) -> Iterator[Finding]:
    """Check second derivatives; forward over forward is left out, because PyTorch itself is wrong there."""
    orders = ["torch.func.jacrev of torch.func.jacrev", "torch.func.jacrev of torch.func.jacfwd"]
    yield from _compare(case, "hessian", ["torch.func.hessian", *orders], once=TWICE_IN_A_BATCH)


CHECKS: dict[str, Callable[[Case], Iterator[Finding]]] = {
    "setup_context": setup_context,
    "jvp": jvp,
    "vmap": batched,
    "transforms": composed,
    "hessian": hessian,
}


def _compare(
    case: Case, check: str, names: Sequence[str], once: Sequence[str] = (), varied: Sequence[str] = ()
) -> Iterator[Finding]:
    """Yield a finding for the first transform whose result differs from that of the native forward.

    The transforms in `once` run at the first sample only. Those in `varied` run there also in float32 and
    with gaps in memory.
    """
    points = [_point(case, sample) for sample in case.samples]
    tried = [(name, point) for point in points for name in names]
    tried += [(name, points[0]) for name in once]
    questions = [request(Probe.transform, name, point) for name, point in tried]
    single = [array.astype(np.float32) for array in points[0]]
    further = [
        Test(
            check,
            FLOAT32,
            request(Probe.transform, name, single),
            partial(_compared, case, name, single),
            SINGLE_PRECISION,
            also=partial(_dtype, check, name),
        )
        for name in varied
    ]
    for name in varied:
        question = request(Probe.transform, name, points[0], "strided")
        compared = partial(_compared, case, name, points[0])
        further.append(Test(check, STRIDED, question, compared, case.spec.tolerance))
    first = Look(questions, lambda answers: islice(_differences(case, check, tried, answers), 1))
    yield from islice(case.look_for_cause([first, *(one.look for one in further)]), 1)


def _compared(
    case: Case, name: str, point: Sequence[np.ndarray], answer: Transformed
) -> Iterator[Comparison]:
    from vjpcheck.probe.transforms import transformed  # which imports torch

    truth = transformed(name, case.spec.forward, [array.astype(float) for array in point])
    yield Comparison(f"The result of {name}", answer["output"], truth)


def _dtype(check: str, name: str, answer: Transformed) -> Iterator[Finding]:
    output = answer["output"]
    if output is not None and output.dtype != np.float32:
        message = f"{name} of float32 inputs gives {output.dtype}; results have the dtype of the inputs."
        yield replace(named("wrong-dtype", check, None, message), hint=DTYPE)


def _point(case: Case, sample: Sample) -> list[np.ndarray]:
    x = sample.arguments[0]
    assert isinstance(x, np.ndarray)
    shapes = (x.shape, (BATCH, *x.shape), (BATCH, *x.shape))
    return [x, *(np.asarray(case.generator.standard_normal(shape)) for shape in shapes)]


def _differences(
    case: Case,
    check: str,
    tried: Sequence[tuple[str, list[np.ndarray]]],
    answers: Sequence[Transformed],
) -> Iterator[Finding]:
    from vjpcheck.probe.transforms import transformed  # which imports torch

    for (name, point), answer in zip(tried, answers, strict=True):
        if "error" in answer:
            orders = _in_two_orders(case, check, (name, point))
            yield orders or _error(case, check, name, answer["error"])
            continue
        truth, output = transformed(name, case.spec.forward, point), answer["output"]
        if output is None or output.shape != truth.shape:
            shape = None if output is None else output.shape
            message = f"{name} gives an array of shape {shape}; it should be {truth.shape}."
            turned = check == "vmap" and shape is not None and sorted(shape) == sorted(truth.shape)
            finding = named("wrong-axis" if turned else None, check, None, message)
            yield replace(finding, hint=HINT_AXES if "vmap" in name else "")
        elif close(output, truth, case.spec.tolerance):
            continue
        elif name == OUTPUT:
            message = "jvp writes into the output of forward, which its caller receives."
            yield replace(named("mutates-saved-tensor", check, None, message), hint=HINT_WRITTEN)
        elif name in (INPUT, IN_BATCH):
            rule = "jvp" if name == INPUT else "vmap"
            message = f"{rule} writes into {case.name(0)}, which its caller still holds."
            yield named("mutates-input", check, case.name(0), message)
        else:
            yield _wrong(case, check, (name, point), output, truth)


HINT_JVP = "The result of jvp is J t: for each output, the sum over the inputs of derivative times tangent."
HINT_WRITTEN = "Which operation in jvp modifies a tensor from ctx?"
FOR_FORWARD = "In jvp, ctx.saved_tensors holds the tensors that were passed to save_for_forward."
HINT_BATCH = "NumPy met a batched tensor: write a vmap static method, and call apply in it, not forward."
HINT_DUAL = "NumPy cannot read the tensors that a transform passes on. Use PyTorch's operations here."
AS_ONE = "vmap treats the batch axis like an axis of a sample."
HINT_TWICE = "vmap's result is differentiated twice here: which value in that graph is kept as a constant?"
TWO_ORDERS = (
    "goes wrong, although the same derivative is right with the batch along the first axis: PyTorch's rule "
    "takes the batch axes of the tensors in one save call for those in the other."
)
HINT_AXES = "in_dims gives the batch axis of each argument; out_dims gives the batch axis of each output."


def _wrong(
    case: Case, check: str, tried: tuple[str, list[np.ndarray]], output: np.ndarray, truth: np.ndarray
) -> Finding:
    orders = _in_two_orders(case, check, tried)
    if orders:
        return orders
    (name, point), entry = tried, furthest(output, truth)
    message = (
        f"{name} gives a different result than for the native function: "
        f"entry {list(map(int, entry))} {is_not(output[entry], truth[entry])}."
    )
    mistake: str | None
    if check == "jvp":
        times = ratio(output, truth)
        if times is not None:
            mistake = "wrong-sign" if abs(times + 1) < 1e-6 else "wrong-factor"
            why = f"The result of jvp is {times:.4g} times the true one."
        else:
            mistake, why = explain_jvp(case, [_point(case, sample) for sample in case.samples]) or (None, "")
        finding = named(mistake, check, case.name(0), f"{why} {message}".strip())
        return replace(finding, hint=HINT_JVP, seen=of_tangent(case, point, entry, output, truth))
    if check == "vmap" and name == "torch.vmap" and _as_one_sample(case, point, output):
        return replace(named("wrong-axis", check, None, f"{AS_ONE} {message}"), hint=HINT_AXES)
    # the result was right for a batch along the first axis, which is checked before
    along = check == "vmap" and name.startswith("torch.vmap over")
    finding = named("wrong-axis" if along else None, check, None, message)
    hint = HINT_TWICE if check == "hessian" else HINT_AXES
    return replace(finding, hint=hint if "vmap" in name else "")


def _in_two_orders(case: Case, check: str, tried: tuple[str, list[np.ndarray]]) -> Finding | None:
    """Return the finding for a generated rule that confuses the batch axes of the two save calls.

    The rule hides the batch axis from the Function, so nothing else can depend on it.
    """
    from vjpcheck.probe.transforms import transformed

    name, point = tried
    first = ALONG_THE_FIRST.get(name)
    if first is None or not case.declared["generate_vmap_rule"]:
        return None
    answer = case.ask_one(request(Probe.transform, first, point))
    output, truth = answer["output"], transformed(first, case.spec.forward, point)
    if output is None or output.shape != truth.shape or not close(output, truth, case.spec.tolerance):
        return None
    return named("saved-in-two-orders", check, None, f"{name} {TWO_ORDERS}")


def _as_one_sample(case: Case, point: list[np.ndarray], output: np.ndarray) -> bool:
    from vjpcheck.probe.transforms import transformed

    whole = transformed("the batch as one sample", case.spec.forward, point)
    return close(output, whole, case.spec.tolerance)


def _error(case: Case, check: str, name: str, error: StudentError) -> Finding:
    text = error["message"]
    if "vmap" in name:
        if case.declared["generate_vmap_rule"] and Message.NO_STORAGE.find(text):
            message = f"{name} fails: the generated rule passes on batched tensors, which NumPy cannot read."
            return named("no-vmap-rule", check, None, message)
        if case.declared["vmap_calls_forward"]:
            message = f"{name} fails: vmap calls forward, which no transform sees. {tell(error)}"
            return named("called-forward-not-apply", check, None, message)
    for known, mistake, message in _KNOWN:
        if known.find(text):
            return named(mistake, check, None, f"{name} fails: {message}")
    if check == "jvp" and "not enough values to unpack" in text:
        lacks = "nothing" if text.endswith("got 0)") else "not all that it unpacks"
        message = f"{name} fails: {lacks} was saved for jvp. {tell(error)}"
        return replace(named("no-jvp", check, None, message), hint=FOR_FORWARD)
    if check == "jvp" and "'tuple' object has no attribute" in text:
        return named("saved-tensors-not-unpacked", check, None, tell(error))
    if check == "jvp" and "too many values to unpack" in text:
        return Finding(check, tell(error), None, None, FOR_FORWARD)
    if ".vmap() takes" in text:
        return Finding(check, tell(error), None, None, STATIC)
    hints = (hint for of, known, hint in _HINTS if check in of and known.find(text))
    return Finding(check, tell(error), None, None, next(hints, from_error.hint(error)))


STATIC = "vmap is called with info, in_dims and the arguments of apply, without self. Is it static?"
ONE_RECORD = (
    "The generated rule keeps one record of batch axes: give save_for_backward and save_for_forward the same "
    "tensors, in one order."
)
_ALL = ("jvp", "vmap", "transforms", "hessian")
_HINTS: list[tuple[tuple[str, ...], Message, str]] = [
    (("vmap",), Message.NO_STORAGE, HINT_BATCH),
    (_ALL, Message.NO_STORAGE, HINT_DUAL),
    (_ALL, Message.NOTHING_BATCHED, ONE_RECORD),
    (
        _ALL,
        Message.NO_NUMBER_OF_A_BATCH,
        "Under vmap one tensor stands for many: use tensor operations such as torch.where, not numbers.",
    ),
    (_ALL, Message.ONE_RETURN_OF_VMAP, "vmap returns the output and out_dims: the batch axis of the output."),
]

_KNOWN: list[tuple[Message, str | None, str]] = [
    (
        Message.WITHOUT_SETUP_CONTEXT,
        "no-setup-context",
        "the Function has no setup_context.",
    ),
    (
        Message.WITHOUT_VMAP,
        "no-vmap-rule",
        "the Function has neither a vmap static method nor generate_vmap_rule.",
    ),
    (
        Message.CAPTURED_AND_WRITTEN,
        "mutates-input",
        "an operation writes into a tensor that the caller of the transform still holds.",
    ),
    (Message.MISSING_JVP, "no-jvp", "the Function has no jvp static method."),
    (
        Message.MISSING_BACKWARD,
        None,
        "torch.func calls backward; it does not accept vjp as another name for it.",
    ),
]
