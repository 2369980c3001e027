"""Judges gradient_penalty: its value, and its gradient in the critic's parameters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

from autograder.other_variant import OTHER_VARIANT
from autograder.tasks.findings import disturbed, gradient_finding, raised, wrong
from autograder.tasks.gradient_penalty.critics import CRITICS, Parameters, trained
from autograder.tasks.gradient_penalty.probe import Penalty, run
from autograder.tasks.inputs import drawn
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.numbers import EXACT, arrived, close
from vjpcheck.result import Finding

GRAPH = "Which argument of torch.autograd.grad makes the gradient itself differentiable?"
DIGITS = "A finite difference gives only half of the digits. Do you add a constant under the root?"
OF_THE_MEAN = "the gradient of the critic's mean is taken instead of the gradient for each sample"
WHOLE_BATCH = "the norm is taken over the whole batch instead of for each sample"
ALONG_THE_BATCH = "the norm is taken along the batch axis instead of for each sample"
SUMMED = {
    "mean": "the norms are summed instead of averaged",
    "sum": "the norms are averaged instead of summed",
}
# the mistakes that other formulas are
NAMES = {
    WHOLE_BATCH: "wrong-axis",
    ALONG_THE_BATCH: "wrong-axis",
    SUMMED["mean"]: "wrong-factor",
    SUMMED["sum"]: "mean-instead-of-sum",
    OF_THE_MEAN: "mean-instead-of-sum",
}
# what is tried after the exercise's own small case: a critic, and the number of samples
DRAWN = (
    ("network", 4),
    ("quadratic", 5),
    ("x**3 and sin(100000 x) / 100000", 4),
    ("network", 1),
    ("quadratic", 1),
    ("quadratic with a frozen vector", 3),
    ("quadratic with a forward hook", 3),
    ("quadratic of one number", 4),
)


class Asked(NamedTuple):
    """What is asked for: weight times the mean, or the sum, of (‖∇critic‖ − target)²."""

    weight: float = 1.0
    target: float = 1.0
    reduction: str = "mean"

    def of(self, squares: np.ndarray) -> float:
        """Return it for what stands in the place of the squares."""
        return float(self.weight * (squares.mean() if self.reduction == "mean" else squares.sum()))

    @property
    def name(self) -> str:
        """Return it as a formula."""
        factor = "" if self.weight == 1 else f"{self.weight:g} times "
        return f"{factor}the {self.reduction} of (‖∇critic‖ − {self.target:g})²"

    @property
    def other_reduction(self) -> Asked:
        """Return it with a sum in place of the mean, and the other way round."""
        return self._replace(reduction="sum" if self.reduction == "mean" else "mean")


def _trials(
    probe: ProbeClient, generator: np.random.Generator, asked: Asked
) -> Iterator[tuple[str, Parameters, np.ndarray, Penalty]]:
    """Yield for each critic its name, its parameters, x, and what the student's function gives."""
    calls: list[tuple[str, Parameters, np.ndarray]] = [
        ("θ(3 x1 + 4 x2)", {"theta": np.array(1.0)}, np.array([[1.0, 2.0], [0.0, 0.0], [3.0, -1.0]]))
    ]
    calls += [
        (name, *_draw(generator, name, samples, asked.target, planted))
        for planted in (False, True)
        for name, samples in DRAWN
    ]
    name, parameters, x = calls[2]
    calls.append((name, parameters, np.repeat(x[:2], 2, axis=0)))
    calls.append(calls[0])  # nothing is left over from the calls in between
    for call, answer in zip(calls, probe.ask([run(*call) for call in calls]), strict=True):
        yield *call, answer


def _draw(
    generator: np.random.Generator, name: str, samples: int, target: float, planted: bool
) -> tuple[Parameters, np.ndarray]:
    """Return parameters, and samples at which no slope is near 0 or the target.

    At 0 the norm has no derivative: some put 1e-12 under the root. At the target the penalty is nothing but
    rounding. Of several samples there are some on either side of the target: a penalty may leave out one.
    """
    while True:
        shapes = CRITICS[name].shapes
        parameters = dict(zip(shapes, drawn(generator, *shapes.values()), strict=True))
        (x,) = drawn(generator, (samples, CRITICS[name].columns), planted=planted)
        slopes = np.linalg.norm(_slopes(name, parameters, x), axis=1)
        fit = (slopes > 0.3 * min(target, 1.0)).all() and (np.abs(slopes - target) > 0.1).all()
        if fit and (samples == 1 or 0 < (slopes < target).sum() < samples):
            return parameters, x


def _slopes(name: str, parameters: Parameters, x: np.ndarray) -> np.ndarray:
    """Return the gradient of the critic at each row."""
    point = torch.tensor(x, requires_grad=True)
    (gradient,) = torch.autograd.grad(CRITICS[name](parameters)(point).sum(), point)
    rows: np.ndarray = gradient.numpy()
    return rows


def _value(probe: ProbeClient, generator: np.random.Generator, **variant: Any) -> Iterator[Finding]:
    asked = Asked(**variant)
    for name, parameters, x, answer in _trials(probe, generator, asked):
        shape = (len(x), 1) if name == "network" else (len(x),)
        given = f"the critic {name} with an output of shape {shape}"
        if answer["value"] is None:
            yield raised(answer["error"], given)
            return
        yield from disturbed(answer["changes"], given)
        truth = np.asarray(
            penalty(CRITICS[name](parameters), torch.tensor(x, requires_grad=True), asked).item()
        )
        value = answer["value"]
        if value.shape != ():
            yield wrong(f"For {given} the penalty has shape {value.shape}; it should be a scalar.")
        elif not close(value, truth, EXACT):
            yield _explain_value(name, parameters, x, float(value), float(truth), given, asked)


def _explain_value(
    name: str, parameters: Parameters, x: np.ndarray, value: float, truth: float, given: str, asked: Asked
) -> Finding:
    rows = _slopes(name, parameters, x)
    norms = np.linalg.norm(rows, axis=1)
    said = f"For {given} the penalty is {value:.6g} and should be {truth:.6g}"
    target, of = asked.target, asked.of
    others = {
        WHOLE_BATCH: of((np.atleast_1d(np.linalg.norm(rows)) - target) ** 2),
        ALONG_THE_BATCH: of((np.linalg.norm(rows, axis=0) - target) ** 2),
        SUMMED[asked.reduction]: asked.other_reduction.of((norms - target) ** 2),
        f"the mean norm is compared with {target:g} instead of each norm": of(
            (norms.mean(keepdims=True) - target) ** 2
        ),
        f"the norm is squared before {target:g} is subtracted": of((norms**2 - target) ** 2),
        f"{target:g} is not subtracted": of(norms**2),
        f"gradients shorter than {target:g} are left out": of(np.maximum(norms - target, 0) ** 2),
        f"gradients longer than {target:g} are left out": of(np.minimum(norms - target, 0) ** 2),
        "nothing is squared": of(norms - target),
        "the absolute value of the difference is taken instead of its square": of(np.abs(norms - target)),
        "the norm is the sum of absolute values": of((np.abs(rows).sum(1) - target) ** 2),
        OF_THE_MEAN: of((norms / len(x) - target) ** 2),
    }
    usual = Asked()
    far = sum(one != other for one, other in zip(asked, usual, strict=True)) > 1
    if far and math.isclose(value, usual.of((norms - usual.target) ** 2), rel_tol=1e-7):
        told = f"{OTHER_VARIANT}: {usual.name}. Your notebook asks for this: {asked.name}."
        return wrong(told, None, None, "Compare the formula of the text with yours.")
    if asked.weight != 1:
        others[f"the factor {asked.weight:g} is missing"] = truth / asked.weight
    for what, other in others.items():
        if math.isclose(value, other, rel_tol=1e-7) and not math.isclose(other, truth, rel_tol=1e-4):
            return wrong(
                f"{said}: {what}.",
                NAMES.get(what, "forward-value"),
                None,
                "Write down the shape after each step.",
            )
    if math.isclose(value, truth, rel_tol=1e-3):  # a finite difference, where the critic is steep
        said = f"For {given} the penalty is {value:.15g} and should be {truth:.15g}"
        return wrong(f"{said}: all digits must be right.", "not-precise", None, DIGITS)
    return wrong(f"{said}.", None, None, f"It is {value / truth:.4g} times the true one.")


def _gradients(probe: ProbeClient, generator: np.random.Generator, **variant: Any) -> Iterator[Finding]:
    asked = Asked(**variant)
    for name, parameters, x, answer in _trials(probe, generator, asked):
        if "error" in answer:
            yield raised(answer["error"], hint=GRAPH)
            return
        module = CRITICS[name](parameters)
        named = trained(module)
        truths = torch.autograd.grad(
            penalty(module, torch.tensor(x, requires_grad=True), asked),
            [*named.values()],
            materialize_grads=True,
        )
        found = answer["gradients"]
        if not any(gradient is not None and gradient.any() for gradient in found.values()):
            message = "The value is right, but no gradient reaches the critic's parameters"
            reason = "the gradient in x was computed without create_graph=True, or detached from its graph"
            yield wrong(f"{message}: {reason}.", "missing-gradient", "critic", GRAPH)
            return
        for key, truth in zip(named, (truth.numpy() for truth in truths), strict=True):
            if not arrived(found.get(key), truth, EXACT):
                subject = f"The penalty's gradient for the critic's parameter {key}"
                yield gradient_finding(subject, found.get(key), truth, key)
        yield from disturbed(answer["changes"], f"the critic {name} and the backward pass")


def penalty(critic: torch.nn.Module, x: torch.Tensor, asked: Asked = Asked()) -> torch.Tensor:  # noqa: B008
    """Return the truth: each norm is that of one row's gradient."""
    (gradient,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    squares = (torch.linalg.vector_norm(gradient, dim=1) - asked.target).square()
    reduced: torch.Tensor = squares.mean() if asked.reduction == "mean" else squares.sum()
    return asked.weight * reduced


CHECKS = {"value": _value, "differentiable": _gradients}
