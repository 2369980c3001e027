"""A formula as text, such as `2*sin(u/v)`: what truth, text and solution of a member are all made from."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

ROUNDING = ("ceil", "floor", "round", "trunc")
FUNCTIONS = (*ROUNDING, "cos", "cosh", "exp", "sigmoid", "sin", "sinh", "sqrt", "tanh")


def function_of(formula: str, names: Sequence[str]) -> Callable[..., Tensor]:
    """Return the function that a formula is of these names, in PyTorch's operations."""
    code = compile(formula, "formula", "eval")

    def function(*arguments: Any) -> Tensor:
        return _value(code, dict(zip(names, arguments, strict=True)))

    return function


def _value(code: CodeType, values: dict[str, Any]) -> Tensor:
    import torch

    # formulas stand in this package alone; without __builtins__ PyTorch could not import what it needs late
    known = {name: getattr(torch, name) for name in FUNCTIONS} | {"abs": _abs}
    result: Tensor = eval(code, known, values)
    return result


def _abs(x: Tensor) -> Tensor:
    # not abs(): its second derivative makes PyTorch import its compiler, which takes longer than all checks
    return x.maximum(-x)


def times(constant: float, formula: str) -> str:
    """Return a constant times a formula, without a constant that is 1."""
    return _plain(formula if constant == 1 else f"{'-' if constant == -1 else f'{constant:g}*'}({formula})")


def inserted(formula: str, **others: str) -> str:
    """Return a formula with others in the place of names."""
    return _plain(
        re.sub(r"[a-z_]+", lambda name: f"({others[name[0]]})" if name[0] in others else name[0], formula)
    )


def _plain(formula: str) -> str:
    """Return a formula with no more brackets than it needs."""
    return ast.unparse(ast.parse(formula, mode="eval"))
