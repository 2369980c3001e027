"""Judges calls of a student's function as all tasks do, and names the mistake of a wrong result."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from autograder.tasks.calls import Answer
from autograder.tasks.findings import (
    LEFT_OVER,
    difference,
    disturbed,
    gradient_finding,
    library_call,
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
    """A special condition of calls: the mistake, sentence and hint if only such calls are wrong."""

    mistake: str
    sentence: str
    hint: str


COLUMNS = "reshape and flatten copy what is not contiguous in memory. Which tensor does fn see?"
BY_COLUMNS = Condition("assumes-contiguous", "Only where memory lies by columns it is wrong.", COLUMNS)
REPEAT = Condition("state-on-class", "The first call is right; the same call after others is not.", LEFT_OVER)


@dataclass(frozen=True)
class Trial:
    """A call of the student's function: its arguments, these in words, and the true values."""

    arguments: Sequence[Any]
    words: str
    truths: Values
    condition: Condition | None = None
    scale: float = 1.0  # of the truths, if these are small


class Candidate(NamedTuple):
    """A mistake (None if it has no name), a sentence on the value, and the values that it gives in a trial.

    `values` takes the trial and the observed values, and returns None if the mistake is impossible there. The
    sentence is complete, or continues the name of a value: `is the transpose of …`.
    """

    mistake: str | None
    sentence: str
    values: Callable[[Trial, Values], Values | None]
    hint: str = ""
    within: float = RELATIVE


def no_more(trial: Trial, error: StudentError) -> tuple[str | None, str]:
    """Return neither a mistake nor a hint: the message is enough."""
    return None, ""


class Battery:
    """The calls of one check, with the first one repeated at the end, and the answers.

    `shuffle` draws the order of the calls, if it is not that of the trials.

    `candidates` are tried in their order. The mistake is the first that gives all wrong values, or most of
    them, and right ones where the student's are right. `argument` is the subject of the findings, if that is
    not a value. `by` names a library that must not do the work, and the mistake if it does. `of_error`
    returns the mistake, if it has a name, and the hint for an error.
    """

    def __init__(
        self,
        probe: ProbeClient,
        run: Callable[..., Answer],
        trials: Sequence[Trial],
        candidates: Sequence[Candidate] = (),
        argument: str | None = None,
        by: tuple[str, str | None] = ("PyTorch", None),
        of_error: Callable[[Trial, StudentError], tuple[str | None, str]] = no_more,
        shuffle: np.random.Generator | None = None,
    ) -> None:
        order = [*range(len(trials))] if shuffle is None else [*shuffle.permutation(len(trials))]
        called = [*(trials[place] for place in order), replace(trials[order[0]], condition=REPEAT)]
        answers = probe.each(run, [trial.arguments for trial in called])
        self._called = [*zip(called, answers, strict=True)]
        self._pairs = [self._called[place] for place in np.argsort([*order, len(order)])]
        self._candidates, self._argument, self._by, self._of_error = candidates, argument, by, of_error

    def findings(self) -> Iterator[Finding]:
        """Yield the findings, the cause first."""
        findings = [[*self._of_values(*pair)] for pair in self._pairs]
        yield from self._of_a_condition(findings)
        yield from self._of_an_earlier_call()
        for (trial, answer), of_values in zip(self._pairs, findings, strict=True):
            yield from library_call(answer["handed_over"], trial.words, *self._by)
            if "error" in answer:
                yield from of_values
            yield from disturbed(answer["changes"], trial.words)
            yield from overwritten(answer["overwrites"], trial.words)
            yield from of_values

    def _of_a_condition(self, findings: Sequence[Sequence[Finding]]) -> Iterator[Finding]:
        """Find that exactly the calls under one condition are wrong."""
        pairs = zip(self._pairs, findings, strict=True)
        firsts = [(trial.condition, of_values[0]) for (trial, _), of_values in pairs if of_values]
        changes = any(answer["changes"] for _, answer in self._pairs)
        condition, finding = firsts[0] if firsts else (None, None)
        if condition and finding and not changes and {condition} == {each for each, _ in firsts}:
            message = f"{condition.sentence} {finding.message}"
            yield wrong(message, condition.mistake, finding.input, condition.hint)

    def _of_an_earlier_call(self) -> Iterator[Finding]:
        """Find a wrong value that was right in an earlier call; zeros and ones prove nothing."""
        earlier: dict[tuple[str, bytes], bool] = {}
        for trial, answer in self._called:
            for name, value in (answer["values"] or {}).items():
                if value is None or np.isin(value, (0, 1)).all():
                    continue
                truth, key = trial.truths.get(name), (name, value.tobytes())
                right = truth is not None and close(value, truth)
                if not right and earlier.get(key) and self._explanation is None:
                    message = f"For {trial.words}, {name} is that of an earlier call."
                    yield wrong(message, "state-on-class", self._argument or name, LEFT_OVER)
                earlier[key] = earlier.get(key, False) or right

    def _of_values(self, trial: Trial, answer: Answer) -> Iterator[Finding]:
        values = answer["values"]
        if "error" in answer or values is None:
            mistake, hint = self._of_error(trial, answer["error"])
            finding = raised(answer["error"], trial.words, hint)
            yield replace(finding, mistake=mistake or finding.mistake)
            return
        if values.keys() != trial.truths.keys():
            listings = (" and ".join(names) or "nothing" for names in (values, trial.truths))
            yield wrong("For {}, it returns {}, and should return {}.".format(trial.words, *listings))
        for name, truth in trial.truths.items():
            value = values.get(name)
            right = value is not None and close(value / trial.scale, truth / trial.scale, EXACT)
            if value is None or not right or value.dtype != truth.dtype:
                yield self.explained(trial, name, value, truth)

    def explained(self, trial: Trial, name: str, value: np.ndarray | None, truth: np.ndarray) -> Finding:
        """Return the finding for a wrong value."""
        argument, subject, numbers = self._argument or name, f"For {trial.words}, {name}", ""
        if value is None:
            return gradient_finding(subject, value, truth, argument)
        if value.dtype != truth.dtype and value.shape == truth.shape:
            message = f"{subject} has dtype {value.dtype}; it should be {truth.dtype}."
            return wrong(message, "wrong-dtype", argument)
        if value.shape == truth.shape:
            numbers = difference(value, truth)
            if not np.isfinite(value).all():
                return wrong(f"{subject} is not finite: {numbers}", "not-finite", argument)
        if self._explanation is None:
            return self.unknown(trial, name, value, truth)
        sentence = self._explanation.sentence
        parts = [sentence, subject] if sentence.endswith(".") else [f"{subject} {sentence}"]
        message = f"{' '.join(parts)}: {numbers or 'compare the shapes.'}"
        return wrong(message, self._explanation.mistake, argument, self._explanation.hint)

    def unknown(self, trial: Trial, name: str, value: np.ndarray | None, truth: np.ndarray) -> Finding:
        """Return the finding for a wrong value that no candidate gives."""
        return gradient_finding(f"For {trial.words}, {name}", value, truth, self._argument or name)

    @cached_property
    def _explanation(self) -> Candidate | None:
        """The first candidate that gives all wrong values; else the first that gives most of them."""
        tried = [
            (trial, {name: _value(answer["values"], name, truth) for name, truth in trial.truths.items()})
            for trial, answer in self._pairs
            if answer["values"] is not None
        ]
        shares = [(_share(candidate, tried), candidate) for candidate in self._candidates]
        return next((one for enough in (1.0, 0.5) for share, one in shares if share >= enough), None)


def _share(candidate: Candidate, tried: Sequence[tuple[Trial, Values]]) -> float:
    """Return the share of wrong values that a candidate gives; 0 if it gives wrong values for right ones."""
    right = [pair for pair in tried if _same(pair[0].truths, pair[1])]
    # a candidate with a loose tolerance may differ from right values
    if candidate.within == RELATIVE and not all(_gives(candidate, *pair) for pair in right):
        return 0.0
    differing = [pair for pair in tried if not _same(pair[0].truths, pair[1], candidate.within)]
    return sum(_gives(candidate, *pair) for pair in differing) / (len(differing) or 1)


def _value(values: Mapping[str, np.ndarray | None], name: str, truth: np.ndarray) -> np.ndarray:
    """Return an observed value; an array of nan, which equals nothing, if the value is missing."""
    value = values.get(name)
    return np.full_like(truth, np.nan) if value is None else value


def _gives(candidate: Candidate, trial: Trial, observed: Values) -> bool:
    try:
        values = candidate.values(trial, observed)
    except (TypeError, ValueError):  # the values have other shapes or dtypes
        return False
    return values is not None and _same(values, observed, candidate.within)


def _same(values: Values, observed: Values, within: float = RELATIVE) -> bool:
    """Return whether all values agree, relative to the largest or, with a loose tolerance, each to itself."""
    if within <= RELATIVE:
        return all(close(observed[name], value, within) for name, value in values.items())
    return all(near(observed[name], value, within, within / 1000) for name, value in values.items())
