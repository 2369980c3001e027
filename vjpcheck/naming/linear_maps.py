"""Proposes wrong gradients that a linear map of the cotangents gives, or one of the true gradient."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations, permutations

import numpy as np

from vjpcheck.case import Case, Trial
from vjpcheck.naming.hypothesis import Hypothesis, only_cotangent, pulled, replaced

Matrix = Callable[[int], np.ndarray]  # from the size of an axis to a square matrix
Axes = Callable[[int], Iterable[int]]  # from a number of axes to some of them

REDUCTIONS: dict[str, Matrix] = {
    "summed": lambda size: np.ones((size, size)),
    "averaged": lambda size: np.full((size, size), 1 / size),
}
LEFT_OUT: dict[str, Matrix] = {
    "only the first output sends a gradient back": lambda size: _only(size, 0),
    "only the last output sends a gradient back": lambda size: _only(size, -1),
    "only the no. 1 output sends a gradient back": lambda size: _only(size, 1),
    "the first output sends no gradient back": lambda size: np.eye(size) - _only(size, 0),
    "the last output sends no gradient back": lambda size: np.eye(size) - _only(size, -1),
}


def hypotheses(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the gradients for mapped cotangents, then the mapped gradient."""
    name, cotangent = case.name(position), only_cotangent(trial)
    if cotangent is not None:
        yield from _of_one_output(cotangent, position, name)
    elif sum(trial.sample.truth.flows) > 1:
        yield from _of_several_outputs(trial, position, name)
    for how, matrix in REDUCTIONS.items():
        for along, axes in _choices(trial.truth(position).shape):
            text = (
                f"The gradient for {name} is {how} {along}, so that all of these entries get the same number."
            )
            yield Hypothesis("gradient-summed", text, partial(_behind, at=position, axes=axes, matrix=matrix))
    text = f"The gradient for {name} is the cotangent times the sum of the derivatives of all entries."
    yield Hypothesis("gradient-summed", text, partial(_summed_slopes, at=position))


def _of_one_output(cotangent: np.ndarray, position: int, name: str) -> Iterator[Hypothesis]:
    for how, matrix in REDUCTIONS.items():
        for along, axes in _choices(cotangent.shape):
            text = f"The gradient for {name} uses the cotangent {how} {along}."
            change = partial(_before, at=position, axes=axes, matrix=matrix)
            yield Hypothesis("cotangent-summed", text, change)
    for along, axes in _some_axes(cotangent.shape, 1):
        for clause, matrix in LEFT_OUT.items():
            text = f"{along.capitalize()}, {clause} to {name}."
            change = partial(_before, at=position, axes=axes, matrix=matrix)
            yield Hypothesis("outputs-left-out", text, change)
        text = f"The gradient for {name} would be right for a cotangent reversed {along}."
        change = partial(_before, at=position, axes=axes, matrix=lambda size: np.eye(size)[::-1])
        yield Hypothesis("wrong-order", text, change)


def _of_several_outputs(trial: Trial, position: int, name: str) -> Iterator[Hypothesis]:
    def mixed(mistake: str, sentence: str, matrix: np.ndarray, all_used: bool = False) -> Hypothesis:
        gradient = partial(_mixed, at=position, matrix=matrix, all_used=all_used)
        return Hypothesis(mistake, sentence, gradient)

    flows, for_x = trial.sample.truth.flows, f"The gradient for {name}"
    flowing, same = [index for index, flow in enumerate(flows) if flow], np.eye(len(flows))
    shapes = [trial.sample.truth.outputs[index].shape for index in flowing]
    text = f"{for_x} uses the cotangents of the outputs in the wrong order."
    for order in permutations(range(len(flowing))):
        if [*order] != [*range(len(flowing))] and [shapes[place] for place in order] == shapes:
            matrix = same.copy()
            matrix[flowing] = same[[flowing[place] for place in order]]
            yield mixed("cotangents-exchanged", text, matrix)
    if len({*shapes}) == 1:
        text = f"{for_x} uses the sum of the outputs' cotangents for each output."
        for all_used in (False, True):
            yield mixed("cotangent-summed", text, np.outer(flows, flows).astype(float), all_used)
    for index in flowing:
        alone, term = _only(len(flows), index), f"from output {index}"
        text = f"The term of the gradient for {name} {term} has the opposite sign."
        yield mixed("wrong-sign-of-a-term", text, same - 2 * alone)
        yield mixed("outputs-left-out", f"{for_x} lacks the term {term}.", same - alone)
        yield mixed("outputs-left-out", f"{for_x} contains only the term {term}.", alone)


def _choices(shape: tuple[int, ...]) -> Iterator[tuple[str, Axes]]:
    """Yield choices of the axes of an array, and each in words; in another trial it may have fewer axes."""
    longer = sum(size > 1 for size in shape)
    yield "over all its entries", range
    for count in range(1, longer):
        yield from _some_axes(shape, count)
    for kept in (2, 1) if len(shape) > 2 else ():  # a stack of matrices, of vectors
        yield f"along all but the last {kept} axes", lambda axes, kept=kept: range(axes - kept)  # type: ignore[misc]


def _some_axes(shape: tuple[int, ...], count: int) -> Iterator[tuple[str, Axes]]:
    """Yield every choice of so many axes longer than 1, counted from the front and from the back."""
    for chosen in combinations([axis for axis, size in enumerate(shape) if size > 1], count):
        words = f"axis {chosen[0]}" if count == 1 else f"axes {' and '.join(map(str, chosen))}"
        for counted in (chosen, [axis - len(shape) for axis in chosen]):
            yield f"along {words}", lambda axes, counted=counted: [a for a in counted if -axes <= a < axes]  # type: ignore[misc]


def _only(size: int, index: int) -> np.ndarray:
    """Return the matrix that keeps one entry and sets the others to 0."""
    kept = np.zeros((size, size))
    kept[index, index] = 1
    return kept


def _mapped(array: np.ndarray, axes: Axes, matrix: Matrix) -> np.ndarray:
    """Return the array with a matrix applied along each of some axes."""
    for axis in axes(array.ndim):
        array = np.moveaxis(np.tensordot(matrix(array.shape[axis]), array, (1, axis)), 0, axis)
    return array


def _before(trial: Trial, at: int, axes: Axes, matrix: Matrix) -> np.ndarray | None:
    cotangent = only_cotangent(trial)
    return None if cotangent is None else pulled(trial, replaced(trial, _mapped(cotangent, axes, matrix)), at)


def _behind(trial: Trial, at: int, axes: Axes, matrix: Matrix) -> np.ndarray:
    return _mapped(trial.truth(at), axes, matrix)


def _summed_slopes(trial: Trial, at: int) -> np.ndarray | None:
    cotangent = only_cotangent(trial)
    if cotangent is None or cotangent.shape != trial.truth(at).shape:
        return None
    slopes = pulled(trial, replaced(trial, np.ones_like(cotangent)), at)
    return None if slopes is None else cotangent * slopes.sum()


def _mixed(trial: Trial, at: int, matrix: np.ndarray, all_used: bool) -> np.ndarray | None:
    """Return the gradient with the cotangent of each output replaced by a combination of all of them.

    With `all_used` they are combined only if every output is used.
    """
    there = [(place, c) for place, c in enumerate(trial.cotangents) if c is not None]
    if all_used and len(there) < sum(trial.sample.truth.flows):
        return trial.truth(at)
    terms = [
        [row[place] * c for place, c in there if row[place] or place == output]
        for output, row in enumerate(matrix)
    ]
    return pulled(trial, [np.sum(each, axis=0) if each else None for each in terms], at)
