"""Hashes the code that decides on points.

Comments, docstrings, layout and the words of messages do not count, nor does the code that explains a
mistake, so a corrected typo in a hint leaves every grade as it is. Raise `VERSION` for a change that the hash
misses, such as another way of running a cell.
"""

import ast
import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from autograder.exercise import Exercise, FunctionExercise, TaskExercise
from autograder.project import CHECKS, PACKAGES, ROOT

VERSION = 1  # raise it if earlier grades may differ although no code below has changed
# these modules and all that they import decide on points
_ROOTS = (
    "autograder.check",
    "autograder.grading.grade",
    "vjpcheck.probe.function_probe",
    "vjpcheck.probe.torch_backend",
)
_EXPLAINS = (
    "vjpcheck.mistakes",
    "vjpcheck.escaping",
    "vjpcheck.diagnosis",
    "vjpcheck.errors",
    "vjpcheck.naming",
    "vjpcheck.render",
    "autograder.grading.output_notebook",
    "autograder.grading.zero_grade",
    "autograder.grading.fingerprint",
    "autograder.grading.memory",
    "autograder.grading.sandbox",
)
_SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:.]? [A-Za-z]{2,}")
_NOT_SENTENCES = {"einsum"}  # calls with a text that is no message


def of_exercises(exercises: Iterable[Exercise]) -> str:
    """Return the hash for some exercises: the modules that define them, and the checks of all exercises."""
    modules: set[str] = set()
    for exercise in exercises:
        modules.add(f"autograder.exercises.lesson_{exercise.lesson:02}")
        if isinstance(exercise, TaskExercise):
            folder = ROOT / "autograder" / "tasks" / exercise.task_folder
            modules |= {f"autograder.tasks.{folder.name}.{path.stem}" for path in folder.glob("*.py")}
        elif isinstance(exercise, FunctionExercise) and exercise.library != "torch":
            modules |= {f"{exercise.library}.{module}" for module in ("backend", "gradcheck", "probe")}
    digest = hashlib.sha256(f"{VERSION} torch {version('torch')}".encode())
    for module, path in sorted(_reached({*_ROOTS, *modules}).items()):
        digest.update(f"{module} {_read(path).digest}".encode())
    return digest.hexdigest()


@cache
def of_installation() -> bytes:
    """Return the hash of the autograder, vjpcheck and PyTorch's version, which all machines must share."""
    digest = hashlib.sha256(version("torch").encode())
    for package in CHECKS:
        for path in sorted([*(ROOT / package).rglob("*.py"), *(ROOT / package).rglob("*.toml")]):
            digest.update(path.read_bytes())
    return digest.digest()


def of_code(source: str) -> str:
    """Return a piece of code as text without comments, docstrings and the words of messages."""
    try:
        return _does(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError):
        return source  # for instance, a cell with a magic command


def _does(tree: ast.AST) -> str:
    return ast.dump(_Wordless().visit(tree))


def _reached(modules: Iterable[str]) -> dict[str, Path]:
    """Return these modules and all that they import from this project, with their files."""
    waiting, paths = [*modules], dict[str, Path]()
    while waiting:
        module = waiting.pop()
        if module in paths or module.startswith(_EXPLAINS) or (path := _path(module)) is None:
            continue
        paths[module] = path
        waiting += _read(path).imports
    return paths


class _Module(NamedTuple):
    """The modules that a module imports, also within its functions, and a hash of its code and its data."""

    imports: tuple[str, ...]
    digest: str


@cache
def _read(path: Path) -> _Module:
    tree = ast.parse(path.read_bytes())
    digest = hashlib.sha256(_does(tree).encode())
    if (data := path.with_suffix(".toml")).is_file():
        digest.update(repr(tomllib.loads(data.read_text(encoding="utf-8"))).encode())
    return _Module(tuple(_imported(tree)), digest.hexdigest())


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _path(module: str) -> Path | None:
    if module.partition(".")[0] not in PACKAGES:
        return None
    place = ROOT.joinpath(*module.split("."))
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


class _Wordless(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return None
        return self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        fields: list[ast.expr] = [part for part in node.values if not isinstance(part, ast.Constant)]
        return self.generic_visit(ast.JoinedStr(fields))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if getattr(node.func, "attr", getattr(node.func, "id", "")) not in _NOT_SENTENCES:
            node.args = [_without_words(argument) for argument in node.args]
            for keyword in node.keywords:
                keyword.value = _without_words(keyword.value)
        return self.generic_visit(node)


def _without_words(node: ast.expr) -> ast.expr:
    words = isinstance(node, ast.Constant) and isinstance(node.value, str) and _SENTENCE.search(node.value)
    return ast.Constant("") if words else node
