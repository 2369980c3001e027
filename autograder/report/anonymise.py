"""Removes everything from a student's work that could identify the student."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from functools import cached_property

from autograder.report.classroom import Classroom

_LETTERS_AT_LEAST = 3
_SUBSCRIPTS = re.compile(r"[A-Za-z.]{0,5}(,[A-Za-z.]{0,5})*(->[A-Za-z.]{0,5})?")  # of einsum
_WORD = re.compile(r"[\w.@+-]*\w")
_PLACE_IN_WORK = re.compile(r" \((?:[^()]*, )?line \d+.*", re.DOTALL)
HIDDEN = "…"
CHARACTERS_AT_MOST = 20_000  # of an example's code; nobody reads more


class Anonymiser:
    """Replaces students' names in code and messages, but no names of the assignment or of PyTorch."""

    def __init__(self, classroom: Classroom) -> None:
        parts = {part.casefold() for student in classroom.students for part in student.identity}
        parts |= {piece for part in parts for piece in re.split(r"[\W_]+", part)}
        self._parts = sorted((p for p in parts if len(p) >= _LETTERS_AT_LEAST), key=len, reverse=True)
        trees = [_tree(source) for source in classroom.instructors_cells]
        self._instructors_nodes = [node for tree in trees for node in ast.walk(tree)]

    def example(self, source: str, message: str) -> tuple[str, str]:
        """Return a piece of work and its message, with the student's own names replaced in both."""
        hide = _Hide(self)
        code = self._code(source, hide)
        text = re.sub(r"[^\W\d]\w*", lambda word: hide.names.get(word[0], word[0]), self.message(message))
        return code, text

    def source(self, source: str) -> str:
        """Return the code without comments and docstrings, with strings and the student's own names replaced.

        Strings stay if the instructor's notebook has them too. Returns '' for code that is not Python, is too
        long, or cannot be parsed for any other reason, such as a sum of a thousand terms.
        """
        return self._code(source, _Hide(self))

    def _code(self, source: str, hide: _Hide) -> str:
        if len(source) > CHARACTERS_AT_MOST:
            return ""
        try:
            tree = ast.parse(source)
            hide.bound = set(_bound(tree)) - self.assignment_names
            hidden: ast.AST = hide.visit(tree)
            return ast.unparse(ast.fix_missing_locations(hidden))
        except Exception:  # an example that could name somebody is worse than none
            return ""

    def message(self, message: str) -> str:
        """Return a message without words that name a student and without the student's lines of code."""
        cut = _PLACE_IN_WORK.sub(".", message)
        return _WORD.sub(lambda word: HIDDEN if self.identifies(word[0]) else word[0], cut)

    def identifies(self, word: str) -> bool:
        """Return whether a word contains a part of a student's name, id or address."""
        folded = word.casefold()
        return word not in self.assignment_names and any(part in folded for part in self._parts)

    @cached_property
    def assignment_names(self) -> set[str]:
        """Return names that the assignment, Python and PyTorch use: a student called Max hides no max."""
        import torch

        names = {*keyword.kwlist, *dir(builtins), *dir(torch), *dir(torch.Tensor), *dir(torch.nn.functional)}
        names |= set(dir(torch.autograd.Function))
        for node in self._instructors_nodes:
            names |= {value for _, value in ast.iter_fields(node) if isinstance(value, str)}
        return names

    @cached_property
    def assignment_strings(self) -> set[str]:
        """Return the strings of the assignment."""
        constants = [node.value for node in self._instructors_nodes if isinstance(node, ast.Constant)]
        return {value for value in constants if isinstance(value, str)}


class _Hide(ast.NodeTransformer):
    def __init__(self, anonymiser: Anonymiser) -> None:
        self._anonymiser = anonymiser
        self.names: dict[str, str] = {}  # by the student's own name: the replacement
        self.bound: set[str] = set()

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field, value in ast.iter_fields(node):
            if isinstance(value, str):
                setattr(node, field, self._name(value))
            elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
                setattr(node, field, [self._name(item) for item in value])
        super().generic_visit(node)
        if getattr(node, "body", None) == [] and not isinstance(node, ast.Module):
            vars(node)["body"] = [ast.Pass()]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        if isinstance(node.value, (ast.Constant, ast.JoinedStr)):
            return None  # a docstring, or a string used as a comment
        return self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Constant(HIDDEN)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value = node.value
        if isinstance(value, bytes):
            return ast.Constant(HIDDEN.encode("ascii", "replace"))
        if isinstance(value, str):
            harmless = value in self._anonymiser.assignment_strings or _SUBSCRIPTS.fullmatch(value)
            return node if harmless and not self._anonymiser.identifies(value) else ast.Constant(HIDDEN)
        if isinstance(value, int) and self._anonymiser.identifies(str(value)):
            return ast.Constant(0)
        return node

    def _name(self, name: str) -> str:
        if name not in self.bound and not self._anonymiser.identifies(name):
            return name
        return self.names.setdefault(name, f"name_{len(self.names) + 1}")


def _bound(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a piece of code binds: variables, parameters, attributes, imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)):
            yield node.name or ""
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias) and node.asname:
            yield node.asname


def _tree(source: str) -> ast.Module:
    """Return the tree of the instructor's code; an empty one if a cell is not Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])
