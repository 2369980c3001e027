"""Compares the gradient with the truth for cotangents and inputs of other sizes.

A pullback is linear: no cotangent is too small or too large to count. A Function has the limits of its
formula, and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from vjpcheck.ask import requests
from vjpcheck.case import Arrays, Case, Look, OfOtherSize, Sample, Trial
from vjpcheck.errors import tell
from vjpcheck.mistakes import named
from vjpcheck.naming import by_error
from vjpcheck.naming.wrong_gradient import explain
from vjpcheck.numbers import ALL_DIGITS, RELATIVE, apart, close, close_in_proportion, furthest, near
from vjpcheck.result import Finding

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Gradients, Pullback

# from a finding without a name, the gradient that was found and the true one, to one with its name and hint
Finished = Callable[[Finding, np.ndarray, np.ndarray], Finding]

CHECK = "gradient"
SIZES = (1e-30, 1e30)
LARGE = 1e20
EXPLAINED_AT_MOST = 400  # entries
ANY_SIZE = "With which number does backward compare the cotangent? A small gradient counts as well."
SUBTRACTED = "Where does backward subtract two numbers that may be far larger than their difference?"
INPUTS = "With which number does your code compare its input, or the gradient?"
ZEROS = "Does your code ask whether an argument holds any number but 0? A gradient is due there too."
# what is left of a number from which a far larger one was subtracted
ROUNDING = 1e-14


def looks(case: Case) -> Iterator[Look]:
    """Yield a look for each size of the cotangents, and for each of the inputs.

    What iterates until its changes are small may be as wrong as the tolerance allows, whatever the size.
    """
    trial = next(trial for trial in case.trials if trial.complete)
    for size in SIZES if case.spec.tolerance <= RELATIVE else ():
        cotangents = [None if c is None else c * size for c in trial.cotangents]
        given = f"cotangents {size:g} times as large"
        yield _look(case, trial.sample, cotangents, given, _nonlinear(case), close_in_proportion)
    # of what is asked to the last digit no entry mixes with others
    for place in (0, -1) if case.spec.tolerance <= ALL_DIGITS else ():
        uneven = [None if c is None else _with_one_large(c, place) for c in trial.cotangents]
        given = f"a cotangent with one entry of {LARGE:g}"
        yield _look(case, trial.sample, uneven, given, _nonlinear(case), _entry_by_entry)
    for given, sample, small, hint in case.of_other_sizes:
        if sample.entries > EXPLAINED_AT_MOST:  # a reason among so many entries takes minutes, and is false
            cotangents = case.random_cotangents(sample)
            yield _look(case, sample, cotangents, given, partial(_of_many, hint=hint), close)
        elif not hint:
            cotangents = case.random_cotangents(sample)
            zeros = any(isinstance(a, np.ndarray) and not a.any() for a in sample.arguments)
            finished, agree = _of_zeros if zeros else _of_inputs, close_in_proportion if small else close
            yield _look(case, sample, cotangents, given, finished, agree)
    explained = [other for other in case.of_other_sizes if other.sample.entries <= EXPLAINED_AT_MOST]
    yield _compared_once(case, [other for other in explained if other.hint])


def _compared_once(case: Case, further: Sequence[OfOtherSize]) -> Look:
    """Look at the further samples, and explain the first wrong gradient like that of any other."""
    tried = [(other, case.random_cotangents(other.sample)) for other in further]

    def read(answers: Sequence[Pullback]) -> Iterator[Finding]:
        for (other, cotangents), answer in zip(tried, answers, strict=True):
            found = [*_explained(case, other, cotangents, answer)]
            yield from found
            if found:
                return

    questions = [
        requests.vjp(other.sample.arguments, other.sample.all_required, cotangents)
        for other, cotangents in tried
    ]
    return Look(questions, read)


def _explained(case: Case, other: OfOtherSize, cotangents: Arrays, answer: Pullback) -> Iterator[Finding]:
    if "error" in answer:
        found = by_error.finding(CHECK, answer["error"], answer["saves"], other.sample)
        told = tell(answer["error"], f"For {other.told}, ")
        yield replace(found, message=told, hint=found.hint or other.hint)
        return
    trial = Trial(other.sample, other.sample.all_required, cotangents, answer)
    wrong = [
        (trial, position)
        for position, truth in enumerate(trial.truths)
        if truth is not None and not close(trial.gradient(position), truth, case.spec.tolerance)
    ]
    if not wrong:
        return
    among_others = copy(case)
    among_others.trials = [trial, *case.trials]
    for finding in explain(among_others, wrong):
        told = f"For {other.told}: {finding.message}"
        yield replace(finding, message=told, hint=finding.hint if finding.mistake else other.hint)


def _with_one_large(cotangent: np.ndarray, place: int) -> np.ndarray:
    uneven = cotangent.copy()
    uneven.flat[place] = LARGE
    return uneven


def _entry_by_entry(found: np.ndarray, truth: np.ndarray, relative: float) -> bool:
    return near(found, truth, 1e-6, 1e-12)  # a sum of ordinary numbers may cancel by some digits


def _nonlinear(case: Case) -> Finished:
    """Return what gives a finding its name; a gradient that is chosen by hand need not be linear."""
    mistake = "gradient-nonlinear" if case.spec.pullback is None else None
    return lambda finding, found, truth: replace(finding, mistake=mistake, hint=ANY_SIZE)


def _of_inputs(finding: Finding, found: np.ndarray, truth: np.ndarray) -> Finding:
    """Name a gradient that is blocked where it should pass, and right elsewhere."""
    blocked = bool((found[apart(found, truth)] == 0).all())
    return replace(finding, mistake="wrong-mask" if blocked else None, hint=INPUTS)


def _of_many(finding: Finding, found: np.ndarray, truth: np.ndarray, hint: str) -> Finding:
    return replace(finding, hint=hint)


def _of_zeros(finding: Finding, found: np.ndarray, truth: np.ndarray) -> Finding:
    """Name a gradient that does not arrive."""
    return replace(finding, mistake=None if found.any() else "missing-gradient", hint=ZEROS)


def _look(
    case: Case,
    sample: Sample,
    cotangents: Arrays,
    given: str,
    finished: Finished,
    agree: Callable[[np.ndarray, np.ndarray, float], bool],
) -> Look:
    requires, tolerance = sample.all_required, case.spec.tolerance

    def read(answers: Sequence[Gradients]) -> Iterator[Finding]:
        for answer in answers:
            if "error" in answer:
                yield Finding(CHECK, tell(answer["error"], f"For {given}, "))
                continue
            truths = sample.truth.vjp(requires, cotangents)
            for position, (arrived, truth) in enumerate(zip(answer["gradients"], truths, strict=True)):
                if truth is None:
                    continue
                found = np.zeros_like(truth) if arrived is None else arrived
                if agree(found, truth, tolerance):
                    continue
                told = _told(case.name(position), given, found, truth)
                if not np.isfinite(found).all():
                    yield named("not-finite", CHECK, case.name(position), told)
                elif near(found, truth, 0.0, ROUNDING * _largest(cotangents)):
                    yield replace(named("not-precise", CHECK, case.name(position), told), hint=SUBTRACTED)
                else:
                    yield finished(Finding(CHECK, told, None, case.name(position)), found, truth)

    return Look([requests.gradients_alone(sample.arguments, requires, cotangents)], read)


def _told(name: str, given: str, found: np.ndarray, truth: np.ndarray) -> str:
    entry = furthest(found, truth)
    return (
        f"The gradient for {name} is right for most numbers and wrong for {given}: "
        f"entry {list(entry)} is {found[entry]:.6g} and should be {truth[entry]:.6g}."
    )


def _largest(cotangents: Arrays) -> float:
    return max((float(np.abs(c).max(initial=0.0)) for c in cotangents if c is not None), default=0.0)
