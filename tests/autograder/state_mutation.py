"""Slips in what a right solution keeps: somewhere else than on ctx, or the output in place of an input."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

_STORE = "_kept_between_calls"
_OUTPUT = "_output_of_forward"


def state_mutants(source: str) -> Iterator[str]:
    """Yield the source with what is saved moved off ctx, and with the output saved in an input's place.

    What is saved goes into a dict of the module, an attribute of the class, a closure, and a default
    argument. The output takes the place of each input saved, as it is, and divided by each other input saved.
    """
    for store in (_in_module, _on_class, _in_closure, _in_default_argument):
        tree = ast.parse(source)
        if _moved_off_ctx(tree, store):
            yield ast.unparse(ast.fix_missing_locations(tree))
    yield from _output_in_place_of_an_input(source)


def _saved_here(tree: ast.Module) -> Iterator[ast.Attribute]:
    """Yield `ctx.save_for_backward` and `ctx.saved_tensors`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("save_for_backward", "saved_tensors"):
            yield node


class _Moved(ast.NodeTransformer):
    def __init__(self, store: ast.expr) -> None:
        self._store = store
        self.moved = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "save_for_backward":
            self.moved += 1
            values = ast.Tuple(node.args, ast.Load())
            keep = ast.Attribute(copy.deepcopy(self._store), "update", ast.Load())
            return ast.Call(keep, [], [ast.keyword("saved", values)])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr == "saved_tensors" and isinstance(node.ctx, ast.Load):
            self.moved += 1
            return ast.Subscript(copy.deepcopy(self._store), ast.Constant("saved"), ast.Load())
        return node


def _moved_off_ctx(tree: ast.Module, store: Callable[[ast.Module], ast.expr]) -> bool:
    if len([*_saved_here(tree)]) < 2:  # one place saves and another takes
        return False
    mover = _Moved(store(tree))
    mover.visit(tree)
    return mover.moved > 1


def _after_imports(tree: ast.Module, statement: str) -> None:
    place = next(
        (
            index
            for index, node in enumerate(tree.body)
            if not isinstance(node, (ast.Import, ast.ImportFrom))
            and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ),
        len(tree.body),
    )
    tree.body[place:place] = ast.parse(statement).body


def _in_module(tree: ast.Module) -> ast.expr:
    _after_imports(tree, f"{_STORE} = {{}}")
    return ast.Name(_STORE, ast.Load())


def _on_class(tree: ast.Module) -> ast.expr:
    owner = [node for node in tree.body if isinstance(node, ast.ClassDef)][-1]
    owner.body[:0] = ast.parse(f"{_STORE} = {{}}").body
    return ast.Attribute(ast.Name(owner.name, ast.Load()), _STORE, ast.Load())


def _in_closure(tree: ast.Module) -> ast.expr:
    _after_imports(tree, f"def _made():\n    kept = {{}}\n    return lambda: kept\n{_STORE} = _made()")
    return ast.Call(ast.Name(_STORE, ast.Load()), [], [])


def _in_default_argument(tree: ast.Module) -> ast.expr:
    _after_imports(tree, f"def {_STORE}(kept={{}}):\n    return kept")
    return ast.Call(ast.Name(_STORE, ast.Load()), [], [])


def _output_in_place_of_an_input(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    for forward, backward in _pairs(tree):
        parameters = {argument.arg for argument in forward.args.args}
        saved = _saved_names(forward)
        taken = _taken_names(backward, len(saved))
        if taken is None or not isinstance(forward.body[-1], ast.Return):
            continue
        for place, name in enumerate(saved):
            if name not in parameters:
                continue
            yield _rewritten(source, place, "")
            for other, beside in zip(saved, taken, strict=True):
                if other != name and other in parameters:
                    yield _rewritten(source, place, f"{taken[place]} = {taken[place]} / {beside}")


def _pairs(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, ast.FunctionDef]]:
    for owner in [node for node in tree.body if isinstance(node, ast.ClassDef)][-1:]:
        methods = {node.name: node for node in owner.body if isinstance(node, ast.FunctionDef)}
        if "forward" in methods and "backward" in methods:
            yield methods["forward"], methods["backward"]


def _saved_names(forward: ast.FunctionDef) -> list[str]:
    for node in ast.walk(forward):
        if isinstance(node, ast.Call) and _saves(node):
            names = [argument.id for argument in node.args if isinstance(argument, ast.Name)]
            return names if len(names) == len(node.args) else []
    return []


def _saves(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "save_for_backward"


def _taken_names(backward: ast.FunctionDef, count: int) -> list[str] | None:
    """Return the names in `a, b = ctx.saved_tensors`, where backward begins with it."""
    match backward.body[:2]:
        case [ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Attribute(attr="saved_tensors")), *_]:
            pass
        case [_, ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Attribute(attr="saved_tensors"))]:
            pass
        case _:
            return None
    found = [name.id for name in names if isinstance(name, ast.Name)]
    return found if len(found) == len(names) == count else None


def _rewritten(source: str, place: int, correction: str) -> str:
    """Save the output of forward at this place, and correct it in backward."""
    tree = ast.parse(source)
    ((forward, backward),) = _pairs(tree)
    call = next(node for node in ast.walk(forward) if isinstance(node, ast.Call) and _saves(node))
    call.args[place] = ast.Name(_OUTPUT, ast.Load())
    saving = next(s for s in forward.body if call in ast.walk(s))
    forward.body.remove(saving)
    last = forward.body[-1]
    assert isinstance(last, ast.Return)
    assert last.value is not None
    output = ast.Assign([ast.Name(_OUTPUT, ast.Store())], last.value)
    forward.body[-1:] = [output, saving, ast.Return(ast.Name(_OUTPUT, ast.Load()))]
    if correction:
        taking = next(i for i, s in enumerate(backward.body) if "saved_tensors" in ast.unparse(s))
        backward.body[taking + 1 : taking + 1] = ast.parse(correction).body
    return ast.unparse(ast.fix_missing_locations(tree))
