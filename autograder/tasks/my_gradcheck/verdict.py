"""Judges my_gradcheck by torch.autograd.gradcheck, on right and wrong Functions in an order drawn anew.

Each Function has a twin with the other verdict and otherwise the same shapes, values and tolerances, so that
neither the number of a call nor its arguments tell the answer.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch

from autograder.tasks.battery import Battery, Trial
from autograder.tasks.findings import wrong
from autograder.tasks.functions import function_of
from autograder.tasks.inputs import drawn
from autograder.tasks.my_gradcheck import cases
from autograder.tasks.my_gradcheck.cases import DEFAULTS, Case
from autograder.tasks.my_gradcheck.probe import Probe
from autograder.tasks.tensors import leaf
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.domain import Array
from vjpcheck.errors import StudentError
from vjpcheck.result import Finding

RETURN = "If the Jacobians differ, return False; do not raise an exception."
TIMES = (2.5, 3.5)  # a twin's gradient is so many times the true one


@dataclass(frozen=True, kw_only=True)
class CaseTrial(Trial):
    """A call for a case."""

    case: Case


class Verdicts(Battery):
    """Calls that return True or False."""

    def explained(self, trial: Trial, name: str, value: np.ndarray | None, truth: np.ndarray) -> Finding:
        """Return the finding for a wrong verdict."""
        assert isinstance(trial, CaseTrial)
        text = f"For {trial.words}, {name} returns {bool(value)}, but torch.autograd.gradcheck {bool(truth)}."
        return wrong(text, trial.case.mistake, hint=trial.case.hint)


def _findings(of: Mapping[str, Case]) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        tried = [*trials(of, generator)]
        by = "torch.autograd.gradcheck", None
        yield from Verdicts(probe, Probe.run, tried, by=by, of_error=_of_error, shuffle=generator).findings()

    return findings


def _of_error(_: Trial, error: StudentError) -> tuple[str | None, str]:
    return None, RETURN if error["type"] in ("AssertionError", "GradcheckError") else ""


def trials(of: Mapping[str, Case], generator: np.random.Generator) -> Iterator[CaseTrial]:
    """Yield a trial for each case, then for each twin: at the same inputs, if the verdicts differ there."""
    pairs = [
        (name, case, draw(case, generator, planted))
        for planted in (False, True)
        for name, case in of.items()
        if not planted or (case.at, case.tolerances, case.frozen) == (None, DEFAULTS, ())
    ]
    own = [_trial(name, case, inputs) for name, case, inputs in pairs]
    yield from own
    for trial, (_, case, inputs) in zip(own, pairs, strict=True):
        verdict = bool(trial.truths[VERDICT])
        name, twin = case.twin(verdict, round(generator.uniform(*TIMES), 3))
        others = (_trial(name, twin, values) for values in (inputs, draw(twin, generator)))
        yield next(other for other in others if bool(other.truths[VERDICT]) != verdict)


VERDICT = "my_gradcheck"


def _trial(name: str, case: Case, inputs: list[np.ndarray]) -> CaseTrial:
    truths = {VERDICT: np.array(float(true_verdict(case, inputs)))}
    arguments = (case.function, inputs, case.tolerances, case.frozen, case.by_columns)
    return CaseTrial(arguments, f"a Function {name}", truths, case=case)


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
    fn = function_of(*case.function)
    return torch.autograd.gradcheck(fn, tensors, eps=eps, atol=atol, rtol=rtol, raise_exception=False)


CHECKS = {
    "right Functions": _findings(cases.RIGHT),
    "wrong Functions": _findings(cases.WRONG),
    "eps, atol, rtol": _findings(cases.TOLERANCES),
    "frozen inputs": _findings(cases.FROZEN),
}
