"""Honest work that looks like trickery, or not like the released notebook: it has full marks all the same.

Each case takes the solved notebook, changes it as a student may, and returns the file's name.
"""

from __future__ import annotations

from collections.abc import Callable

import nbformat
from made_course import EXERCISES, NOTEBOOK, cell

Case = Callable[[nbformat.NotebookNode], str]
CASES: dict[str, Case] = {}


def _case(case: Case) -> Case:
    CASES[case.__name__] = case
    return case


def _adding(name: str, source: str, after: str = "kill_head") -> None:
    """Add the case of a cell of the student's own, which stands after a solution."""

    def case(notebook: nbformat.NotebookNode) -> str:
        place = notebook.cells.index(cell(notebook, after)) + 1
        notebook.cells.insert(place, nbformat.v4.new_code_cell(source.strip(), id="my-own"))
        return NOTEBOOK

    CASES[name] = case


_adding("untouched", "")
# what a cell of one's own may do
_adding(
    "threads",
    """
import threading
from concurrent.futures import ThreadPoolExecutor

found = []
threads = [threading.Thread(target=found.append, args=(n,)) for n in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
with ThreadPoolExecutor(2) as pool:
    print(sorted(found), list(pool.map(abs, [-1, 2])))
""",
)
_adding(
    "asyncio",
    """
import asyncio


async def later(n):
    await asyncio.sleep(0)
    return n


print(await asyncio.gather(later(1), later(2)))
""",
)
_adding(
    "getattr_in_a_loop",
    """
for name in ("__name__", "forward", "backward"):
    print(name, getattr(KillHead, name))
""",
)
_adding(
    "inspect",
    """
import inspect

print(inspect.signature(KillHead.forward), inspect.isclass(KillHead))
""",
)
_adding("gc", "import gc\n\nprint(gc.collect(), len(gc.get_objects()) > 0)")
_adding(
    "subprocess",
    """
import subprocess
import sys

try:
    print(subprocess.run([sys.executable, "--version"], capture_output=True, text=True).stdout)
except OSError as error:
    print("no processes here:", error)
""",
)
_adding("timeit", "x = torch.randn(3, 4)\n%timeit -n 3 -r 1 KillHead.apply(x, 2)")
_adding("time", "%%time\nx = torch.randn(3, 4)\nKillHead.apply(x, 2)")
_adding("shell", "!ls")
_adding("help", "KillHead?\nhelp(KillHead.forward)")
_adding(
    "plot",
    """
import matplotlib.pyplot as plt

x = torch.randn(3, 4, requires_grad=True)
KillHead.apply(x, 2).sum().backward()
plt.imshow(x.grad)
plt.title("the gradient")
plt.show()
""",
)
_adding(
    "loss_backward",
    """
x = torch.randn(3, 4, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = (KillHead.apply(x, 2) ** 2).mean()
    loss.backward()
    optimizer.step()
print(x.grad)
""",
)
_adding(
    "compared_with_autograd",
    """
x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
mine = torch.autograd.grad(KillHead.apply(x, 2).sum(), x)[0]
truth = torch.autograd.grad(torch.where(torch.arange(4) < 2, 0.0, x).sum(), x)[0]
assert torch.equal(mine, truth)
print(torch.autograd.gradcheck(KillHead.apply, (x, 2)), torch.autograd.gradgradcheck(KillHead.apply, (x, 2)))
""",
)
_adding(
    "compared_with_torch_func",
    """
x = torch.randn(3, 4)
y, pull = torch.func.vjp(lambda x: torch.where(torch.arange(4) < 2, 0.0, x), x)
print(pull(torch.ones_like(y)), torch.func.jacrev(lambda x: (x**2).sum())(x))
""",
)
_adding(
    "graph_looked_at",
    """
x = torch.randn(3, 4, requires_grad=True)
y = KillHead.apply(x, 2)
print(y.grad_fn, y.grad_fn.next_functions, type(y.grad_fn).__name__)
x.register_hook(lambda g: print("the gradient is", g))
y.sum().backward()
""",
)
_adding(
    "ctx_printed",
    """
class Loud(KillHead):
    @staticmethod
    def backward(ctx, *cotangents):
        print(ctx, vars(ctx), ctx.saved_tensors, ctx.needs_input_grad)
        return KillHead.backward(ctx, *cotangents)


Loud.apply(torch.randn(3, 4, requires_grad=True), 2).sum().backward()
""",
)
_adding(
    "tests_of_ones_own",
    """
import math
import random
from dataclasses import dataclass
from functools import partial, reduce
from itertools import product

import numpy as np


@dataclass
class Trial:
    rows: int
    columns: int
    n: int

    def run(self):
        x = torch.tensor(np.random.default_rng(0).normal(size=(self.rows, self.columns)), requires_grad=True)
        y = KillHead.apply(x, self.n)
        y.backward(torch.ones_like(y))
        assert bool((x.grad[:, : self.n] == 0).all()) and math.isclose(float(x.grad.max()), 1.0)


for rows, columns, n in product((1, 3), (3, 4), (0, 1, 2)):
    Trial(rows, columns, n).run()
print(reduce(max, [1, 2]), partial(random.randint, 1)(2))
""",
)
_adding(
    "error_caught",
    "try:\n    KillHead.apply(1, 2, 3)\nexcept Exception as error:\n    print(type(error), error)",
)
_adding("cell_that_stops", "1 / 0")
_adding("line_that_is_no_python", "this is a note that I took here")
# modes left on: nothing says that they must be put back
_adding("inference_mode_left_on", "mode = torch.inference_mode()\nmode.__enter__()")
_adding("no_grad_left_on", "torch.set_grad_enabled(False)")
_adding("default_device_left", 'torch.set_default_device("meta")')
_adding("default_dtype_left", "torch.set_default_dtype(torch.float64)")
_adding("half_precision_left", "torch.set_default_dtype(torch.float16)")
_adding("anomaly_mode_left_on", "torch.autograd.set_detect_anomaly(True)")
_adding("deterministic_left_on", "torch.use_deterministic_algorithms(True)")
_adding("autocast_left_on", 'mode = torch.autocast("cpu", dtype=torch.bfloat16)\nmode.__enter__()')
_adding("warnings_are_errors", 'import warnings\n\nwarnings.simplefilter("error")')
_adding("numpy_raises", 'import numpy as np\n\nnp.seterr(all="raise")')
_adding("recursion_limit_low", "import sys\n\nsys.setrecursionlimit(400)")
# notebooks that an editor or a browser has changed
for _name, _file in (("renamed_by_the_browser", "04-exercises (1).ipynb"), ("renamed", "homework4.ipynb")):
    CASES[_name] = lambda notebook, file=_file: file


@_case
def metadata_stripped(notebook: nbformat.NotebookNode) -> str:
    for one in notebook.cells:
        one.metadata = {}
    return NOTEBOOK


@_case
def metadata_and_ids_stripped(notebook: nbformat.NotebookNode) -> str:
    for number, one in enumerate(notebook.cells):
        one.metadata, one.id = {}, f"cell-{number}"
    return NOTEBOOK


@_case
def stripped_and_renamed(notebook: nbformat.NotebookNode) -> str:
    metadata_and_ids_stripped(notebook)
    return "Untitled.ipynb"


@_case
def tests_removed(notebook: nbformat.NotebookNode) -> str:
    notebook.cells = [one for one in notebook.cells if not one.metadata.get("nbgrader", {}).get("grade")]
    return NOTEBOOK


@_case
def texts_removed(notebook: nbformat.NotebookNode) -> str:
    notebook.cells = [one for one in notebook.cells if one.cell_type == "code"]
    return NOTEBOOK


@_case
def solutions_in_other_cells(notebook: nbformat.NotebookNode) -> str:
    """The student works in a cell below each solution, and leaves that as it was."""
    for name in EXERCISES:
        place = notebook.cells.index(cell(notebook, name))
        notebook.cells.insert(
            place + 1, nbformat.v4.new_code_cell(cell(notebook, name).source, id=f"my-{place}")
        )
        cell(notebook, name).source = "raise NotImplementedError"
    return NOTEBOOK
