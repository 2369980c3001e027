"""Wrong gradients that are the true ones of other cotangents: summed, cut off, exchanged, turned round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, permutations

import numpy as np

from autograder.function.case import Case, Trial
from autograder.function.explain.hypothesis import Hypothesis, axes_of, only_cotangent, pulled, replaced

ENDS = {0: "first", -1: "last"}


def hypotheses(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield what may have been done to the cotangents."""
    name = case.name(position)
    if sum(trial.sample.truth.flows) > 1:
        yield from _of_several_outputs(trial, position, name)
        return
    cotangent = only_cotangent(trial)
    if cotangent is None:
        return
    axes = axes_of(cotangent.shape)
    for count in range(1, len(axes) + 1):
        for chosen in combinations(axes, count):
            along = f"along {_axes(chosen)}" if len(chosen) < len(axes) else "over all its entries"
            for how, reduce in (("summed", np.sum), ("averaged", np.mean)):
                told = f"The gradient for {name} is that of a cotangent {how} {along}."
                change = partial(_reduced, reduce=reduce, axes=chosen)
                yield Hypothesis("cotangent-summed", told, _changed(position, change))
    for axis in axes:
        for index in (0, -1, 1):
            end = ENDS.get(index, f"no. {index}")
            told = f"Of the outputs along axis {axis} only the {end} sends a gradient back to {name}."
            change = partial(_kept, axis=axis, index=index)
            yield Hypothesis("outputs-left-out", told, _changed(position, change))
        for index, end in ENDS.items():
            told = f"The {end} of the outputs along axis {axis} sends no gradient back to {name}."
            yield Hypothesis(
                "outputs-left-out", told, _changed(position, partial(_left_out, axis=axis, index=index))
            )
        told = f"The gradient for {name} is right for a cotangent turned round along axis {axis}."
        yield Hypothesis("wrong-order", told, _changed(position, partial(np.flip, axis=axis)))


def _of_several_outputs(trial: Trial, position: int, name: str) -> Iterator[Hypothesis]:
    outputs = trial.sample.truth.outputs
    flowing = [index for index, flow in enumerate(trial.sample.truth.flows) if flow]
    for order in permutations(flowing):
        if list(order) != flowing and all(
            outputs[a].shape == outputs[b].shape for a, b in zip(order, flowing, strict=True)
        ):
            told = f"The gradient for {name} takes the cotangents of the outputs for one another's."
            yield Hypothesis(
                "cotangents-exchanged", told, partial(_exchanged, order=order, flowing=flowing, at=position)
            )
    for index in flowing:
        told = f"What comes back to {name} by way of output {index} has the opposite sign."
        yield Hypothesis("wrong-sign", told, partial(_negated, index=index, at=position))


def _exchanged(trial: Trial, order: tuple[int, ...], flowing: list[int], at: int) -> np.ndarray | None:
    given = [*trial.cotangents]
    for place, other in zip(flowing, order, strict=True):
        given[place] = trial.cotangents[other]
    return pulled(trial, given, at)


def _negated(trial: Trial, index: int, at: int) -> np.ndarray | None:
    given = [-c if i == index and c is not None else c for i, c in enumerate(trial.cotangents)]
    return pulled(trial, given, at)


def _changed(
    position: int, change: Callable[[np.ndarray], np.ndarray]
) -> Callable[[Trial], np.ndarray | None]:
    def gradient(trial: Trial) -> np.ndarray | None:
        cotangent = only_cotangent(trial)
        return None if cotangent is None else pulled(trial, replaced(trial, change(cotangent)), position)

    return gradient


def _reduced(cotangent: np.ndarray, reduce: Callable[..., np.ndarray], axes: tuple[int, ...]) -> np.ndarray:
    if max(axes) >= cotangent.ndim:
        return cotangent
    return np.broadcast_to(reduce(cotangent, axis=axes, keepdims=True), cotangent.shape).copy()


def _kept(cotangent: np.ndarray, axis: int, index: int) -> np.ndarray:
    kept = np.zeros_like(cotangent)
    place = (slice(None),) * axis + (index,)
    kept[place] = cotangent[place]
    return kept


def _left_out(cotangent: np.ndarray, axis: int, index: int) -> np.ndarray:
    kept = cotangent.copy()
    kept[(slice(None),) * axis + (index,)] = 0
    return kept


def _axes(chosen: tuple[int, ...]) -> str:
    return f"axis {chosen[0]}" if len(chosen) == 1 else f"axes {' and '.join(map(str, chosen))}"
