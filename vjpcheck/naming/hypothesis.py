"""Defines a hypothesis about a wrong gradient, and the parts that hypotheses are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from vjpcheck.arguments import Argument, differentiable
from vjpcheck.case import Arrays, Case, Trial
from vjpcheck.spec import PullbackOf
from vjpcheck.truth.native import Truth


class Hypothesis(NamedTuple):
    """A mistake, its sentence, and the gradient that it gives in a trial."""

    mistake: str
    sentence: str
    gradient: Callable[[Trial], np.ndarray | None]


class Operand(NamedTuple):
    """A tensor that backward can use: its name, and its value in a trial."""

    name: str
    value: Callable[[Trial], np.ndarray | None]


def tensors(case: Case, trial: Trial) -> Iterator[Operand]:
    """Yield the inputs with real entries, then the outputs."""
    for place in trial.sample.tensor_positions:
        yield Operand(case.name(place), lambda t, place=place: _input(t, place))  # type: ignore[misc]
    several = len(trial.sample.truth.outputs) > 1
    for index, _ in enumerate(trial.sample.truth.outputs):
        name = f"output {index}" if several else "the output"
        yield Operand(name, lambda t, index=index: _output(t, index))  # type: ignore[misc]


def _input(trial: Trial, place: int) -> np.ndarray | None:
    arguments = trial.sample.truth.arguments
    argument = arguments[place] if place < len(arguments) else None
    return argument if isinstance(argument, np.ndarray) and differentiable(argument) else None


def _output(trial: Trial, index: int) -> np.ndarray | None:
    outputs = trial.sample.truth.outputs
    return outputs[index] if outputs[index].dtype == np.float64 else None


def pulled(trial: Trial, cotangents: Arrays, position: int) -> np.ndarray | None:
    """Return the true gradient for other cotangents."""
    return trial.sample.truth.vjp(trial.requires, cotangents)[position]


def by_pullback(trial: Trial, pullback: PullbackOf, at: int) -> np.ndarray | None:
    """Return the gradient for an argument that another pullback gives, or None."""
    from vjpcheck.probe.torch_tensors import as_cotangents, as_tensors  # which import torch

    arguments = as_tensors(trial.sample.truth.arguments, trial.requires)
    gradient = pullback(arguments, as_cotangents(trial.cotangents))[at]
    return None if gradient is None else gradient.numpy(force=True)


def cotangent_times(trial: Trial, factors: Sequence[Operand]) -> np.ndarray | None:
    """Return the product of the only cotangent and some tensors."""
    product = only_cotangent(trial)
    for factor in factors:
        value = factor.value(trial)
        product = None if product is None or value is None else np.asarray(product * value)
    return product


def with_arguments(case: Case, trial: Trial, changed: dict[int, Argument]) -> Truth:
    """Return the truth for other values of some arguments."""
    arguments = [changed.get(place, argument) for place, argument in enumerate(trial.sample.truth.arguments)]
    return trial.sample.truth.at(arguments)


def dependence(case: Case, trial: Trial, position: int) -> np.ndarray:
    """Return which outputs depend on which entries of an argument, whatever its values in this trial.

    It has one row per output entry, like a Jacobian: it is computed for other values, none of which is 0.
    """
    steps = np.random.default_rng(0)
    changed: dict[int, Argument] = {
        place: steps.uniform(0.5, 1.5, np.asarray(trial.sample.truth.arguments[place]).shape)
        for place in trial.sample.tensor_positions
    }
    mask: np.ndarray = with_arguments(case, trial, changed).jacobian(position) != 0
    return mask


def only_cotangent(trial: Trial) -> np.ndarray | None:
    """Return the cotangent if only one output has one, else None."""
    cotangents = [cotangent for cotangent in trial.cotangents if cotangent is not None]
    return cotangents[0] if len(cotangents) == 1 and sum(trial.sample.truth.flows) == 1 else None


def replaced(trial: Trial, cotangent: np.ndarray) -> Arrays:
    """Return the trial's cotangents with its only cotangent replaced."""
    return [None if each is None else cotangent for each in trial.cotangents]


def spread_cotangent(trial: Trial, case: Case, at: int) -> np.ndarray | None:
    """Return for each entry of an argument the sum of the cotangents of the outputs that depend on it."""
    cotangent = only_cotangent(trial)
    if cotangent is None:
        return None
    reached = dependence(case, trial, at)
    return np.asarray(reached.T @ cotangent.ravel(), dtype=float).reshape(trial.truth(at).shape)
