"""Course work needs nothing beyond the allow-lists; reflection, hidden autograd and stores do."""

import ast
import json
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from IPython.core.inputtransformer2 import TransformerManager

from autograder.exercises import EXERCISES, find
from autograder.grading.review.review import Review

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import submissions  # noqa: E402

# right, and yet a person has to look: a metaclass, a native derivative, stores beside ctx
TO_BE_LOOKED_AT = {
    "conv2d/aten_convolution_backward",
    "exp_saving_output/compares_with_autograd_elsewhere",
    "exp_saving_output/counts_its_calls",
    "exp_saving_output/debugging_list_of_outputs",
    "kill_head/odd_metaclass",
    "logging_tensor/numbered_entries",  # takes the function out of a method
}
RIGHT = """import torch

class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, grad_output):
        grad = grad_output.clone()
        grad[:, : ctx.n] = 0
        return grad, None
"""


def beyond(source: str, exercise: str = "kill_head") -> str:
    return Review((), {0: source}).trimmed(0, find(exercise)).beyond


def defined(source: str, exercise: str) -> bool:
    """Return whether what is left of a source still defines what is handed in."""
    left = Review((), {0: source}).trimmed(0, find(exercise)).source
    name = find(exercise).object_name
    return any(f"{word} {name}" in left for word in ("class", "def")) or f"{name} =" in left


@pytest.mark.parametrize("exercise", EXERCISES)
def test_what_is_left_of_right_work_still_is_the_work(exercise):
    """Top-level statements may go, such as a check by gradcheck; what is handed in stays."""
    right = [s for s in submissions.of(exercise) if s.expected == "right"]
    lost = {str(s): beyond(s.source, exercise) for s in right if not defined(s.source, exercise)}
    assert lost.keys() == {name for name in TO_BE_LOOKED_AT if name.startswith(f"{exercise}/")}, lost


@pytest.mark.parametrize("path", sorted((ROOT / "solutions").glob("*/*.ipynb")), ids=lambda path: path.stem)
def test_the_solutions_need_nothing_beyond(path):
    cells = json.loads(path.read_text())["cells"]
    sources = {n: "".join(cell["source"]) for n, cell in enumerate(cells) if cell["cell_type"] == "code"}
    review = Review((), sources)
    task = None
    for place in reversed(sources):
        marked = cells[place]["metadata"].get("nbgrader", {})
        if marked.get("grade"):
            task = sources[place].split('"')[1]
        elif marked.get("solution"):
            assert review.trimmed(place, find(task)).beyond == "", place


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "import threading, math",
        "from torch import _C",
        "from math import *",
        "from . import x",
        "import torch.func",
        "torch.autograd.grad(y, x)",
        "loss.backward()",
        "y.grad_fn(g)",
        "t = torch; t.autograd.grad",
        "getattr(torch, 'auto' + name)",
        "getattr(y, '__' + name)",
        "getattr(torch, name)",
        "map(getattr, xs, names)",
        "from operator import attrgetter",
        "import operator as o; o.methodcaller('backward')(y)",
        "eval('1')",
        "vars(torch)['autograd']",
        "input = vars; input(torch)",
        "x.__class__.__mro__",
        "f.__globals__",
        "match x:\n    case object(grad_fn=node): node(g)",
        "torch.Tensor.exp = torch.Tensor.sin",
        "T = torch.Tensor; T.exp = 0",
        "patch(torch.Tensor)",
        "patch([torch.Tensor])",
        "type(x).exp = 0",
        "c = type(x); c.exp = 0",
        "for torch.exp in [0]: pass",
        "del torch.exp",
        "torch.exp, a = 0, 1",
        "with open as torch.exp: pass",
        "class A:\n    grad_fn = 0\na.grad_fn(g)",
        "class A:\n    _C = 0\ntorch._C",
        "class A(metaclass=B): pass",
        "class A:\n    def __getattr__(self, name): pass",
        "class A:\n    __array_interface__ = {}",
        "type('A', (), {'__array_interface__': 0})",
        "type('A', (), {'_' * 2 + 'array_interface' + '_' * 2: 0})",
        "type('A', (), names)",
        "type(*names)",
        "type(type(x))('A', (), names)",
        "class A(type): pass",
        "from enum import Enum",
        "from string import Formatter",
        "def f(exit): pass\nexit._ip",
        "def f(open): pass\nopen('x', 'w')",
        "torch == A()",
        "torch in A()",
        "A() | torch.Tensor == 1",
        "x: A()[torch] = 1",
        "from course.engine import grad",
        "from course import graph",
        "ctx.metadata",
        "import numpy as np\nnp.seterrcall(f)",
        "from scipy.sparse import load_npz",
        "async def f(): pass",
        "g.gi_frame.f_back",
        "torch.ops.aten.tanh_backward(g, y)",
        "torch.library.custom_op",
        "torch.utils",
        "np = torch.from_file",
        "import numpy\nnumpy.load('x')",
        "import numpy as np\nnp.lib.stride_tricks.as_strided(x)",
        "functools.wraps(torch, ('exp',))\nimport functools",
        "get_ipython().system('ls')",
        "%time f()",
        "!ls",
        "time f()",
        "f() = 1",
    ],
)
def test_what_no_course_work_needs_is_left_out(line):
    """The rest of the cell is run in its place."""
    review = Review((), {0: RIGHT, 1: line})
    trimmed = review.trimmed(1, find("kill_head"))
    assert trimmed.beyond
    assert "exp = " not in trimmed.source
    assert "grad_fn(" not in trimmed.source
    assert review.trimmed(0, find("kill_head")).beyond == ""


@pytest.mark.parametrize(
    "cell",
    [
        "# \x0c\u2028\nimport os\nx = 1",
        "y = 1\rimport os\r\nx = 1",
        'f(os,\n  1); y = """\nimport os\n#"""; z = (\n1)\nx = 1',
        "@os.wraps\ndef f(): pass\nx = 1",
        "if x: import os\nelse: y = 1\nx = 1",
        "%matplotlib inline\n!ls\nhelp?\nif y:\n    %time f()\nx = 1",
        "%%time\nx = 1",
        "\\\nimport os\nx = 1",
        "y = 1; \\\n  import os\nx = 1",
        "import os; \\\n  y = 1\nx = 1",
        "import os \\\n; y = 1\nx = 1",
        "y = 'é'; \\\nimport os # \\\nx = 1",
    ],
)
def test_what_is_left_has_none_of_it(cell):
    """Lines are counted as Python counts them, and statements that share a line go together."""
    left = Review((), {0: cell}).trimmed(0, find("kill_head")).source
    assert left.strip().splitlines()[-1] == "x = 1"
    assert not any(isinstance(node, ast.Import) for node in ast.walk(ast.parse(left)))
    assert beyond(left) == ""


@pytest.mark.parametrize(
    ("cell", "left"),
    [
        ("import math, os, random as r", "import math, random as r"),
        ("from scipy import optimize, special", "from scipy import special"),
        ("import os\nprint(os.name)\nx = 1", "x = 1"),
        ("import os\nname = os.name\nassert name\nx = 1", "x = 1"),
        ("import os\nos = 0\nx = os", "os = 0\nx = os"),
        ("from os import name\ndef f():\n    name\nx = 1", "def f():\n    name\nx = 1"),
    ],
)
def test_what_is_left_does_not_stop_for_want_of_the_rest(cell, left):
    trimmed = Review((), {0: cell}).trimmed(0, find("kill_head")).source
    assert "\n".join(filter(None, trimmed.split("\n"))) == left


PARTS = ["import os", "x = 1", '"""', "\n", "; ", "\\\n", "\x0c", "\u2028!ls", "(", ")", "#", "\r", "  "]


@given(st.lists(st.sampled_from(PARTS)))
@example(["\\\n", "import os"])
@example(["import os", "; ", "\\\n", "  ", "x = 1"])
def test_whatever_stands_together_what_is_left_goes_nowhere_beyond(parts):
    left = Review((), {0: "".join(parts)}).trimmed(0, find("kill_head")).source
    # as IPython reads it, which takes more characters for the end of a line than Python does
    left = TransformerManager().transform_cell(left)
    assert "get_ipython" not in left
    assert not any(isinstance(node, ast.Import) for node in ast.walk(ast.parse(left)))


def test_a_name_that_nothing_has_is_only_an_error():
    assert beyond("def f(x):\n    return unheard_of if False else x") == ""
    assert beyond("def f(x):\n    return In, _") != ""
    assert beyond("def f(ctx):\n    return ctx.forgotten") == ""
    assert beyond("def f(ctx):\n    return ctx.grad_fn") != ""
    assert beyond("def f(ctx):\n    return ctx.autograd") != ""


@pytest.mark.parametrize(
    ("outside", "method"),
    [
        ("STORE = {}", "STORE[id(ctx)] = x > 0"),
        ("STORE = []", "STORE.append(x > 0)"),
        ("STORE = []\ndef keep(to, x): to.append(x)", "keep(STORE, x > 0)"),
        ("MASK = torch.zeros(3)", "MASK.copy_(x)"),
        ("mask = None", "global mask; mask = x > 0"),
        ("", "KillHead.mask = x > 0"),
        ("def helper(): pass", "store = helper; store.mask = x > 0"),
        ("def helper(): pass\nhelper.kept = {}", "store = helper.kept; store[id(ctx)] = x > 0"),
        ("def helper(): pass\ndef keep(ctx, s): ctx.s = s", "keep(helper, x > 0)"),
        ("class Keeper:\n    def keep(self, s): self.s = s", "Keeper.keep(torch.sin, x > 0)"),
        ("def helper(): pass", "ctx = helper; ctx.mask = x > 0"),
        ("", "x.mask = x > 0"),
        ("", "stores = [torch.sin]; store = stores[0]; store.mask = x > 0"),
        ("def helper(): pass", "helper.mask = x > 0"),
    ],
)
def test_what_keeps_something_beside_ctx_is_for_a_person_where_memory_counts(outside, method):
    source = RIGHT.replace("        ctx.n = n\n", f"        {method}\n        ctx.n = n\n")
    source = source.replace("\nclass", f"\n{outside}\nclass")
    assert beyond(source, "exp_saving_output")
    assert not beyond(source)
    assert not beyond(RIGHT, "exp_saving_output")
