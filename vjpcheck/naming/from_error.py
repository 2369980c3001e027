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
        if test(error):
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
    if _matches(r"__array_ufunc__=None", error):
        return "NumPy functions take arrays; the array of a Tensor is its .data."
    if _by_pytorch(error, r"positional argument"):
        return HINTS.get(error["during"], "")
    return next((text for pattern, text in HINTS_BY_MESSAGE if _shows(error, pattern)), "")


def _shows(error: StudentError, pattern: Message | str) -> bool:
    """Return whether the error has this message, or a pattern matches its type, line and message."""
    if isinstance(pattern, Message):
        return pattern.find(error["message"]) is not None
    return re.search(pattern, f"{error['type']} | {error['line']} | {error['message']}") is not None


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
        r"^NameError",
        "A method sees only its own names. backward gets values from ctx or computes them again.",
    ),
    (r"^AttributeError .*Backward' object has no attribute", "Which line of forward sets this on ctx?"),
    (
        r"must return a? ?Tensor",
        "Which operation gives a tensor? A list, an array or a number has no history.",
    ),
    (r"^RecursionError", "Which call leads back to the same method?"),
    (
        Message.CONVOLUTION,
        "conv2d takes an image (N, C, H, W) and a kernel (C_out, C, h, w). Write down both shapes here.",
    ),
    (
        Message.TWO_DTYPES,
        "A tensor of a fixed dtype meets one of the input's dtype. Which call creates it?",
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


def _matches(pattern: str, error: StudentError) -> bool:
    return re.search(pattern, error["message"]) is not None


def _by_pytorch(error: StudentError, pattern: str) -> bool:
    """Return whether PyTorch's own call raised the error, not a line of the student's."""
    return not error["line"] and _matches(pattern, error)


def _saved_tuple(error: StudentError) -> bool:
    return error["type"] == "TypeError" and _shows(error, Message.SAVED_A_TUPLE)


def _saved_for_forward(error: StudentError) -> bool:
    matches = _shows(error, Message.SAVED_FOR_FORWARD)
    return matches and any(re.search(rf"\b{name}\b", error["line"]) for name in error["tuples"])


def _kept_whole(error: StudentError) -> bool:
    """Return whether the line uses the tuple of all inputs, kept on ctx, as a tensor or a number."""
    on_ctx = any("." in name and re.search(rf"\b{name}\b", error["line"]) for name in error["tuples"])
    return on_ctx and _tuple_as_tensor(error)


def _saved_other(error: StudentError) -> bool:
    of_engine = _matches(r"save_for_backward takes Tensors only", error)
    return error["type"] == "TypeError" and (of_engine or _shows(error, Message.SAVED_A_NON_TENSOR))


def _tuple_as_tensor(error: StudentError) -> bool:
    patterns = r"'tuple' object|operand.*'tuple'"
    # Python's message for a tuple times a tuple, and the course engine's for a tuple as an operand
    patterns += r"|can't multiply sequence by non-int|a Tensor holds real numbers, not object"
    matches = _matches(patterns, error) or _shows(error, Message.TUPLE_FOR_A_TENSOR)
    return error["during"] == "backward" and bool(error["tuples"]) and matches


def _ctx_beside_setup_context(error: StudentError) -> bool:
    # a message of inspect.signature, which PyTorch calls only if there is a setup_context
    return error["during"] == "forward" and _by_pytorch(error, r"^missing a required argument")


def _tuple_in_setup_context(error: StudentError) -> bool:
    return error["function"].lstrip().startswith(("@staticmethod", "def setup_context")) and bool(
        re.search(r"def setup_context\(", error["function"])
        and _matches(r"'tuple' object has no attribute", error)
    )


def _forward_called(error: StudentError) -> bool:
    return bool(error["line"]) and _matches(r"forward\(\) missing \d+ required positional", error)


def _cotangents(error: StudentError) -> bool:
    return _by_pytorch(error, r"(backward|vjp)\(\) (missing \d+|takes ([2-9]|\d\d)) .*positional argument")


def _cotangents_unpacked(error: StudentError) -> bool:
    """Return whether the line unpacks the tuple of all cotangents into a wrong number of names."""
    signature = re.search(r"def (backward|vjp)\(\w+(: \w+)?, \*(\w+)", error["function"])
    unpacked = signature is not None and re.search(rf"=\s*{signature[3]}\s*$", error["line"])
    return bool(unpacked) and error["type"] == "ValueError" and _matches("values to unpack", error)


def _index(error: StudentError) -> bool:
    own = "needs_input_grad" in error["function"] and "saved" not in error["line"]
    return own and error["type"] == "IndexError" and _matches("tuple index out of range", error)


def _dirty(error: StudentError) -> bool:
    return _shows(error, Message.DIRTY_NOT_RETURNED)


def _no_history(error: StudentError) -> bool:
    """Return whether no output of apply requires grad although an input does: all outputs are marked."""
    by_pytorch = error["during"] == "backward" and not error["line"]
    return by_pytorch and _shows(error, Message.WITHOUT_HISTORY)


def _mixed_dtypes(error: StudentError) -> bool:
    """Return whether an operation got floats of two dtypes, as from a tensor made without a dtype."""
    return _shows(error, Message.TWO_DTYPES) and not _shows(error, Message.INTEGERS)


def _no_such_axis(error: StudentError) -> bool:
    return error["type"] == "IndexError" and _shows(error, Message.AXIS)


TESTS: list[tuple[str, Callable[[StudentError], bool]]] = [
    ("setup-context-not-unpacked", _saved_tuple),
    ("setup-context-not-unpacked", _tuple_in_setup_context),
    ("setup-context-not-unpacked", _saved_for_forward),
    ("setup-context-not-unpacked", _kept_whole),
    ("ctx-beside-setup-context", _ctx_beside_setup_context),
    ("saved-a-non-tensor", _saved_other),
    ("saved-tensors-not-unpacked", _tuple_as_tensor),
    ("dirty-not-returned", _dirty),
    ("called-forward-not-apply", _forward_called),
    ("one-grad-output-per-output", _cotangents),
    ("one-grad-output-per-output", _cotangents_unpacked),
    ("wrong-needs-input-grad-index", _index),
    ("missing-gradient", _no_history),
    ("wrong-axis", _no_such_axis),
    ("wrong-dtype", _mixed_dtypes),
]
