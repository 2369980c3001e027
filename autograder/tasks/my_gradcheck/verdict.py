"""Judges my_gradcheck by torch.autograd.gradcheck, on right and wrong Functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import torch

from autograder.protocol import ProbeClient
from autograder.result import Finding
from autograder.tasks.findings import raised, wrong
from autograder.tasks.my_gradcheck import battery
from autograder.tasks.my_gradcheck.battery import Case
from autograder.tasks.my_gradcheck.probe import Verdict, run
from autograder.tasks.tensors import leaf


def _findings(cases: Mapping[str, Case]) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        drawn = [[_draw(generator, shape) for shape in case.shapes] for case in cases.values()]
        answers = probe.ask([run(*call) for call in zip(cases, drawn, strict=True)])
        for (name, case), inputs, answer in zip(cases.items(), drawn, answers, strict=True):
            yield from _finding(name, case, inputs, answer)

    return findings


def _draw(generator: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(generator.uniform(0.5, 2.0, shape) * generator.choice([-1.0, 1.0], shape))


def _finding(name: str, case: Case, inputs: list[np.ndarray], answer: Verdict) -> Iterator[Finding]:
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


def _frozen(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
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
