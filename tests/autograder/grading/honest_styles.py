"""Right work that is written in unusual ways, or saved by another program: it has full marks all the same."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import nbformat
from made_course import NOTEBOOK, cell

Case = Callable[[nbformat.NotebookNode], str]
STYLES: dict[str, Case] = {}


def _writing(name: str, exercise: str, source: str) -> None:
    """Add the case of a solution that is written like this."""

    def case(notebook: nbformat.NotebookNode) -> str:
        cell(notebook, exercise).source = source.strip()
        return NOTEBOOK

    STYLES[name] = case


def _beginning(name: str, source: str, exercise: str = "affine") -> None:
    """Add the case of a solution cell that begins with something else."""

    def case(notebook: nbformat.NotebookNode) -> str:
        solution = cell(notebook, exercise)
        solution.source = f"{source.strip()}\n\n{solution.source}"
        return NOTEBOOK

    STYLES[name] = case


def _changing(name: str, change: Callable[[str], str]) -> None:
    """Add the case of a solution cell whose text was changed on its way."""

    def case(notebook: nbformat.NotebookNode) -> str:
        solution = cell(notebook, "affine")
        solution.source = change(solution.source)
        return NOTEBOOK

    STYLES[name] = case


def _megabytes_of_output(notebook: nbformat.NotebookNode) -> str:
    output = nbformat.v4.new_output("stream", text="epoch 1\n" * 1_500_000)
    cell(notebook, "affine").outputs = [output]
    return NOTEBOOK


STYLES["megabytes_of_output"] = _megabytes_of_output
_changing("indented_as_a_whole", lambda source: textwrap.indent(source, "    "))
_changing("pasted_with_prompts", lambda source: textwrap.indent(source, "... ").replace("...", ">>>", 1))
_beginning(
    "reports_errors",
    """
import logging
import traceback

log = logging.getLogger("affine")


def reported(function):
    def inner(ctx, *arguments):
        try:
            return function(ctx, *arguments)
        except Exception as error:
            log.error("%s: %s", error.__class__.__name__, traceback.format_exc())
            raise

    return inner
""",
)
_writing(
    "dataclass_on_ctx",
    "affine",
    """
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Line:
    scale: float
    shift: float
    history: tuple[str, ...] = field(default_factory=tuple)

    def __call__(self, x):
        return x * self.scale + self.shift


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.line = Line(scale, shift)
        return ctx.line(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.line.scale, None, None
""",
)
_writing(
    "partial_and_lambda",
    "abs_product",
    """
from functools import partial, reduce
from operator import mul

product = partial(reduce, mul)
side = lambda g, s, other: product([g, s, other])


class AbsProduct(Function):
    forward = staticmethod(lambda ctx, u, v: (ctx.save_for_backward(u, v), product((u, v)).abs())[1])

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        pull = partial(side, g, torch.sgn(product((u, v))))
        return tuple(map(pull, (v, u)))
""",
)
_writing(
    "generators_and_walrus",
    "linear",
    """
from itertools import chain, repeat, zip_longest


def gradients(ctx, g):
    x, weight = ctx.saved_tensors
    yield (g @ weight) if ctx.needs_input_grad[0] else None
    yield (g.T @ x) if ctx.needs_input_grad[1] else None
    if (left := len(ctx.needs_input_grad) - 2) > 0:
        yield from (g.sum(0) if needs else None for needs in ctx.needs_input_grad[-left:])


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        return y if (y := x @ weight.T) is not None and bias is None else y + bias

    @staticmethod
    def backward(ctx, *cotangents):
        (g,) = cotangents
        found = chain(gradients(ctx, g), repeat(None))
        return tuple(one for _, one in zip(range(3), found))[: len(ctx.needs_input_grad)]
""",
)
_writing(
    "match_and_finally",
    "linear",
    """
class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        match bias:
            case None:
                return x.matmul(weight.t())
            case torch.Tensor(shape=(out,)) if out == weight.shape[0]:
                return torch.addmm(bias, x, weight.t())
            case _:
                raise ValueError(f"bias of shape {tuple(bias.shape)}")

    @staticmethod
    def backward(ctx, grad_output):
        x_bar = weight_bar = bias_bar = None
        try:
            x, weight = ctx.saved_tensors
            match ctx.needs_input_grad:
                case (needs_x, needs_weight):
                    needs_bias = False
                case (needs_x, needs_weight, needs_bias):
                    pass
            if needs_x:
                x_bar = torch.einsum("no,oi->ni", grad_output, weight)
            if needs_weight:
                weight_bar = torch.einsum("no,ni->oi", grad_output, x)
            if needs_bias:
                bias_bar = torch.ones_like(grad_output[:, 0]) @ grad_output
        finally:
            del ctx
        return x_bar, weight_bar, bias_bar
""",
)
_writing(
    "nested_functions",
    "scale_rows",
    """
from contextlib import contextmanager, nullcontext


def sides(x, w):
    def along_rows(g):
        def column():
            return w.unsqueeze(1)

        return g * column()

    def along_columns(g):
        return torch.stack([torch.dot(gi, xi) for gi, xi in zip(g, x)])

    return along_rows, along_columns


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        with nullcontext():
            return sides(x, w)[0](x)

    @staticmethod
    def backward(ctx, g):
        return tuple(side(g) for side in sides(*ctx.saved_tensors))
""",
)
_writing(
    "heavily_annotated",
    "kill_head",
    """
from __future__ import annotations

from typing import Any, Callable, ClassVar, Final, Generic, List, NamedTuple, Optional, Tuple, TypeVar, Union

import numpy as np
import torch as th
import torch.nn.functional as F
from torch.autograd.function import Function as AutogradFunction
from torch.autograd.function import FunctionCtx

T = TypeVar("T", bound=th.Tensor)
Number = Union[int, float, th.Tensor, np.ndarray]
Gradients = Tuple[Optional[th.Tensor], ...]


class Head(NamedTuple):
    width: int
    columns: Final[int] = 0


def widened(x: th.Tensor | np.ndarray, head: Head) -> "th.Tensor":
    assert isinstance(x, (th.Tensor, np.ndarray)) and type(x) is not np.ndarray
    return F.pad(x[:, head.width :], (head.width, 0))


class KillHead(AutogradFunction):
    ORDER: ClassVar[int] = 1

    @staticmethod
    def forward(ctx: FunctionCtx, x: th.Tensor, n: int) -> th.Tensor:
        ctx.head = Head(n)
        return widened(x, ctx.head)

    @staticmethod
    def backward(ctx: Any, grad_output: th.Tensor) -> Gradients:
        return widened(grad_output, ctx.head), None
""",
)
_writing(
    "masks_of_numpy",
    "kill_head",
    """
import numpy as np


class KillHead(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.mask = np.greater_equal(np.arange(x.shape[1]), n)
        return torch.where(torch.from_numpy(ctx.mask), x, torch.zeros((), dtype=x.dtype))

    @staticmethod
    def backward(ctx, g):
        return g.masked_fill(torch.as_tensor(~ctx.mask), 0), None
""",
)
_writing(
    "setup_context_and_jvp",
    "affine",
    """
class Affine(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, scale, shift):
        return x * scale + shift

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.scale, _ = inputs

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None

    @staticmethod
    def jvp(ctx, tangent, *_):
        return tangent * ctx.scale
""",
)
_writing(
    "talkative",
    "affine",
    """
import logging
import sys
import time
from functools import wraps

log = logging.getLogger(__name__)
logging.basicConfig(level=logging.DEBUG)


def timed(function):
    @wraps(function)
    def inner(*args, **kwargs):
        start = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            print(f"{function.__name__:>10}: {time.perf_counter() - start:.1e} s", file=sys.stderr)

    return inner


class Affine(Function):
    @staticmethod
    @timed
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        log.debug("scale %s", scale)
        return x * scale + shift

    @staticmethod
    @timed
    def backward(ctx, grad_output):
        print("backward of", grad_output.shape, sep="\\t", flush=True)
        return grad_output * ctx.scale, None, None


if __name__ == "__main__":
    x = torch.randn(2, requires_grad=True)
    Affine.apply(x, 2.0, 1.0).sum().backward()
    assert torch.equal(x.grad, torch.full((2,), 2.0))
    torch.testing.assert_close(x.grad, torch.full_like(x, 2.0))
""",
)
_writing(
    "device_chosen",
    "scale_rows",
    """
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
dtype = torch.get_default_dtype()


class ScaleRows(Function):
    @staticmethod
    def forward(ctx, x, w):
        x, w = x.to(device), w.to(device)
        ctx.save_for_backward(x, w)
        return x * w.reshape(-1, 1)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w.reshape(-1, 1).to(g.device), torch.einsum("ij,ij->i", g, x)
""",
)
_writing(
    "base_class_and_property",
    "abs_product",
    """
from abc import ABC, abstractmethod
from collections import OrderedDict, defaultdict, namedtuple

Pair = namedtuple("Pair", "u v")


class Elementwise(Function):
    @classmethod
    def inner(cls, pair):
        return pair.u.mul(pair.v)


class AbsProduct(Elementwise):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(*Pair(u, v))
        return AbsProduct.inner(Pair(u, v)).abs()

    @staticmethod
    def backward(ctx, g):
        pair = Pair(*ctx.saved_tensors)
        sign = Elementwise.inner(pair).sign()
        table = defaultdict(lambda: None, u=g * sign * pair.v, v=g * sign * pair.u)
        return tuple(OrderedDict((name, table[name]) for name in Pair._fields).values())
""",
)
_beginning("pip_in_the_cell", "!pip install -q torch numpy\n%matplotlib inline")
_beginning(
    "autoreload_in_the_cell",
    "%load_ext autoreload\n%autoreload 2\n%config InlineBackend.figure_format = 'svg'",
)
_beginning("timed_cell", "%%time")
_beginning(
    "seeds_and_display",
    """
import os
import random
import warnings

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown, clear_output
from tqdm import tqdm

os.environ["KMP_DUPLICATE_LIB_OK"] = "TRUE"
warnings.filterwarnings("ignore")
np.random.seed(0)
random.seed(0)
torch.manual_seed(0)
torch.set_printoptions(precision=3, sci_mode=False)
torch.backends.cudnn.deterministic = True
plt.rcParams["figure.dpi"] = 120
""",
)
_beginning(
    "numerical_check_in_the_cell",
    """
def numerical(f, x, h=1e-6):
    found = np.zeros_like(x)
    for place in np.ndindex(*x.shape):
        step = np.zeros_like(x)
        step[place] = h
        found[place] = (f(x + step) - f(x - step)).sum() / (2 * h)
    return found


import numpy as np
from scipy import optimize, special

print(numerical(special.expit, np.zeros((2, 2))))
print(optimize.approx_fprime(np.zeros(2), lambda x: float((x**2).sum())))
print(torch.autograd.gradcheck(torch.sin, torch.zeros(2, dtype=torch.float64, requires_grad=True)))
""",
)


def _saved(name: str, **metadata: object) -> Callable[[Case], Case]:
    def add(case: Case) -> Case:
        def saving(notebook: nbformat.NotebookNode) -> str:
            notebook.metadata = nbformat.from_dict(metadata)
            return case(notebook)

        STYLES[name] = saving
        return case

    return add


@_saved(
    "saved_by_colab",
    colab={"provenance": [], "toc_visible": True, "gpuType": "T4"},
    accelerator="GPU",
    kernelspec={"name": "python3", "display_name": "Python 3"},
    language_info={"name": "python"},
)
def saved_by_colab(notebook: nbformat.NotebookNode) -> str:
    """Ids move into the metadata, outputs get one, and the cells that it adds are its own."""
    notebook.nbformat_minor = 0
    for number, one in enumerate(notebook.cells):
        kept = one.metadata.get("nbgrader")
        one.metadata = nbformat.from_dict({"id": f"Xy{number}_Zq", **({"nbgrader": kept} if kept else {})})
        if one.cell_type == "code":
            one.metadata["colab"] = {"base_uri": "https://localhost:8080/", "height": 34}
            one.metadata["outputId"] = f"5e{number}"
        del one["id"]
    added = nbformat.v4.new_code_cell(
        "from google.colab import drive\ndrive.mount('/content/drive')\n!nvidia-smi\n%cd /content/drive"
    )
    del added["id"]
    notebook.cells.insert(1, added)
    return NOTEBOOK


@_saved(
    "saved_by_vs_code",
    kernelspec={"display_name": ".venv", "language": "python", "name": "python3"},
    language_info={
        "name": "python",
        "version": "3.13.1",
        "codemirror_mode": {"name": "ipython", "version": 3},
    },
    vscode={"interpreter": {"hash": "0" * 64}},
)
def saved_by_vs_code(notebook: nbformat.NotebookNode) -> str:
    for one in notebook.cells:
        one.metadata["vscode"] = {"languageId": "python" if one.cell_type == "code" else "markdown"}
        one.source = one.source.replace("\n", "\r\n")  # as it does on Windows
    return NOTEBOOK


@_saved(
    "saved_by_jupyterlite",
    kernelspec={"name": "python", "display_name": "Python (Pyodide)", "language": "python"},
    language_info={"name": "python", "version": "3.12", "pygments_lexer": "ipython3"},
)
def saved_by_jupyterlite(notebook: nbformat.NotebookNode) -> str:
    notebook.nbformat_minor = 4
    for one in notebook.cells:
        del one["id"]
        one.metadata["trusted"] = True
    notebook.cells.insert(
        1, nbformat.v4.new_code_cell("%pip install -q torch\nimport piplite\nawait piplite.install('numpy')")
    )
    return NOTEBOOK
