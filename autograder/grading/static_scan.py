"""Flags code in a submission that no exercise needs and tampering does, for a person to look at.

A submission controls the process in which it runs, so it can hide there that native autograd differentiates
forward. The source is scanned here, outside that process. A flag costs no points; a person decides.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator

_MODULES = frozenset(
    """
    _thread asyncio atexit builtins code concurrent ctypes gc importlib inspect marshal multiprocessing
    pickle pty signal socket subprocess threading
    """.split()  # noqa: SIM905 - a table of words
)
_INNER = ("autograder.", "torch._C")
_CALLED = frozenset(("eval", "exec", "compile", "__import__", "globals", "locals", "vars", "get_ipython"))
_BY_NAME = frozenset(("getattr", "setattr", "delattr"))
_ATTRIBUTES = frozenset(
    """
    _getframe setprofile getprofile settrace gettrace modules meta_path __subclasses__ __globals__
    __code__ __closure__ __builtins__ __dict__ __getattribute__ f_back f_locals f_globals tb_frame
    gi_frame attrgetter methodcaller run_backward
    """.split()  # noqa: SIM905 - a table of words
)


def flagged(sources: Iterable[str]) -> str:
    """Return a sentence about the first thing found in these cells, or ''."""
    for source in sources:
        for what, line in _found(source):
            return f"The code uses {what} ({line}), which no exercise needs; please look at it."
    return ""


def _found(source: str) -> Iterator[tuple[str, str]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # it does not run, or is a magic command, which has no effect here
    lines = source.splitlines()
    for node in ast.walk(tree):
        what = _odd(node)
        if what:
            number = getattr(node, "lineno", 0)
            yield what, f"line {number}: {lines[number - 1].strip()[:80]}" if number else "somewhere"


def _odd(node: ast.AST) -> str:
    match node:
        case ast.Import(names=names):
            return _module([alias.name for alias in names])
        case ast.ImportFrom(module=module, names=names):
            inner = [f"{module}.{alias.name}" for alias in names]
            return _module([module or "", *inner]) or _attribute([alias.name for alias in names])
        case ast.Call(func=ast.Name(name)) if name in _CALLED:
            return name
        case ast.Call(func=ast.Name(name), args=[_, given, *_]) if name in _BY_NAME:
            return "" if isinstance(given, ast.Constant) and given.value not in _ATTRIBUTES else name
        case ast.Name(id=name) if name in ("__builtins__", "__loader__"):
            return name
        case ast.Attribute(attr=name):
            return _attribute([name])
    return ""


def _module(names: list[str]) -> str:
    own = ("autograder.check", "autograder.grade")  # which the released notebook imports
    return next((n for n in names if n not in own and (_top(n) in _MODULES or n.startswith(_INNER))), "")


def _top(name: str) -> str:
    return name.partition(".")[0]


def _attribute(names: list[str]) -> str:
    return next((name for name in names if name in _ATTRIBUTES), "")
