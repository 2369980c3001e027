"""Everything that the pictures ask of PyTorch beyond its documentation: names of nodes and what they keep.

A release of PyTorch may change any of it; tests/course/graph/test_torch_nodes.py tests each name.
What a release lacks raises `UnavailableError`. Where that is a value that a node keeps, a page cannot compute
the operation again, and its recorded numbers are shown.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import torch

# -- names

UNARY = {"Neg", "Exp", "Log", "Sin", "Cos", "Tanh", "Sqrt", "Sigmoid", "Abs", "Relu", "Reciprocal"}
# By position, where a node keeps an operand for the other one's derivative.
KEPT = {
    "Mul": ("self", "other"),
    "Div": ("self", "other"),
    "Pow": ("self", "exponent"),
    "Mm": ("self", "mat2"),
    "Bmm": ("self", "mat2"),
    "Mv": ("self", "vec"),
    "Dot": ("self", "tensor"),
    "Addmm": ("", "mat1", "mat2"),
    "TanhBackward": ("grad_output", "output"),
    "SigmoidBackward": ("grad_output", "output"),
}
RULES = {"Pow": "power", "Mm": "matmul", "Bmm": "matmul", "Mv": "matmul", "Dot": "matmul"}
RULES |= {"TanhBackward": "tanh_backward", "SigmoidBackward": "sigmoid_backward"}
PLAIN = {"alpha": 1, "beta": 1, "rounding_mode": None}  # what an operation is called with that has a rule
WRAPPED = 2**64  # a node keeps a negative index as a number without a sign

MOVES: dict[str, Callable[[Any, Any], Any]] = {
    "T": lambda x, _: x.t(),
    "Transpose": lambda x, f: x.transpose(signed(slot(f, "dim0")), signed(slot(f, "dim1"))),
    "Permute": lambda x, f: x.permute(tuple(map(signed, slot(f, "dims")))),
    "Expand": lambda x, f: x.expand(tuple(metadata(f)[0].shape)),
    "Select": lambda x, f: x.select(signed(slot(f, "dim")), signed(slot(f, "index"))),
    "Slice": lambda x, f: x[
        (slice(None),) * (signed(slot(f, "dim")) % x.ndim)
        + (slice(signed(slot(f, "start")), signed(slot(f, "end")), slot(f, "step")),)
    ],
    "Index": lambda x, f: x[tuple(slice(None) if each is None else each for each in slot(f, "indices"))],
    **dict.fromkeys(["View", "UnsafeView", "Squeeze", "Unsqueeze", "Clone", "Alias"], lambda x, _: x),
}


class UnavailableError(RuntimeError):
    """This release of PyTorch does not have what is asked of it; the message is one sentence."""

    def __init__(self, name: str) -> None:
        super().__init__(f"PyTorch {torch.__version__} has no {name}, which this picture needs.")


def _attribute(thing: Any, name: str) -> Any:
    try:
        return getattr(thing, name)
    except AttributeError:
        raise UnavailableError(f"{type(thing).__name__}.{name}") from None


def is_custom(node: Any) -> bool:
    """Tell whether a node is the ctx of a Function written in Python."""
    return hasattr(node, "_forward_cls")


def function_of(node: Any) -> Any:
    """Give the Function whose ctx a node is."""
    return _attribute(node, "_forward_cls")


def is_leaf(node: Any) -> bool:
    """Tell whether a node adds a gradient to a leaf."""
    return "AccumulateGrad" in node.name()


def operation(node: Any) -> str:
    """Name the operation of a native node: of AddmmBackward0 it is Addmm."""
    return re.sub(r"Backward\d*$", "", node.name().rpartition("::")[2])


def is_power_of_a_number(node: Any) -> bool:
    """Tell whether a node is a number to the power of a tensor: its only operand is the exponent."""
    return bool(node.name() == "PowBackward2")


def number(node: Any) -> int:
    """Give a number that grows with each node that a thread makes."""
    return int(_attribute(node, "_sequence_nr")())


def metadata(node: Any) -> Any:
    """Give shape and dtype of each gradient that a node takes."""
    return _attribute(node, "_input_metadata")


def slots(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield by name what a native node has saved, its first operand first."""
    for name in sorted(dir(node), key=lambda name: name != "_saved_self"):
        if name.startswith("_saved_"):
            yield name.removeprefix("_saved_"), getattr(node, name)


def slot(node: Any, name: str) -> Any:
    """Give what a native node has saved under a name."""
    return _attribute(node, f"_saved_{name}")


def has_slot(node: Any, name: str) -> bool:
    """Tell whether a native node saves anything under a name, be it None."""
    return hasattr(node, f"_saved_{name}")


def slot_or(node: Any, name: str, default: Any) -> Any:
    """Give what a native node has saved under a name, or the default where it has no such name."""
    return getattr(node, f"_saved_{name}", default)


def call(node: Any, cotangent: Any) -> Any:
    """Call a node as the engine does, outside a backward pass."""
    return _attribute(node, "apply")(cotangent) if is_custom(node) else node(cotangent)


def signed(index: int) -> int:
    """Give an index with its sign, which a node keeps as a number without one."""
    return index - WRAPPED if index >= WRAPPED // 2 else index
