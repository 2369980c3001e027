"""Checks that backward computes no gradient for inputs that do not require grad."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from vjpcheck.arguments import Argument
from vjpcheck.ask.protocol import request
from vjpcheck.case import Arrays, Case, Sample
from vjpcheck.mistakes import named
from vjpcheck.numbers import apart, close
from vjpcheck.probe.function_probe import Probe
from vjpcheck.result import Finding
from vjpcheck.truth.differences import TruthByDifferences

CHECK = "frozen inputs"


def findings(case: Case) -> Iterator[Finding]:
    """Find gradients that are returned or computed for tensors that do not require grad."""
    # a Function that has no specification may return a gradient that took no work, such as the cotangent
    returned = _returned(case) if case.spec.samples is None else []
    if returned:
        names = ", ".join(case.name(position) for position in returned)
        message = f"backward returns a gradient for {names} even if that input does not require grad."
        yield named("needless-work", CHECK, case.name(returned[0]), message)
        return
    computed = _computed(case)
    if computed:
        names = ", ".join(case.name(position) for position in computed)
        message = f"backward computes as much without a gradient for {names} as with it."
        yield named("needless-work", CHECK, case.name(computed[0]), message)


def _returned(case: Case) -> list[int]:
    needless = {
        position
        for trial in case.trials
        for position, value in enumerate(trial.answer["returned"] or [])
        if position in trial.sample.tensor_positions
        and not trial.requires[position]
        and value["type"] != "None"
    }
    return sorted(needless)


def _shares_its_gradient(case: Case, position: int) -> bool:
    """Return whether another input has the same gradient, so that freezing this one saves no work."""
    sample = case.samples[0]
    truths = sample.truth.vjp(sample.all_required, case.random_cotangents(sample))
    own = truths[position]
    return own is not None and any(
        other is not None and place != position and other.shape == own.shape and close(other, own)
        for place, other in enumerate(truths)
    )


def _computed(case: Case) -> list[int]:
    """Return the inputs whose freezing saves no operations.

    Only matrix products, convolutions and sums are counted, and only inputs whose gradient takes some of
    them. Computation in another library is not counted. The gradients of a specified Function share none of
    this work.
    """
    sample = case.samples[0]
    positions = sample.tensor_positions
    if len(positions) < 2:
        return []
    every = tuple(position in positions for position in range(len(sample.arguments)))
    without = {p: tuple(flag and q != p for q, flag in enumerate(every)) for p in positions}
    alone = {p: tuple(q == p for q in range(len(every))) for p in positions}
    cotangents = case.random_cotangents(sample)

    def flops(flags: Sequence[tuple[bool, ...]]) -> list[int]:
        return case.ask([request(Probe.flops, sample.arguments, requires, cotangents) for requires in flags])

    total, *rest = flops([every, *without.values()])
    saving_none = [p for p, of_the_others in zip(positions, rest, strict=True) if of_the_others >= total > 0]
    saving_none = [p for p in saving_none if not _shares_its_gradient(case, p)]
    pairs = zip(saving_none, flops([alone[p] for p in saving_none]), strict=True)
    needless = [p for p, own in pairs if own > 0]
    if case.spec.samples is None or not needless:
        return needless
    return _certainly_needless(case, sample, cotangents, needless, total)


def _certainly_needless(
    case: Case, sample: Sample, cotangents: Arrays, saving_none: Sequence[int], total: int
) -> list[int]:
    """Return the inputs whose work no gradient of another input can need.

    In a Function that has no specification, two gradients may share all counted work: the sum for the bias of
    a normalisation is part of the gradient for its input too. The work is certainly needless if two things
    hold: the Function does more work than the other gradients need with their whole Jacobians, and the
    gradient sums over values that the other gradients do not depend on.
    """
    needs = {p: _operations(sample, p, case.spec.tolerance) for p in sample.tensor_positions}
    needless = [p for p in saving_none if total > sum(needs.values()) - needs[p]]
    if not needless:
        return []
    alone = {_alone_summing(case, sample, cotangents, values) for values in sample.tensor_positions}
    return [p for p in needless if p in alone]


def _operations(sample: Sample, position: int, tolerance: float) -> int:
    """Return an upper bound on the counted operations of a product with the Jacobian for an input.

    An entry of the input that affects only one entry of the outputs takes none.
    """
    reached = 0
    for output, flow in enumerate(sample.truth.flows):
        if flow:
            jacobian = np.abs(sample.truth.jacobian(position, output))
            reached = reached + (jacobian > tolerance * jacobian.max(initial=0.0)).sum(axis=0)
    most = int(np.max(reached, initial=0))
    return 2 * most * np.asarray(sample.arguments[position]).size if most > 1 else 0


def _alone_summing(case: Case, sample: Sample, cotangents: Arrays, values: int) -> int | None:
    """Return the only input whose gradient depends on the values of an input and sums over them, or None.

    Each half of the values is changed separately: an entry of a gradient that changes both times depends on
    several values.
    """
    own, other = np.asarray(sample.arguments[values]), np.asarray(sample.others[values])
    if (own == other).any():  # a dependence on an unchanged value would be missed
        return None
    half = np.random.default_rng(0).permutation(own.size).reshape(own.shape) % 2 == 0
    before = sample.truth.vjp(sample.all_required, cotangents)
    changed: dict[int, list[np.ndarray]] = {position: [] for position in sample.tensor_positions}
    for chosen in (half, ~half):
        arguments = [*sample.arguments]
        arguments[values] = np.where(chosen, other, own)
        after = _gradients_at(sample, arguments, cotangents)
        if after is None:
            return None
        for position, (one, two) in enumerate(zip(before, after, strict=True)):
            if one is not None and two is not None:
                within = case.spec.tolerance * max(1.0, float(np.abs(one).max(initial=0.0)))
                changed[position].append(apart(two, one, 0.0, within))
    depending = [position for position, places in changed.items() if np.any(places)]
    if len(depending) != 1 or not np.logical_and(*changed[depending[0]]).any():
        return None
    return depending[0]


def _gradients_at(sample: Sample, arguments: Sequence[Argument], cotangents: Arrays) -> Arrays | None:
    """Return the true gradients for other values of the arguments, or None if they are uncertain."""
    try:
        truth = sample.truth.at(arguments)
        gradients = truth.vjp(sample.all_required, cotangents)
    except Exception:  # the truth may refuse other arguments
        return None
    doubtful = isinstance(truth, TruthByDifferences) and truth.doubt is not None
    finite = all(gradient is None or np.isfinite(gradient).all() for gradient in gradients)
    return gradients if finite and not doubtful else None
