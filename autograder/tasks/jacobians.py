"""Makes the trials of functions that return Jacobians, with the true Jacobians."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from autograder.tasks.battery import BY_COLUMNS, Battery, Candidate, Trial, Values
from autograder.tasks.calls import Answer
from autograder.tasks.functions import function_of
from autograder.tasks.inputs import drawn
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.domain import Shape
from vjpcheck.errors import StudentError
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

# The names, formulas and pullbacks of functions. Powers are above the second: there a one-sided difference,
# a central one and the derivative all differ. STEEP is a sum of a slow and a fast term, each with derivatives
# of size 1: no step suits both.
RETURNS_ITS_COTANGENT = "x + 1, whose backward returns the cotangent itself"
STEEP = "x**3 + sin(100000 x) / 100000"
FUNCTIONS: dict[str, Sequence[str]] = {
    "a**3": ("a", "a**3"),
    "a * b": ("a, b", "a * b"),
    "a**2, without b": ("a, b", "a**2"),
    "x**4": ("x", "x**4"),
    RETURNS_ITS_COTANGENT: ("x", "x + 1"),
    "x.T": ("x", "x.T"),
    "x[1:]": ("x", "x[1:]"),
    "b.expand(2, *b.shape), without a": ("a, b", "b.expand(2, *b.shape)"),
    "b[1:], a view, without a": ("a, b", "b[1:]"),
    STEEP: ("x", "x**3 + sin(1e5 * x) / 1e5"),
    "(x**4).sum()": ("x", "(x**4).sum()"),
    "(x**3).T": ("x", "(x**3).T"),
    "(x @ w.T)**3": ("x, w", "(x @ w.T) ** 3"),
    "a**3 * b**4": ("a, b", "a**3 * b**4"),
    "exp(s) * x**3": ("s, x", "exp(s) * x**3"),
    "a**3, without b": ("a, b", "a**3"),
    "a * b**2 + c**3": ("a, b, c", "a * b**2 + c**3"),
    "a Function whose backward is wrong": ("x", "x**3", "5 * g * x"),
    "a Function that returns None for b": ("a, b", "a**3 * b", "3 * g * a * a * b, None"),
}
# names of functions, with the shapes of their inputs
Cases = Sequence[tuple[str, *tuple[Shape, ...]]]
ANY_SHAPE: Cases = (
    ("(x**4).sum()", (2, 3)),
    ("x**4", ()),
    ("(x**3).T", (2, 3)),
    ("x**4", (2, 1, 3)),
    ("x.T", (3, 2)),
    ("x[1:]", (3, 2)),
)
SEVERAL: Cases = (
    ("a**3 * b**4", (3,), (2, 3)),
    ("(x @ w.T)**3", (2, 3), (4, 3)),
    ("(x @ w.T)**3", (1, 3), (2, 3)),
    ("exp(s) * x**3", (), (3,)),
    ("a**3, without b", (2,), (3,)),
    ("b[1:], a view, without a", (2,), (3,)),
    ("b.expand(2, *b.shape), without a", (2,), (3,)),
    ("a * b**2 + c**3", (3,), (3,), (2, 3)),
)
UNUSED = "What does torch.autograd.grad return for an input that the output does not depend on?"


def trial(name: str, inputs: Sequence[np.ndarray], *besides: Any, by_columns: bool = False) -> Trial:
    """Return the trial with the fn of this name, without the truth; an eps stands besides."""
    eps = f", eps = {besides[0]:g}" if besides else ""
    words = f"fn = {name} at inputs of shape {' and '.join(str(array.shape) for array in inputs)}{eps}"
    condition = BY_COLUMNS if by_columns else None
    return Trial((FUNCTIONS[name], inputs, by_columns, *besides), words, {}, condition)


def trials(random: np.random.Generator, cases: Cases, *besides: Any, by_columns: bool = False) -> list[Trial]:
    """Return the trials with ordinary numbers, then with zeros and repeated numbers."""
    return [
        trial(name, drawn(random, *shapes, planted=planted), *besides, by_columns=by_columns)
        for planted in (False, True)
        for name, *shapes in cases
    ]


def battery(
    probe: ProbeClient,
    run: Callable[..., Answer],
    tried: Sequence[Trial],
    candidates: Sequence[Candidate],
    truth: Callable[[Trial], Values],
) -> Iterator[Finding]:
    """Compare all Jacobians with the true ones, also those of the first call with other values."""
    first, *_ = tried
    name = next(name for name, formulas in FUNCTIONS.items() if formulas is first.arguments[0])
    elsewhere = trial(name, [x + 0.5 for x in first.arguments[1]], *first.arguments[3:])
    whole = [replace(one, truths=truth(one)) for one in [*tried, elsewhere]]
    return Battery(probe, run, whole, candidates, of_error=_of_error).findings()


def _of_error(_: Trial, error: StudentError) -> tuple[str | None, str]:
    return None, UNUSED if Message.UNUSED_INPUT.find(error["message"]) else ""


def differences(trial: Trial, ahead: float, behind: float) -> Values:
    """Return (fn(x + ahead) − fn(x − behind)) / (ahead + behind) for every input and entry, as matrices."""
    formulas, inputs, *_ = trial.arguments
    fn = function_of(*formulas)

    def moved(position: int, entry: int, step: float) -> np.ndarray:
        tensors = [torch.tensor(array) for array in inputs]
        tensors[position].view(-1)[entry] += step
        with torch.no_grad():
            return fn(*tensors).numpy().ravel()

    def column(position: int, entry: int) -> np.ndarray:
        quotient: np.ndarray = moved(position, entry, ahead) - moved(position, entry, -behind)
        return quotient / (ahead + behind)

    return {
        f"J[{p}]": np.stack([column(p, entry) for entry in range(x.size)], axis=1)
        for p, x in enumerate(inputs)
    }


def by_backward(trial: Trial) -> Values:
    """Return for every input the matrix that backward gives, with one row per output element."""
    formulas, inputs, *_ = trial.arguments
    fn = function_of(*formulas)
    tensors = [torch.tensor(array, requires_grad=True) for array in inputs]
    rows = [
        torch.autograd.grad(element, tensors, retain_graph=True, materialize_grads=True)
        for element in fn(*tensors).reshape(-1)
    ]
    return {
        f"J[{p}]": np.stack([row[p].numpy(force=True).ravel() for row in rows]) for p in range(len(inputs))
    }
