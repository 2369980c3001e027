"""Names the mistake behind an exception if PyTorch's message and the student's line leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vjpcheck.case import Sample
from vjpcheck.errors import StudentError, does_not_fit, tell
from vjpcheck.mistakes import named
from vjpcheck.naming import from_shape_error
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message


def finding(check: str, error: StudentError, saves: int = 0, sample: Sample | None = None) -> Finding:
    """Return the finding for an exception, without a name if no name is certain.

    `saves` is the number of calls of save_for_backward; `sample` holds the arguments of the Function.
    """
    if saves > 1:
        message = f"save_for_backward was called {saves} times; only the last call counts. {tell(error)}"
        return named("saved-twice", check, None, message)
    for mistake, test in TESTS:
        if test(error) if callable(test) else _shows(error, *test):
            return named(mistake, check, None, tell(error))
    shape = (
        from_shape_error.name(error, sample) if sample is not None and error["during"] == "backward" else None
    )
    if shape is not None:
        fault = named(shape, check, None, tell(error))
        if shape == "wrong-axis":  # the hint of this mistake is about numbers, and there are none here
            return replace(fault, hint=hint(error))
        return replace(fault, hint=STACKED) if sample is not None and _of_a_stack(error, sample) else fault
    return Finding(check, tell(error), None, None, hint(error))


def hint(error: StudentError) -> str:
    """Return a hint for an exception without a name, or an empty string."""
    if does_not_fit(error) and re.search(r"\.m?T\b|\.t\(\)|transpose\(", error["line"]):
        return TRANSPOSED
    if error["during"] == "backward" and does_not_fit(error):
        return "Write down both shapes. Which axis did forward add to a tensor before it combined the two?"
    if _shows(error, r"__array_ufunc__=None"):
        return "NumPy functions take arrays; the array of a Tensor is its .data."
    if _shows(error, rf"{BY_PYTORCH}.*positional argument"):
        return HINTS.get(error["during"], "")
    return next((text for pattern, text in HINTS_BY_MESSAGE if _shows(error, pattern)), "")


def _shows(error: StudentError, *patterns: Message | str) -> bool:
    """Return whether the error has all messages, and all patterns match its time, type, line and message."""
    text = " | ".join(error[part] for part in ("during", "type", "line", "message"))
    return all(
        re.search(pattern, text, re.DOTALL) if isinstance(pattern, str) else pattern.find(error["message"])
        for pattern in patterns
    )


TRANSPOSED = "Write down the shape of each factor on this line. Is a transpose missing, or one too many?"
STACKED = ".T reverses all axes. For a stack of matrices use .mT, which swaps only the last two."
FACTORS = "Write down the shape of each factor. Which one needs a transpose?"
HINTS = {
    "forward": "forward is called with ctx and the arguments of apply, without self. Is it static?",
    "backward": "backward is called with ctx and one cotangent per output, without self. Is it static?",
}


HINTS_BY_MESSAGE: tuple[tuple[Message | str, str], ...] = (
    (
        r"saved_tensors.* \| (not enough|too many) values to unpack",
        "Compare the names on this line with the tensors given to save_for_backward: as many, in one order.",
    ),
    (
        r"\| NameError",
        "A method sees only its own names. It gets values from ctx and as arguments, or computes them again.",
    ),
    (r"\| AttributeError .*Backward' object has no attribute", "Which line of forward sets this on ctx?"),
    (
        r"must return a? ?Tensor",
        "Which operation gives a tensor? A list, an array or a number has no history.",
    ),
    (r"\| RecursionError", "Which call leads back to the same method?"),
    (
        Message.CONVOLUTION,
        "conv2d takes an image (N, C, H, W) and a kernel (C_out, C, h, w). Write down both shapes here.",
    ),
    (
        Message.TWO_DTYPES,
        "A tensor of a fixed dtype meets one of the input's dtype. Which call creates it?",
    ),
    (  # raised by a line of the student's, as grad(output, inputs)
        r"^backward \| \w+ \| \S.* \| .*does not require grad and does not have a grad_fn",
        "This line differentiates what has no history. Were the operations before it recorded?",
    ),
    (
        Message.WITHOUT_HISTORY,
        "apply returned an output without a history. Is the right output marked as non-differentiable?",
    ),
    (Message.BACKWARD_AND_VJP, "vjp is another name for backward. Keep one of the two."),
    (Message.FACTORS, FACTORS),
    (r"core dimension", FACTORS),  # NumPy's words
    (Message.BROADCAST, "Write down both shapes. Which axis is missing in one of them?"),
)


def _of_a_stack(error: StudentError, sample: Sample) -> bool:
    """Return whether the line uses .T on a stack of matrices, where .T reverses all axes."""
    deep = any(isinstance(a, np.ndarray) and a.ndim > 2 for a in sample.arguments)
    return deep and re.search(r"\.T\b", error["line"]) is not None


def _unpacked_nowhere(error: StudentError) -> bool:
    """Return whether the line uses the tuple of all inputs, kept on ctx or for forward, as a tensor."""
    tuples = [name for name in error["tuples"] if re.search(rf"\b{name}\b", error["line"])]
    on_ctx = any("." in name for name in tuples) and _tuple_as_tensor(error)
    return on_ctx or (bool(tuples) and _shows(error, Message.SAVED_FOR_FORWARD))


def _tuple_as_tensor(error: StudentError) -> bool:
    # the last two are Python's message for a tuple times a tuple, and the course engine's for an operand
    patterns = r"'tuple' object|operand.*'tuple'"
    patterns += r"|can't multiply sequence by non-int|a Tensor holds real numbers, not object"
    matches = _shows(error, patterns) or _shows(error, Message.TUPLE_FOR_A_TENSOR)
    return error["during"] == "backward" and bool(error["tuples"]) and matches


def _tuple_in_setup_context(error: StudentError) -> bool:
    inside = re.match(r"\s*(@staticmethod\s+)?def setup_context\(", error["function"])
    return inside is not None and _shows(error, r"'tuple' object has no attribute")


def _cotangents_unpacked(error: StudentError) -> bool:
    """Return whether the line unpacks the tuple of all cotangents into a wrong number of names."""
    signature = re.search(r"def (backward|vjp)\(\w+(: \w+)?, \*(\w+)", error["function"])
    unpacked = signature is not None and re.search(rf"=\s*{signature[3]}\s*$", error["line"])
    return bool(unpacked) and _shows(error, r"\| ValueError \| .*values to unpack")


def _index(error: StudentError) -> bool:
    own = "needs_input_grad" in error["function"] and "saved" not in error["line"]
    return own and _shows(error, r"\| IndexError \| .*tuple index out of range")


def _mixed_dtypes(error: StudentError) -> bool:
    """Return whether an operation got floats of two dtypes, as from a tensor made without a dtype."""
    return _shows(error, Message.TWO_DTYPES) and not _shows(error, Message.INTEGERS)


BY_PYTORCH = r"\| \w+ \|  \| "  # no line of the student's raised the error

TESTS: list[tuple[str, tuple[Message | str, ...] | Callable[[StudentError], bool]]] = [
    ("setup-context-not-unpacked", (r"\| TypeError \|", Message.SAVED_A_TUPLE)),
    ("setup-context-not-unpacked", _tuple_in_setup_context),
    ("setup-context-not-unpacked", _unpacked_nowhere),
    # a message of inspect.signature, which PyTorch calls only if there is a setup_context
    ("ctx-beside-setup-context", (rf"^forward {BY_PYTORCH}missing a required argument",)),
    ("saved-a-non-tensor", (r"\| TypeError \|", Message.SAVED_A_NON_TENSOR)),
    ("saved-a-non-tensor", (r"\| TypeError \| .*save_for_backward takes Tensors only",)),
    ("saved-tensors-not-unpacked", _tuple_as_tensor),
    ("dirty-not-returned", (Message.DIRTY_NOT_RETURNED,)),
    ("called-forward-not-apply", (r"\| line .*\| .*forward\(\) missing \d+ required positional",)),
    ("one-grad-output-per-output", (rf"{BY_PYTORCH}.*(backward|vjp)\(\) (missing \d+|takes ([2-9]|\d\d)) ",)),
    ("one-grad-output-per-output", _cotangents_unpacked),
    ("wrong-needs-input-grad-index", _index),
    # all outputs are marked as non-differentiable
    ("missing-gradient", (rf"^backward {BY_PYTORCH}", Message.WITHOUT_HISTORY)),
    ("wrong-axis", (r"\| IndexError \|", Message.AXIS)),
    ("wrong-dtype", _mixed_dtypes),
]
