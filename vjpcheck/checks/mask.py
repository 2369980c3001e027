"""Checks that a dropout mask is drawn once, at the right rate, from the generator argument."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from vjpcheck.arguments import generator
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import Request
from vjpcheck.case import Case
from vjpcheck.mistakes import named
from vjpcheck.naming import from_error
from vjpcheck.numbers import near
from vjpcheck.result import Finding

CHECK = "mask"
MISTAKE = "forward-value"
HINT = "Which call draws the mask, from which generator, and with which probability is an entry kept?"
SHAPE, P, LATER_P = (9, 10, 110), 0.3, 0.7
SMALL_P = 0.004  # drops some 40 of ENTRIES; a rate rounded to percents drops none
MASKS = 5  # masks of right work have the same number of zeros once in a billion runs
ENTRIES = math.prod(SHAPE)
# eight standard deviations of a random mask's autocorrelation: exceeded once in 10¹¹ runs
REPEATS = 8 / ENTRIES**0.5


def findings(case: Case) -> Iterator[Finding]:
    """Check the zeros in the output of a large x; the student may use any random call to draw them."""
    seed = int(case.generator.integers(2**31))
    x = case.generator.uniform(0.5, 1.5, SHAPE)
    calls = [(x, P, generator(s)) for s in (seed, *range(seed, seed + MASKS))]
    calls += [(x, p, generator(seed)) for p in (SMALL_P, LATER_P)]
    questions: list[Request[Any]] = [
        requests.inspect(calls[0], [np.ones(SHAPE)]),
        *(requests.forward(call) for call in calls),
    ]
    inspection, *answers = case.ask(questions)
    for answer in answers:
        if "error" in answer:
            yield from_error.finding(CHECK, answer["error"])
            return
        if [output.shape for output in answer["outputs"]] != [SHAPE]:
            return  # the check of forward says so
    one, again, *others, small, later = ((answer["outputs"][0] != 0) for answer in answers)
    if _repetition(one) > REPEATS and np.array_equal(one, again):
        yield _finding("The mask repeats itself: it is not drawn independently for each entry.")
        return
    of_one = list(_values(answers[0]["outputs"][0], x, one, P))
    of_one = of_one or list(_values(answers[-1]["outputs"][0], x, later, LATER_P))
    yield from of_one or _values(answers[-2]["outputs"][0], x, small, SMALL_P)
    if not np.array_equal(one, again):
        yield _finding(
            "The same state of the generator gives a different mask: it is not drawn from the generator."
        )
    elif np.array_equal(one, others[0]):
        yield _finding(
            "A different state of the generator gives the same mask: it is not drawn from the generator."
        )
    elif len({int(mask.sum()) for mask in (one, *others)}) == 1:
        message = f"{MASKS} masks drop the same number of entries, {(~one).sum()} of {one.size}"
        yield _finding(f"{message}: an entry is not dropped independently of the others.")
    elif inspection["requires_grad"] and not inspection["draws"]:
        yield _finding("The generator's state does not change: the next call would drop the same entries.")


def _values(output: np.ndarray, x: np.ndarray, kept: np.ndarray, p: float) -> Iterator[Finding]:
    rate = float(kept.mean())
    # six standard deviations: right work fails once in 500 million runs
    if abs(rate - (1 - p)) > 6 * (p * (1 - p) / ENTRIES) ** 0.5:
        yield _finding(f"With p = {p}, the fraction of kept entries is {rate:.4g}; it should be {1 - p:.4g}.")
    elif not near(output[kept], x[kept] / (1 - p), 1e-6, 1e-8):
        times = float((output[kept] / x[kept]).mean())
        message = f"With p = {p}, kept entries are {times:.4g} times x; they should be x / (1 − p)."
        yield named(MISTAKE, CHECK, None, message)


def _repetition(kept: np.ndarray) -> float:
    """Return the greatest autocorrelation of the mask over all shifts."""
    centred = kept.ravel() - kept.mean()
    power = np.abs(np.fft.fft(centred)) ** 2
    correlation = np.fft.ifft(power).real  # the Wiener–Khinchin theorem
    return float(np.abs(correlation[1:]).max() / correlation[0]) if correlation[0] else 0.0


def _finding(message: str) -> Finding:
    return Finding(CHECK, message, MISTAKE, None, HINT)
