"""Judges my_gradcheck by torch.autograd.gradcheck, on right and wrong Functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import torch

from autograder.result import Finding
from autograder.tasks.calling import leaf
from autograder.tasks.findings import raised, wrong
from autograder.tasks.my_gradcheck import battery
from autograder.tasks.my_gradcheck.battery import Case
from autograder.tasks.my_gradcheck.probe import Probe


def _findings(cases: Mapping[str, Case]) -> Callable[[Probe, np.random.Generator], Iterator[Finding]]:
    def findings(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
        for name, case in cases.items():
            yield from _finding(probe, name, case, generator)

    return findings


def _finding(probe: Probe, name: str, case: Case, generator: np.random.Generator) -> Iterator[Finding]:
    inputs = [
        np.asarray(generator.uniform(0.5, 2.0, shape) * generator.choice([-1.0, 1.0], shape))
        for shape in case.shapes
    ]
    answer = probe.run(name, inputs)
    if "error" in answer:
        yield raised(answer["error"], f"a Function {name}", _hint_for(answer["error"]["type"]))
        return
    for position in answer["inputs_changed"]:
        message = f"inputs[{position}] has other values after the call, for a Function {name}."
        yield wrong(message, "mutates-input", f"inputs[{position}]")
    truth = says(case, inputs)
    if answer["says"] != truth:
        message = (
            f"For a Function {name}, my_gradcheck says {answer['says']}, torch.autograd.gradcheck {truth}."
        )
        yield wrong(message, hint=case.hint)


def _hint_for(error: str) -> str:
    asserted = error in ("AssertionError", "GradcheckError")
    return "Where the Jacobians differ the answer is False: nothing is raised." if asserted else ""


def says(case: Case, inputs: list[np.ndarray]) -> bool:
    """Return the verdict of torch.autograd.gradcheck."""
    eps, atol, rtol = case.tolerances
    tensors = tuple(leaf(array, p not in case.frozen) for p, array in enumerate(inputs))
    return torch.autograd.gradcheck(case.fn, tensors, eps=eps, atol=atol, rtol=rtol, raise_exception=False)


def _frozen(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    """Ask for right answers where there are any: inputs that do not require grad may be refused."""
    for finding in _findings(battery.FROZEN)(probe, generator):
        if " raised " not in finding.message:
            yield finding


CHECKS = {
    "right Functions": _findings(battery.RIGHT),
    "wrong Functions": _findings(battery.WRONG),
    "eps, atol, rtol": _findings(battery.TOLERANCES),
    "frozen inputs": _frozen,
}
