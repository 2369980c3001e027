"""Finds code with which a Function may keep values for backward outside ctx, unseen by the memory check.

Names of the notebook that methods use must stand for functions, classes, modules or constants. Attributes are
set on ctx and self alone, under these names, so that no other name stands for an object that outlives a call.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence

import torch

_Function = ast.FunctionDef | ast.Lambda
_Named = ast.FunctionDef | ast.ClassDef
_OWNERS = ("ctx", "self")
_OF_TENSORS = ("requires_grad",)  # may be set on any object, as it stores no value
_CACHES = {"cache", "lru_cache", "cached_property"}


class Definitions:
    """The variables, functions and classes that all cells of a notebook define."""

    def __init__(self, notebook: Iterable[ast.Module | None]) -> None:
        trees = [cell for cell in notebook if cell is not None]
        self.named = [n for tree in trees for n in ast.walk(tree) if isinstance(n, _Named)]
        makers = [n for n in self.named if isinstance(n, ast.FunctionDef) and _has_class(n)]
        bodies = [*(tree.body for tree in trees), *(maker.body for maker in makers)]
        self.variables = {name for body in bodies for name in _variables(body)}


def stores(tree: ast.Module, defined: Definitions) -> Iterator[tuple[str, int]]:
    """Yield code of a cell that could keep a value between forward and backward, and its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                if isinstance(statement, (ast.Assign, ast.AnnAssign)) and not _is_constant(statement.value):
                    yield "a class attribute that is not a constant", statement.lineno
        if isinstance(node, ast.Global):
            yield "global", node.lineno
        if isinstance(node, ast.FunctionDef) and any(_is_cache(d) for d in node.decorator_list):
            yield "a cache", node.lineno
    for function in _outermost(tree):
        yield from _of_function(function, defined.variables)
        yield from _passed_on(function, defined.named)
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
            yield from _attributes_set(statement, own=())


def _of_function(function: _Function, variables: set[str]) -> Iterator[tuple[str, int]]:
    own = {a.arg for n in ast.walk(function) for a in [n] if isinstance(a, ast.arg)}
    own |= {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    for default in [*function.args.defaults, *filter(None, function.args.kw_defaults)]:
        if not _is_constant(default):
            yield "a default that is not a constant", default.lineno
    for node in ast.walk(function):
        if isinstance(node, ast.Nonlocal) and not set(node.names) <= own:
            yield "nonlocal", node.lineno
        is_variable = isinstance(node, ast.Name) and node.id in variables - own
        if isinstance(node, ast.Name) and is_variable and not _is_only_read(node, parents[node]):
            yield f"{node.id}, which is neither a function nor a constant", node.lineno
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            root: ast.expr = node
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            if not isinstance(root, ast.Name) or root.id not in own:
                yield f"an assignment to {ast.unparse(node)[:60]}", node.lineno
        if isinstance(node, ast.Name) and node.id in _OWNERS and not isinstance(node.ctx, ast.Load):
            yield f"an assignment to {node.id}", node.lineno
    yield from _attributes_set(function, own=_OWNERS)


def _attributes_set(tree: ast.AST, own: Collection[str]) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            owner = node.value
            if node.attr not in _OF_TENSORS and not (isinstance(owner, ast.Name) and owner.id in own):
                yield f"an assignment to {ast.unparse(node)[:60]}", node.lineno


def _passed_on(function: _Function, named: Sequence[_Named]) -> Iterator[tuple[str, int]]:
    """Yield calls that pass another object as ctx or self: it could outlive the call."""
    names = {one.name for one in named}
    functions = {one.name: one for one in named if isinstance(one, ast.FunctionDef)}
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=called)):
                bound = False
            case ast.Call(func=ast.Attribute(value=owner, attr=called)):
                bound = not (isinstance(owner, ast.Name) and owner.id in names)
            case _:
                continue
        if called in names:
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                if isinstance(argument, ast.Name) and argument.id in names:
                    yield f"{argument.id} as an argument", argument.lineno
        if called in functions and not _keeps_owners(functions[called], node, bound):
            yield f"{ast.unparse(node)[:60]}, which calls something else ctx or self", node.lineno


def _keeps_owners(function: ast.FunctionDef, call: ast.Call, bound: bool) -> bool:
    """Return whether the arguments for parameters named ctx and self have these names in the call too."""
    parameters = [argument.arg for argument in [*function.args.posonlyargs, *function.args.args]]
    if bound and parameters[:1] == ["self"]:
        del parameters[0]
    handed = dict(zip(parameters, call.args, strict=False))
    handed |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    owners = [(name, handed.get(name)) for name in _OWNERS if name in parameters]
    return all(isinstance(argument, ast.Name) and argument.id == name for name, argument in owners)


def _outermost(tree: ast.AST) -> Iterator[_Function]:
    """Yield the functions of modules and classes; the local variables of one live as long as its call."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _Function) and not _has_class(node):
            yield node
        else:
            yield from _outermost(node)


def _is_only_read(name: ast.Name, parent: ast.AST) -> bool:
    """Return whether a variable is an operand, or the owner of an attribute that does not change it."""
    match parent:
        case ast.BinOp() | ast.Compare() | ast.UnaryOp():
            return True
        case ast.Attribute(attr=attribute, ctx=ast.Load()):
            return hasattr(torch.Tensor, attribute) and not attribute.endswith("_")
    return False


def _has_class(function: ast.AST) -> bool:
    return any(isinstance(inner, ast.ClassDef) for inner in ast.walk(function))


def _variables(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements outside functions and classes bind to values that are not constants."""
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            continue
        if isinstance(statement, ast.Assign) and _is_constant(statement.value):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _is_constant(value: ast.expr | None) -> bool:
    """Return whether an expression is built of numbers, texts, names and attributes: it can store nothing."""
    kinds = (
        ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.Name, ast.Attribute, ast.operator, ast.unaryop,
        ast.expr_context,
    )  # fmt: skip
    return value is None or all(isinstance(node, kinds) for node in ast.walk(value)) or _wraps(value)


def _wraps(value: ast.expr) -> bool:
    """Return whether a value is a staticmethod of a name or a lambda, or a plain call of math."""
    match value:
        case ast.Call(func=ast.Name("staticmethod" | "classmethod"), args=[argument]):
            return isinstance(argument, ast.Lambda) or _is_constant(argument)
        case ast.Call(func=ast.Attribute(value=ast.Name("math")), args=args):
            return all(_is_constant(argument) for argument in args)
    return False


def _is_cache(decorator: ast.expr) -> bool:
    return any(
        (isinstance(node, ast.Name) and node.id in _CACHES)
        or (isinstance(node, ast.Attribute) and node.attr in _CACHES)
        for node in ast.walk(decorator)
    )
