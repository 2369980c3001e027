"""Runs the cells of a student's notebook under guards, statement by statement.

A statement that was refused is skipped, and the names that it would bind stand for something withheld. So the
rest of the cell runs, and what it gets was obtained without what was refused.
"""

import __future__

import ast
import linecache
import re
import warnings
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

from autograder.guards import rewrite
from autograder.guards.allowed import Allowed, MayUse
from autograder.guards.guards import CELL, Guards, NotAllowed, Withheld
from autograder.guards.stand_ins import guarded_builtins
from vjpcheck.probe.own_code import note_code

# ends of lines for IPython but not for Python's compiler: behind one in a comment, there would be code
_NO_ENDS = dict.fromkeys(map(ord, "\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")
_CELL_MAGIC = re.compile(r"\s*%%.*")


class GuardedCells:
    """Runs cells in a notebook's namespace with what these exercises `may_use`."""

    def __init__(
        self, namespace: dict[str, Any], transform: Callable[[str], str], may_use: Iterable[MayUse]
    ) -> None:
        self._namespace, self._transform = namespace, transform
        self._guards = Guards(Allowed(may_use))
        self._builtins = guarded_builtins(self._guards)
        self._count = 0
        for name in rewrite.GUARDS:
            namespace[rewrite.GUARD + name] = getattr(self._guards, name)

    def refused(self) -> list[str]:
        """Return what was refused since the last call, each with its line."""
        refusals, self._guards.refusals[:] = list(dict.fromkeys(self._guards.refusals)), []
        return refusals

    def run(self, source: str) -> BaseException | None:
        """Run a cell and return what stopped it, if anything."""
        try:
            source = self._readable(source)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree, plain = ast.parse(source), ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return error
        self._count += 1
        filename = f"{CELL}{self._count}>"
        linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
        flags = _flags(tree)
        before, self._namespace["__builtins__"] = self._namespace["__builtins__"], self._builtins
        try:
            for statement, as_written in zip(tree.body, plain.body, strict=True):
                if not _is_future(statement):
                    self._run_statement(statement, as_written, filename, flags)
        except BaseException as error:
            return error
        finally:
            self._namespace["__builtins__"] = before
        return None

    def _run_statement(self, statement: ast.stmt, plain: ast.stmt, filename: str, flags: int) -> None:
        try:
            guarded = ast.Module([statement], [])
            beyond = rewrite.rewrite(guarded, self._guards.allowed.dunders)
            code = None if beyond else _compiled(guarded, filename, flags)
        except (RecursionError, MemoryError):
            beyond, code = "code that is nested so deeply", None
        if code is None:
            self._guards.refusals.append(f"{beyond} (line {plain.lineno})")
        else:
            if any(type(inner) is CodeType for inner in code.co_consts):
                note_code(code, _compiled(ast.Module([plain], []), filename, flags))
            try:
                exec(code, self._namespace)
                return
            except NotAllowed as refusal:
                beyond = refusal.what
            except ModuleNotFoundError as error:  # what is imported may never be used
                beyond = f"a module that is not there ({error})"
        for name in rewrite.bound_by(plain) - self._namespace.keys():
            self._namespace[name] = Withheld(self._guards, beyond)

    def _readable(self, source: str) -> str:
        """Return a cell as IPython would read it, with its magic commands as calls, which are refused."""
        if magic := _CELL_MAGIC.match(source):
            self._guards.refusals.append(f"{magic[0].strip()[:80]} (line 1)")
            source = _CELL_MAGIC.sub("", source, count=1)
        return self._transform(source.replace("\r\n", "\n").replace("\r", "\n").translate(_NO_ENDS))


def _compiled(module: ast.Module, filename: str, flags: int) -> CodeType:
    code: CodeType = compile(module, filename, "exec", flags, dont_inherit=True)
    return code


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _flags(tree: ast.Module) -> int:
    names = [a.name for s in tree.body if isinstance(s, ast.ImportFrom) and _is_future(s) for a in s.names]
    return sum(getattr(__future__, name).compiler_flag for name in names if hasattr(__future__, name))
