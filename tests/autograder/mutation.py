"""Slips: a right solution with one thing changed in its backward (or in what it saves for it)."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from itertools import permutations

OTHER_FUNCTION = {"sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh", "exp": "tanh", "tanh": "exp"}
OTHER_FUNCTION |= {"sqrt": "exp", "softmax": "sigmoid", "conv_transpose2d": "conv2d", "argsort": "sort"}
REDUCTIONS = {"sum", "mean"}
DROPPED = {"sum", "mean", "sign", "clone", "t", "squeeze", "unsqueeze", "conj", "flip", "clamp", "neg", "exp"}
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.Lt,
    ast.Lt: ast.Gt,
    ast.GtE: ast.LtE,
    ast.LtE: ast.GtE,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
AXES = {"dim", "axis", "dims"}


def mutants(source: str, backward: tuple[str, ...] = ("backward", "vjp")) -> Iterator[str]:
    """Yield the source with one change, for each change that is known, somewhere in the first backward.

    The changes are those that students make: a factor, a sign, a sum, a transposition, an axis or a None
    left out or wrong, arguments swapped, a save forgotten, a detach or a write in place too many.
    """
    tree = ast.parse(source)
    places = [*_inside(tree, backward), *_saves(tree)]
    for place, node in enumerate(places):
        for number in range(len(_changes(node))):
            copied = copy.deepcopy(tree)
            target = [*_inside(copied, backward), *_saves(copied)][place]
            made = _changes(target)[number]
            yield ast.unparse(ast.fix_missing_locations(_Put(target, made).visit(copied)))


def _inside(tree: ast.Module, names: tuple[str, ...]) -> list[ast.AST]:
    definitions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name in names)
    first = next(definitions, None)
    return [] if first is None else [node for statement in first.body for node in ast.walk(statement)]


def _saves(tree: ast.Module) -> list[ast.AST]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "save_for_backward"
    ]


class _Put(ast.NodeTransformer):
    def __init__(self, target: ast.AST, made: ast.AST) -> None:
        self.target, self.made = target, made

    def visit(self, node: ast.AST) -> ast.AST:
        made: ast.AST = self.made if node is self.target else self.generic_visit(node)
        return made


def _changes(node: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    if isinstance(node, ast.expr):
        found += _of_expression(node)
    if isinstance(node, ast.Return):
        found += _of_return(node)
    if isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
    ):
        found.append(ast.Pass())  # a write into a tensor of its own, left out
    return found


def _of_expression(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=ast.Mult() | ast.MatMult() | ast.Div(), right=right):
            yield from (
                left,
                right,
                ast.UnaryOp(ast.USub(), node),
                ast.BinOp(ast.Constant(2), ast.Mult(), node),
            )
            if isinstance(node.op, ast.MatMult):
                yield ast.BinOp(right, node.op, left)
            if isinstance(node.op, ast.Mult) and isinstance(left, ast.Name):
                yield ast.Call(ast.Attribute(left, "mul_", ast.Load()), [right], [])
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            yield from (left, right)
            yield ast.BinOp(left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), right)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() | float() as power)):
            yield from (ast.BinOp(left, ast.Pow(), ast.Constant(power + step)) for step in (-1, 1))
        case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=operand):
            if not isinstance(operand, ast.Constant):
                yield operand
        case ast.Compare(ops=[operator], comparators=[_]):
            if type(operator) in COMPARISONS:
                yield ast.Compare(node.left, [COMPARISONS[type(operator)]()], node.comparators)
        case ast.Call(func=ast.Name(id="sum")):
            return
        case ast.Call():
            yield from _of_call(node)
        case ast.Attribute(value=value, attr="T" | "mT"):
            yield value
        case ast.Attribute(value=ast.Name(), attr="saved_tensors") if isinstance(node.ctx, ast.Load):
            yield ast.parse(
                f"[t if t is None else t.detach() for t in {ast.unparse(node)}]", mode="eval"
            ).body
        case ast.Subscript(
            value=ast.Attribute(attr="needs_input_grad"), slice=ast.Constant(value=int() as i)
        ):
            yield from (
                ast.Subscript(node.value, ast.Constant(other), ast.Load()) for other in {i - 1, i + 1} - {-1}
            )
            yield ast.Constant(True)
        case ast.Slice(lower=None, upper=ast.expr() as upper):
            yield ast.Slice(upper, None)
            yield ast.Slice(None, ast.BinOp(upper, ast.Add(), ast.Constant(1)))
        case ast.Slice(lower=ast.expr() as lower, upper=None):
            yield ast.Slice(None, lower)
        case ast.Constant(value=str() as pattern) if "->" in pattern:
            left, _, right = pattern.partition("->")
            orders = {"".join(order) for order in permutations(right)} if len(right) <= 3 else set()
            yield from (ast.Constant(f"{left}->{order}") for order in sorted(orders - {right}))


def _of_call(node: ast.Call) -> Iterator[ast.expr]:
    match node.func:
        case ast.Attribute(value=value, attr="save_for_backward"):
            for left_out in range(len(node.args)):
                kept = [a for i, a in enumerate(node.args) if i != left_out]
                yield ast.Call(node.func, kept, [])
            return
        case ast.Attribute(value=value, attr=name):
            method = not (isinstance(value, ast.Name) and value.id in ("torch", "F", "np", "nn"))
            if method and name in DROPPED:
                yield value
            elif not method and name in DROPPED and node.args:
                yield node.args[0]
            if name == "sum":
                yield ast.Call(ast.Attribute(value, "mean", ast.Load()), node.args, node.keywords)
            if name in OTHER_FUNCTION:
                yield ast.Call(
                    ast.Attribute(value, OTHER_FUNCTION[name], ast.Load()), node.args, node.keywords
                )
            if method and name in REDUCTIONS and node.args and _number(node.args[0]) is not None:
                other = ast.Constant(_other_axis(_number(node.args[0])))
                yield ast.Call(node.func, [other, *node.args[1:]], node.keywords)
    for place, keyword in enumerate(node.keywords):
        value = keyword.value
        if keyword.arg in AXES and _number(value) is not None:
            changed: ast.expr = ast.Constant(_other_axis(_number(value)))
        elif keyword.arg in ("keepdim", "keepdims") and isinstance(value, ast.Constant):
            changed = ast.Constant(not value.value)
        else:
            continue
        others = [k if i != place else ast.keyword(keyword.arg, changed) for i, k in enumerate(node.keywords)]
        yield ast.Call(node.func, node.args, others)


def _number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
    return None


def _other_axis(axis: int | None) -> int:
    return 1 if axis == 0 else 0


def _of_return(node: ast.Return) -> Iterator[ast.Return]:
    if node.value is None:
        return
    if not isinstance(node.value, ast.Tuple):
        yield ast.Return(ast.Constant(None))
        return
    parts = node.value.elts
    for i in range(len(parts)):
        yield ast.Return(ast.Tuple([*parts[:i], ast.Constant(None), *parts[i + 1 :]], ast.Load()))
        yield ast.Return(ast.Tuple([*parts[:i], *parts[i + 1 :]], ast.Load()))
        for j in range(i):
            swapped = [*parts]
            swapped[i], swapped[j] = parts[j], parts[i]
            yield ast.Return(ast.Tuple(swapped, ast.Load()))
