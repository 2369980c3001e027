"""Proposes wrong gradients: the cotangent times the derivative of another function than forward."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from vjpcheck.case import Case, Trial
from vjpcheck.naming.hypothesis import Hypothesis, Operand, cotangent_times, only_cotangent, tensors


class Formula(NamedTuple):
    """A derivative: the name of its function, its formula for a tensor, and its values."""

    of: str
    written: str
    values: Callable[[np.ndarray], np.ndarray]


def _sigmoid(v: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-v)))


FORMULAS = (
    Formula("exp", "exp({0})", np.exp),
    Formula("log", "1/{0}", lambda v: 1 / v),
    Formula("sin", "cos({0})", np.cos),
    Formula("cos", "−sin({0})", lambda v: -np.sin(v)),
    Formula("cosh", "sinh({0})", np.sinh),
    Formula("sinh", "cosh({0})", np.cosh),
    Formula("the square", "2·{0}", lambda v: 2 * v),
    Formula("the cube", "3·{0}²", lambda v: 3 * v**2),
    Formula("the square root", "1/(2·√{0})", lambda v: 0.5 / np.sqrt(v)),
    Formula("the reciprocal", "−1/{0}²", lambda v: -1 / v**2),
    Formula("relu", "({0} > 0)", lambda v: (v > 0).astype(float)),
    Formula("sigmoid", "sigmoid({0})·(1 − sigmoid({0}))", lambda v: _sigmoid(v) * (1 - _sigmoid(v))),
    Formula("sigmoid, in terms of its output", "{0}·(1 − {0})", lambda v: v * (1 - v)),
    Formula("softplus", "sigmoid({0})", _sigmoid),
    Formula("tanh", "1 − tanh({0})²", lambda v: 1 - np.tanh(v) ** 2),
    Formula("tanh, in terms of its output", "1 − {0}²", lambda v: 1 - v * v),
)


def hypotheses(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the cotangent times each formula at each tensor."""
    if only_cotangent(trial) is None:
        return
    for tensor in tensors(case, trial):
        called = "y" if tensor.name == "the output" else tensor.name
        where = ", where y is the output" if called == "y" else ""
        for formula in FORMULAS:
            written = formula.written.format(called)
            sentence = f"The gradient for {case.name(position)} is the cotangent times {written}{where}: "
            sentence += f"that is the derivative of {formula.of}."
            factor = Operand(written, partial(_values, formula=formula, at=tensor))
            gradient = partial(cotangent_times, factors=[factor])
            yield Hypothesis("derivative-of-another-function", sentence, gradient)


def _values(trial: Trial, formula: Formula, at: Operand) -> np.ndarray | None:
    value = at.value(trial)
    with np.errstate(all="ignore"):
        return None if value is None else formula.values(value)
