"""Judges hessian_vector_product: its numbers, and that it makes no tensor as large as the Hessian."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

from autograder.other_variant import OTHER_VARIANT
from autograder.tasks.battery import BY_COLUMNS, Battery, Candidate, Condition, Trial, Values
from autograder.tasks.findings import raised, wrong
from autograder.tasks.hessian_vector_product.functions import FUNCTIONS
from autograder.tasks.hessian_vector_product.probe import Probe
from autograder.tasks.inputs import drawn
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.errors import StudentError
from vjpcheck.result import Finding
from vjpcheck.torch_internals import Message

STEEP = "(sum of squares)**2 + sum of sin(100000 x) / 10**10"
CASES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("rosenbrock", (5,)),
    ("quadratic", (4,)),
    ("sum of sines times sum of squares", (2, 3)),
    ("quadratic", (2, 2)),
    ("sum of sines times sum of squares", ()),
    ("quadratic", (1,)),
    (STEEP, (3,)),
)
SIZE = 60
# Two backward passes are enough; a few more do no harm. A Hessian takes one per row.
PASSES = 20
GRAPH = "The gradient must be differentiated again. Which argument of torch.autograd.grad records its graph?"
STEP = "A finite difference is wrong where the function changes within its step. Differentiate twice instead."
SHORT_STEP = Condition("not-precise", "Only where the slope changes within a short step it is wrong.", STEP)
TWICE = "Which scalar function of the gradient and v has the gradient H v?"


class Formula(NamedTuple):
    """The formula of the product: scale·H v + damping·v."""

    scale: float = 1.0
    damping: float = 0.0

    def of(self, product: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the result for this value of H v."""
        return self.scale * product + self.damping * v if self.damping else self.scale * product

    @property
    def name(self) -> str:
        """Return the formula as text."""
        scale = "" if self.scale == 1 else f"{self.scale:g} "
        sign = "−" if self.damping < 0 else "+"
        return f"{scale}H v" + (f" {sign} {abs(self.damping):g} v" if self.damping else "")


def _hessian(fn: str, x: np.ndarray) -> np.ndarray:
    """Return H with one row and one column for each entry of x."""
    hessian = torch.autograd.functional.hessian(FUNCTIONS[fn], torch.tensor(x))
    return np.asarray(hessian).reshape(x.size, x.size)


def _gradient(fn: str, x: np.ndarray) -> np.ndarray:
    point = torch.tensor(x, requires_grad=True)
    return np.asarray(torch.autograd.grad(FUNCTIONS[fn](point), point)[0])


def _rows(hessian: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the sum of the rows, in the shape of v."""
    summed: np.ndarray = hessian.sum(0).reshape(v.shape)
    return summed


def _trial(formula: Formula, fn: str, x: np.ndarray, v: np.ndarray, by_columns: bool = False) -> Trial:
    words = f"{fn} at x of shape {x.shape}" + ("" if v.any() else " and v = 0")
    condition = BY_COLUMNS if by_columns else SHORT_STEP if fn == STEEP else None
    truths = {"the result": formula.of(_times(_hessian(fn, x), v), v)}
    return Trial((fn, x, v, by_columns), words, truths, condition)


def _times(hessian: np.ndarray, v: np.ndarray) -> np.ndarray:
    product: np.ndarray = hessian @ v.ravel()
    return product.reshape(v.shape)


Value = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]

# a mistake, its description, and its value for H v from the gradient, the Hessian and v
INSTEAD: list[tuple[str | None, str, Value]] = [
    (None, "the gradient times v", lambda g, h, v: g * v),
    (None, "the inner product of the gradient and v, not its derivative", lambda g, h, v: np.sum(g * v)),
    (None, "the gradient itself", lambda g, h, v: g),
    (None, "v·H·v", lambda g, h, v: np.sum(_times(h, v) * v)),
    (None, "the sum of the rows of H, for every v", lambda g, h, v: _rows(h, v)),
    ("cotangent-summed", "the rows of H summed, times the sum of v", lambda g, h, v: _rows(h, v) * v.sum()),
    ("diagonal-only", "the rows of H summed, times v entry by entry", lambda g, h, v: _rows(h, v) * v),
    ("diagonal-only", "the diagonal of H times v", lambda g, h, v: np.diag(h).reshape(v.shape) * v),
]


def _candidates(formula: Formula) -> Iterator[Candidate]:
    def candidate(mistake: str | None, sentence: str, value: Value, whole: Formula = Formula()) -> Candidate:  # noqa: B008
        def values(trial: Trial, _: Values) -> Values:
            fn, x, v, *_rest = trial.arguments
            return {"the result": whole.of(np.asarray(value(_gradient(fn, x), _hessian(fn, x), v)), v)}

        return Candidate(mistake, sentence, values, TWICE)

    if formula.scale != 1 and formula.damping:
        sentence = f"{OTHER_VARIANT}: H v. Your notebook asks for this: {formula.name}."
        yield candidate(None, sentence, lambda g, h, v: _times(h, v))
    yield from (candidate(mistake, f"is {instead}", value, formula) for mistake, instead, value in INSTEAD)
    yield candidate(None, "is the Hessian without the product with v", lambda g, h, v: h)
    sentence = "is the true one divided by the number of entries of x"
    yield candidate("mean-instead-of-sum", sentence, lambda g, h, v: formula.of(_times(h, v), v) / v.size)


def _product(
    probe: ProbeClient, generator: np.random.Generator, scale: float = 1.0, damping: float = 0.0
) -> Iterator[Finding]:
    """Compare the result with scale·H v + damping·v."""
    formula = Formula(scale, damping)
    calls: list[Any] = [("x1**2 + 3 x1 x2", np.array([1.0, 2.0]), np.array([1.0, 10.0]))]
    calls += [
        (fn, *drawn(generator, shape, shape, planted=planted))
        for planted in (False, True)
        for fn, shape in CASES
    ]
    calls += [
        ("quadratic", np.zeros(4), *drawn(generator, (4,))),
        ("sum of sines times sum of squares", *drawn(generator, (2, 3), (2, 3)), True),
    ]
    trials, candidates = [_trial(formula, *call) for call in calls], [*_candidates(formula)]
    yield from Battery(probe, Probe.run, trials, candidates, "x", of_error=_of_error).findings()


def _of_error(_: Trial, error: StudentError) -> tuple[str | None, str]:
    mistake = "gradient-not-a-tensor" if error["type"] == "WrongReturn" else None
    return mistake, GRAPH if Message.WITHOUT_HISTORY.find(error["message"]) else ""


def _no_hessian(
    probe: ProbeClient, generator: np.random.Generator, scale: float = 1.0, damping: float = 0.0
) -> Iterator[Finding]:
    x, v = drawn(generator, (SIZE,), (SIZE,))
    answer = probe.call(Probe.run, "chain of tanh", x, v)
    if "error" in answer:
        yield raised(answer["error"], f"an x of {SIZE} elements")
        return
    passes, largest = answer["facts"]["passes"], answer["facts"]["largest"]
    if largest >= SIZE * SIZE:
        message = f"For an x of {SIZE} elements a tensor of {largest:g} elements is created."
        yield wrong(f"{message} That is as large as the Hessian.", hint=TWICE)
    elif passes > PASSES:
        message = f"For an x of {SIZE} elements, you differentiate fn {passes:g} times: H is built by rows."
        yield wrong(message, hint=TWICE)


CHECKS = {"product": _product, "no Hessian": _no_hessian}
