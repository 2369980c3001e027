"""Judges crop_op: values and gradient by native PyTorch, the registrations by torch.library.opcheck."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.tasks.crop_op.probe import CropAnswer, OpcheckAnswer, Probe, PullAnswer, compiled, pull
from autograder.tasks.findings import difference, disturbed, gradient_finding, overwritten, raised, wrong
from autograder.tasks.inputs import drawn
from vjpcheck.ask.protocol import ProbeClient, Request, request
from vjpcheck.domain import Shape
from vjpcheck.errors import says_what_is_missing, tell
from vjpcheck.numbers import EXACT, close
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

Box = tuple[int, int, int, int]
SHAPES: tuple[Shape, ...] = ((2, 5, 7), (5, 7), (2, 3, 5, 7))
DTYPES = ("float64", "float32", "float64")  # of these in opcheck
BOXES: tuple[Box, ...] = ((1, 2, 3, 4), (0, 0, 2, 5), (2, 1, 3, 2), (0, 0, 5, 7), (4, 6, 1, 1))
OP = "torch.library.custom_op turns a function with typed arguments into a named operator."
CLONE = "Slicing returns a view. Which call returns a new tensor with the same values?"
GRAPH = "torch.compile traces every line outside the op: do not print or read values there."
FAKE = "The function given to register_fake returns an empty tensor of the right shape, dtype and device."
SETUP = "setup_context keeps on ctx what backward needs; backward returns a gradient for image, None for box."

OPERATIONS = "backward must consist of PyTorch operations: torch.compile traces it too."
REGISTER = "register_autograd takes the functions backward and setup_context, and connects them with the op."
AGAIN = "What does the first backward pass change on ctx, or write into a tensor that ctx holds?"
SHAPE = "Does backward need the values of the image? A shape is no tensor and may be an attribute of ctx."

# PyTorch's words on a difference between the fake output and the real one, and the mistake
_DIFFERENT = {"Dtypes ": "wrong-dtype", "Shapes ": "wrong-shape"}

COMPILED = "test_aot_dispatch_dynamic"  # a test of opcheck too, and a slow one

# the meaning of each other test of opcheck, in the order in which one failure causes the next
TESTS = {
    "test_schema": ("its schema says that it changes nothing and returns new memory", ""),
    "test_autograd_registration": ("its gradient is registered with register_autograd", SETUP),
    "test_faketensor": ("its register_fake gives the shape, strides and dtype of the real output", FAKE),
}


def cropped(image: np.ndarray, box: Sequence[int]) -> np.ndarray:
    """Return the part of the last two axes in the box (top, left, height, width)."""
    top, left, height, width = box
    return image[..., top : top + height, left : left + width]


def uncropped(cotangent: np.ndarray, box: Sequence[int], shape: tuple[int, ...]) -> np.ndarray:
    """Return the gradient: the cotangent in its place, zeros around it."""
    gradient = np.zeros(shape)
    cropped(gradient, box)[...] = cotangent
    return gradient


def _forward(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    calls: list[Any] = [
        (*drawn(generator, shape, planted=planted), box, False)
        for planted in (False, True)
        for shape in SHAPES
        for box in BOXES
    ]
    calls += [(image, BOXES[0], True) for image in drawn(generator, *SHAPES)]
    calls += [(np.zeros(shape), BOXES[0], False) for shape in SHAPES]
    calls += [(image.astype(np.float32), box, False) for image, box, _ in (calls[0], calls[len(BOXES)])]
    for (image, box, _), answer in zip(calls, probe.each(Probe.crop, calls), strict=True):
        yield from _values(image, box, answer)


def _values(image: np.ndarray, box: Box, answer: CropAnswer) -> Iterator[Finding]:
    words = f"an image of shape {image.shape} and box = {box}"
    if "error" in answer or answer["output"] is None:
        aliases = Message.ALIASES_AN_INPUT.find(answer["error"]["message"])
        yield raised(answer["error"], words, CLONE if aliases else "")
        return
    truth, output = cropped(image, box), answer["output"]
    yield from disturbed(answer["changes"], words)
    if output.shape != truth.shape:
        message = f"For {words} the output has shape {output.shape}, and it should be {truth.shape}"
        yield wrong(f"{message}: a box is (top, left, height, width).", "forward-value")
    elif not np.array_equal(output, truth):
        yield wrong(f"For {words} the output differs: {difference(output, truth)}", "forward-value")
    elif answer["dtype"] != image.dtype.name:
        message = f"A {image.dtype.name} image gives an output of dtype {answer['dtype']}."
        yield wrong(message, "forward-value")
    elif not answer["ops"]:
        yield wrong("crop_op calls no custom op: it only uses PyTorch operations.", hint=OP)
    elif answer["shares_memory"] and box != (0, 0, *image.shape[-2:]):
        message = "The output is a view of the image; a custom op must return memory of its own."
        yield wrong(message, "returns-input-unchanged", "image")
    elif answer["shares_memory"]:
        message = "For the box that holds all of the image, the output shares memory with the image."
        yield wrong(message, "returns-input-unchanged", "image")


def _gradient(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    calls, ordinary = [], len(BOXES) + 1
    for number, box in enumerate([*BOXES, BOXES[0], *BOXES]):
        shape, planted = SHAPES[number % len(SHAPES)], number >= ordinary
        image, cotangent = drawn(generator, shape, (*shape[:-2], *box[2:]), planted=planted)
        later = BOXES[(number + 1) % len(BOXES)]
        calls.append((image, box, cotangent, number == len(BOXES), later))
    image, box, cotangent, _, _ = calls[0]
    calls.append((image, box, cotangent, False, box))  # the first once more, without a call for another box
    answers = probe.ask([pull(*call) for call in calls])
    between = zip(calls[:ordinary], answers, strict=False)
    begin = [_begins_at(call[-1], a) for call, a in between if "error" not in a]
    of_later = len(begin) > 1 and all(begin)
    for number, ((image, box, cotangent, _, later), answer) in enumerate(zip(calls, answers, strict=True)):
        truth = uncropped(cotangent, box, image.shape)
        if "error" in answer:
            if number == 0 and "error" not in answers[-1]:
                message = tell(answer["error"], f"With a call for box = {later} between, for box = {box} ")
                yield wrong(message, "state-on-class", "image", SETUP)
                return
            if "second backward" in answer["error"]["during"]:
                mistake = "deletes-context-state" if says_what_is_missing(answer["error"]) else None
                yield wrong(tell(answer["error"], f"For box = {box}, "), mistake, "image", AGAIN)
                return
            unregistered = Message.NO_AUTOGRAD_FORMULA.find(answer["error"]["message"])
            words = f"an image of shape {image.shape} and box = {box}"
            yield raised(answer["error"], words, REGISTER if unregistered else SETUP)
        elif not answer["requires_grad"]:
            message = "The output does not require grad although the image does: no backward is registered."
            yield wrong(message, "missing-gradient", "image", REGISTER)
        elif answer["gradient"] is None or not close(answer["gradient"], truth, EXACT):
            if of_later:
                message = (
                    f"For box = {box}, the gradient for image lies in box = {later}, that of another call."
                )
                yield wrong(message, "state-on-class", "image", SETUP)
                return
            yield _explain(answer["gradient"], truth, cotangent, box)
        elif answer["overwritten"]:
            yield from overwritten(True, f"box = {box} and a second backward pass over the same graph")
        elif not answer["changes"] and not (
            answer["again"] is not None and close(answer["again"], -2 * truth, EXACT)
        ):
            message = f"For box = {box}, a second backward pass over the same graph gives a wrong gradient."
            yield wrong(message, "mutates-saved-tensor", "image", AGAIN)
        for place in answer["image_on_ctx"]:
            message = f"{place} holds the image, which stays in memory until backward."
            yield wrong(message, "input-kept-on-ctx", "image", SHAPE)
        yield from disturbed(answer["changes"], f"box = {box}")


def _begins_at(box: Box, answer: PullAnswer) -> bool:
    """Return whether the first nonzero entry of the gradient is at the beginning of a box."""
    pulled = answer["gradient"]
    return pulled is not None and bool(pulled.any()) and np.argwhere(pulled)[0, -2:].tolist() == [*box[:2]]


def _explain(gradient: np.ndarray | None, truth: np.ndarray, cotangent: np.ndarray, box: Box) -> Finding:
    subject = f"For box = {box}, the gradient for image"
    if gradient is not None and gradient.any() and gradient.shape == truth.shape:
        inside = uncropped(np.ones_like(cotangent), box, truth.shape) > 0
        if gradient[~inside].any() and close(np.where(inside, gradient, 0), truth):
            return wrong(f"{subject} is not zero outside the box.", "missing-mask", "image")
        if close(gradient[inside], np.ones(cotangent.size)):
            return wrong(f"{subject} is 1 in the box for every cotangent.", "missing-grad-output", "image")
    return gradient_finding(subject, gradient, truth, "image")


def _opcheck(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    images = [image.astype(d) for image, d in zip(drawn(generator, *SHAPES), DTYPES, strict=True)]
    calls = [(test, image, box) for test in TESTS for image, box in zip(images, BOXES, strict=False)]
    answers = probe.each(Probe.opcheck, calls)
    for (test, _, _), answer in zip(calls, answers, strict=True):
        yield from _checked(answer, test, *TESTS[test])


def _checked(answer: OpcheckAnswer, test: str, meaning: str, hint: str) -> Iterator[Finding]:
    if "error" in answer:
        yield raised(answer["error"], hint=hint)
    elif answer["failure"]:
        mistake = next((name for text, name in _DIFFERENT.items() if text in answer["failure"]), None)
        message = f"opcheck's {test}, which checks that {meaning}, fails: {answer['failure']}"
        yield wrong(message, mistake, hint=hint)


def _compiled(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    """Check one compiled graph; the first compilation in a process takes seconds."""
    shape, box = SHAPES[0], BOXES[0]
    image, second, cotangent = drawn(generator, shape, shape, (*shape[:-2], *box[2:]))
    requests: list[Request[Any]] = [
        compiled(image, box, cotangent),
        request(Probe.opcheck, COMPILED, second, box),
    ]
    answer, checked = probe.ask(requests)
    if "error" in answer:
        by_numpy = Message.NOT_TRACED.find(answer["error"]["message"])
        finding = raised(answer["error"], hint=OPERATIONS if by_numpy else GRAPH)
        yield replace(finding, mistake="numpy-in-backward") if by_numpy else finding
    elif answer["gradient"] is None or not close(answer["gradient"], 2 * uncropped(cotangent, box, shape)):
        yield wrong("The gradient of the compiled op differs from the gradient without torch.compile.")
    else:
        yield from disturbed(answer["changes"], "the compiled op")
        yield from _checked(checked, COMPILED, "it gives the same gradient when it is compiled", FAKE)


CHECKS = {"forward": _forward, "gradient": _gradient, "opcheck": _opcheck, "compiled": _compiled}
