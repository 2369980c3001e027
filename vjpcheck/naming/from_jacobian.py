"""Names a mistake from the Jacobian of backward or jvp, by comparison with known wrong Jacobians.

Rows are the elements of the output, columns are the elements of the input.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from vjpcheck.case import Sample
from vjpcheck.naming.altered_arguments import numbers_exchanged
from vjpcheck.naming.evidence import Evidence
from vjpcheck.naming.from_hypothesis import first_that_holds
from vjpcheck.naming.substitution import at_the_input, at_the_output
from vjpcheck.numbers import apart, close, current_precision, near, ratio

ALMOST_ONE = 1e-3


class Candidate(NamedTuple):
    """A mistake, its sentence, and the values that it gives, as a Jacobian; None if it is impossible."""

    mistake: str
    sentence: str
    values: np.ndarray | None


class TangentJacobian(NamedTuple):
    """The Jacobian that jvp gives for the first output, and the true one."""

    name: str
    sample: Sample
    observed: np.ndarray
    true: np.ndarray
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    output: int = 0


Observed = Evidence | TangentJacobian


def first_candidate(
    observed: np.ndarray, true: np.ndarray, candidates: Iterable[Candidate], tolerance: float | None = None
) -> tuple[str, str] | None:
    """Return the mistake and the sentence of the first candidate with the observed values."""
    for mistake, sentence, values in candidates:
        if values is not None and close(observed, values, tolerance) and not close(values, true, tolerance):
            return mistake, sentence
    return None


def of_backward(e: Evidence) -> Iterator[Candidate]:
    """Yield the Jacobians that a wrong backward may have."""
    for_x = f"The gradient for {e.name}"
    yield Candidate(
        "wrong-sign", f"{for_x} has the opposite sign.", -e.true if close(e.gradient, -e.truth) else None
    )
    times = ratio(e.observed, e.true)
    if times and any(_divides(e, name) for _, counts in e.ratios for name in counts):
        yield Candidate(
            "mean-instead-of-sum", f"{for_x} is 1/{1 / times:.4g} of the true one.", times * e.true
        )
    if times and _has_one_factor(e, times):
        yield Candidate("wrong-factor", f"{for_x} is {times:.4g} times the true one.", times * e.true)
    yield from _leaks(e)
    yield from of_one_jacobian(e)
    if not close(e.observed, -e.true):
        signs = np.where(e.observed < 0, -1, 1) * np.abs(e.true)
        yield Candidate(
            "wrong-sign-in-places", f"{for_x} is the absolute value of the true one.", np.abs(e.true)
        )
        yield Candidate("wrong-sign-in-places", f"{for_x} has the wrong sign in places. {e.measured}", signs)
    yield from _blocked_elementwise(e)
    if e.truth.ndim == 2 and e.truth.shape[0] == e.truth.shape[1]:
        repeated = any((e.truth == e.truth.take([0], axis)).all() for axis in (0, 1))
        turned = e.true.reshape(-1, *e.truth.shape).swapaxes(1, 2).reshape(e.true.shape)
        mistake = "expanded-wrong-axis" if repeated else "missing-transpose"
        yield Candidate(mistake, f"{for_x} is transposed; its two axes have one size.", turned)


def of_one_jacobian(o: Observed) -> Iterator[Candidate]:
    """Yield the Jacobians that one sample is enough to recognise."""
    of_x, alike = f"The Jacobian for {o.name}", o.shapes[0] == o.shapes[1]
    diagonal = np.diag(np.diag(o.true)) if alike else None
    yield Candidate("diagonal-only", f"{of_x} is right on its diagonal but zero off the diagonal.", diagonal)
    constant = o.observed if alike and without_normaliser(o.observed, o.true) else None
    yield Candidate(
        "missing-normaliser-term", f"{of_x} treats the normaliser of forward as a constant.", constant
    )
    yield Candidate(
        "inverse-permutation",
        "The permutation of forward is applied again; its inverse is needed.",
        o.true.T if _permutes(o.true) else None,
    )
    yield Candidate(
        "overwrites-instead-of-accumulates",
        f"Only one of several contributions to an entry of {o.name} is counted.",
        _overwritten(o.observed, o.true),
    )
    yield Candidate(
        "output-for-input",
        f"The derivative is evaluated at the output instead of at {o.name}.",
        at_the_output(o.sample, o.output),
    )
    yield Candidate(
        "input-for-output",
        f"The formula needs the output but uses {o.name}.",
        at_the_input(o.sample, o.observed),
    )
    if alike:
        true, observed = (_connected_axes(jacobian, o.shapes[0]) for jacobian in (o.true, o.observed))
        exchanged = len(true) == len(observed) == 1 and true != observed
        widened = true < observed and close(np.where(o.true != 0, o.observed, 0), o.true)
        if exchanged or (true and widened and _combines_all(o.observed, o.shapes[0], observed)):
            forward, backward = _axes(true), _axes(observed)
            sentence = f"forward combines entries of {o.name} along {forward}, but backward along {backward}."
            yield Candidate("wrong-axis", sentence, o.observed)
        added = "The cotangents of the other outputs are added up before they are multiplied."
        summed = _added_up(o.observed, o.true) and not close(o.observed, o.true.T)
        yield Candidate("cotangent-summed", added, o.observed if summed else None)


def transposed(o: Observed) -> Candidate:
    """Return the Jacobian that the formula of jvp gives in backward, and that of backward in jvp.

    For a matrix a missing transpose is the better explanation of such a backward.
    """
    tangents, alike = isinstance(o, TangentJacobian), o.shapes[0] == o.shapes[1]
    sentence = (
        "jvp computes t J, the product of backward; J t is needed."
        if tangents
        else "backward computes J g, the product of jvp; g J is needed."
    )
    possible = alike and (tangents or len(o.shapes[0]) == 1)
    return Candidate("transposed-jacobian", sentence, o.true.T if possible else None)


def of_last_resort(e: Evidence) -> Iterator[Candidate]:
    """Yield the candidates for the case that nothing more precise fits."""
    yield transposed(e)
    factors = e.true[e.true != 0]
    others = e.observed if _multiplied_by_others(e) else None
    yield Candidate(
        "derivative-of-another-function",
        f"Each cotangent is multiplied by a number, but nowhere by the derivative. {e.measured}",
        others if e.case.spec.pullback is None else None,
    )
    one_factor = others is not None and close(factors, np.full_like(factors, factors[0]))
    yield Candidate(
        "extra-factor",
        f"Each cotangent is multiplied by a number of its own. {e.measured}",
        others if one_factor else None,
    )


def blocked(e: Evidence) -> Iterator[Candidate]:
    """Yield the Jacobian with blocked columns, all other columns being right."""
    shut = ~e.observed.any(axis=0) & e.true.any(axis=0)
    some = f"{int(shut.sum())} of {shut.size} entries of {e.name} receive no gradient. {e.measured}"
    yield Candidate("wrong-mask", some, np.where(shut, 0, e.true) if not shut.all() else None)


def _divides(e: Evidence, name: str) -> bool:
    """Return whether the gradient is divided by the number of entries along these axes in every sample."""
    shown = False
    for times, counts in e.ratios:
        count = counts.get(name, 1)
        # if only one output depends on an entry, a mean over the outputs equals the sum
        whole = "nothing adds up" in counts and times is not None and abs(times - 1) < 1e-6
        if times is not None and abs(times * count - 1) < 1e-6:
            shown = shown or count > 1
        elif not whole:
            return False
    return shown


def _has_one_factor(e: Evidence, times: float) -> bool:
    """Return whether a constant factor is the whole mistake: no lost digits, no exchanged arguments."""
    ratios = [each for each, _ in e.ratios if each is not None]
    if len(ratios) < len(e.ratios) or abs(times - 1) < ALMOST_ONE:
        return False
    there = [each for each in ratios if each]
    if max(there) - min(there) <= max(1e-6, 2 * current_precision()) * max(map(abs, there)):
        return True
    exchanged = numbers_exchanged(e.case, e.trial, e.position)
    return not first_that_holds(exchanged, e.case, e.trial, e.position)


def _leaks(e: Evidence) -> Iterator[Candidate]:
    """Yield the Jacobian that is right where the true one is not zero, and observed elsewhere."""
    zero = e.true == 0
    never = zero.all(axis=0)
    leaking = never & e.observed.any(axis=0)
    if not leaking.any() or (zero.all() and not _blocks_some(e)):
        return
    jacobian = np.where(zero, e.observed, e.true)
    if (leaking == never).all() and not _blocks_elsewhere(e):
        sentence = f"Entries of {e.name} receive a gradient although no output depends on them."
        yield Candidate("missing-mask", sentence, jacobian)
    sentence = f"No output depends on {int(never.sum())} entries of {e.name}, "
    sentence += f"but {int(leaking.sum())} of them receive a gradient."
    yield Candidate("wrong-mask", sentence, jacobian)


def _blocks_elsewhere(e: Evidence) -> bool:
    """Return whether in some sample an entry without effect on the outputs receives no gradient."""
    for trial in e.case.trials:
        cotangents = [cotangent for cotangent in trial.cotangents if cotangent is not None]
        if trial.complete and "error" not in trial.answer and all(c.all() for c in cotangents):
            never = ~trial.sample.truth.jacobian(e.position, e.output).any(axis=0)
            if (trial.gradient(e.position).ravel()[never] == 0).any():
                return True
    return False


def _blocks_some(e: Evidence) -> bool:
    """Return whether in some sample the outputs depend on some entries of the input and not on others."""
    samples = [sample for sample in e.case.samples if e.position in sample.tensor_positions]
    shut = [~sample.truth.jacobian(e.position, e.output).any(axis=0) for sample in samples]
    return any(columns.any() and not columns.all() for columns in shut)


def _blocked_elementwise(e: Evidence) -> Iterator[Candidate]:
    """Yield the Jacobian of an elementwise function with blocked columns.

    An entry that passes although forward blocks it may have any value; the other entries that pass are right.
    """
    blocks, passes = ~e.observed.any(axis=0), e.true.any(axis=0)
    shut = blocks & passes
    if e.shapes[0] != e.shapes[1] or not close(np.diag(np.diag(e.true)), e.true) or not shut.any():
        return
    if blocks.all() and not _zeros_are_blocked(e, shut):
        return
    leaks = " and passes others that it should block" if (~blocks & ~passes).any() else ""
    sentence = f"Outputs depend on entries of {e.name} whose gradient backward blocks{leaks}. {e.measured}"
    yield Candidate("wrong-mask", sentence, np.where(blocks, 0, np.where(passes, e.true, e.observed)))


def _zeros_are_blocked(e: Evidence, shut: object) -> bool:
    """Return whether only entries that are 0 are blocked, and the gradient is right in another trial."""
    if np.asarray(e.trial.sample.arguments[e.position]).ravel()[np.asarray(shut)].any():
        return False
    tried = [trial for trial in e.case.trials if trial.asks(e.position) and "error" not in trial.answer]
    return any(
        trial.truth(e.position).any() and close(trial.gradient(e.position), trial.truth(e.position))
        for trial in tried
    )


def _multiplied_by_others(e: Evidence) -> bool:
    """Return whether each input entry affects one output, and each factor differs from the derivative."""
    there = e.true != 0
    one_output = bool((there.sum(axis=0) == 1).all()) and there.shape[1] > 1
    same_places = one_output and bool(((e.observed != 0) == there).all())
    return same_places and bool(apart(e.observed[there], e.true[there]).all())


def _added_up(observed: np.ndarray, true: np.ndarray) -> bool:
    """Return whether the cotangents of other outputs return with one common factor instead of their own."""
    groups = [group for group in _groups(true) if len(group) > 2]
    within = np.zeros(true.shape, dtype=bool)
    for group in groups:
        within[np.ix_(group, group)] = True
    return (
        bool(groups)
        and not observed[~within].any()
        and all(_one_factor(observed, group) and not _one_factor(true, group) for group in groups)
    )


def _one_factor(jacobian: np.ndarray, group: np.ndarray) -> bool:
    """Return whether in each column of a group all entries off the diagonal are one number other than 0."""
    part = jacobian[np.ix_(group, group)]
    columns = np.array([np.delete(part[:, j], j) for j in range(len(part))])
    return bool(columns.all()) and close(columns, np.broadcast_to(columns[:, :1], columns.shape))


def _connected_axes(jacobian: np.ndarray, shape: tuple[int, ...]) -> set[int]:
    """Return the axes in which an output and an input that it depends on have different indices."""
    rows, columns = np.nonzero(jacobian)
    places = zip(np.unravel_index(rows, shape), np.unravel_index(columns, shape), strict=True)
    return {axis for axis, (one, other) in enumerate(places) if (one != other).any()}


def _combines_all(jacobian: np.ndarray, shape: tuple[int, ...], axes: set[int]) -> bool:
    """Return whether outputs depend on all inputs whose indices differ along these axes alone."""
    indices = np.indices(shape).reshape(len(shape), -1)[[axis not in axes for axis in range(len(shape))]]
    alike = (indices[:, :, None] == indices[:, None, :]).all(axis=0)
    return bool((jacobian[alike] != 0).all())


def _axes(axes: set[int]) -> str:
    return f"{'axis' if len(axes) == 1 else 'axes'} {' and '.join(map(str, sorted(axes)))}"


def without_normaliser(observed: np.ndarray, true: np.ndarray) -> bool:
    """Return whether backward treats a quantity that a group of outputs share as a constant.

    If y_i = f(x_i, s) and s depends on all x_j of the group, then ∂y_i/∂x_j = f_x δ_ij + f_s ∂s/∂x_j. Without
    the second term the Jacobian is diagonal. In each group the missing term has no zeros, and its rank is at
    most the number of parts of s: one for softmax and norms, two for layer_norm.
    """
    if not np.diag(observed).all() or not close(np.diag(np.diag(observed)), observed):
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
    """Return the groups of indices that the Jacobian connects, if each group is fully connected."""
    patterns = {tuple(row) for row in (true != 0)}
    return [np.flatnonzero(pattern) for pattern in patterns]


def _overwritten(observed: np.ndarray, true: np.ndarray) -> np.ndarray | None:
    """Return the Jacobian that has only the last of several contributions to an input.

    Loops run up or down, and over a kernel in reverse order of the outputs, so the last contribution may be
    that of the last or of the first output. If only the first row is kept for every input, nothing was
    overwritten.
    """
    tolerance = 1e-7 * max(1.0, float(np.abs(true).max(initial=0.0)))
    there, reached = np.abs(observed) > tolerance, np.abs(true) > tolerance
    kept, lost = there & reached, reached & ~there
    jacobian = np.where(there, true, 0)
    if not lost.any() or not near(observed, jacobian, 1e-7, tolerance):
        return None
    touched = lost.any(axis=0)
    columns = np.flatnonzero(touched)
    first = reached[:, touched].argmax(axis=0)
    last = len(true) - 1 - reached[::-1, touched].argmax(axis=0)
    mixed = (kept.any(axis=1) & lost.any(axis=1)).any()
    return jacobian if kept[last, columns].all() or (mixed and kept[first, columns].all()) else None


def _permutes(true: np.ndarray) -> bool:
    counts = [(true != 0).sum(axis=axis) for axis in (0, 1)]
    return true.shape[0] == true.shape[1] and all((count == 1).all() for count in counts)
