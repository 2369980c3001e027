"""Names the mistake behind a wrong gradient: the observed Jacobian against the true one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from autograder.function import chosen
from autograder.function.case import Case, Trial
from autograder.function.evidence import Evidence, ratio
from autograder.function.jacobians import only_diagonal, overwritten, permuted_twice, without_normaliser
from autograder.function.lookalikes import lookalike
from autograder.function.numbers import close, furthest
from autograder.function.substitution import input_for_output, output_for_input
from autograder.mistakes import named
from autograder.result import Finding, Jacobians

CHECK = "gradient"


def explain(case: Case, trial: Trial, position: int) -> Finding:
    """Return the finding for a gradient that differs from the truth; unnamed if no name fits."""
    with np.errstate(all="ignore"):  # the work may return infinities and NaN
        if not chosen.linear(case, trial):
            truth = trial.truths[position]
            assert truth is not None
            return chosen.explain(case, trial, position, truth)
        e = Evidence(case, trial, position)
        return replace(_finding(e), jacobians=Jacobians(e.observed, e.true, *e.shapes))


def _finding(e: Evidence) -> Finding:
    for mistake, test in BEHAVIOUR:
        message = test(e)
        if message:
            return named(mistake, CHECK, e.name, message)
    known = lookalike(e.case, e.position)
    if known:
        return named(known, CHECK, e.name, _measured(e))
    for mistake, test in FORMULA:
        message = test(e)
        if message:
            return named(mistake, CHECK, e.name, message)
    return Finding(CHECK, _measured(e), None, e.name, "Work the entry out by hand for this output.")


def _saved_twice(e: Evidence) -> str:
    if e.saves < 2:
        return ""
    return f"save_for_backward was called {e.saves} times, and only the last call counts."


def _not_finite(e: Evidence) -> str:
    if np.isfinite(e.observed).all():
        return ""
    entry = tuple(np.argwhere(~np.isfinite(e.observed))[0])
    return f"The gradient for {e.name} is not finite: {_entry(e, entry)}"


def _not_reproducible(e: Evidence) -> str:
    return "" if e.reproducible else f"The gradient for {e.name} differs from one backward pass to the next."


def _swapped(e: Evidence) -> str:
    return f"The gradients for {e.name} and {e.swapped_with} are in each other's place." * bool(
        e.swapped_with
    )


def _missing(e: Evidence) -> str:
    return "" if e.observed.any() or e.arrives_elsewhere else f"No gradient arrives at {e.name}."


def _wrong_index(e: Evidence) -> str:
    if e.guarded and not e.observed.any() and not e.arrives_elsewhere:
        return f"The gradient of {e.name} stands behind an entry of needs_input_grad that is not its own."
    if e.guarded or (not e.observed.any() and e.arrives_elsewhere):
        return f"The gradient of {e.name} goes missing when not all inputs require grad."
    return ""


def _ignores_cotangent(e: Evidence) -> str:
    same = e.pullbacks[0].any() and close(*e.pullbacks)
    return f"The gradient for {e.name} is the same whatever cotangent comes in." if same else ""


def _mask_on_gradient(e: Evidence) -> str:
    if e.linear or not e.blind_side:
        return ""
    side = "positive" if e.blind_side > 0 else "negative"
    return f"No gradient reaches {e.name} where the cotangent is {side}."


def _nonlinear(e: Evidence) -> str:
    return "" if e.linear else f"The gradient for {e.name} is not linear in the cotangent."


def _diagonal(e: Evidence) -> str:
    fits = e.shapes[0] == e.shapes[1] and only_diagonal(e.observed, e.true)
    return f"The Jacobian for {e.name} is right on its diagonal, and zero off it." if fits else ""


def _normaliser(e: Evidence) -> str:
    fits = e.shapes[0] == e.shapes[1] and without_normaliser(e.observed, e.true)
    return f"The Jacobian for {e.name} is that of forward with its normaliser held fixed." if fits else ""


def _overwritten(e: Evidence) -> str:
    if not overwritten(e.observed, e.true):
        return ""
    return f"Of several contributions to one entry of {e.name} only one is there. {_measured(e)}"


def _one_output_only(e: Evidence) -> str:
    """Look for a gradient that has come by one output alone, where several depend on the input."""
    given = [index for index, cotangent in enumerate(e.trial.cotangents) if cotangent is not None]
    found = e.trial.answer["gradients"][e.position]
    for kept in given if len(given) > 1 and found is not None else []:
        alone = [c if index == kept else None for index, c in enumerate(e.trial.cotangents)]
        truth = e.sample.truth.vjp(e.trial.requires, alone)[e.position]
        if truth is not None and truth.any() and found is not None and close(found, truth):
            return f"The gradient for {e.name} has only what comes by way of output {kept}."
    return ""


def _permutation(e: Evidence) -> str:
    if not permuted_twice(e.observed, e.true):
        return ""
    return f"The gradient for {e.name} is moved on by forward's permutation, and not back. {_measured(e)}"


def _output_for_input(e: Evidence) -> str:
    fits = output_for_input(e.case.exercise, e.sample, e.observed)
    return f"The derivative is right at the output's values, in place of those of {e.name}." if fits else ""


def _input_for_output(e: Evidence) -> str:
    fits = input_for_output(e.case.exercise, e.sample, e.observed)
    return f"The formula would be right for the output, and was given {e.name}." if fits else ""


def _sign(e: Evidence) -> str:
    return f"The gradient for {e.name} has the opposite sign." if close(e.observed, -e.true) else ""


def _mean(e: Evidence) -> str:
    """Look for a division by the number of entries along the same axes in every sample that has them."""
    ratios = e.ratios

    def divides(name: str) -> bool:
        counts = [count.get(name, 1) for _, count in ratios]
        fits = all(
            found is not None and abs(found * count - 1) < 1e-6
            for (found, _), count in zip(ratios, counts, strict=True)
        )
        return fits and max(counts) > 1

    times = ratio(e.observed, e.true)
    if not times or not any(divides(name) for _, counts in ratios for name in counts):
        return ""
    return f"The gradient for {e.name} is 1/{1 / times:.4g} of the true one."


def _factor(e: Evidence) -> str:
    everywhere = all(found is not None for found, _ in e.ratios)
    times = ratio(e.observed, e.true) if everywhere else None
    return f"The gradient for {e.name} is {times:.4g} times the true one." if times else ""


def _mask(e: Evidence) -> str:
    blocked = e.true == 0
    leaks = blocked & (e.observed != 0)
    if not leaks.any() or not close(np.where(blocked, 0, e.observed), e.true):
        return ""
    columns = leaks.any(axis=0) & (e.true == 0).all(axis=0)
    if not columns.any():
        return ""
    return f"A gradient passes to entries of {e.name} that no output depends on."


def _absolute(e: Evidence) -> str:
    return f"The gradient for {e.name} has lost its sign." if close(e.observed, np.abs(e.true)) else ""


def _measured(e: Evidence) -> str:
    return (
        f"The Jacobian for {e.name} differs from the true one in {_differing(e)} of {e.true.size} entries: "
        + _entry(e, furthest(e.observed, e.true))
    )


def _entry(e: Evidence, entry: tuple[int, ...]) -> str:
    row, column = (
        [int(i) for i in np.unravel_index(flat, shape)] for flat, shape in zip(entry, e.shapes, strict=True)
    )
    return (
        f"the derivative of output{row} by {e.name}{column} "
        f"is {e.observed[entry]:.6g} and should be {e.true[entry]:.6g}."
    )


def _differing(e: Evidence) -> int:
    return int((~np.isclose(e.observed, e.true, rtol=1e-7, atol=1e-9)).sum())


Tests = list[tuple[str | None, Callable[[Evidence], str]]]

# how backward behaves; then come the exercise's own lookalikes; then the Jacobian against the true one
BEHAVIOUR: Tests = [
    ("saved-twice", _saved_twice),
    (None, _not_finite),
    ("wrong-needs-input-grad-index", _wrong_index),
    ("missing-gradient", _missing),
    ("missing-grad-output", _ignores_cotangent),
    ("not-reproducible", _not_reproducible),
    ("mask-on-gradient", _mask_on_gradient),
    ("gradient-nonlinear", _nonlinear),
    ("gradients-swapped", _swapped),
]

FORMULA: Tests = [
    ("wrong-sign", _sign),
    ("mean-instead-of-sum", _mean),
    ("wrong-factor", _factor),
    ("missing-mask", _mask),
    ("diagonal-only", _diagonal),
    ("missing-normaliser-term", _normaliser),
    ("inverse-permutation", _permutation),
    ("overwrites-instead-of-accumulates", _overwritten),
    ("overwrites-instead-of-accumulates", _one_output_only),
    ("output-for-input", _output_for_input),
    ("input-for-output", _input_for_output),
    (None, _absolute),
]
