"""Checks the third derivative."""

from __future__ import annotations

from collections.abc import Iterator

from vjpcheck.case import Case, Sample
from vjpcheck.checks.conditions import BETWEEN
from vjpcheck.checks.second_order import DECLARED, Attempt
from vjpcheck.mistakes import named
from vjpcheck.naming.from_second_order import explain
from vjpcheck.result import Finding

CHECK = "third order"


def findings(case: Case) -> Iterator[Finding]:
    """Compare the second derivative of the pullback, in random directions, with the truth."""
    attempts = [_attempt(case, sample) for sample in case.samples]
    state = attempts[0].tried(BETWEEN, "between", CHECK)
    questions = [*(attempt.question() for attempt in attempts), state.question]
    *answers, between = case.ask(questions)
    for attempt, answer in zip(attempts, answers, strict=True):
        if answer["declared_once"]:
            yield named("wrongly-once-differentiable", CHECK, None, DECLARED)
            return
        if attempt.wrong(answer):
            yield explain(CHECK, attempt, answer)
            return
    yield from state.findings(between)


def _attempt(case: Case, sample: Sample) -> Attempt:
    requires = sample.all_required
    cotangents = case.random_cotangents(sample)
    directions = [case.random_directions(sample, requires) for _ in range(2)]
    for_arguments, for_cotangents = sample.truth.higher_vjp(requires, cotangents, directions)
    return Attempt(case, sample, requires, cotangents, directions, [*for_arguments, *for_cotangents])
