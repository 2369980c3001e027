"""Judges gradient_penalty: its value, and its gradient in the critic's parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

from autograder.other_variant import OTHER_VARIANT
from autograder.tasks.battery import Battery, Candidate, Trial, Values
from autograder.tasks.gradient_penalty.critics import CRITICS, Parameters, trained
from autograder.tasks.gradient_penalty.probe import Probe
from autograder.tasks.inputs import drawn
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.numbers import near
from vjpcheck.result import Finding

VALUE = "forward-value"
NEARLY = 1e-7  # with 1e-12 under the root
SUMMED = {"sum": "mean-instead-of-sum", "mean": "wrong-factor"}  # the mistake of the other reduction
SHAPES = "Write down the shape after each step."
GRAPH = "Which argument of torch.autograd.grad makes the gradient itself differentiable?"
DIGITS = "A finite difference gives only half of the digits. Do you add a constant under the root?"
# trials after the exercise's own small case: a critic, and the number of samples
DRAWN = (
    ("network", 4),
    ("quadratic", 5),
    ("x**3 and sin(100000 x) / 100000", 4),
    ("network", 1),
    ("quadratic", 1),
    ("quadratic with a frozen vector", 3),
    ("quadratic with a forward hook", 3),
    ("quadratic of one number", 4),
)


class Formula(NamedTuple):
    """The formula of the penalty: weight times the mean, or the sum, of (‖∇critic‖ − target)²."""

    weight: float = 1.0
    target: float = 1.0
    reduction: str = "mean"

    def of(self, squares: np.ndarray) -> float:
        """Return the penalty for these squares."""
        return float(self.weight * (squares.mean() if self.reduction == "mean" else squares.sum()))

    @property
    def name(self) -> str:
        """Return the formula as text."""
        factor = "" if self.weight == 1 else f"{self.weight:g} times "
        return f"{factor}the {self.reduction} of (‖∇critic‖ − {self.target:g})²"

    @property
    def with_other_reduction(self) -> Formula:
        """Return the formula with a sum in place of the mean, or the reverse."""
        return self._replace(reduction="sum" if self.reduction == "mean" else "mean")


def _calls(generator: np.random.Generator, formula: Formula) -> Iterator[tuple[str, Parameters, np.ndarray]]:
    """Yield the name of each critic, its parameters and x."""
    yield "θ(3 x1 + 4 x2)", {"theta": np.array(1.0)}, np.array([[1.0, 2.0], [0.0, 0.0], [3.0, -1.0]])
    calls = [
        (name, *_draw(generator, name, samples, formula.target, planted))
        for planted in (False, True)
        for name, samples in DRAWN
    ]
    yield from calls
    name, parameters, x = calls[1]
    yield name, parameters, np.repeat(x[:2], 2, axis=0)


def _trials(generator: np.random.Generator, formula: Formula, gradients: bool) -> Iterator[Trial]:
    for name, parameters, x in _calls(generator, formula):
        module = CRITICS[name](parameters)
        value, named = penalty(module, torch.tensor(x, requires_grad=True), formula), trained(module)
        truths = {"the penalty": value.detach().numpy()}
        if gradients:
            slopes = torch.autograd.grad(value, [*named.values()], materialize_grads=True)
            truths = {key: gradient.numpy() for key, gradient in zip(named, slopes, strict=True)}
        words = f"the critic {name} with an output of shape {(len(x), 1) if name == 'network' else (len(x),)}"
        yield Trial((name, parameters, x), words, truths)


def _draw(
    generator: np.random.Generator, name: str, samples: int, target: float, planted: bool
) -> tuple[Parameters, np.ndarray]:
    """Return parameters, and samples at which no slope is near 0 or the target.

    At 0 the norm has no derivative, and some solutions add 1e-12 under the root. At the target the penalty is
    only rounding. Several samples lie on both sides of the target, as a wrong penalty may ignore one side.
    """
    while True:
        shapes = CRITICS[name].shapes
        parameters = dict(zip(shapes, drawn(generator, *shapes.values()), strict=True))
        (x,) = drawn(generator, (samples, CRITICS[name].columns), planted=planted)
        slopes = np.linalg.norm(_slopes(name, parameters, x), axis=1)
        fit = (slopes > 0.3 * min(target, 1.0)).all() and (np.abs(slopes - target) > 0.1).all()
        if fit and (samples == 1 or 0 < (slopes < target).sum() < samples):
            return parameters, x


def _slopes(name: str, parameters: Parameters, x: np.ndarray) -> np.ndarray:
    """Return the gradient of the critic at each row."""
    point = torch.tensor(x, requires_grad=True)
    (gradient,) = torch.autograd.grad(CRITICS[name](parameters)(point).sum(), point)
    rows: np.ndarray = gradient.numpy()
    return rows


# a mistake, its description, and its value for the squares from the rows of gradients and the target
INSTEAD: list[tuple[str, str, Callable[[np.ndarray, float], Any]]] = [
    ("wrong-axis", "the norm is taken over the whole batch", lambda g, t: (np.linalg.norm(g, None) - t) ** 2),
    ("wrong-axis", "the norm is taken along the batch axis", lambda g, t: (_norms(g.T) - t) ** 2),
    (VALUE, "the mean norm is compared", lambda g, t: (_norms(g).mean() - t) ** 2),
    (VALUE, "the norm is squared before the subtraction", lambda g, t: (_norms(g) ** 2 - t) ** 2),
    (VALUE, "the target is not subtracted", lambda g, t: _norms(g) ** 2),
    (VALUE, "short gradients are left out", lambda g, t: np.maximum(_norms(g) - t, 0) ** 2),
    (VALUE, "long gradients are left out", lambda g, t: np.minimum(_norms(g) - t, 0) ** 2),
    (VALUE, "nothing is squared", lambda g, t: _norms(g) - t),
    (VALUE, "the absolute value is taken, not the square", lambda g, t: np.abs(_norms(g) - t)),
    (VALUE, "the norm is the sum of absolute values", lambda g, t: (np.abs(g).sum(1) - t) ** 2),
    (
        "mean-instead-of-sum",
        "the gradient of the critic's mean is taken",
        lambda g, t: (_norms(g) / len(g) - t) ** 2,
    ),
]


def _norms(rows: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(rows, axis=1))


def _squares(rows: np.ndarray, target: float) -> np.ndarray:
    return np.asarray((_norms(rows) - target) ** 2)


def _candidates(formula: Formula) -> Iterator[Candidate]:
    def candidate(
        mistake: str | None, sentence: str, squares: Callable[[np.ndarray, float], Any], by: Formula = formula
    ) -> Candidate:
        def values(trial: Trial, _: Values) -> Values:
            return {
                "the penalty": np.array(by.of(np.atleast_1d(squares(_slopes(*trial.arguments), by.target))))
            }

        return Candidate(mistake, sentence, values, SHAPES, NEARLY)

    usual = Formula()
    if sum(one != other for one, other in zip(formula, usual, strict=True)) > 1:
        sentence = f"{OTHER_VARIANT}: {usual.name}. Your notebook asks for this: {formula.name}."
        yield candidate(None, sentence, _squares, usual)
    yield from (candidate(name, f"is wrong, as {what}", squares) for name, what, squares in INSTEAD)
    mistake, other = SUMMED[formula.reduction], formula.with_other_reduction
    yield candidate(mistake, f"is wrong, as the {other.reduction} of all samples is taken", _squares, other)
    if formula.weight != 1:
        yield candidate(VALUE, f"lacks the factor {formula.weight:g}", _squares, formula._replace(weight=1.0))
    sentence = "is right in its first digits only"  # a finite difference of a steep critic
    yield Candidate("not-precise", sentence, lambda t, values: values if _few(t, values) else None, DIGITS)


def _few(trial: Trial, observed: Values) -> bool:
    return all(near(observed[name], truth, 1e-3) for name, truth in trial.truths.items())


def _value(probe: ProbeClient, generator: np.random.Generator, **variant: Any) -> Iterator[Finding]:
    formula = Formula(**variant)
    trials = [*_trials(generator, formula, gradients=False)]
    yield from Battery(probe, Probe.run, trials, [*_candidates(formula)]).findings()


def _gradients(probe: ProbeClient, generator: np.random.Generator, **variant: Any) -> Iterator[Finding]:
    trials = [*_trials(generator, Formula(**variant), gradients=True)]
    none = Candidate(
        "missing-gradient",
        "The value is right, but no gradient reaches the critic's parameters: the gradient in x was computed "
        "without create_graph=True, or detached from its graph.",
        lambda call, _: {name: np.zeros_like(truth) for name, truth in call.truths.items()},
        GRAPH,
    )
    battery = Battery(probe, Probe.differentiate, trials, [none], of_error=lambda _, error: (None, GRAPH))
    yield from battery.findings()


def penalty(critic: torch.nn.Module, x: torch.Tensor, formula: Formula = Formula()) -> torch.Tensor:  # noqa: B008
    """Return the true penalty: each norm is that of one row's gradient."""
    (gradient,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    squares = (torch.linalg.vector_norm(gradient, dim=1) - formula.target).square()
    reduced: torch.Tensor = squares.mean() if formula.reduction == "mean" else squares.sum()
    return formula.weight * reduced


CHECKS = {"value": _value, "differentiable": _gradients}
