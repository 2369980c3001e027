"""Proposes wrong gradients that would be right for other arguments: exchanged tensors, numbers, axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations, product

import numpy as np

from vjpcheck.arguments import Argument
from vjpcheck.case import Case, Trial
from vjpcheck.naming.hypothesis import (
    Hypothesis,
    Operand,
    dependence,
    only_cotangent,
    spread_cotangent,
    tensors,
    with_arguments,
)
from vjpcheck.numbers import apart, close

Change = Callable[[Trial], dict[int, Argument] | None]


def hypotheses(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the gradients with one argument exchanged for another value."""
    name = case.name(position)
    at_hand = list(tensors(case, trial))
    for place in trial.sample.tensor_positions:
        of = case.name(place)
        for other in at_hand:
            if other.name != of:
                text = f"The gradient for {name} would be right with {other.name} instead of {of}."
                yield _hypothesis("wrong-operand", text, case, position, partial(_tensor, place, other))
        if place != position:
            text = f"The gradient for {name} would be right if all entries of {of} were 1."
            yield _hypothesis("missing-factor", text, case, position, partial(_ones, place))
            shape = np.shape(np.asarray(trial.sample.arguments[place]))
            how = "as it is" if shape[-2:] == shape[-2:][::-1] else "reshaped"
            text = f"The gradient for {name} takes {of} {how} where it must be transposed."
            yield _hypothesis("missing-transpose", text, case, position, partial(_reshaped, place))
    for place, argument in enumerate(trial.sample.truth.arguments):
        if isinstance(argument, (bool, int, float)):
            mistake = _another_number(case, trial, position, place)
            for number, change in _numbers(case.name(place)):
                text = f"The gradient for {name} would be right with {number} instead of {case.name(place)}."
                yield _hypothesis(mistake, text, case, position, partial(_number, place, change))
    yield from numbers_exchanged(case, trial, position)
    yield from _other_axes(case, trial, position)


def numbers_exchanged(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the gradients with one number in place of another."""
    places = [p for p, a in enumerate(trial.sample.truth.arguments) if isinstance(a, (int, float))]
    for place, other in permutations(places, 2):
        text = f"The gradient for {case.name(position)} would be right with {case.name(other)} instead of "
        text += f"{case.name(place)}."
        yield _hypothesis("wrong-operand", text, case, position, partial(_of_another, place, other))


def _another_number(case: Case, trial: Trial, position: int, place: int) -> str:
    """Return the mistake of a wrong number: it may be a factor of the gradient, or select blocked entries."""
    count = not any(isinstance(sample.arguments[place], float) for sample in case.samples)
    try:
        once, twice = (
            with_arguments(case, trial, {place: number}).vjp(trial.requires, trial.cotangents)[position]
            for number in ((1, 2) if count else (1.0, 2.0))
        )
    except Exception:  # the truth may refuse other arguments
        return "wrong-operand"
    if once is None or twice is None or not once.any():
        return "wrong-operand"
    if not count:
        return "wrong-factor" if close(twice, 2 * once) else "wrong-operand"
    differ = apart(once, twice)
    return "wrong-mask" if differ.any() and not (once * twice)[differ].any() else "wrong-operand"


def _of_another(place: int, other: int, trial: Trial) -> dict[int, Argument] | None:
    arguments = trial.sample.truth.arguments
    return {place: arguments[other]} if other < len(arguments) else None


def _numbers(name: str) -> Iterator[tuple[str, Callable[[float], float]]]:
    for value in (1, 2, 0):
        yield str(value), lambda _, value=value: value  # type: ignore[misc]
    yield f"{name} + 1", lambda v: v + 1
    yield f"{name} − 1", lambda v: v - 1
    yield f"−{name}", lambda v: -v
    yield f"1/{name}", lambda v: 1 / v
    yield f"the whole part of {name}", lambda v: int(v)
    yield f"{name}, rounded,", lambda v: round(v)
    yield f"1 where {name} is 0, or {name} elsewhere,", lambda v: v or 1
    yield f"−1 where {name} is 0, or {name} elsewhere,", lambda v: v or -1
    for power in range(1, 17):  # a constant eps of backward
        yield f"{10.0**-power:g}", lambda _, power=power: 10.0**-power  # type: ignore[misc]


def _number(place: int, change: Callable[[float], float], trial: Trial) -> dict[int, Argument] | None:
    arguments = trial.sample.truth.arguments
    value = arguments[place] if place < len(arguments) else None
    return {place: change(value)} if isinstance(value, (bool, int, float)) else None


def _tensor(place: int, other: Operand, trial: Trial) -> dict[int, Argument] | None:
    own, value = trial.sample.truth.arguments[place], other.value(trial)
    same = isinstance(own, np.ndarray) and value is not None and own.shape == value.shape
    return {place: value} if same else None


def _ones(place: int, trial: Trial) -> dict[int, Argument] | None:
    own = trial.sample.truth.arguments[place]
    return {place: np.ones_like(own)} if isinstance(own, np.ndarray) else None


def _reshaped(place: int, trial: Trial) -> dict[int, Argument] | None:
    """Return the matrix whose transpose has the numbers of the argument in memory order."""
    own = trial.sample.truth.arguments[place]
    if not isinstance(own, np.ndarray) or own.ndim < 2:
        return None
    return {place: own.reshape(*own.shape[:-2], own.shape[-1], own.shape[-2]).swapaxes(-1, -2).copy()}


def _hypothesis(mistake: str, text: str, case: Case, position: int, change: Change) -> Hypothesis:
    def gradient(trial: Trial) -> np.ndarray | None:
        changed = change(trial)
        if changed is None:
            return None
        return with_arguments(case, trial, changed).vjp(trial.requires, trial.cotangents)[position]

    return Hypothesis(mistake, text, gradient)


def _other_axes(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the gradients of forward along another axis, for an input with two or more axes."""
    argument = trial.sample.truth.arguments[position]
    if not isinstance(argument, np.ndarray) or only_cotangent(trial) is None:
        return
    for one in range(argument.ndim):
        for other in range(one):
            text = f"The gradient for {case.name(position)} uses a different axis than forward."
            for a, b in product((one, one - argument.ndim), (other, other - argument.ndim)):
                yield Hypothesis("wrong-axis", text, partial(_turned, case=case, at=position, one=a, other=b))
    for place, number in enumerate(trial.sample.truth.arguments):
        if isinstance(number, bool) or not isinstance(number, int):
            continue
        for clause, axis in _axes(case.name(place)):
            text = f"The gradient for {case.name(position)} {clause}."
            yield Hypothesis(
                "wrong-axis", text, partial(_along, case=case, at=position, place=place, axis=axis)
            )


def _axes(name: str) -> Iterator[tuple[str, Callable[[int], int]]]:
    for axis in (-1, 0, 1):
        yield f"always uses axis {axis}; {name} is ignored", lambda _, axis=axis: axis  # type: ignore[misc]
    yield f"uses the axis before {name}", lambda dim: dim - 1
    yield f"uses the axis after {name}", lambda dim: dim + 1


def _turned(trial: Trial, case: Case, at: int, one: int, other: int) -> np.ndarray | None:
    """Return the gradient with two axes of the input swapped before forward and swapped back after it.

    If forward removes the axis, each input entry affects one output. Then the cotangent goes back along the
    right axis, and only the derivative uses the other axis.
    """
    argument, cotangent = trial.sample.truth.arguments[at], only_cotangent(trial)
    if not isinstance(argument, np.ndarray) or cotangent is None or argument.ndim < 2:
        return None
    truth = with_arguments(case, trial, {at: argument.swapaxes(one, other).copy()})
    if cotangent.shape == argument.shape:
        cotangents: list[np.ndarray | None] = [cotangent.swapaxes(one, other).copy()]
        gradient = truth.vjp(trial.requires, cotangents)[at]
        return None if gradient is None else gradient.swapaxes(one, other)
    slopes = truth.vjp(trial.requires, [np.ones_like(truth.outputs[0])])[at]
    return None if slopes is None else _spread(case, trial, at, slopes.swapaxes(one, other))


def _along(trial: Trial, case: Case, at: int, place: int, axis: Callable[[int], int]) -> np.ndarray | None:
    """Return the gradient whose cotangent goes back correctly, but whose derivative uses this axis."""
    cotangent, dim = only_cotangent(trial), trial.sample.truth.arguments[place]
    if cotangent is None or cotangent.shape == trial.truth(at).shape or not isinstance(dim, int):
        return None
    truth = with_arguments(case, trial, {place: axis(dim)})
    slopes = truth.vjp(trial.requires, [np.ones_like(truth.outputs[0])])[at]
    return None if slopes is None else _spread(case, trial, at, slopes)


def _spread(case: Case, trial: Trial, at: int, slopes: np.ndarray) -> np.ndarray | None:
    spread = spread_cotangent(trial, case, at)
    each_once = (dependence(case, trial, at).sum(axis=0) == 1).all()
    return spread * slopes if spread is not None and each_once else None
