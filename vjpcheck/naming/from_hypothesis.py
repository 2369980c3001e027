"""Names a wrong gradient that one change of the right gradient explains in every trial.

Each file of hypotheses yields mistakes with a sentence and the gradient that they would give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from vjpcheck.case import Case, Trial
from vjpcheck.naming import (
    altered_arguments,
    altered_gradients,
    linear_maps,
    other_derivatives,
)
from vjpcheck.naming.from_terms import other_combination
from vjpcheck.naming.hypothesis import Hypothesis, by_pullback
from vjpcheck.numbers import close, current_precision, near

NEARLY = 1e-4  # the same mistake with a small constant added, such as an eps in a quotient


def lookalike(case: Case, position: int) -> tuple[str, str] | None:
    """Return the mistake and the sentence of the wrong pullback that gives the student's gradients."""
    trials = [trial for trial in case.trials if trial.complete and trial.asks(position)]
    for relative in (current_precision(), NEARLY):
        for mistake, pullback, sentence in case.spec.lookalikes:
            if _holds(partial(by_pullback, pullback=pullback, at=position), trials, position, relative):
                return mistake, sentence
    return None


def hypothesis(case: Case, trial: Trial, position: int) -> tuple[str, str] | None:
    """Return the mistake and the sentence of the first hypothesis that gives the student's gradients.

    The hypothesis must give the gradients of all trials in which this argument requires grad. In at least one
    of them it must differ from the true gradient.
    """
    proposed = _proposed(case, _for_guesses(trial), position)
    return other_combination(case, trial, position) or first_that_holds(proposed, case, trial, position)


def first_that_holds(
    hypotheses: Iterable[Hypothesis], case: Case, trial: Trial, position: int
) -> tuple[str, str] | None:
    """Return the mistake and the sentence of the first hypothesis that gives the student's gradients.

    If the truth at other arguments is expensive, a few entries exclude most hypotheses first. Hypotheses that
    are too expensive are not tried.
    """
    trials = [t for t in case.trials if "error" not in t.answer and t.asks(position)]
    trials = [trial, *(other for other in trials if other is not trial)]  # most hypotheses fail at the first
    costs = not trial.sample.truth.tabulates
    few = _for_guesses(trial, few=True)
    trials = [_for_guesses(each) for each in trials]
    for proposed in hypotheses:
        if costs and _excluded(proposed.gradient, few, position):
            continue
        if _holds(proposed.gradient, trials, position):
            return proposed.mistake, proposed.sentence
    return None


def _for_guesses(trial: Trial, few: bool = False) -> Trial:
    truth = trial.sample.truth.for_guesses(few)
    if truth is trial.sample.truth:
        return trial
    return replace(trial, sample=replace(trial.sample, truth=truth))


def _proposed(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    yield from chain(
        altered_gradients.first(case, trial, position),
        linear_maps.hypotheses(case, trial, position),
        altered_arguments.hypotheses(case, trial, position),
        other_derivatives.hypotheses(case, trial, position),
        altered_gradients.last(case, trial, position),
    )


def _excluded(gradient: Callable[[Trial], np.ndarray | None], trial: Trial, position: int) -> bool:
    """Return whether a hypothesis gives a wrong entry, or none."""
    expected, observed = _tried(gradient, trial), trial.gradient(position)
    if expected is None or expected.shape != trial.truth(position).shape:
        return True
    known, largest = np.isfinite(expected), max(1.0, float(np.nanmax(np.abs(observed), initial=0.0)))
    relative = 10 * current_precision()
    return not near(observed[known], expected[known], relative, relative * largest)


def _holds(
    gradient: Callable[[Trial], np.ndarray | None],
    trials: Sequence[Trial],
    position: int,
    relative: float | None = None,
) -> bool:
    differs = False
    for trial in trials:
        truth = trial.truth(position)
        expected = _tried(gradient, trial)
        if expected is None or expected.shape != truth.shape:
            return False
        # a factor that is 0 in some entries is only known in the others
        known = np.isfinite(expected)
        if 2 * known.sum() < known.size or not close(
            trial.gradient(position)[known], expected[known], relative
        ):
            return False
        differs = differs or not close(expected[known], truth[known], relative)
    return differs


def _tried(gradient: Callable[[Trial], np.ndarray | None], trial: Trial) -> np.ndarray | None:
    try:
        return gradient(trial)
    except Exception:  # the truth may refuse other arguments; then the hypothesis is wrong
        return None
