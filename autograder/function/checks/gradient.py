"""Is the gradient right, for every subset of inputs that require grad?"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from autograder.errors import tell
from autograder.function import known_errors
from autograder.function.case import Case, Sample, Trial
from autograder.function.checks import state
from autograder.function.checks.numbers import arrived
from autograder.function.explain import explain
from autograder.mistakes import named
from autograder.result import Finding

CHECK = "gradient"


def findings(case: Case) -> Iterator[Finding]:
    """Compare vector-Jacobian products for random cotangents with the truth, then ask gradcheck."""
    explained: dict[str | None, Finding] = {}
    for trial in case.trials:
        for finding in _against_truth(case, trial, set(explained)):
            explained[finding.input] = finding
    if explained:
        yield from _causes_first(explained.values())
        return
    yield from _in_single_precision(case, case.trials[0])
    for sample in case.samples:
        yield from _by_gradcheck(case, sample)
    yield from state.findings(case)


def _against_truth(case: Case, trial: Trial, explained: set[str | None]) -> Iterator[Finding]:
    if "error" in trial.answer:
        if None not in explained:
            yield known_errors.finding(CHECK, trial.answer["error"], trial.answer["saves"], trial.sample)
        return
    for position, truth in enumerate(trial.truths):
        if truth is None or case.name(position) in explained:
            continue
        if not arrived(trial.answer["gradients"][position], truth):
            yield explain(case, trial, position)


def _causes_first(findings: Collection[Finding]) -> Iterator[Finding]:
    """Yield one finding a mistake, named ones before those that were only measured.

    A slip in what several gradients share shows in each of them, and a swap in both. Where backward raises
    for a known reason, what it gives in other samples says no more.
    """
    raised = [finding for finding in findings if finding.input is None and finding.mistake]
    if raised:
        yield raised[0]
        return
    seen: set[str] = set()
    for finding in sorted(findings, key=lambda finding: finding.mistake is None):
        if finding.mistake is None or finding.mistake not in seen:
            yield finding
        if finding.mistake is not None:
            seen.add(finding.mistake)


def _in_single_precision(case: Case, trial: Trial) -> Iterator[Finding]:
    cotangents = [None if c is None else c.astype(np.float32) for c in trial.cotangents]
    answer = case.probe.vjp(trial.sample.in_single_precision(), trial.requires, cotangents)
    if "error" in answer:
        yield Finding(CHECK, f"For float32 inputs, {tell(answer['error'])}")


def _by_gradcheck(case: Case, sample: Sample) -> Iterator[Finding]:
    """Ask gradcheck for a second opinion: does the gradient fit the student's own forward?

    Once a sample: every choice of inputs has been compared with the truth by now.
    """
    message = sample.truth.gradcheck(case.probe)
    if message:
        mistake = "not-reproducible" if "not reentrant" in message else None
        yield named(mistake, CHECK, None, message)
