"""Finds the axes that a line of code inserts into a tensor, and tests whether shapes broadcast."""

from __future__ import annotations

import ast

Shape = list[int]


def inserts_an_axis(node: ast.AST) -> tuple[ast.expr, int] | None:
    """Return the operand and the axis of `x[..., None]`, `x[:, None]` or `x.unsqueeze(k)`, else None."""
    match node:
        case ast.Subscript(
            value=value, slice=ast.Tuple(elts=[ast.Constant(value=first), ast.Constant(value=None)])
        ):
            return (value, -1) if first is ... else None
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[ast.Slice(), ast.Constant(value=None)])):
            return value, 1
        case ast.Subscript(value=value, slice=ast.Constant(value=None)):
            return value, 0
        case ast.Call(
            func=ast.Attribute(value=value, attr="unsqueeze"), args=[ast.Constant(value=int() as k)]
        ):
            return value, k
        case ast.Call(
            func=ast.Attribute(value=value, attr="unsqueeze"),
            args=[ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as k))],
        ):
            return value, -k
    return None


def with_an_axis(shape: Shape) -> list[Shape]:
    """Return all shapes with one more axis of size 1."""
    return [[*shape[:axis], 1, *shape[axis:]] for axis in range(len(shape) + 1)]


def broadcasts(one: Shape, other: Shape) -> bool:
    """Return whether two shapes with the same number of axes broadcast."""
    pairs = zip(one[::-1], other[::-1], strict=False)
    return all(a == b or 1 in (a, b) for a, b in pairs)
