"""Proposes wrong gradients that would be right for other cotangents: summed, cut off, exchanged, reversed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, permutations

import numpy as np

from vjpcheck.case import Case, Trial
from vjpcheck.naming.hypothesis import Hypothesis, axes_of, only_cotangent, pulled, replaced

ENDS = {0: "first", -1: "last"}


def hypotheses(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the gradients for changed cotangents."""
    name = case.name(position)
    if sum(trial.sample.truth.flows) > 1:
        yield from _of_several_outputs(trial, position, name)
        return
    cotangent = only_cotangent(trial)
    if cotangent is None:
        return
    axes = axes_of(cotangent.shape)
    for how, reduce in (("summed", np.sum), ("averaged", np.mean)):
        text = f"The gradient for {name} uses the cotangent {how} over all its entries."
        change = partial(_reduced, reduce=reduce, axes=None)
        yield Hypothesis("cotangent-summed", text, _changed(position, change))
        for count in range(1, len(axes)):
            for chosen in combinations(axes, count):
                text = f"The gradient for {name} uses the cotangent {how} along {_axes(chosen)}."
                for counted in _both_ways(chosen, cotangent.ndim):
                    change = partial(_reduced, reduce=reduce, axes=counted)
                    yield Hypothesis("cotangent-summed", text, _changed(position, change))
    for axis in axes:
        for index in (0, -1, 1):
            end = ENDS.get(index, f"no. {index}")
            text = f"Along axis {axis}, only the {end} output sends a gradient back to {name}."
            for (place,) in _both_ways((axis,), cotangent.ndim):
                change = partial(_kept, axis=place, index=index)
                yield Hypothesis("outputs-left-out", text, _changed(position, change))
        for index, end in ENDS.items():
            text = f"Along axis {axis}, the {end} output sends no gradient back to {name}."
            for (place,) in _both_ways((axis,), cotangent.ndim):
                change = partial(_left_out, axis=place, index=index)
                yield Hypothesis("outputs-left-out", text, _changed(position, change))
        text = f"The gradient for {name} would be right for a cotangent reversed along axis {axis}."
        yield Hypothesis("wrong-order", text, _changed(position, partial(np.flip, axis=axis)))


def _of_several_outputs(trial: Trial, position: int, name: str) -> Iterator[Hypothesis]:
    outputs = trial.sample.truth.outputs
    flowing = [index for index, flow in enumerate(trial.sample.truth.flows) if flow]
    for order in permutations(flowing):
        if list(order) != flowing and all(
            outputs[a].shape == outputs[b].shape for a, b in zip(order, flowing, strict=True)
        ):
            text = f"The gradient for {name} uses the cotangents of the outputs in the wrong order."
            yield Hypothesis(
                "cotangents-exchanged", text, partial(_exchanged, order=order, flowing=flowing, at=position)
            )
    if len({outputs[index].shape for index in flowing}) == 1:
        text = f"The gradient for {name} uses the sum of the outputs' cotangents for each output."
        for alone in (False, True):
            change = partial(_together, flowing=flowing, at=position, alone=alone)
            yield Hypothesis("cotangent-summed", text, change)
    for index in flowing:
        text = f"The term of the gradient for {name} from output {index} has the opposite sign."
        yield Hypothesis("wrong-sign-of-a-term", text, partial(_times, factors={index: -1.0}, at=position))
        text = f"The gradient for {name} lacks the term from output {index}."
        yield Hypothesis("outputs-left-out", text, partial(_times, factors={index: 0.0}, at=position))
        text = f"The gradient for {name} contains only the term from output {index}."
        others = dict.fromkeys(set(flowing) - {index}, 0.0)
        yield Hypothesis("outputs-left-out", text, partial(_times, factors=others, at=position))


def _exchanged(trial: Trial, order: tuple[int, ...], flowing: list[int], at: int) -> np.ndarray | None:
    cotangents = [*trial.cotangents]
    for place, other in zip(flowing, order, strict=True):
        cotangents[place] = trial.cotangents[other]
    return pulled(trial, cotangents, at)


def _together(trial: Trial, flowing: list[int], at: int, alone: bool) -> np.ndarray | None:
    """Return the gradient for the sum of the cotangents; with `alone`, a single cotangent stays as it is."""
    there = [trial.cotangents[i] for i in flowing if trial.cotangents[i] is not None]
    if alone and len(there) < len(flowing):
        return pulled(trial, trial.cotangents, at)
    total = np.sum(np.stack([c for c in there if c is not None]), axis=0)
    return pulled(trial, [total if i in flowing else c for i, c in enumerate(trial.cotangents)], at)


def _times(trial: Trial, factors: dict[int, float], at: int) -> np.ndarray | None:
    """Return the gradient with the cotangents of some outputs multiplied by a factor."""
    cotangents = [c if c is None else factors.get(i, 1.0) * c for i, c in enumerate(trial.cotangents)]
    return pulled(trial, cotangents, at)


def _changed(
    position: int, change: Callable[[np.ndarray], np.ndarray]
) -> Callable[[Trial], np.ndarray | None]:
    def gradient(trial: Trial) -> np.ndarray | None:
        cotangent = only_cotangent(trial)
        return None if cotangent is None else pulled(trial, replaced(trial, change(cotangent)), position)

    return gradient


def _reduced(
    cotangent: np.ndarray, reduce: Callable[..., np.ndarray], axes: tuple[int, ...] | None
) -> np.ndarray:
    if axes is not None and not all(_has(cotangent, axis) for axis in axes):
        return cotangent
    return np.broadcast_to(reduce(cotangent, axis=axes, keepdims=True), cotangent.shape).copy()


def _kept(cotangent: np.ndarray, axis: int, index: int) -> np.ndarray:
    return cotangent - _left_out(cotangent, axis, index) if _has(cotangent, axis) else cotangent


def _left_out(cotangent: np.ndarray, axis: int, index: int) -> np.ndarray:
    if not _has(cotangent, axis):
        return cotangent
    kept = cotangent.copy()
    np.moveaxis(kept, axis, 0)[index] = 0
    return kept


def _has(cotangent: np.ndarray, axis: int) -> bool:
    return -cotangent.ndim <= axis < cotangent.ndim


def _both_ways(chosen: tuple[int, ...], axes: int) -> Iterator[tuple[int, ...]]:
    """Yield the axes counted from the front and from the back; in other trials the two may differ."""
    yield chosen
    yield tuple(axis - axes for axis in chosen)


def _axes(chosen: tuple[int, ...]) -> str:
    return f"axis {chosen[0]}" if len(chosen) == 1 else f"axes {' and '.join(map(str, chosen))}"
