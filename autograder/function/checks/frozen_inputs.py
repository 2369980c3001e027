"""Checks that backward computes no gradient for inputs that do not require grad."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.function.case import Case
from autograder.mistakes import named
from autograder.result import Finding

CHECK = "frozen inputs"


def findings(case: Case) -> Iterator[Finding]:
    """Find gradients returned for tensors that do not require grad."""
    needless = {
        position
        for trial in case.trials
        for position, value in enumerate(trial.answer["returned"] or [])
        if position in trial.sample.tensor_positions
        and not trial.requires[position]
        and value["type"] != "None"
    }
    if needless:
        names = ", ".join(case.name(position) for position in sorted(needless))
        message = f"backward returns a gradient for {names} even if that input does not require grad."
        yield named("needless-work", CHECK, case.name(min(needless)), message)
