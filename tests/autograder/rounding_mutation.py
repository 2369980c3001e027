"""Slips in precision: a right solution in whose backward something was rounded to float32 and back."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

import numpy as np

# of a number; what is not one stays as it is
NUMBER = "(lambda v: float(__import__('numpy').float32(v)) if isinstance(v, float) else v)"
# of a tensor, with its history: the derivative of rounding counts as 1
TENSOR = """
def _rounded(value):
    import torch
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.float().to(value.dtype)
    return value
"""


def rounding_mutants(source: str) -> Iterator[str]:
    """Yield the source with what was saved rounded, with the cotangents rounded, with the numbers rounded.

    The numbers are the floats in the code of backward and those that it reads from ctx.
    """
    for change in (_saved, _cotangents, _numbers):
        tree = ast.parse(source)
        backwards = [*_backwards(tree)]
        # of several Functions one may matter to higher derivatives alone, which have fewer digits
        if len(backwards) == 1 and change(backwards[0]):
            yield TENSOR + ast.unparse(ast.fix_missing_locations(tree))


def _backwards(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    yield from (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "backward")


def _saved(backward: ast.FunctionDef) -> bool:
    def rounded(node: ast.AST) -> ast.expr | None:
        match node:
            case ast.Attribute(attr="saved_tensors", ctx=ast.Load()):
                return _expression("[_rounded(t) for t in __]", node)
        return None

    return _replaced(backward, rounded)


def _cotangents(backward: ast.FunctionDef) -> bool:
    names = [argument.arg for argument in backward.args.args[1:]]
    further = backward.args.vararg
    backward.body[:0] = [
        *(statement for name in names for statement in ast.parse(f"{name} = _rounded({name})").body),
        *(ast.parse(f"{further.arg} = [*map(_rounded, {further.arg})]").body if further else []),
    ]
    return True


def _numbers(backward: ast.FunctionDef) -> bool:
    (context, *_) = backward.args.args or [ast.arg("ctx")]

    def rounded(node: ast.AST) -> ast.expr | None:
        match node:
            case ast.Constant(value=float() as value) if value != float(np.float32(value)):
                return ast.Constant(float(np.float32(value)))
            case ast.Attribute(value=ast.Name(id=name), attr=attribute, ctx=ast.Load()) if (
                name == context.arg and attribute not in ("saved_tensors", "needs_input_grad")
            ):
                return _expression(f"{NUMBER}(__)", node)
        return None

    return _replaced(backward, rounded)


def _expression(text: str, inside: ast.AST) -> ast.expr:
    """Return the expression with a node of the source in the place of `__`."""
    made = ast.parse(text, mode="eval").body
    for node in ast.walk(made):
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                value[:] = [inside if isinstance(v, ast.Name) and v.id == "__" else v for v in value]
            elif isinstance(value, ast.Name) and value.id == "__":
                setattr(node, field, inside)
    return made


def _replaced(backward: ast.FunctionDef, rounded: Callable[[ast.AST], ast.expr | None]) -> bool:
    """Replace what `rounded` returns an expression for; return whether anything was."""
    changed = False

    class Put(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            nonlocal changed
            made = rounded(copy.deepcopy(node))
            if made is None:
                return self.generic_visit(node)
            changed = True
            return made

    backward.body = [Put().visit(statement) for statement in backward.body]
    return changed
