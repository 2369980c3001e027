"""Judges my_gradcheck by torch.autograd.gradcheck, on right and wrong Functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import torch

from autograder.tasks.findings import disturbed, handed_over, raised, wrong
from autograder.tasks.inputs import drawn
from autograder.tasks.my_gradcheck import battery
from autograder.tasks.my_gradcheck.case import DEFAULTS, Case
from autograder.tasks.my_gradcheck.probe import Verdict, run
from autograder.tasks.my_gradcheck.tolerances import TOLERANCES
from autograder.tasks.tensors import leaf
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.domain import Array
from vjpcheck.result import Finding


def _findings(cases: Mapping[str, Case]) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        trials = [
            (name, case, draw(case, generator, planted))
            for planted in (False, True)
            for name, case in cases.items()
            if not planted or (case.at, case.tolerances, case.frozen) == (None, DEFAULTS, ())
        ]
        trials.append(trials[0])  # nothing is left over from the calls in between
        answers = probe.ask([run(battery.NUMBERS[name], inputs) for name, _, inputs in trials])
        for (name, case, inputs), answer in zip(trials, answers, strict=True):
            yield from _finding(name, case, inputs, answer)

    return findings


def _away_from_zero(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(random.uniform(0.5, 2.0, shape) * random.choice([-1.0, 1.0], shape))


def draw(case: Case, generator: np.random.Generator, planted: bool = False) -> list[np.ndarray]:
    """Return inputs of a case, of magnitude 0.5 to 2 unless it says at which, or 0 is planted."""
    if case.at is not None:
        return [np.array(at).reshape(shape) for at, shape in zip(case.at, case.shapes, strict=True)]
    return drawn(generator, *case.shapes, planted=planted, kind=Array("...", draw=_away_from_zero))


def _finding(name: str, case: Case, inputs: list[np.ndarray], answer: Verdict) -> Iterator[Finding]:
    given = f"a Function {name}"
    yield from handed_over(answer["handed_over"], given, "torch.autograd.gradcheck")
    if "error" in answer:
        yield raised(answer["error"], given, _hint_for(answer["error"]["type"], case))
        return
    yield from disturbed(answer["changes"], given)
    truth = says(case, inputs)
    if answer["says"] != truth:
        message = f"For {given}, my_gradcheck returns {answer['says']}, but torch.autograd.gradcheck {truth}."
        yield wrong(message, case.mistake, hint=case.hint)


def _hint_for(error: str, case: Case) -> str:
    if error in ("AssertionError", "GradcheckError"):
        return "If the Jacobians differ, return False; do not raise an exception."
    return case.hint if case.frozen else ""


def says(case: Case, inputs: list[np.ndarray]) -> bool:
    """Return the verdict of torch.autograd.gradcheck."""
    eps, atol, rtol = case.tolerances
    tensors = tuple(leaf(array, p not in case.frozen, case.by_columns) for p, array in enumerate(inputs))
    return torch.autograd.gradcheck(case.fn, tensors, eps=eps, atol=atol, rtol=rtol, raise_exception=False)


CHECKS = {
    "right Functions": _findings(battery.RIGHT),
    "wrong Functions": _findings(battery.WRONG),
    "eps, atol, rtol": _findings(TOLERANCES),
    "frozen inputs": _findings(battery.FROZEN),
}
