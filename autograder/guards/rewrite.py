"""Rewrites the syntax tree of a cell so that the guards are asked before each attribute and each import.

`x.y` becomes `_guard_read(x, "y").y`: the attribute itself is still read in the student's own frame, at the
same line. Every kind of node is listed here; others are refused.
"""

import ast
from collections.abc import Iterator, Set

from autograder.guards.allowed import NAMES, is_dunder

GUARD = "_guard_"
GUARDS = ("read", "write", "module", "of_module", "pattern")
READ, WRITE, MODULE, OF_MODULE, PATTERN = (GUARD + name for name in GUARDS)
_KNOWN = (
    ast.mod, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop, ast.comprehension,
    ast.excepthandler, ast.arguments, ast.arg, ast.keyword, ast.alias, ast.withitem, ast.match_case,
    ast.FunctionDef, ast.ClassDef, ast.Return, ast.Delete, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For,
    ast.While, ast.If, ast.With, ast.Match, ast.Raise, ast.Try, ast.TryStar, ast.Assert, ast.Import,
    ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.BoolOp,
    ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Yield, ast.YieldFrom, ast.Compare, ast.Call,
    ast.FormattedValue, ast.JoinedStr, ast.Constant, ast.Attribute, ast.Subscript, ast.Starred, ast.Name,
    ast.List, ast.Tuple, ast.Slice, ast.MatchValue, ast.MatchSingleton, ast.MatchSequence, ast.MatchMapping,
    ast.MatchClass, ast.MatchStar, ast.MatchAs, ast.MatchOr, ast.type_ignore,
)  # fmt: skip
_BODIES = ("body", "orelse", "finalbody")


def rewrite(module: ast.Module, dunders: Set[str]) -> str:
    """Rewrite code in place; return a description of what no guard can decide on, or ''."""
    nodes: list[ast.AST] = [module]
    for node in nodes:  # the list grows; no recursion, as expressions may be nested deeply
        nodes.extend(ast.iter_child_nodes(node))
    if beyond := next((what for node in nodes for what in _beyond(node, dunders)), ""):
        return beyond
    for node in nodes:
        if isinstance(node, ast.Attribute):
            guard = READ if isinstance(node.ctx, ast.Load) else WRITE
            node.value = _call(guard, [node.value, ast.Constant(node.attr)], node)
        for field in _BODIES:
            if isinstance(block := getattr(node, field, None), list):
                block[:] = [new for each in block for new in _asking(each)]
    return ""


def _beyond(node: ast.AST, dunders: Set[str]) -> Iterator[str]:
    if not isinstance(node, _KNOWN):
        yield type(node).__name__
    match node:
        case ast.ClassDef(keywords=[first, *_]):
            yield f"{first.arg or '**'}= of a class"
        case ast.ImportFrom(names=[ast.alias(name="*")], module=module):
            yield f"* of {module}"
        case ast.Attribute() | ast.keyword():
            return
    for name in _identifiers(node):
        reads = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if name.startswith(GUARD) or (
            is_dunder(name) and name not in (dunders | NAMES if reads else dunders)
        ):
            yield name


def _identifiers(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)) | ast.alias(asname=str(name)):
            yield name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names


def _asking(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield assignments in the place of an import, and before a match, whose patterns may call nothing."""
    match statement:
        case ast.Import(names=names):
            for alias in names:
                whole = ast.Constant(alias.asname is not None)
                value = _call(MODULE, [ast.Constant(alias.name), whole], statement)
                yield _bind(alias.asname or alias.name.partition(".")[0], value, statement)
        case ast.ImportFrom(module=module, names=names, level=level):
            for alias in names:
                parts = [ast.Constant(part) for part in (module or "", alias.name, level)]
                yield _bind(alias.asname or alias.name, _call(OF_MODULE, [*parts], statement), statement)
        case ast.Match(cases=cases):
            patterns = [node for case in cases for node in ast.walk(case.pattern)]
            for number, node in enumerate(n for n in patterns if isinstance(n, ast.MatchClass)):
                asked = [ast.Constant(len(node.patterns)), *map(ast.Constant, node.kwd_attrs)]
                kind = _call(PATTERN, [node.cls, *asked], node)
                name = f"{GUARD}{statement.lineno}_{statement.col_offset}_{number}"
                yield _bind(name, kind, statement)
                node.cls = ast.copy_location(ast.Name(name, ast.Load()), node)
            yield statement
        case _:
            yield statement


def _call(guard: str, arguments: list[ast.expr], place: ast.AST) -> ast.Call:
    call = ast.Call(ast.Name(guard, ast.Load()), arguments, [])
    for node in (call, call.func, *arguments):
        if not hasattr(node, "lineno"):
            ast.copy_location(node, place)
    return call


def _bind(name: str, value: ast.expr, place: ast.stmt) -> ast.Assign:
    target = ast.copy_location(ast.Name(name, ast.Store()), place)
    return ast.copy_location(ast.Assign([target], value), place)


def bound_by(statement: ast.stmt) -> set[str]:
    """Return the names that a statement of a cell binds in the notebook."""
    names: set[str] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
            continue
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        waiting.extend(ast.iter_child_nodes(node))
    return names
