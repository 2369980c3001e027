"""What a wrong Jacobian looks like beside the true one: rows are outputs, columns are inputs."""

from __future__ import annotations

import numpy as np

from autograder.function.numbers import close


def only_diagonal(observed: np.ndarray, true: np.ndarray) -> bool:
    """Return whether the diagonal is right and everything off it, which should not be zero, is."""
    diagonal = np.diag(np.diag(true)) if _square(true) else true
    return not close(diagonal, true) and close(observed, diagonal)


def without_normaliser(observed: np.ndarray, true: np.ndarray) -> bool:
    """Return whether a quantity that a group of outputs share was taken for a constant.

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
    """Return whether of several contributions to one input the last written is there, and the others are not.

    Loops run up or down, and a kernel's entries against the outputs: what is kept is the last or the first
    output that the input reaches. The first row alone, for every input, is no sign of overwriting.
    """
    if observed.shape != true.shape:
        return False
    tolerance = 1e-7 * max(1.0, float(np.abs(true).max(initial=0.0)))
    there, reached = np.abs(observed) > tolerance, np.abs(true) > tolerance
    kept, lost = there & reached, reached & ~there
    if not lost.any() or not np.allclose(observed, np.where(there, true, 0), rtol=1e-7, atol=tolerance):
        return False
    touched = lost.any(axis=0)
    size, columns = len(true), np.flatnonzero(touched)
    first = reached[:, touched].argmax(axis=0)
    last = size - 1 - reached[::-1, touched].argmax(axis=0)
    mixed = (kept.any(axis=1) & lost.any(axis=1)).any()
    return bool(kept[last, columns].all() or (mixed and kept[first, columns].all()))


def permuted_twice(observed: np.ndarray, true: np.ndarray) -> bool:
    """Return whether forward permutes entries and backward permutes them once more, instead of back."""
    counts = [(true != 0).sum(axis=axis) for axis in (0, 1)]
    if not _square(true) or any((count != 1).any() for count in counts):
        return False
    return close(observed, true.T)


def _square(matrix: np.ndarray) -> bool:
    rows, columns = matrix.shape
    return bool(rows == columns)
