"""Evaluates the inputs of the command line: literals and torch's tensor factories, or a function in a file.

They are evaluated where the work runs, so that a constant may be any object. Arrays travel as they are, and
all else as JSON.
"""

from __future__ import annotations

import ast
import json
import operator
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np
import torch

from vjpcheck.arguments import Arguments, Constant
from vjpcheck.diagnosis.inputs import as_arguments
from vjpcheck.errors import brief
from vjpcheck.result import CannotRun
from vjpcheck.source_file import load

SEED = 0  # the same command gives the same result

_IN_A_FILE = re.compile(r"[^()\[\]{},\s'\"]+:[\w.]+")
_FACTORIES: tuple[str, ...] = ("randn", "rand", "randint", "randperm", "ones", "zeros", "full")
_FACTORIES += ("arange", "linspace", "eye", "tensor")
_METHODS = {
    "double",
    "float",
    "long",
    "int",
    "bool",
    "abs",
    "neg",
    "exp",
    "sqrt",
    "square",
    "sigmoid",
    "tanh",
}
_METHODS |= {"t", "transpose", "permute", "flip", "reshape", "view", "unsqueeze", "squeeze", "expand"}
_METHODS |= {"contiguous", "clone", "detach", "requires_grad_", "softmax", "cumsum", "tril", "triu"}
_METHODS |= {"clamp", "sum", "mean"}
_DTYPES = ("float64", "double", "float32", "float", "int64", "long", "int32", "int", "bool", "uint8")
_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.MatMult: operator.matmul,
}
_SIGNS: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
_LITERALS = (int, float, str, bool, type(None))


class Sent(TypedDict):
    """Arguments on their way: each is an array or None, and the plain data for those that are none.

    `constants` are the places of the arrays whose gradient is not checked.
    """

    arrays: list[np.ndarray | None]
    plain: str
    constants: list[int]
    refused: NotRequired[str]


def sent(text: str, objects: dict[str, Any]) -> Sent:
    """Return the inputs that a text describes, and put the constants of other types into `objects`."""
    try:
        arguments, others = as_arguments(_of_file(text) if _IN_A_FILE.fullmatch(text) else evaluate(text))
    except CannotRun as refusal:
        return {"arrays": [], "plain": "", "constants": [], "refused": str(refusal)}
    objects.update(others)
    arrays = [np.asarray(each) if isinstance(each, np.ndarray) else None for each in arguments]
    plain = [None if isinstance(each, np.ndarray) else each for each in arguments]
    constants = [place for place, each in enumerate(arguments) if isinstance(each, Constant)]
    return {"arrays": arrays, "plain": json.dumps(plain), "constants": constants}


def received(inputs: Sent) -> Arguments:
    """Return the arguments that were sent; raises CannotRun if there are none."""
    if "refused" in inputs:
        raise CannotRun(inputs["refused"])
    arrays = [None if array is None else np.array(array) for array in inputs["arrays"]]
    for place in inputs["constants"]:
        array = arrays[place]
        arrays[place] = None if array is None else array.view(Constant)
    pairs = zip(arrays, json.loads(inputs["plain"]), strict=True)
    return tuple(plain if array is None else array for array, plain in pairs)


def _of_file(text: str) -> list[Any]:
    path, _, name = text.rpartition(":")
    function = load(Path(path), name)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(SEED)
            returned = function()
    except Exception as error:
        raise CannotRun(f"{text} in --inputs raised {brief(error)}") from None
    return [*returned] if isinstance(returned, (tuple, list)) else [returned]


def evaluate(text: str) -> list[Any]:
    """Return the inputs that a text such as `randn(3, 4), 2.0, None` describes.

    Random numbers are the same for the same text. Raises CannotRun if the text does not parse, contains an
    expression that is not allowed, or a call fails.
    """
    try:
        tree = ast.parse(f"[{text}\n]", mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise CannotRun(f"--inputs cannot be parsed: {getattr(error, 'msg', error)}.") from None
    except (RecursionError, MemoryError):
        raise CannotRun("--inputs cannot be parsed: they are nested too deeply.") from None
    if not isinstance(tree, ast.List):
        raise CannotRun("--inputs cannot be parsed: write the inputs with commas between them.")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        return [_value(node) for node in tree.elts]


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=value) if isinstance(value, _LITERALS):
            return value
        case ast.Tuple(elts=items):
            return tuple(_value(item) for item in items)
        case ast.List(elts=items):
            return [_value(item) for item in items]
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _SIGNS:
            return _called(node, _SIGNS[type(sign)], [_number(operand)])
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            return _called(node, _OPERATORS[type(sign)], [_number(left), _number(right)])
        case ast.Name(id=name) if name in _DTYPES:
            return getattr(torch, name)
        case ast.Attribute(value=ast.Name(id="torch"), attr=name) if name in _DTYPES:
            return getattr(torch, name)
        case ast.Attribute(value=tensor, attr="T" | "mT" as name):
            return getattr(_tensor(tensor), name)
        case ast.Call(func=function, args=arguments, keywords=keywords):
            values = [_value(argument) for argument in arguments]
            named = {str(keyword.arg): _value(keyword.value) for keyword in keywords}
            return _called(node, _function(function), values, named)
    raise CannotRun(f"--inputs may contain only literals and calls of {_listing()}, but not {_source(node)}.")


def _function(node: ast.expr) -> Callable[..., Any]:
    match node:
        case ast.Name(id=name) if name in _FACTORIES:
            return _factory(name)
        case ast.Attribute(value=ast.Name(id="torch"), attr=name) if name in _FACTORIES:
            return _factory(name)
        case ast.Attribute(value=tensor, attr=name) if name in _METHODS and not _is_torch(tensor):
            method: Callable[..., Any] = getattr(_tensor(tensor), name)
            return method
    raise CannotRun(f"--inputs may call {_listing()}, but not {_source(node)}.")


def _factory(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(torch, name)
    return function


def _is_torch(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "torch"


def _tensor(node: ast.expr) -> torch.Tensor:
    value = _value(node)
    if not isinstance(value, torch.Tensor):
        raise CannotRun(f"--inputs may call only methods of tensors, but {_source(node)} is not one.")
    return value


def _number(node: ast.expr) -> Any:
    """Return an operand, a number or a tensor; a list times a number would repeat the list."""
    value = _value(node)
    if not isinstance(value, (int, float, torch.Tensor)):
        raise CannotRun(f"--inputs may calculate only with numbers and tensors, not with {_source(node)}.")
    return value


def _called(
    node: ast.expr, function: Callable[..., Any], values: list[Any], named: Mapping[str, Any] | None = None
) -> Any:
    try:
        return function(*values, **(named or {}))
    except Exception as error:  # torch's, about sizes and dtypes
        message = " ".join(str(error).split())[:200].rstrip(".")
        raise CannotRun(f"{_source(node)} in --inputs raises {type(error).__name__}: {message}.") from None


def _listing() -> str:
    return ", ".join(_FACTORIES[:-1]) + f" and {_FACTORIES[-1]}"


def _source(node: ast.expr) -> str:
    return f"`{ast.unparse(node)[:80]}`"
