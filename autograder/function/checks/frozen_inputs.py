"""Checks that backward computes no gradient for inputs that do not require grad."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograder.function import requests
from autograder.function.case import Case
from autograder.mistakes import named
from autograder.numbers import close
from autograder.result import Finding

CHECK = "frozen inputs"


def findings(case: Case) -> Iterator[Finding]:
    """Find gradients that are returned, or computed, for tensors that do not require grad."""
    returned = _returned(case)
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
    """Return whether another input has the same gradient, whose work is needed without this one too."""
    sample = case.samples[0]
    truths = sample.truth.vjp(sample.all_required, case.random_cotangents(sample))
    own = truths[position]
    return own is not None and any(
        other is not None and place != position and other.shape == own.shape and close(other, own)
        for place, other in enumerate(truths)
    )


def _computed(case: Case) -> list[int]:
    """Return the inputs that save none of the operations when they are frozen.

    Matrix products, convolutions and sums are counted. An input counts whose gradient takes some of them;
    what is computed in another library is not seen.
    """
    sample = case.samples[0]
    positions = sample.tensor_positions
    if len(positions) < 2:
        return []
    every = tuple(position in positions for position in range(len(sample.arguments)))
    without = {p: tuple(wanted and q != p for q, wanted in enumerate(every)) for p in positions}
    alone = {p: tuple(q == p for q in range(len(every))) for p in positions}
    cotangents = case.random_cotangents(sample)

    def flops(asked: Sequence[tuple[bool, ...]]) -> list[int]:
        return case.ask([requests.flops(sample.arguments, requires, cotangents) for requires in asked])

    total, *rest = flops([every, *without.values()])
    saving_none = [p for p, of_the_others in zip(positions, rest, strict=True) if of_the_others >= total > 0]
    saving_none = [p for p in saving_none if not _shares_its_gradient(case, p)]
    pairs = zip(saving_none, flops([alone[p] for p in saving_none]), strict=True)
    return [p for p, own in pairs if own > 0]
