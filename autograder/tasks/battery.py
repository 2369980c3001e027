"""Judges calls of a student's function: what all tasks ask of a call, and a name for a wrong result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from autograder.tasks.calling import Answered
from autograder.tasks.findings import (
    LEFT_OVER,
    difference,
    disturbed,
    gradient_finding,
    handed_over,
    overwritten,
    raised,
    wrong,
)
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.errors import StudentError
from vjpcheck.numbers import EXACT, RELATIVE, close, near
from vjpcheck.result import Finding

Values = Mapping[str, np.ndarray]


class Condition(NamedTuple):
    """What is special about a call: the mistake where such calls alone are wrong, what is said, a hint."""

    mistake: str
    sentence: str
    hint: str


COLUMNS = "reshape and flatten copy what is not contiguous in memory. Which tensor does fn see?"
BY_COLUMNS = Condition("assumes-contiguous", "Only where memory lies by columns it is wrong.", COLUMNS)
AGAIN = Condition("state-on-class", "The first call is right; the same call after others is not.", LEFT_OVER)


@dataclass(frozen=True)
class Trial:
    """A call of the student's function: what it is given, in words too, and what it must give."""

    arguments: Sequence[Any]
    given: str
    truths: Values
    condition: Condition | None = None
    scale: float = 1.0  # of the truths, where these are small


class Candidate(NamedTuple):
    """A mistake (None if it has no name), what is said of a value, and the values that it gives in a trial.

    `values` takes the trial and what was found there, and gives None where the mistake cannot be it. The
    sentence stands alone, or goes on from the name of a value: `is the transpose of …`.
    """

    mistake: str | None
    sentence: str
    values: Callable[[Trial, Values], Values | None]
    hint: str = ""
    within: float = RELATIVE


def no_more(trial: Trial, error: StudentError) -> tuple[str | None, str]:
    """Return neither a mistake nor a hint: the message says all."""
    return None, ""


class Battery:
    """The calls of one check, the first of them once more, and the answers.

    `candidates` are tried in their order: the first that gives all wrong values, or most of them, and right
    ones where the student's are right, is the mistake. `argument` is what the findings are about, if not a
    value, `by` what may do the work in the student's place, and the mistake; `of_error` gives the mistake, if
    it has a name, and the hint for an error.
    """

    def __init__(
        self,
        probe: ProbeClient,
        run: Callable[..., Answered],
        trials: Sequence[Trial],
        candidates: Sequence[Candidate] = (),
        argument: str | None = None,
        by: tuple[str, str | None] = ("PyTorch", None),
        of_error: Callable[[Trial, StudentError], tuple[str | None, str]] = no_more,
    ) -> None:
        trials = [*trials, replace(trials[0], condition=AGAIN)]
        answers = probe.each(run, [trial.arguments for trial in trials])
        self._answered = [*zip(trials, answers, strict=True)]
        self._candidates, self._argument, self._by, self._of_error = candidates, argument, by, of_error

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong, the cause first."""
        found = [[*self._of_values(*pair)] for pair in self._answered]
        yield from self._of_a_condition(found)
        yield from self._of_an_earlier_call()
        for (trial, answer), of_values in zip(self._answered, found, strict=True):
            yield from handed_over(answer["handed_over"], trial.given, *self._by)
            if "error" in answer:
                yield from of_values
            yield from disturbed(answer["changes"], trial.given)
            yield from overwritten(answer["overwrites"], trial.given)
            yield from of_values

    def _of_a_condition(self, found: Sequence[Sequence[Finding]]) -> Iterator[Finding]:
        """Find that all calls are right but for those under one condition."""
        pairs = zip(self._answered, found, strict=True)
        firsts = [(trial.condition, of_values[0]) for (trial, _), of_values in pairs if of_values]
        changes = any(answer["changes"] for _, answer in self._answered)
        condition, finding = firsts[0] if firsts else (None, None)
        if condition and finding and not changes and {condition} == {each for each, _ in firsts}:
            told = f"{condition.sentence} {finding.message}"
            yield wrong(told, condition.mistake, finding.input, condition.hint)

    def _of_an_earlier_call(self) -> Iterator[Finding]:
        """Find a wrong value that was right in an earlier call; zeros and ones say nothing."""
        before: dict[tuple[str, bytes], bool] = {}
        for trial, answer in self._answered:
            for name, found in (answer["values"] or {}).items():
                if found is None or np.isin(found, (0, 1)).all():
                    continue
                truth, key = trial.truths.get(name), (name, found.tobytes())
                right = truth is not None and close(found, truth)
                if not right and before.get(key) and self._known is None:
                    told = f"For {trial.given}, {name} is that of an earlier call."
                    yield wrong(told, "state-on-class", self._argument or name, LEFT_OVER)
                before[key] = before.get(key, False) or right

    def _of_values(self, trial: Trial, answer: Answered) -> Iterator[Finding]:
        values = answer["values"]
        if "error" in answer or values is None:
            mistake, hint = self._of_error(trial, answer["error"])
            finding = raised(answer["error"], trial.given, hint)
            yield replace(finding, mistake=mistake or finding.mistake)
            return
        if values.keys() != trial.truths.keys():
            listings = (" and ".join(names) or "nothing" for names in (values, trial.truths))
            yield wrong("For {}, it returns {}, and should return {}.".format(trial.given, *listings))
        for name, truth in trial.truths.items():
            found = values.get(name)
            right = found is not None and close(found / trial.scale, truth / trial.scale, EXACT)
            if found is None or not right or found.dtype != truth.dtype:
                yield self.explained(trial, name, found, truth)

    def explained(self, trial: Trial, name: str, found: np.ndarray | None, truth: np.ndarray) -> Finding:
        """Return the finding for a wrong value."""
        argument, subject, numbers = self._argument or name, f"For {trial.given}, {name}", ""
        if found is None:
            return gradient_finding(subject, found, truth, argument)
        if found.dtype != truth.dtype and found.shape == truth.shape:
            told = f"{subject} has dtype {found.dtype}; it should be {truth.dtype}."
            return wrong(told, "wrong-dtype", argument)
        if found.shape == truth.shape:
            numbers = difference(found, truth)
            if not np.isfinite(found).all():
                return wrong(f"{subject} is not finite: {numbers}", "not-finite", argument)
        if self._known is None:
            return self.unknown(trial, name, found, truth)
        sentence = self._known.sentence
        parts = [sentence, subject] if sentence.endswith(".") else [f"{subject} {sentence}"]
        told = f"{' '.join(parts)}: {numbers or 'compare the shapes.'}"
        return wrong(told, self._known.mistake, argument, self._known.hint)

    def unknown(self, trial: Trial, name: str, found: np.ndarray | None, truth: np.ndarray) -> Finding:
        """Return the finding for a wrong value that no candidate gives."""
        return gradient_finding(f"For {trial.given}, {name}", found, truth, self._argument or name)

    @cached_property
    def _known(self) -> Candidate | None:
        """The first candidate that gives all wrong values; else the first that gives most of them."""
        tried = [
            (trial, {name: _value(answer["values"], name, truth) for name, truth in trial.truths.items()})
            for trial, answer in self._answered
            if answer["values"] is not None
        ]
        shares = [_share(candidate, tried) for candidate in self._candidates]
        best = [*zip(shares, self._candidates, strict=True)]
        for enough in (1.0, 0.5):
            for share, candidate in best:
                if share >= enough:
                    return candidate
        return None


def _share(candidate: Candidate, tried: Sequence[tuple[Trial, Values]]) -> float:
    """Return how many of the wrong values a candidate gives; 0 where it is wrong about right ones."""
    right = [pair for pair in tried if _same(pair[0].truths, pair[1])]
    # of values that nearly agree, some may be wrong where that does not show
    if candidate.within == RELATIVE and not all(_gives(candidate, *pair) for pair in right):
        return 0.0
    others = [pair for pair in tried if not _same(pair[0].truths, pair[1], candidate.within)]
    return sum(_gives(candidate, *pair) for pair in others) / (len(others) or 1)


def _value(values: Mapping[str, np.ndarray | None], name: str, truth: np.ndarray) -> np.ndarray:
    """Return a value that was found; what is equal to nothing where none arrived."""
    found = values.get(name)
    return np.full_like(truth, np.nan) if found is None else found


def _gives(candidate: Candidate, trial: Trial, found: Values) -> bool:
    try:
        values = candidate.values(trial, found)
    except (TypeError, ValueError):  # of values of other shapes or dtypes
        return False
    return values is not None and _same(values, found, candidate.within)


def _same(values: Values, found: Values, within: float = RELATIVE) -> bool:
    """Return whether all values agree, relative to the largest; or each to some thousandths of itself."""
    if within <= RELATIVE:
        return all(close(found[name], value, within) for name, value in values.items())
    return all(near(found[name], value, within, within / 1000) for name, value in values.items())
