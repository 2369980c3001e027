"""Judges crop_op: values and gradient by native PyTorch, the registrations by torch.library.opcheck."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from autograder.function.numbers import close
from autograder.result import Finding
from autograder.tasks.crop_op.probe import Probe
from autograder.tasks.findings import difference, gradient_finding, raised, wrong

Box = tuple[int, int, int, int]
SHAPES = ((2, 5, 7), (5, 7))
BOXES: tuple[Box, ...] = ((1, 2, 3, 4), (0, 0, 2, 5), (2, 1, 3, 2), (0, 0, 5, 7))
OP = "torch.library.custom_op turns a function with typed arguments into an op with a name."
CLONE = "Slicing gives a view. Which call gives a new tensor with the same values?"
GRAPH = "Outside the op, torch.compile has to see through every line: nothing may print or ask for values."
FAKE = "The function given to register_fake returns an empty tensor of the right shape, dtype and device."
SETUP = "register_autograd takes backward, and setup_context for what it needs to know."

COMPILED = "test_aot_dispatch_dynamic"  # the slow one

# what each test of opcheck looks at, in the order in which one failure brings about the next
TESTS = {
    "test_schema": ("its schema says that it changes nothing and returns new memory", ""),
    "test_autograd_registration": ("its gradient is registered with register_autograd", SETUP),
    "test_faketensor": ("its register_fake gives the shape, strides and dtype of the real output", FAKE),
    COMPILED: ("it gives the same gradient when it is compiled", FAKE),
}


def cropped(image: np.ndarray, box: Sequence[int]) -> np.ndarray:
    """Return the part of the last two axes that (top, left, height, width) marks."""
    top, left, height, width = box
    return image[..., top : top + height, left : left + width]


def uncropped(cotangent: np.ndarray, box: Sequence[int], shape: tuple[int, ...]) -> np.ndarray:
    """Return the gradient: the cotangent in its place, zeros around it."""
    gradient = np.zeros(shape)
    cropped(gradient, box)[...] = cotangent
    return gradient


def _forward(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    findings = _of_shape(probe, generator, SHAPES[0])
    if findings and not all(_of_shape(probe, generator, shape) for shape in SHAPES[1:]):
        return
    yield from findings


def _of_shape(probe: Probe, generator: np.random.Generator, shape: tuple[int, ...]) -> list[Finding]:
    return [f for box in BOXES for f in _values(probe, generator.standard_normal(shape), box)]


def _shape(probe: Probe, generator: np.random.Generator) -> tuple[int, ...]:
    """Return the first shape that the op is right for: an image may have an axis of channels or none."""
    return next((shape for shape in SHAPES if not _of_shape(probe, generator, shape)), SHAPES[0])


def _values(probe: Probe, image: np.ndarray, box: Box) -> Iterator[Finding]:
    answer = probe.crop(image, box)
    given = f"an image of shape {image.shape} and box = {box}"
    if "error" in answer or answer["output"] is None:
        aliases = "may not alias any inputs" in answer["error"]["message"]
        yield raised(answer["error"], given, CLONE if aliases else "")
        return
    truth, found = cropped(image, box), answer["output"]
    if answer["image_changed"]:
        yield wrong("crop_op writes into the image.", "mutates-input", "image")
    if found.shape != truth.shape:
        message = f"For {given} the output has shape {found.shape}, and it should be {truth.shape}"
        yield wrong(f"{message}: a box is (top, left, height, width).", "forward-value")
    elif not close(found, truth):
        yield wrong(f"For {given} the output differs: {difference(found, truth)}", "forward-value")
    elif answer["dtype"] != "float64":
        yield wrong(f"A float64 image gives an output of dtype {answer['dtype']}.", "forward-value")
    elif not answer["ops"]:
        yield wrong("crop_op calls no custom op: it is a plain function of PyTorch's own.", hint=OP)
    elif answer["shares_memory"] and box != (0, 0, *image.shape[-2:]):
        message = "The output is a view of the image; a custom op must return memory of its own."
        yield wrong(message, "returns-input-unchanged", "image")
    elif answer["shares_memory"]:
        message = "For the box that holds all of the image, the output shares the image's memory."
        yield wrong(message, "returns-input-unchanged", "image")


def _gradient(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    shape = _shape(probe, generator)
    for box in BOXES:
        image = generator.standard_normal(shape)
        cotangent = generator.standard_normal(cropped(image, box).shape)
        answer = probe.pull(image, box, cotangent)
        truth = uncropped(cotangent, box, shape)
        if "error" in answer:
            yield raised(answer["error"], f"box = {box}", SETUP)
        elif not answer["requires_grad"]:
            message = "The output does not require grad where the image does: no backward is registered."
            yield wrong(message, "missing-gradient", "image", SETUP)
        elif answer["gradient"] is None or not close(answer["gradient"], truth):
            yield _explain(answer["gradient"], truth, cotangent, box)


def _explain(found: np.ndarray | None, truth: np.ndarray, cotangent: np.ndarray, box: Box) -> Finding:
    subject = f"For box = {box}, the gradient for image"
    if found is not None and found.any() and found.shape == truth.shape:
        inside = truth != 0
        if close(np.where(inside, found, 0), truth):
            return wrong(f"{subject} is not zero outside the box.", "missing-mask", "image")
        if close(found[inside], np.ones(cotangent.size)):
            return wrong(f"{subject} is 1 in the box, whatever cotangent.", "missing-grad-output", "image")
    return gradient_finding(subject, found, truth, "image")


def _of(*tests: str) -> Callable[[Probe, np.random.Generator], Iterator[Finding]]:
    def findings(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
        shape = _shape(probe, generator)
        for test in tests:
            for box in BOXES[: 1 if test == COMPILED else 2]:
                yield from _opcheck(probe, test, generator.standard_normal(shape), box)

    return findings


def _opcheck(probe: Probe, test: str, image: np.ndarray, box: Box) -> Iterator[Finding]:
    answer = probe.opcheck(test, image, box)
    meaning, hint = TESTS[test]
    if "error" in answer:
        yield raised(answer["error"], hint=hint)
    elif answer["failure"]:
        yield wrong(
            f"opcheck's {test} fails, so it is not true that {meaning}: {answer['failure']}", hint=hint
        )


def _compile(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    """Ask for one graph; the first compilation in a process takes seconds."""
    shape = _shape(probe, generator)
    image, box = generator.standard_normal(shape), BOXES[0]
    cotangent = generator.standard_normal(cropped(image, box).shape)
    answer = probe.compile(image, box, cotangent)
    if "error" in answer:
        yield raised(answer["error"], hint=GRAPH)
    elif answer["gradient"] is None or not close(answer["gradient"], 2 * uncropped(cotangent, box, shape)):
        yield wrong("The gradient through the compiled op is another one than without torch.compile.")
    else:
        yield from _of(COMPILED)(probe, generator)


CHECKS = {
    "forward": _forward,
    "gradient": _gradient,
    "opcheck": _of("test_schema", "test_autograd_registration", "test_faketensor"),
    "compiled": _compile,
}
