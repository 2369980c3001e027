"""Course work meets no guard; reflection, hidden autograd and other people's code do."""

import builtins
import importlib
import json
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from IPython.core.inputtransformer2 import TransformerManager

import course.engine
from autograder.check import check
from autograder.exercises import find
from autograder.guards.allowed import FREE, GROUPS, MADE, MODULES, TYPES, WRITABLE, path_of
from autograder.guards.cells import GuardedCells
from autograder.guards.guards import Withheld

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import submissions  # noqa: E402

RIGHT = submissions.named("kill_head/combined_in_place_on_own_clone").source
AROUND = """import torch
import functools
import numpy as np

class Own:
    pass

a, e = Own(), ValueError()
x = torch.ones(2, 2, requires_grad=True)
y = (x * x).sum()
g = torch.ones(())
loss, name, names, xs = y, "grad", ("A", (), {}), [x]
def f(*arguments):
    return arguments
"""
FIELD = """import dataclasses

@dataclasses.dataclass
class Fields:
    backward: object

class D(Fields, torch.Tensor):
    def __init__(self, *_, **__):
        pass

"""


class Shell:
    """What a library could give, and no table lists."""

    def run_cell(self, *_):
        raise AssertionError

    system = run_line_magic = run_cell


class Notebook:
    """A namespace in which cells run under guards."""

    def __init__(self, may_use=()):
        self.names = {"__name__": "__main__", "__builtins__": builtins, "get_ipython": Shell}
        self._cells = GuardedCells(self.names, TransformerManager().transform_cell, may_use)

    def run(self, source):
        """Run a cell; return what was refused, and what stopped it."""
        error = self._cells.run(source)
        return self._cells.refused(), error


def refused(line, may_use=()):
    notebook = Notebook(may_use)
    assert notebook.run(AROUND) == ([], None)
    return notebook.run(line)[0]


@pytest.mark.parametrize("path", sorted((ROOT / "solutions").glob("*/*.ipynb")), ids=lambda path: path.stem)
def test_the_solutions_are_defined_without_a_refusal(path):
    cells = json.loads(path.read_text())["cells"]
    task = {}
    for place in reversed(range(len(cells))):
        marked = cells[place]["metadata"].get("nbgrader", {})
        if marked.get("grade"):
            task[place] = "".join(cells[place]["source"]).split('"')[1]
        elif marked.get("solution"):
            notebook = Notebook(find(task[min(p for p in task if p > place)]).may_use)
            first = next("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
            notebook.run(first)
            assert notebook.run("".join(cells[place]["source"])) == ([], None)


@pytest.mark.parametrize(
    "line",
    [
        "import os; os.name",
        "import threading; threading.Thread",
        "from torch import _C; _C.Generator",
        "from math import *",
        "import torch.func; torch.func.grad",
        "torch.autograd.grad(y, x)",
        "loss.backward()",
        "y.grad_fn(g)",
        "t = torch; t.autograd.grad",
        "t = [torch]; t[0].autograd.grad",
        "getattr(torch.autograd, 'gr' + 'ad')",
        "getattr(y, '__' + 'dict' + '__')",
        "[*map(getattr, [torch.autograd], [name])]",
        "from operator import attrgetter; attrgetter('backward')(y)",
        "import operator as o; o.methodcaller('backward')(y)",
        "eval('1')",
        "exec = 1; del exec; exec('1')",
        "vars(torch)['autograd']",
        "input = vars; input(torch)",
        "x.__class__.__mro__",
        "f.__globals__",
        "f.__code__",
        "match x:\n    case object(grad_fn=node): node(g)",
        "match x:\n    case torch.Tensor(shape=(2, 2), grad_fn=node): node(g)",
        "class S(Own, torch.nn.Parameter): pass\nmatch S(x.detach()):\n    case Own(grad_fn=node): node(g)",
        "torch.Tensor.exp = torch.Tensor.sin",
        "T = torch.Tensor; T.exp = 0",
        "type(x).exp = 0",
        "for torch.exp in [0]: pass",
        "del torch.exp",
        "torch.exp, b = 0, 1",
        "setattr(torch, 'exp', 0)",
        "x.__array_interface__ = {}",
        "a.__class__ = torch.Tensor",
        "class A(metaclass=type): pass",
        "class A:\n    def __getattr__(self, name): pass",
        "class A:\n    __array_interface__ = {}",
        "type('A', (), {'__array_interface__': 0})",
        "type('A', (), {'_' * 2 + 'array_interface' + '_' * 2: 0})",
        "type(type(x))('A', (), {'__getattr__': 0})",
        "type(torch.autograd.Function)('A', (), {'__getattr__': 0})",
        "torch.autograd.Function.__class__('A', (), {'__getattr__': 0})",
        "from string import Formatter; Formatter()",
        "def exit(): pass\nget_ipython().run_cell('1')",
        "def g(open): pass\nopen('x', 'w')",
        "from course.engine import grad; grad(1)",
        "from course import graph; graph.draw",
        "np.seterrcall(f)",
        "np.load('x')",
        "np.frombuffer(np.array([a], dtype=object), np.int64)",
        "np.ndarray(1, np.int64, buffer=np.array([a], dtype=object))",
        "type(np.ones(1))(1, np.int64, buffer=np.array([a], dtype=object))",
        "np.ones(1).__class__(1, np.int64, buffer=np.array([a], dtype=object))",
        "np.recarray(1, [('a', np.int64)], buf=np.array([a], dtype=object))",
        "np.ones(1).data",
        "np.lib.stride_tricks.as_strided(np.ones(1), (9,))",
        "from scipy.sparse import load_npz; load_npz('x')",
        "async def h(): pass",
        "(i for i in xs).gi_frame",
        "e.__traceback__",
        "torch.ops.aten.tanh_backward(g, y)",
        "torch.library.custom_op('a::b')",
        "torch.utils.data",
        "torch.from_file('x')",
        "torch.jit.script(f)",
        "functools.wraps(f)(torch.relu)",
        "functools.update_wrapper(torch.relu, f, ('exp',))",
        "from dataclasses import dataclass; dataclass(torch.nn.Linear)",
        "torch.nn.Linear(1, 1).register_full_backward_hook(f)",
        "torch.nn.Linear(1, 1)._backward_hooks",
        "import logging; logging.getLogger('a').manager",
        "import logging; logging.getLogger('a').kept = 1",
        "import sys; sys.setprofile(None)",
        "import warnings; warnings.filters",
        "class Own(torch.Tensor):\n    def run(self): return super().backward()\ny.as_subclass(Own)",
        "for f in [y]: f.backward()",
        "class F(torch.autograd.Function): pass\nfor F in [y]: F.backward()",
        "class P(torch.nn.Parameter):\n    def backward(self): pass\np = P(x.detach())\np.backward()\n"
        "del P.backward\np.backward()",
        "from dataclasses import *",
        FIELD + "match D(2 * x.detach()):\n    case Fields(run): run()",
        FIELD + "dataclasses.replace(D(x.detach()))",
        FIELD + "dataclasses.asdict(D(x.detach()))",
        "_guard_read(x, 'grad_fn')",
        "globals()['_guard_read']",
        "get_ipython().system('ls')",
        "%time f()",
        "!ls",
    ],
)
def test_what_no_course_work_needs_is_refused(line):
    """The rest of the notebook runs."""
    notebook = Notebook()
    notebook.run(AROUND)
    refusals, _ = notebook.run(line)
    assert refusals
    assert notebook.run(RIGHT) == ([], None)
    assert torch.nn.functional.relu(torch.ones(1)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "x.__class__.__name__, type(x) is type(y), isinstance(np.ones(1), np.ndarray)",
        "type(a).__name__, f.__name__, torch.__version__, np.ndarray[int, float] | None",
        "class B(Own):\n    def __init__(self):\n        super().__init__(); self.k = {}\nB().k['a'] = 1",
        "import traceback, logging; logging.getLogger(__name__).info('x')",
        "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    import traceback; traceback.format_exc()",
        "f.calls = 0; f.calls += 1",
        "Own.count = 1; del Own.count",
        "from collections import namedtuple; P = namedtuple('P', 'a b'); P(1, 2)._replace(a=2).a",
        "from dataclasses import dataclass\n@dataclass\nclass D:\n    a: int = 0\nD().a",
        "x.max(dim=0).values, torch.linalg.qr(x.detach()).Q, torch.finfo(x.dtype).eps",
        "'{:.2f} {}'.format(1.0, a), f'{y:.2f}'",
        "getattr(a, 'missing', None), hasattr(x, 'grad_fn')",
        "@functools.lru_cache\ndef cached(n): return n\ncached(1); cached.cache_info().hits",
        "@functools.wraps(f)\ndef wrapped(*arguments): return f(*arguments)",
        "class L(torch.nn.Linear):\n    def __init__(self):\n        super().__init__(2, 3); self.own = 1\n"
        "L().own, L().weight, L()(x.detach())",
        "class C:\n    @property\n    def v(self): return 1\n"
        "    @v.setter\n    def v(self, new): self.w = new\n"
        "c = C(); c.v = 2; c.v + c.w",
        ">>> z = 1\n>>> z + 1",
        "    z = 1\n    z + 1",
        "rng = np.random.default_rng(0); rng.normal(size=3).sum().item()",
        "x.requires_grad = False; x.detach().numpy().shape",
        "import math, itertools; [*itertools.chain([math.pi])]",
        "match a:\n    case Own(): z = 1",
        "match x:\n    case torch.Tensor(shape=(n, 2)) if n: z = n\n    case Own(k=z): pass",
        "import os  # never used",
        "Type = type; Type(a) is Own",
    ],
)
def test_what_people_write_meets_no_guard(line):
    notebook = Notebook()
    notebook.run(AROUND)
    assert notebook.run(line) == ([], None)


@pytest.mark.parametrize(
    ("line", "may_use"),
    [
        ("torch.autograd.grad(y, x); y.backward", "autograd"),
        ("y.grad_fn.next_functions[0][0].name()", "graph"),
        ("class T(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, *a): pass", "overrides"),
    ],
)
def test_what_the_text_of_some_exercises_allows(line, may_use):
    assert refused(line)
    assert not refused(line, (may_use,))


def test_annotations_that_call_something_reach_no_library_that_evaluates_them():
    define = "T = list['exec(1)']\n@torch.library.custom_op('wyob_guards::{}', mutates_args=())\n"
    bad = define.format("bad") + "def op(x: T) -> torch.Tensor: return x.clone()"
    good = define.format("good") + "def op(x: 'torch.Tensor') -> torch.Tensor: return x.clone()"
    assert refused(bad, ("custom ops",))
    assert not refused(good, ("custom ops",))


@pytest.mark.parametrize(
    ("cell", "then"),
    [
        ("import math, os, random as r\nz = math.pi; r.random()\nos.name\nz = 2", 2),
        ("import os\nprint(os.name)\nz = 1", 1),
        ("import os\nname = os.name\nname.upper()\nz = 1", 1),
        ("import os\nos = 0\nz = os", 0),
        ("import no_such_module\nz = 1", 1),
        ("try:\n    import no_such_module\nexcept ImportError:\n    z = 4", 4),
        ("from os import name\ndef f():\n    name()\nz = 1", 1),
        ("if True:\n    z = eval('2')\nz = 1", 1),
        ("%%time\nz = 1", 1),
        ("%matplotlib inline\n!ls\nhelp?\nz = 1", 1),
        ("try:\n    z = eval('1')\nexcept Exception:\n    z = 3", 3),
    ],
)
def test_the_rest_of_a_cell_is_run(cell, then):
    notebook = Notebook()
    _, error = notebook.run(cell)
    assert error is None
    assert notebook.names["z"] == then


def test_a_statement_that_is_nested_too_deeply_is_left_out():
    notebook = Notebook()
    notebook.run(AROUND)
    deep = ".a".join(["x"] * 2000)
    refusals, error = notebook.run(f"{'(' * 50}x{')' * 50}\nz = 1")
    assert (refusals, error) == ([], None)
    refusals, error = notebook.run("x" + deep)
    assert refusals or error
    assert notebook.run(RIGHT) == ([], None)


PARTS = ["import os", "x = 1", '"""', "\n", "; ", "\\\n", "\x0c", "\u2028!ls", "(", ")", "#", "\r", "  "]


@given(st.lists(st.sampled_from(PARTS)))
@example(["\\\n", "import os"])
@example(["import os", "; ", "\\\n", "  ", "x = 1"])
def test_whatever_stands_together_no_other_module_is_reached(parts):
    notebook = Notebook()
    notebook.run("".join(parts))
    modules = [value for value in notebook.names.values() if isinstance(value, ModuleType)]
    assert {module.__name__ for module in modules} <= {*MODULES, "builtins"}
    assert type(notebook.names.get("os", 0)) in (int, Withheld)


def test_a_notebook_says_beforehand_what_a_person_will_look_at():
    work = submissions.named("conv2d/aten_convolution_backward")
    names = {"__name__": "__main__"}
    exec(compile(work.source, str(work.file()), "exec"), names)
    assert "`torch.ops`" in str(check("conv2d", names["Conv2d"]))
    ordinary = {"__name__": "__main__"}
    exec(compile(RIGHT, str(work.file()), "exec"), ordinary)
    assert "a person" not in str(check("kill_head", ordinary["KillHead"]))


def test_a_decorator_brings_no_attributes_of_a_library():
    notebook = Notebook()
    notebook.run(AROUND)
    notebook.run("@functools.wraps(torch.autograd)\ndef h(): pass")
    assert not hasattr(notebook.names["h"], "grad")


# what some releases of Python, PyTorch, NumPy and SciPy have and others do not
NOT_IN_EACH_RELEASE = {
    "collections.abc": {"Buffer", "ByteString"},
    "heapq": {"heapify_max", "heappop_max", "heappush_max", "heappushpop_max", "heapreplace_max"},
    "itertools": {"batched"},
    "math": {"fma", "sumprod"},
    "numpy": {"row_stack"},
    "numpy.lib.stride_tricks": {"broadcast_to"},
    "statistics": {"kde", "kde_random"},
}


@pytest.mark.parametrize("module", sorted({*MODULES, *(m for group in GROUPS.values() for m in group if m)}))
def test_each_name_of_a_module_is_there(module):
    """A release that takes one away is noticed."""
    imported = importlib.import_module(module)
    names = MODULES.get(module, frozenset()).union(*(group.get(module, ()) for group in GROUPS.values()))
    missing = {name for name in names if not hasattr(imported, name) and f"{module}.{name}" not in MODULES}
    assert missing <= NOT_IN_EACH_RELEASE.get(module, set())


def test_the_list_has_every_function_of_tensors_and_of_the_engine():
    """A release that adds one is noticed."""
    functions = {name for name in dir(torch._C._VariableFunctions) if hasattr(torch, name)}
    public = {name for name in functions if not name.startswith("_") and "backward" not in name}
    assert public - MODULES["torch"] == {"as_strided", "as_strided_", "from_file", "frombuffer"}
    ours = {*MODULES["course.engine"], *GROUPS["autograd"]["course.engine"]}
    assert ours == set(course.engine.__all__)


@pytest.mark.parametrize("path", sorted({*TYPES, *FREE, *MADE, *WRITABLE}))
def test_the_list_names_types_as_they_call_themselves(path):
    """A release that renames one is noticed."""
    module, _, name = path.rpartition(".")
    if path in ("generator", "property", "dict_keys"):
        return
    for package in (module or "builtins", module.partition(".")[0]):
        with suppress(ImportError):
            found = getattr(importlib.import_module(package), name, None)
            if found is not None:
                assert path_of(found) == path
                return
    raise AssertionError(path)


def test_what_was_withheld_is_named_once():
    notebook = Notebook()
    notebook.run("import os\nname = os.name")
    ((first, *_), _) = notebook.run("name.upper()")
    assert first == "os (line 1: name.upper())"
