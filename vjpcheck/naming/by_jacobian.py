"""Names a mistake by comparing the wrong Jacobian with the true one.

Rows are the elements of the output, columns those of the input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vjpcheck.naming.altered_arguments import numbers_exchanged
from vjpcheck.naming.by_hypothesis import first_that_holds
from vjpcheck.naming.by_substitution import input_for_output, output_for_input
from vjpcheck.naming.evidence import Evidence
from vjpcheck.numbers import apart, close, near, ratio

ALMOST_ONE = 1e-3


def _diagonal(e: Evidence) -> str:
    fits = e.shapes[0] == e.shapes[1] and only_diagonal(e.observed, e.true)
    return f"The Jacobian for {e.name} is right on its diagonal but zero off the diagonal." if fits else ""


def _normaliser(e: Evidence) -> str:
    fits = e.shapes[0] == e.shapes[1] and without_normaliser(e.observed, e.true)
    return f"The Jacobian for {e.name} treats the normaliser of forward as a constant." if fits else ""


def _overwritten(e: Evidence) -> str:
    if not overwritten(e.observed, e.true):
        return ""
    return f"Only one of several contributions to an entry of {e.name} is counted. {e.measured}"


def _one_output_only(e: Evidence) -> str:
    """Look for a gradient from only one output, although several outputs depend on the input."""
    given = [index for index, cotangent in enumerate(e.trial.cotangents) if cotangent is not None]
    found = e.trial.answer["gradients"][e.position]
    for kept in given if len(given) > 1 and found is not None else []:
        alone = [c if index == kept else None for index, c in enumerate(e.trial.cotangents)]
        truth = e.sample.truth.vjp(e.trial.requires, alone)[e.position]
        if truth is not None and truth.any() and found is not None and close(found, truth):
            return f"The gradient for {e.name} contains only the term from output {kept}."
    return ""


def _permutation(e: Evidence) -> str:
    if not permuted_twice(e.observed, e.true):
        return ""
    return f"backward applies the permutation of forward again; it should apply the inverse. {e.measured}"


def _turned(e: Evidence) -> str:
    """Look for the transpose of a square gradient, as where an axis is told by its size."""
    turned = e.truth.ndim == 2 and _square(e.truth) and close(e.found, e.truth.T)
    return (
        f"The gradient for {e.name} is the transpose of the true one; its two axes have one size."
        if turned
        else ""
    )


def _broadcast_along_the_other_axis(e: Evidence) -> str:
    alike = any((e.truth == e.truth.take([0], axis)).all() for axis in range(e.truth.ndim))
    return (
        f"The cotangent is repeated along another axis than forward summed. {_turned(e)}"
        if alike and _turned(e)
        else ""
    )


def _output_for_input(e: Evidence) -> str:
    fits = output_for_input(e.sample, e.observed, e.output)
    return f"The derivative is evaluated at the output instead of at {e.name}." if fits else ""


def _input_for_output(e: Evidence) -> str:
    fits = input_for_output(e.sample, e.observed)
    return f"The formula needs the output but uses {e.name}." if fits else ""


def _sign(e: Evidence) -> str:
    """Look for the opposite sign in all entries; the hypotheses cover one of several outputs."""
    opposite = close(e.observed, -e.true) and close(e.found, -e.truth)
    return f"The gradient for {e.name} has the opposite sign." if opposite else ""


def _mean(e: Evidence) -> str:
    """Look for a division by the number of entries along the same axes in every sample that has them."""
    ratios = e.ratios

    def divides(name: str) -> bool:
        shown = False
        for found, counts in ratios:
            count = counts.get(name, 1)
            # where one output alone depends on an entry, a mean over the outputs is the sum
            whole = "nothing adds up" in counts and found is not None and abs(found - 1) < 1e-6
            if found is not None and abs(found * count - 1) < 1e-6:
                shown = shown or count > 1
            elif not whole:
                return False
        return shown

    times = ratio(e.observed, e.true)
    if not times or not any(divides(name) for _, counts in ratios for name in counts):
        return ""
    return f"The gradient for {e.name} is 1/{1 / times:.4g} of the true one."


def _factor(e: Evidence) -> str:
    everywhere = all(found is not None for found, _ in e.ratios)
    times = ratio(e.observed, e.true) if everywhere else None
    if times and abs(times - 1) < ALMOST_ONE:
        return ""  # the digits will be said
    if times and _varies([found for found, _ in e.ratios if found]):
        exchanged = numbers_exchanged(e.case, e.trial, e.position)
        if first_that_holds(exchanged, e.case, e.trial, e.position):
            return ""  # the factor is that between two arguments, and this will be said
    return f"The gradient for {e.name} is {times:.4g} times the true one." if times else ""


def _varies(ratios: Sequence[float]) -> bool:
    return max(ratios) - min(ratios) > 1e-6 * max(map(abs, ratios))


def _mask(e: Evidence) -> str:
    leaking, never = _leaks(e)
    if not leaking.any() or (never & ~leaking).any() or _blocks_elsewhere(e):
        return ""
    return f"Entries of {e.name} receive a gradient although no output depends on them."


def _leaky_mask(e: Evidence) -> str:
    leaking, never = _leaks(e)
    if not leaking.any():
        return ""
    return (
        f"No output depends on {int(never.sum())} entries of {e.name}, "
        f"but {int(leaking.sum())} of them receive a gradient."
    )


def _leaks(e: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """Return which entries receive a gradient and should not, all else being right, and all such entries."""
    zero = e.true == 0
    never = zero.all(axis=0)
    right = close(np.where(zero, 0, e.observed), e.true) and not (zero.all() and not _blocks_some(e))
    leaking = never & (e.observed != 0).any(axis=0)
    return leaking if right else np.zeros_like(leaking), never


def _blocks_elsewhere(e: Evidence) -> bool:
    """Return whether in another sample an entry that no output depends on receives no gradient."""
    for trial in e.case.trials:
        cotangents = [cotangent for cotangent in trial.cotangents if cotangent is not None]
        if trial.complete and "error" not in trial.answer and all(c.all() for c in cotangents):
            never = ~trial.sample.truth.jacobian(e.position, e.output).any(axis=0)
            if (trial.gradient(e.position).ravel()[never] == 0).any():
                return True
    return False


def _blocks_some(e: Evidence) -> bool:
    """Return whether in some sample no output depends on some entries of the input, but on others."""
    samples = [sample for sample in e.case.samples if e.position in sample.tensor_positions]
    shut = [~sample.truth.jacobian(e.position, e.output).any(axis=0) for sample in samples]
    return any(columns.any() and not columns.all() for columns in shut)


def _sign_in_places(e: Evidence) -> str:
    if not close(np.abs(e.observed), np.abs(e.true)) or close(e.observed, -e.true):
        return ""
    if close(e.observed, np.abs(e.true)):
        return f"The gradient for {e.name} is the absolute value of the true one."
    wrong = apart(e.observed, e.true)
    count, entries = int(wrong.sum()), int((e.true != 0).sum())
    return f"The Jacobian for {e.name} has the wrong sign in {count} of its {entries} nonzero entries."


def _wrong_mask(e: Evidence) -> str:
    """Look for input entries that forward passes and backward blocks, while all others are right."""
    blocked, open_ = ~e.observed.any(axis=0), e.true.any(axis=0)
    shut = blocked & open_
    # what passes where forward blocks may have any value; what both let through is right
    both = ~blocked & open_
    leaking = ~blocked & ~open_
    if not shut.any() or not ((both | leaking).any() or _zeros_are_blocked(e, shut)):
        return ""
    elementwise = e.shapes[0] == e.shapes[1] and close(np.diag(np.diag(e.true)), e.true)
    if not elementwise or not close(e.observed[:, both], e.true[:, both]):
        return ""
    place = [int(i) for i in np.unravel_index(int(np.argmax(shut)), e.shapes[1])]
    leaks = " and passes others that it should block" if leaking.any() else ""
    return f"An output depends on {e.name}{place}, but backward blocks its gradient{leaks}."


def _zeros_are_blocked(e: Evidence, shut: object) -> bool:
    """Return whether only zeros are shut, and in another trial the gradient arrives and is right."""
    if np.asarray(e.trial.sample.arguments[e.position]).ravel()[np.asarray(shut)].any():
        return False
    tried = [trial for trial in e.case.trials if trial.asks(e.position) and "error" not in trial.answer]
    return any(
        trial.truth(e.position).any() and close(trial.gradient(e.position), trial.truth(e.position))
        for trial in tried
    )


def blocked(e: Evidence) -> str:
    """Look for input entries that get no gradient although outputs depend on them, all others being right."""
    shut = ~e.observed.any(axis=0) & e.true.any(axis=0)
    if not shut.any() or shut.all() or not close(e.observed[:, ~shut], e.true[:, ~shut]):
        return ""
    place = [int(i) for i in np.unravel_index(int(np.argmax(shut)), e.shapes[1])]
    return (
        f"{int(shut.sum())} of {shut.size} entries of {e.name} receive no gradient, such as {e.name}{place}."
    )


def of_another_function(e: Evidence) -> str:
    """Look for a cotangent that is multiplied, entry by entry, by what is nowhere the derivative."""
    if e.case.spec.pullback is not None or not _multiplied_by_others(e):
        return ""
    return f"Each cotangent is multiplied by a number, but nowhere by the derivative. {e.measured}"


def by_a_factor(e: Evidence) -> str:
    """Look for a cotangent that is multiplied by various numbers where all should have one factor."""
    factors = e.true[e.true != 0]
    if not _multiplied_by_others(e) or apart(factors, np.full_like(factors, factors[0])).any():
        return ""
    return f"Each cotangent is multiplied by a number of its own. {e.measured}"


def _multiplied_by_others(e: Evidence) -> bool:
    """Return whether each input entry belongs to one output, and is multiplied by another number."""
    there = e.true != 0
    one_output = bool((there.sum(axis=0) == 1).all()) and there.shape[1] > 1
    same_places = one_output and bool(((e.observed != 0) == there).all())
    return same_places and bool(apart(e.observed[there], e.true[there]).all())


def _added_up(e: Evidence) -> str:
    """Look for cotangents of other outputs that all come back with one factor, where each has its own."""
    if e.shapes[0] != e.shapes[1] or not _square(e.true):
        return ""
    groups = [group for group in _groups(e.true) if len(group) > 2]
    within = np.zeros(e.true.shape, dtype=bool)
    for group in groups:
        within[np.ix_(group, group)] = True
    if not groups or e.observed[~within].any():
        return ""
    if not all(_one_factor(e.observed, g) and not _one_factor(e.true, g) for g in groups):
        return ""
    return f"The cotangents of the other outputs are added up before they are multiplied. {e.measured}"


def _one_factor(jacobian: np.ndarray, group: np.ndarray) -> bool:
    """Return whether in each column of a group all entries off the diagonal are one number, and not 0."""
    part = jacobian[np.ix_(group, group)]
    columns = np.array([np.delete(part[:, j], j) for j in range(len(part))])
    return bool(columns.all()) and close(columns, np.broadcast_to(columns[:, :1], columns.shape))


def _along_another_axis(e: Evidence) -> str:
    """Look for entries that the Jacobian connects along another axis than forward does."""
    if e.shapes[0] != e.shapes[1]:
        return ""
    true, observed = (connected_axes(j, e.shapes[0]) for j in (e.true, e.observed))
    if len(true) != 1 or len(observed) != 1 or true == observed:
        return ""
    return (
        f"forward combines entries of {e.name} along axis {next(iter(true))}, "
        f"but backward along axis {next(iter(observed))}."
    )


def connected_axes(jacobian: np.ndarray, shape: tuple[int, ...]) -> set[int]:
    """Return the axes in which an output and an input that it depends on have different indices."""
    rows, columns = np.nonzero(jacobian)
    places = zip(np.unravel_index(rows, shape), np.unravel_index(columns, shape), strict=True)
    return {axis for axis, (one, other) in enumerate(places) if (one != other).any()}


def only_diagonal(observed: np.ndarray, true: np.ndarray) -> bool:
    """Return whether the diagonal is right and all other entries are zero although they should not be."""
    diagonal = np.diag(np.diag(true)) if _square(true) else true
    return not close(diagonal, true) and close(observed, diagonal)


def without_normaliser(observed: np.ndarray, true: np.ndarray) -> bool:
    """Return whether a quantity that a group of outputs share was treated as a constant.

    y_i = f(x_i, s) with s computed from all x_j of the group has ∂y_i/∂x_j = f_x δ_ij + f_s ∂s/∂x_j.
    Without the second term the Jacobian is diagonal, and what it lacks is, in each group, as low in rank as
    s has parts (softmax and norms one, layer_norm two), with no zeros in it.
    """
    if not _square(true) or not np.diag(observed).all() or not close(np.diag(np.diag(observed)), observed):
        return False
    groups = _groups(true)
    return sum(map(len, groups)) == len(true) and all(
        _lacks_few_terms((observed - true)[np.ix_(group, group)]) for group in groups
    )


def _lacks_few_terms(difference: np.ndarray) -> bool:
    scale = np.abs(difference).max()
    if len(difference) < 3 or not (np.abs(difference) > 1e-9 * scale).all():
        return False
    rank = int(np.linalg.matrix_rank(difference, tol=1e-8 * scale * len(difference)))
    return rank <= min(2, len(difference) - 2)


def _groups(true: np.ndarray) -> list[np.ndarray]:
    """Return the sets of indices that the Jacobian connects with one another, if each is fully connected."""
    patterns = {tuple(row) for row in (true != 0)}
    return [np.flatnonzero(pattern) for pattern in patterns]


def overwritten(observed: np.ndarray, true: np.ndarray) -> bool:
    """Return whether only the last of several contributions to one input is present.

    Loops run up or down, and a kernel's entries against the outputs: what is kept is the last or the first
    output that the input reaches. The first row alone, for every input, is no sign of overwriting.
    """
    if observed.shape != true.shape:
        return False
    tolerance = 1e-7 * max(1.0, float(np.abs(true).max(initial=0.0)))
    there, reached = np.abs(observed) > tolerance, np.abs(true) > tolerance
    kept, lost = there & reached, reached & ~there
    if not lost.any() or not near(observed, np.where(there, true, 0), 1e-7, tolerance):
        return False
    touched = lost.any(axis=0)
    size, columns = len(true), np.flatnonzero(touched)
    first = reached[:, touched].argmax(axis=0)
    last = size - 1 - reached[::-1, touched].argmax(axis=0)
    mixed = (kept.any(axis=1) & lost.any(axis=1)).any()
    return bool(kept[last, columns].all() or (mixed and kept[first, columns].all()))


def permuted_twice(observed: np.ndarray, true: np.ndarray) -> bool:
    """Return whether forward permutes entries and backward applies the same permutation again."""
    counts = [(true != 0).sum(axis=axis) for axis in (0, 1)]
    if not _square(true) or any((count != 1).any() for count in counts):
        return False
    return close(observed, true.T)


def _square(matrix: np.ndarray) -> bool:
    rows, columns = matrix.shape
    return bool(rows == columns)


# a mistake's id (None if it has no name), and the test that returns a sentence, or nothing
BY_JACOBIAN: list[tuple[str | None, Callable[[Evidence], str]]] = [
    ("wrong-sign", _sign),
    ("mean-instead-of-sum", _mean),
    ("wrong-factor", _factor),
    ("missing-mask", _mask),
    ("diagonal-only", _diagonal),
    ("missing-normaliser-term", _normaliser),
    ("inverse-permutation", _permutation),
    ("overwrites-instead-of-accumulates", _overwritten),
    ("outputs-left-out", _one_output_only),
    ("output-for-input", _output_for_input),
    ("input-for-output", _input_for_output),
    ("wrong-sign-in-places", _sign_in_places),
    ("wrong-mask", _wrong_mask),
    ("wrong-mask", _leaky_mask),
    ("wrong-axis", _along_another_axis),
    ("cotangent-summed", _added_up),
    ("expanded-wrong-axis", _broadcast_along_the_other_axis),
    ("missing-transpose", _turned),
]
