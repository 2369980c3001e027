"""vjpcheck needs PyTorch, NumPy and what these need; the autograder says what it needs besides."""

import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
# what an installation without extras has: torch's own requirements, and theirs
BARE = {"torch", "torchgen", "functorch", "numpy", "filelock", "fsspec", "jinja2", "markupsafe", "mpmath"}
BARE |= {"networkx", "sympy", "typing_extensions", "setuptools", "pkg_resources", "_distutils_hack", "isympy"}
BLOCKING = f"""
import os, sys
from importlib.machinery import PathFinder
class Bare(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        found = super().find_spec(name, path, target)
        origin = (found and found.origin) or ""
        if "site-packages" in origin and name.split(".")[0] not in {BARE!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
        return found
sys.meta_path.insert(0, Bare)
sys.path.insert(0, {str(ROOT)!r})
"""


def run_bare(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCKING + program, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


def test_the_list_has_what_torch_asks_for():
    asked = {Requirement(line).name.replace("-", "_") for line in requires("torch") or ()}
    assert {"filelock", "fsspec", "jinja2", "networkx", "sympy"} <= asked & BARE


def test_a_function_is_diagnosed_with_nothing_else_installed():
    program = """
import torch, vjpcheck
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]
print(vjpcheck.diagnose(Square, torch.randn(3)))
"""
    done = run_bare(program)
    assert "[wrong-factor]" in done.stdout, done.stderr


def test_the_command_runs_with_nothing_else_installed():
    program = "from vjpcheck.cli import main; sys.exit(main(sys.argv[1:]))"
    done = run_bare(program, "demo/my_ops.py:RmsNorm", "--inputs", "randn(3, 4), rand(4)")
    assert done.returncode == 1, done.stderr
    assert "[missing-normaliser-term]" in done.stdout


def test_the_autograder_says_what_to_install():
    done = run_bare("import autograder")
    last = done.stderr.strip().splitlines()[-1]
    assert 'which is not installed: run pip install "write-your-own-backward[course]"' in last
