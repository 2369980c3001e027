"""Finds names, attributes, values and syntax in a cell that are beyond the vocabulary of course work."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cache
from types import ModuleType
from typing import Any

from autograder.grading.review.names import Cell, Names, own
from autograder.grading.review.vocabulary import (
    BUILTINS,
    DUNDERS,
    REFLECTION,
    Vocabulary,
    begins_nothing_powerful,
    is_ready_made,
    of_the_library,
    powerful,
)

_ASYNCHRONOUS = ast.AsyncFunctionDef | ast.AsyncFor | ast.AsyncWith | ast.Await
_OF_FUNCTIONS = {"backward", "vjp", "jvp", "vmap", "forward", "setup_context", "apply"}
_LOOKS_AT_CLASSES = {"isinstance", "issubclass", "print", "str", "repr", "hash", "id", "type"}
_ARGUMENTS_AT_MOST = {"functools.wraps": 1, "functools.update_wrapper": 2}  # more of them set attributes
_HEAP_TYPE, _IMMUTABLE_TYPE = 1 << 9, 1 << 8  # Py_TPFLAGS of <object.h>


class Reader:
    """Finds code beyond the vocabulary in the nodes of one cell."""

    def __init__(self, cell: Cell, names: Names, words: Vocabulary) -> None:
        self._names = names
        self._words = words
        self._nodes = cell.nodes
        self._parents = cell.parents

    def find(self) -> Iterator[tuple[str, int]]:
        """Yield each use beyond the vocabulary, and its line."""
        for node in self._nodes:
            what = next(self._of(node), "")
            if what:
                yield what, getattr(node, "lineno", 0)

    def allowed_part(self, statement: ast.stmt) -> str:
        """Return an import without the forbidden names; '' if none is left or the statement is no import."""
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            return ""
        names = []
        for alias in statement.names:
            one = copy(statement)
            one.names = [alias]
            names += [] if next(self._of(one), "") else [alias]
        allowed = copy(statement)
        allowed.names = names
        return ast.unparse(allowed) if names else ""

    def _of(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, (ast.expr_context, ast.operator)):  # half of all nodes
            return
        match node:
            case ast.Import(names=names):
                yield from (a.name for a in names if not self._words.has_module(a.name))
            case ast.ImportFrom(module=module, names=names, level=level):
                yield from self._from(module or "", [a.name for a in names], level)
            case ast.Name():
                yield from self._name(node)
            case ast.Attribute():
                yield from self._attribute(node)
            case ast.Call():
                yield from self._call(node)
            case ast.MatchClass(kwd_attrs=attributes):
                yield from (name for name in attributes if not self._of_any_object(name))
            case ast.ClassDef(name=name, keywords=[first, *_]):
                yield f"{first.arg or '**'}= of a class"
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if _is_dunder(name):
                if name not in DUNDERS and name not in self._words.own_words:
                    yield name
            case ast.Constant(value=str(text)) if _is_dunder(text) and text not in DUNDERS | {"__main__"}:
                yield text
            case _ if isinstance(node, _ASYNCHRONOUS):
                yield "async"

    def _from(self, module: str, names: Sequence[str], level: int) -> Iterator[str]:
        for name in names:
            whole = f"{module}.{name}"
            allowed = self._words.has_of(module, name) or self._words.has_module(whole)
            if level or name == "*" or not allowed:
                yield f"{'.' * level}{whole}"

    def _name(self, node: ast.Name) -> Iterator[str]:
        name = node.id
        unknown = _is_dunder(name) and name not in DUNDERS | BUILTINS | self._words.own_words
        if name in REFLECTION or unknown:
            yield name
        elif not isinstance(node.ctx, ast.Load):
            return
        elif (
            (name not in self._names.bound and is_ready_made(name))
            or (name == "getattr" and not self._is_plain_getattr(self._parents[node], node))
            or (name == "type" and not self._may_stand(node))
        ):
            yield name
        elif self._is_of_a_library(node) and not self._may_stand(node):
            yield f"{self._names.path(node)} as a value"

    def _attribute(self, node: ast.Attribute) -> Iterator[str]:
        prefix, name = self._names.path(node.value), node.attr
        code = ast.unparse(node)[:60]
        if prefix:
            whole = f"{prefix}.{name}"
            allowed = self._words.has_of(prefix, name) or self._words.has_module(whole)
            if not allowed and not (_is_object(prefix) and self._of_any_object(name)):
                yield whole
            elif not isinstance(node.ctx, ast.Load):
                yield f"an assignment to {whole}"
            elif self._is_of_a_library(node) and not self._may_stand(node):
                yield f"{whole} as a value"
        elif not (self._of_any_object(name) or self._is_of_own_function(node) or _is_forgotten(node)):
            yield code
        elif not isinstance(node.ctx, ast.Load) and not self._owned(node.value, name):
            yield f"an assignment to {code}"

    def _owned(self, value: ast.expr, name: str) -> bool:
        """Return whether an assignment to an attribute cannot change an object of a library.

        A name never stands for a class or a module of a library, because these may not be values.
        """
        return isinstance(value, (ast.Name, ast.Attribute, ast.Subscript)) or not of_the_library(name)

    def _call(self, node: ast.Call) -> Iterator[str]:
        path = self._names.path(node.func)
        at_most = _ARGUMENTS_AT_MOST.get(path)
        if at_most is not None and (len(node.args) > at_most or node.keywords):
            yield path
        is_type = isinstance(node.func, ast.Name) and node.func.id == "type"
        if is_type and len(node.args) == 1 and not self._may_stand(node):
            yield "type() as a value"
        if _makes_a_class(node) and not _has_plain_names(node):
            yield "a class whose names are put together"

    def _of_any_object(self, name: str) -> bool:
        return self._words.has_attribute(name) or own(self._names, name)

    def _is_of_own_function(self, node: ast.Attribute) -> bool:
        """Return whether an attribute is a method of the notebook's own Function, or of its base."""
        match node.value:
            case ast.Name(id=name):
                return name in self._names.functions and node.attr in _OF_FUNCTIONS
            case ast.Call(func=ast.Name("super"), args=[]):
                return node.attr in _OF_FUNCTIONS
        return False

    def _is_plain_getattr(self, call: ast.AST, name: ast.Name) -> bool:
        match call:
            case ast.Call(func=func, args=[_, ast.Constant(str(attribute)), *_]) if func is name:
                return self._of_any_object(attribute)
            case ast.Call(
                func=func, args=[_, ast.BinOp(left=ast.Constant(str(start)), op=ast.Add()), *_]
            ) if func is name:
                return begins_nothing_powerful(start)
            case ast.Call(func=func, args=[_, ast.JoinedStr(values=[ast.Constant(str(start)), *_]), *_]) if (
                func is name
            ):
                return begins_nothing_powerful(start)
        return False

    def _is_of_a_library(self, node: ast.expr) -> bool:
        """Return whether an expression is a module or a class whose attributes can be assigned."""
        parent = self._parents[node]
        if isinstance(parent, ast.Attribute):  # the longest path counts
            return False
        path = self._names.path(node)
        return bool(path) and _is_mutable(path)

    def _is_a_type(self, node: ast.expr) -> bool:
        """Return whether an expression is made of types, so that no method of the notebook receives one."""
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                return bool(self._names.path(node)) or (name in BUILTINS and name not in self._names.bound)
            case ast.Attribute():
                return bool(self._names.path(node))
            case ast.Call(func=ast.Name("type"), args=[_]):
                return True
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return all(map(self._is_a_type, parts))
            case ast.BinOp(left=left, right=right):
                return self._is_a_type(left) and self._is_a_type(right)
            case ast.Subscript(value=value, slice=inner):
                return self._is_a_type(value) and self._is_a_type(inner)
        return False

    def _may_stand(self, node: ast.expr) -> bool:
        """Return whether a class stands in a place where nobody can assign to its attributes."""
        child: ast.AST = node
        while True:
            parent = self._parents[child]
            match parent:
                case ast.Attribute(value=value, ctx=ast.Load()) if value is child:
                    return True
                case ast.Call(func=func) if func is child:
                    return True
                case ast.Call(func=ast.Call(func=ast.Name("type")) | ast.Name("type"), args=[_, bases, _]):
                    return bases is child  # of a class that is made by a call
                case ast.Call(func=ast.Name(id=name)) if name not in self._names.bound:
                    return name in _LOOKS_AT_CLASSES
                case ast.ClassDef(bases=bases):
                    # a class of classes is called as type is, with any names
                    return child in bases and not (isinstance(node, ast.Name) and node.id == "type")
                case ast.Compare(left=left, comparators=others):
                    return all(map(self._is_a_type, [left, *others]))
                case ast.FormattedValue() | ast.MatchClass() | ast.ExceptHandler():
                    return True
                case ast.arg(annotation=annotation) | ast.AnnAssign(annotation=annotation):
                    return annotation is child
                case ast.FunctionDef(returns=returns):
                    return returns is child
                case ast.Assign(targets=[ast.Name(id=name)]):  # F = torch.nn.functional
                    path = self._names.path(node)
                    return bool(path) and self._names.paths.get(name) == path and not _is_object(path)
                case ast.Tuple() | ast.List():
                    child = parent
                case ast.BinOp(op=ast.BitOr()) | ast.Subscript() if self._is_a_type(parent):
                    child = parent
                case _:
                    return False


def _is_forgotten(node: ast.Attribute) -> bool:
    """Return whether a node reads an attribute of ctx or self that no library has."""
    match node:
        case ast.Attribute(value=ast.Name("ctx" | "self"), attr=name, ctx=ast.Load()):
            return not (name.startswith("_") or name in powerful() or of_the_library(name))
    return False


def _makes_a_class(node: ast.Call) -> bool:
    """Return whether a call may make a class, by `type` or by `type(x)`."""
    match node.func:
        case ast.Name("type") | ast.Call(func=ast.Name("type")):
            starred = any(isinstance(argument, ast.Starred) for argument in node.args)
            return starred or len(node.args) == 3
    return False


def _has_plain_names(node: ast.Call) -> bool:
    """Return whether the code names all attributes that a call of type puts into its class."""
    match node.args:
        case [_, _, ast.Dict(keys=keys)]:
            return all(isinstance(key, ast.Constant) for key in keys)
    return False


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


@cache
def _resolved(path: str) -> Any:
    """Return the object of an import's path; None if there is none."""
    parts = path.split(".")
    for end in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for name in parts[end:]:
            value = getattr(value, name, None)
        return value
    return None


def _is_object(path: str) -> bool:
    return not isinstance(_resolved(path), ModuleType)


def _is_mutable(path: str) -> bool:
    if path.startswith(("autograder.", "vjpcheck.")):  # the modules that a notebook gets know no answer
        return False
    value = _resolved(path)
    if isinstance(value, type):
        return bool(value.__flags__ & _HEAP_TYPE) and not value.__flags__ & _IMMUTABLE_TYPE
    return isinstance(value, ModuleType)
