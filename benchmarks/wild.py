"""Runs the command line of vjpcheck on public Functions: `python -m benchmarks.wild FOLDER…`.

Each folder is a checkout of a repository. A Function is a class in a .py file whose base has the name of
`torch.autograd.Function`, of `InplaceFunction`, or of such a class. Those with a recipe in `wild_recipes` are
checked, each in a process of its own: in bubblewrap, without a network and with a file system that cannot be
written to, if the platform has it, and with a time limit. One line is printed for each, and the totals.

`--reference` compares with the recipe's reference; otherwise the truth is measured by differences of
forward, and straight-through gradients are found to differ.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.grading.sandbox.bwrap import bubblewrap
from benchmarks.wild_recipes import ALL, Recipe

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120
BASES = ("Function", "InplaceFunction")
SCRATCH = "/var/tmp"
ISOLATED = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", SCRATCH)
ISOLATED += ("--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session")

# loads one file of a checkout without the packages around it: what they import is often not installed
MODULE = '''\
import importlib.abc
import importlib.util
import math
import sys
import types
from pathlib import Path

import torch

ROOT, FILE, NAME = {root!r}, Path({file!r}), {name!r}


class Missing(type):
    """A class that stands for anything in a package that is not installed."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(name, (Exception,), {{}})

    def __call__(cls, *values, **named):
        decorates = len(values) == 1 and callable(values[0]) and not named
        return values[0] if decorates else cls


class MissingModule(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(name, (Exception,), {{}})


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules that the checkout, and nobody else, imports and that are not installed."""

    def find_spec(self, name, path=None, target=None):
        frame = sys._getframe(1)
        while frame and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        if frame and frame.f_code.co_filename.startswith(ROOT):
            return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec):
        return MissingModule(spec.name)

    def exec_module(self, module):
        pass


folder, packages = FILE.parent, []
while (folder / "__init__.py").is_file():
    packages.insert(0, folder.name)
    folder = folder.parent
sys.path[:0] = [str(folder)]
for k in range(len(packages)):
    package = types.ModuleType(".".join(packages[: k + 1]))
    package.__path__ = [str(folder.joinpath(*packages[: k + 1]))]
    sys.modules[package.__name__] = package
    if k:
        setattr(sys.modules[".".join(packages[:k])], packages[k], package)
sys.meta_path.append(Stubs())
{setup}
is_package = FILE.stem == "__init__"
spec = importlib.util.spec_from_file_location(
    ".".join(packages if is_package else [*packages, FILE.stem]),
    FILE,
    submodule_search_locations=[str(FILE.parent)] if is_package else None,
)
module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.meta_path.pop()
Function = module
for part in NAME.split("."):
    Function = getattr(Function, part, None)
{after}


def inputs():
    torch.manual_seed(0)
    return [{inputs}]


{reference}
'''
SOFT = """\
def soft(*inputs):
    return {soft}


def reference(*inputs):
    gradient = soft(*inputs)
    return gradient + (getattr(Function, "apply", Function)(*inputs) - gradient).detach()
"""


def main() -> None:
    """Check every Function of the folders that has a recipe."""
    parser = argparse.ArgumentParser(description="Checks the custom Functions of checkouts.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--reference", action="store_true", help="compare with the recipe's reference")
    chosen = parser.parse_args()
    totals: Counter[str] = Counter()
    before = _isolation()
    print("in bubblewrap" if before else f"without a sandbox: a process with {SECONDS} s for each")
    for folder in chosen.folders:
        for file, name in functions(folder.resolve()):
            recipes = [r for r in ALL if (folder / r.path).resolve() == file and _last(r.name) == name]
            for recipe in recipes or [None]:
                said = "no recipe" if recipe is None else check(recipe, folder, before, chosen.reference)
                totals[said.partition(":")[0]] += 1
                print(f"{folder.name}/{file.relative_to(folder.resolve())}:{name}  {said}", flush=True)
    print(*(f"{count:4d} {outcome}" for outcome, count in totals.most_common()), sep="\n")


def functions(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield each class below a folder that is a Function, with its file."""
    for file in sorted(folder.rglob("*.py")):
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        bases = set(BASES)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and bases & set(map(_name_of, node.bases)):
                bases.add(node.name)
                if any(isinstance(part, ast.FunctionDef) and part.name == "forward" for part in node.body):
                    yield file, node.name


def check(recipe: Recipe, folder: Path, before: Sequence[str], with_reference: bool) -> str:
    """Return what the command line says of one Function, in one line."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "recipe.py"
        file.write_text(module_of(recipe, folder), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "vjpcheck",
            f"{file}:Function",
            "--inputs",
            f"{file}:inputs",
            "--json",
        ]
        if recipe.seed is not None:
            command += ["--seed", str(recipe.seed)]
        if with_reference and (recipe.like or recipe.soft):
            command += ["--like", f"{file}:reference"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "TMPDIR": SCRATCH}
        try:
            done = subprocess.run(
                [*before, *command],
                capture_output=True,
                text=True,
                timeout=SECONDS,
                env=environment,
                cwd=ROOT,
            )
        except subprocess.TimeoutExpired:
            return f"stopped after {SECONDS} s"
    return _brief(done)


def module_of(recipe: Recipe, folder: Path) -> str:
    """Return the text of a module that has the Function, its inputs and its reference."""
    return MODULE.format(
        root=str(folder.resolve()),
        file=str((folder / recipe.path).resolve()),
        name=recipe.name.strip(),
        setup=recipe.setup,
        after=recipe.after,
        inputs=recipe.inputs,
        reference=SOFT.format(soft=recipe.soft) if recipe.soft else recipe.like,
    )


def _brief(done: subprocess.CompletedProcess[str]) -> str:
    try:
        result = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        last = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        return f"not run: {last[0]}"
    if result.get("error"):
        return f"refused: {result['error']}"
    found = [
        ("warning " if each["warning"] else "") + (each["mistake"] or "a mistake without a name")
        for each in result["findings"]
    ]
    return f"{'right' if result['passed'] else 'wrong'}: {', '.join(found) or 'nothing found'}"


def _isolation() -> list[str]:
    """Return the beginning of an isolated command, [] if this platform cannot isolate one."""
    program = bubblewrap()
    if program is None:
        return []
    command = [program, *ISOLATED, "--"]
    tried = subprocess.run([*command, sys.executable, "-c", ""], capture_output=True)
    return command if tried.returncode == 0 else []


def _name_of(base: ast.expr) -> str:
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def _last(name: str) -> str:
    return name.strip().rpartition(".")[2]


if __name__ == "__main__":
    main()
