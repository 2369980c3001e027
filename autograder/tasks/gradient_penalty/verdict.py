"""Judges gradient_penalty: its value, and its gradient in the critic's parameters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from autograder.numbers import EXACT, close
from autograder.protocol import ProbeClient
from autograder.result import Finding
from autograder.tasks.findings import disturbed, gradient_finding, raised, wrong
from autograder.tasks.gradient_penalty.critics import CRITICS, Parameters
from autograder.tasks.gradient_penalty.probe import Penalty, run

GRAPH = "Which argument of torch.autograd.grad makes the gradient differentiable in its turn?"
DIGITS = "A finite difference has no more than half of them. What is added under the root, and how much?"
# what is tried after the exercise's own small case: a critic, and the number of samples
DRAWN = (
    ("network", 4),
    ("quadratic", 5),
    ("x**3 and sin(100000 x) / 100000", 4),
    ("network", 1),
    ("quadratic", 1),
)


def _trials(
    probe: ProbeClient, generator: np.random.Generator
) -> Iterator[tuple[str, Parameters, np.ndarray, Penalty]]:
    """Yield for each critic its name, its parameters, x, and what the student's function gives."""
    calls: list[tuple[str, Parameters, np.ndarray]] = [
        ("θ(3 x1 + 4 x2)", {"theta": np.array(1.0)}, np.array([[1.0, 2.0], [0.0, 0.0], [3.0, -1.0]]))
    ]
    calls += [(name, *_draw(generator, name, samples)) for name, samples in DRAWN]
    name, parameters, x = calls[2]
    calls.append((name, parameters, np.repeat(x[:2], 2, axis=0)))
    calls.append(calls[0])  # nothing is left over from the calls in between
    for call, answer in zip(calls, probe.ask([run(*call) for call in calls]), strict=True):
        yield *call, answer


def _draw(generator: np.random.Generator, name: str, samples: int) -> tuple[Parameters, np.ndarray]:
    """Return parameters, and samples at which no slope is near 0 or 1.

    At 0 the norm has no derivative: some put 1e-12 under the root. At 1 the penalty is nothing but rounding.
    """
    while True:
        parameters = {key: generator.standard_normal(shape) for key, shape in CRITICS[name].shapes.items()}
        x = generator.standard_normal((samples, 3))
        slopes = np.linalg.norm(_slopes(name, parameters, x), axis=1)
        if (slopes > 0.3).all() and (np.abs(slopes - 1) > 0.1).all():
            return parameters, x


def _slopes(name: str, parameters: Parameters, x: np.ndarray) -> np.ndarray:
    """Return the gradient of the critic at each row."""
    point = torch.tensor(x, requires_grad=True)
    (gradient,) = torch.autograd.grad(CRITICS[name](parameters)(point).sum(), point)
    rows: np.ndarray = gradient.numpy()
    return rows


def _value(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    for name, parameters, x, answer in _trials(probe, generator):
        shape = (len(x), 1) if name == "network" else (len(x),)
        given = f"the critic {name} with an output of shape {shape}"
        if answer["value"] is None:
            yield raised(answer["error"], given)
            return
        yield from disturbed(answer["changes"], given)
        truth = np.asarray(penalty(CRITICS[name](parameters), torch.tensor(x, requires_grad=True)).item())
        value = answer["value"]
        if value.shape != ():
            yield wrong(f"For {given} the penalty has shape {value.shape}; a scalar is asked for.")
        elif not close(value, truth, EXACT):
            yield _explain_value(name, parameters, x, float(value), float(truth), given)


def _explain_value(
    name: str, parameters: Parameters, x: np.ndarray, value: float, truth: float, given: str
) -> Finding:
    rows = _slopes(name, parameters, x)
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
            (norms / len(x) - 1) ** 2
        ).mean(),
    }
    for what, other in others.items():
        if np.isclose(value, other, rtol=1e-7, atol=1e-10) and not np.isclose(other, truth, rtol=1e-4):
            return wrong(f"{said}: {what}.", None, None, "Write down the shape after each step.")
    if np.isclose(value, truth, rtol=1e-4):
        said = f"For {given} the penalty is {value:.15g} and should be {truth:.15g}"
        return wrong(f"{said}: all digits are asked for.", None, None, DIGITS)
    return wrong(f"{said}.", None, None, f"It is {value / truth:.4g} times the true one.")


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
        if same is None or same.shape != truth.shape or not close(same, truth, EXACT):
            subject = f"The penalty's gradient for the critic's parameter {name}"
            yield gradient_finding(subject, found.get(name), truth, name)


def penalty(critic: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return the truth: mean((‖∇critic‖ − 1)²), each norm that of one row's gradient."""
    (gradient,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    mean: torch.Tensor = (torch.linalg.vector_norm(gradient, dim=1) - 1).square().mean()
    return mean


CHECKS = {"value": _value, "differentiable": _gradients}
