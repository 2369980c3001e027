"""The truths of lesson 1 against others: torch for the adjoints by hand, the engine for the sweeps."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from verdicts import verdict_on

from autograder.exercises import EXERCISES, find
from autograder.tasks.sweep import tapes
from course.engine import Tensor, grad, sin
from course.engine.tape import tape


def by_torch(exercise: str) -> dict[str, float]:
    if exercise == "adjoints_log_product":
        x1, x2 = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (2.0, 5.0))
        v1, v2, v3 = torch.log(x1), x1 * x2, torch.sin(x2)
        v4 = v1 + v2
        nodes = {"x1": x1, "x2": x2, "v1": v1, "v2": v2, "v3": v3, "v4": v4, "v5": v4 - v3}
    else:
        a, b = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (0.5, 3.0))
        p = a * b
        s = torch.sin(p)
        t = s * b
        nodes = {"a": a, "b": b, "p": p, "s": s, "t": t, "y": p + t}
    output = list(nodes.values())[-1]
    return {
        name: value.item()
        for name, value in zip(nodes, torch.autograd.grad(output, [*nodes.values()]), strict=True)
    }


@pytest.mark.parametrize("exercise", ["adjoints_log_product", "adjoints_diamond"])
def test_the_adjoints_of_torch_are_right(exercise):
    data = find(exercise)
    assert verdict_on(data, by_torch(exercise), seed=0).passed


@pytest.mark.parametrize("exercise", ["adjoints_log_product", "adjoints_diamond"])
@given(st.data())
def test_one_wrong_adjoint_never_passes(exercise, data):
    adjoints = by_torch(exercise)
    name = data.draw(st.sampled_from(sorted(adjoints)))
    adjoints[name] += data.draw(st.sampled_from([-1, 1])) * data.draw(st.floats(0.01, 100))
    result = verdict_on(find(exercise), adjoints, seed=0)
    assert not result.passed
    assert [finding.input for finding in result.findings] == [name]


def random_tape(generator: np.random.Generator) -> tapes.Tape:
    """Return the tape of a random engine program, with its sines, products and reuse."""
    nodes = [Tensor(float(v), requires_grad=True) for v in generator.uniform(0.5, 2.0, 3)]
    for _ in range(8):
        one, two = generator.choice(len(nodes), 2)
        # sines keep the numbers small, so that the linear solve keeps its digits
        nodes.append(
            sin(nodes[one] * nodes[two]) if generator.random() < 0.6 else nodes[one] + sin(nodes[two])
        )
    output = nodes[-1] + nodes[-2]
    return tape(output, {f"n{i}": node for i, node in enumerate(nodes)} | {"out": output})


@given(st.integers(0, 2**32))
def test_the_truth_about_a_tape_is_that_of_the_engine(seed):
    a, b = (Tensor(float(v), requires_grad=True) for v in np.random.default_rng(seed).uniform(0.5, 2.0, 2))
    c = a * b
    d = sin(c) * b
    output = d + c * c
    named = {"a": a, "b": b, "c": c, "d": d, "output": output}
    truths = tapes.true_adjoints(tape(output, named), 1.0)
    for name, gradient in zip(named, grad(output, [*named.values()]), strict=True):
        assert truths[name] == pytest.approx(gradient.item())


@given(st.integers(0, 2**32))
def test_tangents_and_adjoints_agree_about_the_same_derivative(seed):
    steps = random_tape(np.random.default_rng(seed))
    leaves = [step.name for step in steps if not step.operands]
    adjoints = tapes.true_adjoints(steps, 1.0)
    for leaf in leaves:
        tangents = tapes.true_tangents(steps, [leaf], [1.0])
        assert tangents[steps[-1].name] == pytest.approx(adjoints[leaf])


@pytest.mark.shipped
def test_points_of_lesson_1_and_4_add_up_to_20():
    for lesson in (1, 4):
        assert sum(e.max_score for e in EXERCISES.values() if e.lesson == lesson) == 20
