"""Slips in work that is no Function: a right solution with one thing changed, anywhere in it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

NEIGHBOURS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OTHER_NAME = {"sum": "norm", "norm": "sum", "all": "any", "any": "all", "mean": "sum", "max": "mean"}
OTHER_NAME |= {"maximum": "minimum", "add": "sub", "pop": "copy", "square": "abs", "stack": "cat"}
LEFT_OUT = {"abs", "clone", "copy", "detach", "reshape", "flatten", "ravel", "square", "T", "mT", "reverse"}
LEFT_OUT |= {"reversed", "sorted", "float", "sum", "mean", "view", "transpose", "t"}


def mutants(source: str) -> Iterator[str]:
    """Yield the source with one change, for each change that is known, at each place of it.

    The changes: a comparison becomes its neighbour, a sum its larger or its first term, a sum of entries a
    norm, a constant another number, a method, a keyword or a statement is left out, an append goes to the
    front, an order is reversed, a condition is negated, a loop ends at what it would skip.
    """
    tree = ast.parse(source)
    for place, node in enumerate(ast.walk(tree)):
        for number in range(len(_changes(node))):
            copied = copy.deepcopy(tree)
            target = next(other for at, other in enumerate(ast.walk(copied)) if at == place)
            changed = _Put(target, _changes(target)[number]).visit(copied)
            yield ast.unparse(ast.fix_missing_locations(changed))


class _Put(ast.NodeTransformer):
    def __init__(self, target: ast.AST, made: ast.AST | list[ast.stmt]) -> None:
        self.target, self.made = target, made

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        made: ast.AST = self.made if node is self.target else self.generic_visit(node)
        return made


def _changes(node: ast.AST) -> list[ast.AST | list[ast.stmt]]:
    found: list[ast.AST | list[ast.stmt]] = []
    if isinstance(node, ast.expr):
        found += _of_expression(node)
    elif isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.For, ast.Delete)) and not _is_text(node):
        found.append(ast.Pass())
    elif isinstance(node, ast.If):
        found += [ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse), ast.Pass(), node.body]
    elif isinstance(node, ast.With):
        found.append(node.body)
    elif isinstance(node, ast.Continue):
        found.append(ast.Break())
    return found


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _of_expression(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            if type(operator) in NEIGHBOURS:
                yield ast.Compare(left, [NEIGHBOURS[type(operator)]()], [right])
            if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add):
                for name in ("maximum", "minimum"):
                    yield ast.Compare(left, [operator], [_of_both(name, right.left, right.right)])
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            yield from (left, right)
            yield ast.BinOp(left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), right)
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() | ast.Pow() | ast.MatMult(), right=right):
            yield from (left, right)
            if isinstance(node.op, ast.MatMult):
                yield ast.BinOp(right, node.op, left)
        case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert(), operand=operand):
            yield operand
        case ast.BoolOp(values=values):
            yield from values
        case ast.Constant(value=bool() as flag):
            yield ast.Constant(not flag)
        case ast.Constant(value=int() | float() as value):
            yield from (ast.Constant(other) for other in {value + 1, value * 2, 0} - {value})
        case ast.Call():
            yield from _of_call(node)
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if name in ("T", "mT"):
            yield value
        case ast.Subscript(value=value, slice=ast.Slice(step=ast.UnaryOp())):
            yield value
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case ast.Tuple(elts=[first, *_, last], ctx=ast.Load()) if len(node.elts) == 2:
            yield ast.Tuple([last, first], ast.Load())
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and node.generators[0].ifs:
        plain = copy.copy(node.generators[0])
        plain.ifs = []
        yield type(node)(node.elt, [plain, *node.generators[1:]])


def _of_both(name: str, left: ast.expr, right: ast.expr) -> ast.expr:
    both = ast.parse(f"__import__('torch').{name}", mode="eval").body
    tensor = ast.parse("__import__('torch').as_tensor", mode="eval").body
    return ast.Call(both, [ast.Call(tensor, [left], []), ast.Call(tensor, [right], [])], [])


def _of_call(node: ast.Call) -> Iterator[ast.expr]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Attribute):
        module = isinstance(node.func.value, ast.Name) and node.func.value.id in ("torch", "np", "F", "nn")
        if name in LEFT_OUT:
            yield node.args[0] if module and node.args else node.func.value
        if name in OTHER_NAME:
            yield ast.Call(
                ast.Attribute(node.func.value, OTHER_NAME[name], ast.Load()), node.args, node.keywords
            )
        if name == "append":
            front = ast.Attribute(node.func.value, "insert", ast.Load())
            yield ast.Call(front, [ast.Constant(0), *node.args], [])
    elif name in LEFT_OUT and node.args:
        yield node.args[0]
    elif name in OTHER_NAME:
        yield ast.Call(ast.Name(OTHER_NAME[name], ast.Load()), node.args, node.keywords)
    for place in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:place] + node.keywords[place + 1 :])
    if len(node.args) > 1:
        yield ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
        yield ast.Call(node.func, node.args[:-1], node.keywords)
