"""How to compute a node of PyTorch again from other values: its operation and constants, as plain data.

A node keeps what its backward needs. A constant that backward does not need (the 1 in `x + 1`) is recovered
where operand and result are known.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np
import torch

from course.graph.engine_rules import shortest
from course.graph.model import ENTRIES, Rule, Value, of_array

RESULT = -1  # in place of an operand's position
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
    "Transpose": lambda x, f: x.transpose(_signed(f._saved_dim0), _signed(f._saved_dim1)),
    "Permute": lambda x, f: x.permute(tuple(map(_signed, f._saved_dims))),
    "Expand": lambda x, f: x.expand(_shape(f)),
    "Select": lambda x, f: x.select(_signed(f._saved_dim), _signed(f._saved_index)),
    "Slice": lambda x, f: x[
        (slice(None),) * (_signed(f._saved_dim) % x.ndim)
        + (slice(_signed(f._saved_start), _signed(f._saved_end), f._saved_step),)
    ],
    "Index": lambda x, f: x[tuple(slice(None) if each is None else each for each in f._saved_indices)],
    **dict.fromkeys(["View", "UnsafeView", "Squeeze", "Unsqueeze", "Clone", "Alias"], lambda x, _: x),
}


def rule_of(
    function: Any, operands: Mapping[int, str], tensors: Mapping[int, Any], storages: Collection[int]
) -> Rule | None:
    """Describe how an operation of PyTorch computes; None for what a page cannot compute.

    `operands` has the ids of the operands that are nodes, `tensors` what is known of them and of the result,
    by their position. A page computes numbers and arrays of one float dtype and of at most `ENTRIES` entries.
    `storages` are those of the tensors of the graph: a constant in one of them would change with the leaves.
    """
    name = re.sub(r"Backward\d*$", "", function.name().rpartition("::")[2])
    edges = [(edge, at) for edge, at in function.next_functions if edge is not None]
    around = [function._input_metadata[0], *(edge._input_metadata[at] for edge, at in edges)]
    same = len({each.dtype for each in around}) == 1 and around[0].dtype in (torch.float32, torch.float64)
    if not same or max(math.prod(each.shape) for each in around) > ENTRIES or not operands:
        return None
    if any(getattr(function, f"_saved_{slot}", plain) != plain for slot, plain in PLAIN.items()):
        return None
    if name in UNARY:
        return Rule(name.lower(), (operands[0],))
    if name in ("Add", "Sub", "Rsub"):
        return _sum(name, operands, tensors)
    if name in KEPT:
        return _product(name, function, operands, storages)
    if name in ("Sum", "Mean"):
        return Rule("scatter" if name == "Sum" else "mean", (operands[0],), _summed(function))
    if name not in MOVES or any(_is_mask(each) for each in getattr(function, "_saved_indices", ())):
        return None
    return Rule("gather", (operands[0],), _flat(MOVES[name](_numbered(_operand_shape(function)), function)))


def _sum(name: str, operands: Mapping[int, str], tensors: Mapping[int, Any]) -> Rule | None:
    """Describe a sum or a difference; a constant is recovered from operand and result."""
    rule = "add" if name == "Add" else "sub"
    if len(operands) == 2:
        return Rule(rule, (operands[0], operands[1]))
    ((at, key),) = operands.items()
    if tensors.get(at) is None or tensors.get(RESULT) is None:
        return None
    first = at == 0 and name != "Rsub"
    x, y = (tensors[each].detach().cpu().numpy() for each in (at, RESULT))
    single = x.dtype.type
    recovered = np.vectorize(
        lambda x, y: (
            shortest(y - x, lambda c: x + single(c) == y)
            if rule == "add"
            else shortest(x - y, lambda c: x - single(c) == y)
            if first
            else shortest(x + y, lambda c: single(c) - x == y)
        ),
        otypes=[float],
    )(x, y)
    constant = of_array(recovered[()]) if np.isfinite(recovered).all() else None
    return None if constant is None else Rule(rule, (key, constant) if first else (constant, key))


def _product(name: str, function: Any, operands: Mapping[int, str], storages: Collection[int]) -> Rule | None:
    """Describe an operation that keeps its constants."""
    slots = KEPT[name]
    if not hasattr(function, f"_saved_{slots[-1]}"):  # a scalar stands second, and is kept as "other"
        return None
    if function.name() == "PowBackward2":  # of a scalar: its only operand is the exponent
        operands = {1: operands[0]}
    given = [
        operands[at] if at in operands else _constant(getattr(function, f"_saved_{slot}", None), storages)
        for at, slot in enumerate(slots)
    ]
    known = tuple(each for each in given if each is not None)
    if len(known) < len(given) or (name == "Mul" and any(_is_sign(each) for each in known)):
        return None
    return Rule(RULES.get(name, name.lower()), known)


def _constant(kept: Any, storages: Collection[int]) -> Value | None:
    if isinstance(kept, torch.Tensor):
        if kept.numel() > ENTRIES or kept.untyped_storage().data_ptr() in storages or kept.is_complex():
            return None
        kept = kept.detach().cpu().numpy()
    if kept is None or isinstance(kept, complex | bool):
        return None
    plain = np.asarray(kept)
    return of_array(_decimal(plain)[()]) if plain.dtype.kind in "fi" and np.isfinite(plain).all() else None


def _decimal(array: Any) -> Any:
    """Write numbers of single precision as they were typed: 0.1, not 0.10000000149."""
    return np.vectorize(lambda x: float(str(x)), otypes=[float])(array)


def _is_sign(operand: str | Value) -> bool:
    """Tell whether a constant may be a mask or signs, which would change with the leaves."""
    if isinstance(operand, str) or operand.shape == ():
        return False
    entries = np.asarray(operand.entries)
    return bool(np.isin(entries, (-1, 0, 1)).all() and not (entries == 1).all())


def _is_mask(indices: Any) -> bool:
    return indices is not None and not isinstance(indices, int) and indices.dtype in (torch.bool, torch.uint8)


def _summed(function: Any) -> tuple[int, ...]:
    """Say where each entry of an operand is added."""
    shape = _operand_shape(function)
    axes = getattr(function, "_saved_dim", ()) or ()
    axes = tuple(map(_signed, axes)) or tuple(range(len(shape)))
    kept = torch.empty(shape).sum(axes, keepdim=True).shape if shape else ()
    return _flat(_numbered(kept).expand(shape))


def _operand_shape(function: Any) -> tuple[int, ...]:
    edge, at = function.next_functions[0]
    return tuple(edge._input_metadata[at].shape)


def _shape(function: Any) -> tuple[int, ...]:
    return tuple(function._input_metadata[0].shape)


def _signed(index: int) -> int:
    return index - WRAPPED if index >= WRAPPED // 2 else index


def _numbered(shape: tuple[int, ...]) -> Any:
    return torch.arange(math.prod(shape)).reshape(shape)


def _flat(places: Any) -> tuple[int, ...]:
    return tuple(places.reshape(-1).tolist())
