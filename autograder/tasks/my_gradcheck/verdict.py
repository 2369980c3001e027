"""Judges my_gradcheck by torch.autograd.gradcheck, on right and wrong Functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import torch

from autograder.tasks.battery import Battery, Trial
from autograder.tasks.findings import wrong
from autograder.tasks.inputs import drawn
from autograder.tasks.my_gradcheck import functions
from autograder.tasks.my_gradcheck.functions import DEFAULTS, Case
from autograder.tasks.my_gradcheck.probe import Probe
from autograder.tasks.tensors import leaf
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.domain import Array
from vjpcheck.errors import StudentError
from vjpcheck.result import Finding

RETURN = "If the Jacobians differ, return False; do not raise an exception."


class Verdicts(Battery):
    """Calls that return True or False."""

    def explained(self, trial: Trial, name: str, value: np.ndarray | None, truth: np.ndarray) -> Finding:
        """Return the finding for a wrong verdict."""
        case = functions.CASES[trial.arguments[0]]
        text = f"For {trial.words}, {name} returns {bool(value)}, but torch.autograd.gradcheck {bool(truth)}."
        return wrong(text, case.mistake, hint=case.hint)


def _findings(cases: Mapping[str, Case]) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        trials = [
            _call(name, case, draw(case, generator, planted))
            for planted in (False, True)
            for name, case in cases.items()
            if not planted or (case.at, case.tolerances, case.frozen) == (None, DEFAULTS, ())
        ]
        by = "torch.autograd.gradcheck", None
        yield from Verdicts(probe, Probe.run, trials, by=by, of_error=_of_error).findings()

    return findings


def _of_error(_: Trial, error: StudentError) -> tuple[str | None, str]:
    return None, RETURN if error["type"] in ("AssertionError", "GradcheckError") else ""


def _call(name: str, case: Case, inputs: list[np.ndarray]) -> Trial:
    truths = {"my_gradcheck": np.array(float(true_verdict(case, inputs)))}
    return Trial((functions.NUMBERS[name], inputs), f"a Function {name}", truths)


def _away_from_zero(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(random.uniform(0.5, 2.0, shape) * random.choice([-1.0, 1.0], shape))


def draw(case: Case, generator: np.random.Generator, planted: bool = False) -> list[np.ndarray]:
    """Return inputs of a case: its own, or drawn ones of magnitude 0.5 to 2, with planted zeros if asked."""
    if case.at is not None:
        return [np.array(at).reshape(shape) for at, shape in zip(case.at, case.shapes, strict=True)]
    return drawn(generator, *case.shapes, planted=planted, kind=Array("...", draw=_away_from_zero))


def true_verdict(case: Case, inputs: list[np.ndarray]) -> bool:
    """Return the verdict of torch.autograd.gradcheck."""
    eps, atol, rtol = case.tolerances
    tensors = tuple(leaf(array, p not in case.frozen, case.by_columns) for p, array in enumerate(inputs))
    return torch.autograd.gradcheck(case.fn, tensors, eps=eps, atol=atol, rtol=rtol, raise_exception=False)


CHECKS = {
    "right Functions": _findings(functions.RIGHT),
    "wrong Functions": _findings(functions.WRONG),
    "eps, atol, rtol": _findings(functions.TOLERANCES),
    "frozen inputs": _findings(functions.FROZEN),
}
