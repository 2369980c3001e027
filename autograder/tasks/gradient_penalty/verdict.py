"""Judges gradient_penalty: its value, and its gradient in the critic's parameters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from autograder.protocol import ProbeClient
from autograder.result import Finding
from autograder.tasks.findings import gradient_finding, raised, wrong
from autograder.tasks.gradient_penalty.critics import CRITICS, Parameters
from autograder.tasks.gradient_penalty.probe import Penalty, run

GRAPH = "Which argument of torch.autograd.grad makes the gradient differentiable in its turn?"
SAMPLES = 4
TOLERANCE = 1e-5  # some add a little under the root, so that it has a derivative at 0


def _trials(
    probe: ProbeClient, generator: np.random.Generator
) -> Iterator[tuple[str, Parameters, np.ndarray, Penalty]]:
    """Yield for each critic its name, its parameters, x, and what the student's function gives."""
    calls = []
    for name, critic in CRITICS.items():
        parameters = {key: generator.standard_normal(shape) for key, shape in critic.shapes.items()}
        calls.append((name, parameters, generator.standard_normal((SAMPLES, 3))))
    for call, answer in zip(calls, probe.ask([run(*call) for call in calls]), strict=True):
        yield *call, answer


def _value(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    for name, parameters, x, answer in _trials(probe, generator):
        given = f"a critic with an output of shape {'(n, 1)' if name == 'network' else '(n,)'}"
        if answer["value"] is None:
            yield raised(answer["error"], given)
            return
        for changed in answer["changed"]:
            yield wrong(f"{changed} has other values after the call.", "mutates-input", changed)
        truth = np.asarray(penalty(CRITICS[name](parameters), torch.tensor(x, requires_grad=True)).item())
        value = answer["value"]
        if value.shape != ():
            yield wrong(f"For {given} the penalty has shape {value.shape}; a scalar is asked for.")
        elif not np.isclose(value, truth, rtol=TOLERANCE, atol=TOLERANCE):
            yield _explain_value(name, parameters, x, float(value), float(truth), given)


def _explain_value(
    name: str, parameters: Parameters, x: np.ndarray, value: float, truth: float, given: str
) -> Finding:
    point = torch.tensor(x, requires_grad=True)
    (gradient,) = torch.autograd.grad(CRITICS[name](parameters)(point).sum(), point)
    rows = gradient.numpy()
    norms = np.linalg.norm(rows, axis=1)
    said = f"For {given} the penalty is {value:.6g} and should be {truth:.6g}"
    others = {
        "the norm is taken over the whole batch and not for each sample": (np.linalg.norm(rows) - 1) ** 2,
        "the norm is taken down the batch and not for each sample": (
            (np.linalg.norm(rows, axis=0) - 1) ** 2
        ).mean(),
        "the norms are summed and not averaged": ((norms - 1) ** 2).sum(),
        "it is the mean norm that is compared with 1": (norms.mean() - 1) ** 2,
        "the norm is squared before 1 is subtracted": ((norms**2 - 1) ** 2).mean(),
        "1 is not subtracted": (norms**2).mean(),
        "nothing is squared": (norms - 1).mean(),
        "the difference is not squared but made positive": np.abs(norms - 1).mean(),
        "the norm is that of the absolute values": ((np.abs(rows).sum(1) - 1) ** 2).mean(),
        "the gradient of the critic's mean is taken and not each sample's own": (
            (norms / SAMPLES - 1) ** 2
        ).mean(),
    }
    for what, other in others.items():
        if np.isclose(value, other, rtol=1e-7, atol=1e-10):
            return wrong(f"{said}: {what}.", None, None, "Write down the shape after each step.")
    times = value / truth
    return wrong(f"{said}.", None, None, f"It is {times:.4g} times the true one.")


def _gradients(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    for name, parameters, x, answer in _trials(probe, generator):
        if "error" in answer:
            yield raised(answer["error"], hint=GRAPH)
            return
        module = CRITICS[name](parameters)
        truths = torch.autograd.grad(
            penalty(module, torch.tensor(x, requires_grad=True)),
            [*module.parameters()],
            materialize_grads=True,
        )
        pairs = [*zip(parameters, (truth.numpy() for truth in truths), strict=True)]
        yield from _against_truths(answer, pairs)


def _against_truths(answer: Penalty, pairs: list[tuple[str, np.ndarray]]) -> Iterator[Finding]:
    found = answer["gradients"]
    if not any(gradient is not None and gradient.any() for gradient in found.values()):
        message = "The value is right, but no gradient reaches the critic's parameters"
        reason = "the gradient in x was computed without create_graph=True, or detached from its graph"
        yield wrong(f"{message}: {reason}.", "missing-gradient", "critic", GRAPH)
        return
    for name, truth in pairs:
        gradient = found.get(name)
        same = truth if gradient is None and not truth.any() else gradient
        if same is None or same.shape != truth.shape or not np.allclose(same, truth, TOLERANCE, TOLERANCE):
            subject = f"The penalty's gradient for the critic's parameter {name}"
            yield gradient_finding(subject, found.get(name), truth, name)


def penalty(critic: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return the truth: mean((‖∇critic‖ − 1)²), each norm that of one row's gradient."""
    (gradient,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    mean: torch.Tensor = (torch.linalg.vector_norm(gradient, dim=1) - 1).square().mean()
    return mean


CHECKS = {"value": _value, "differentiable": _gradients}
