"""Jacobians known in truth, and what is wrong with the form of those that were returned."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from autograder.tasks.findings import disturbed, handed_over, overwritten, raised, wrong
from autograder.tasks.functions import FUNCTIONS
from autograder.tasks.inputs import drawn
from autograder.tasks.returned_jacobians import Jacobians
from vjpcheck.ask.protocol import ProbeClient, Request
from vjpcheck.domain import Shape
from vjpcheck.numbers import EXACT, close
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

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


@dataclass(frozen=True)
class Trial:
    """A call with the fn of this name; `besides` is what the call is given besides, such as eps."""

    name: str
    inputs: Sequence[np.ndarray]
    by_columns: bool = False
    besides: tuple[Any, ...] = ()

    @property
    def fn(self) -> Callable[..., torch.Tensor]:
        """Return the function."""
        return FUNCTIONS[self.name]

    @property
    def given(self) -> str:
        """Return what the student's function was called with, in words."""
        shapes = " and ".join(str(array.shape) for array in self.inputs)
        eps = f", eps = {self.besides[0]:g}" if self.besides else ""
        return f"fn = {self.name} at inputs of shape {shapes}{eps}"

    @property
    def output(self) -> torch.Tensor:
        """Return what fn gives."""
        return self.fn(*map(torch.tensor, self.inputs))


def trials(random: np.random.Generator, cases: Cases, *besides: Any, by_columns: bool = False) -> list[Trial]:
    """Return the cases with ordinary numbers, then with zeros and repeated ones."""
    return [
        Trial(name, drawn(random, *shapes, planted=planted), by_columns, besides)
        for planted in (False, True)
        for name, *shapes in cases
    ]


def findings(
    probe: ProbeClient,
    run: Callable[..., Request[Jacobians]],
    tried: Sequence[Trial],
    truths: Callable[[Trial], list[np.ndarray]],
    explain: Callable[[Trial, int, np.ndarray, np.ndarray], Finding],
) -> Iterator[Finding]:
    """Compare all Jacobians with the true ones; `explain` says what is wrong with one."""
    # nothing is left over from the calls in between, nor from one that differs in its values alone
    elsewhere = replace(tried[0], inputs=[array + 0.5 for array in tried[0].inputs])
    tried = [*tried, elsewhere, tried[0]]
    answers = probe.ask([run(trial.name, trial.inputs, trial.by_columns, *trial.besides) for trial in tried])
    for trial, answer in zip(tried, answers, strict=True):
        yield from _form_findings(answer, trial)
        for position, (found, truth) in enumerate(zip(answer["jacobians"], truths(trial), strict=False)):
            if not close(found, truth, EXACT):
                yield explain(trial, position, found, truth)


def differences(
    fn: Callable[..., torch.Tensor], inputs: Sequence[np.ndarray], ahead: float, behind: float
) -> list[np.ndarray]:
    """Return (fn(x + ahead) − fn(x − behind)) / (ahead + behind) for every input and entry, as matrices."""

    def moved(position: int, entry: int, step: float) -> np.ndarray:
        tensors = [torch.tensor(array) for array in inputs]
        tensors[position].view(-1)[entry] += step
        with torch.no_grad():
            return fn(*tensors).numpy().ravel()

    def column(position: int, entry: int) -> np.ndarray:
        quotient: np.ndarray = moved(position, entry, ahead) - moved(position, entry, -behind)
        return quotient / (ahead + behind)

    return [np.stack([column(p, entry) for entry in range(x.size)], axis=1) for p, x in enumerate(inputs)]


def by_backward(fn: Callable[..., torch.Tensor], inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return for every input the matrix that backward gives, a row an output element."""
    tensors = [torch.tensor(array, requires_grad=True) for array in inputs]
    output = fn(*tensors)
    rows = [
        torch.autograd.grad(element, tensors, retain_graph=True, materialize_grads=True)
        for element in output.reshape(-1)
    ]
    return [np.stack([row[p].numpy(force=True).ravel() for row in rows]) for p in range(len(inputs))]


def _form_findings(answer: Jacobians, trial: Trial) -> Iterator[Finding]:
    """Find errors, what was handed over, changed or overwritten, and a wrong number, shape or dtype."""
    given, shapes = trial.given, [array.shape for array in trial.inputs]
    yield from handed_over(answer["handed_over"], given)
    if "error" in answer:
        unused = Message.UNUSED_INPUT.find(answer["error"]["message"])
        yield raised(answer["error"], given, UNUSED if unused else "")
    yield from disturbed(answer["changes"], given)
    yield from overwritten(answer["overwrites"], given)
    found = answer["jacobians"]
    if len(found) != len(shapes):
        yield wrong(
            f"For {given}, the tuple has {len(found)} of {len(shapes)} matrices; return one per input."
        )
    for position, (jacobian, shape) in enumerate(zip(found, shapes, strict=False)):
        rows, columns = trial.output.numel(), math.prod(shape)
        if jacobian.shape == (rows, columns):
            if jacobian.dtype != np.float64:
                told = f"J[{position}] has dtype {jacobian.dtype} for {given}; it should be float64."
                yield wrong(told, "wrong-dtype", f"J[{position}]")
            continue
        asked = f"it should be {(rows, columns)}: one row per output element, one column per input element"
        turned = jacobian.shape == (columns, rows)
        kind = "is transposed: it" if turned else ""
        name = f"J[{position}]"
        yield wrong(
            f"{name} {kind} has shape {jacobian.shape} for {given}, and {asked}.".replace("  ", " "),
            "missing-transpose" if turned else "wrong-shape",
            name,
        )
