"""The tasks' own truths against others: gradcheck, hashes, the wire, native PyTorch."""

import io
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import submissions
import torch
from tiers import first_now
from verdicts import verdict_apart, verdict_on

from autograder.check import judge, local_probe
from autograder.exercise import FunctionExercise, TaskExercise
from autograder.exercises import EXERCISES, find
from autograder.exercises.eight_bugs import CANDIDATES, EIGHT
from autograder.tasks import jacobians
from autograder.tasks.find_the_bugs.verdict import HASHES, HINTS, hashed
from autograder.tasks.functions import function_of
from autograder.tasks.gradient_penalty.critics import CRITICS
from autograder.tasks.gradient_penalty.verdict import penalty
from autograder.tasks.hessian_vector_product.functions import FUNCTIONS as HESSIANS_OF
from autograder.tasks.inputs import drawn
from autograder.tasks.my_gradcheck import cases, verdict
from autograder.tasks.my_gradcheck.cases import Case
from autograder.tasks.my_gradcheck.verdict import draw, true_verdict
from vjpcheck.ask import wire
from vjpcheck.ask.answer_size import frame_size
from vjpcheck.ask.protocol import ProbeClient, Request
from vjpcheck.capture import captured_output
from vjpcheck.domain import Array, Domain, Index
from vjpcheck.mistakes import MISTAKES
from vjpcheck.numbers import EXACT
from vjpcheck.source_file import load

RIGHT_WITHIN_TOLERANCES = {
    "that returns 6.003 for 6, at rtol = 1e-3",
    "whose gradient is 1 + 1e-4 times the true one",
    "whose gradient is 1 + 1e-2 times the true one, at atol = 0.3",
    "that returns 2.3 for 2, at atol = 0.2 and rtol = 0.1",
    "that returns 1.2 for 2, at rtol = 0.45",
    "that returns −2.5 for −2, at rtol = 0.4",
    "that returns 2.3 for 2 in six entries, at atol = 0.35",
    "that is right (x), at integers, atol = 0 and rtol = 0",
    "that returns 1.5 for 1, at integers and atol = 0.5",
    "that is right (x*x), at eps = 0.25",
    "that is right (x**4), at eps = 1e-4",
    "whose backward is a central difference of x**4, at eps = 0.25",
}
RIGHT_BUT_FOR_FROZEN_INPUTS = {
    "that is right (a*b), where b does not require grad",
    "that is right (a*b), where a does not require grad",
    "with a wrong gradient only for b, where b does not require grad",
}
TASKS = [exercise.id for exercise in EXERCISES.values() if isinstance(exercise, TaskExercise)]


class OverTheWire(ProbeClient):
    """A probe whose every request and answer goes through the format that two processes share."""

    apart = False

    def __init__(self, probe: ProbeClient) -> None:
        self.probe = probe

    def exchange(self, requests: Sequence[Request[Any]]) -> Any:
        size = frame_size(request.answer for request in requests)
        arrived = [replace(request, arguments=tuple(sent(request.arguments))) for request in requests]
        return sent(self.probe.exchange(arrived), size.text, size.arrays)


def sent(value: Any, *at_most: int) -> Any:
    stream = io.BytesIO()
    wire.send(stream, value)
    stream.seek(0)
    return wire.receive(stream, *at_most)


# right work goes over it to the sandbox, in grading/test_right_work
@pytest.mark.parametrize("exercise_id", TASKS)
@pytest.mark.parametrize("some", first_now([slice(1), slice(1, 4)]))
def test_a_verdict_is_the_same_over_the_wire(exercise_id: str, some: slice) -> None:
    exercise = find(exercise_id)
    for submission in submissions.mistaken(exercise_id)[some]:
        path = submission.file()
        with captured_output():
            direct = judge(exercise, local_probe(exercise, load(path, exercise.object_name)), 0)
            # loaded only now: a custom op that is registered a second time destroys the first
            again = local_probe(exercise, load(path, exercise.object_name))
            over_the_wire = judge(exercise, OverTheWire(again), 0)
        assert over_the_wire.score == direct.score
        assert [(f.check, f.mistake) for f in over_the_wire.findings] == [
            (f.check, f.mistake) for f in direct.findings
        ]


AFTERWARDS = """
import sys
import submissions
from verdicts import verdict

assert not verdict(submissions.named("crop_op/bad_graph_break_in_the_wrapper"), 0).passed

def deeper(n):
    return n and 1 + deeper(n - 1)

sys.setrecursionlimit(1_000_000)
print(deeper(100_000))
"""


@pytest.mark.long
def test_a_compilation_that_fails_leaves_room_on_the_stack() -> None:
    afterwards = subprocess.run(
        [sys.executable, "-c", AFTERWARDS],
        env={**os.environ, "PYTHONPATH": str(Path(submissions.__file__).parent)},
        capture_output=True,
        text=True,
    )
    assert afterwards.stdout.split()[-1:] == ["100000"], afterwards.stderr


# a function, a dict, a class
@pytest.mark.parametrize("exercise_id", ["numerical_jacobian", "find_the_bugs", "scalar_tensor"])
def test_a_file_is_checked_in_a_process_of_its_own(exercise_id: str) -> None:
    result = verdict_apart(submissions.right(exercise_id)[0], 0)
    assert result.passed, str(result)


def bug_exercise(name: str) -> FunctionExercise:
    """Return the Function that is meant, as an exercise like any other."""

    x, row, rows = Array("n in"), Array("in"), Index("k", below="n")
    native: dict[str, tuple[Any, dict[str, Any]]] = {
        "Linear": (lambda x, w, b: x @ w.T + b, {"x": x, "weight": Array("out in"), "bias": Array("out")}),
        "Relu": (torch.relu, {"x": Array("n in", off=(0.0,))}),
        "Multiply": (lambda a, b: a * b, {"a": x, "b": x}),
        "Exp": (torch.exp, {"x": Array("n in", -2, 2)}),
        "TakeRows": (lambda x, i: x[i], {"x": x, "index": rows}),
        "Reorder": (lambda x, i: x[i], {"x": x, "order": Index("n", below="n")}),
        "AddBias": (lambda x, b: x + b, {"x": x, "bias": row}),
        "ScaleAndShift": (lambda x, a, b: x * a + b, {"x": x, "scale": x, "shift": x}),
    }
    forward, arguments = native[name]
    domain, random = Domain(arguments), np.random.default_rng(99)
    return FunctionExercise(
        id="bug",
        lesson=5,
        summary="",
        points={"forward": 1, "contract": 1, "gradient": 1, "second order": 1},
        domain=domain,
        forward=forward,
        small=domain.draw(domain.small()[0], random),
    )


@pytest.mark.parametrize("function", EIGHT, ids=lambda function: function.__name__)
def test_the_autograder_names_each_of_the_eight_bugs(function: Any) -> None:
    exercise = bug_exercise(function.__name__)
    for seed in range(3):
        findings = verdict_on(exercise, function, seed).findings
        assert findings, "the mistake is not found"
        mistake = findings[0].mistake
        assert mistake is not None, findings[0].message
        assert hashed(function.__name__, mistake) == HASHES[function.__name__], findings[0]


def test_every_bug_has_its_hash_its_hint_and_its_points() -> None:
    names = [function.__name__ for function in EIGHT]
    assert names == [*HASHES] == [*HINTS] == [*find("find_the_bugs").points]


def test_the_ids_to_choose_from_hold_the_right_ones_and_no_two_are_described_alike() -> None:
    assert set(CANDIDATES) <= set(MISTAKES)
    assert len(set(CANDIDATES.values())) == len(CANDIDATES)
    for name, right in HASHES.items():
        assert right in {hashed(name, candidate) for candidate in CANDIDATES}


@pytest.mark.parametrize(
    ("name", "case"),
    [
        pytest.param(*item, id=item[0])
        for table in (cases.RIGHT, cases.WRONG, cases.TOLERANCES, cases.FROZEN)
        for item in table.items()
    ],
)
def test_gradcheck_says_of_a_case_what_its_name_says_and_of_its_twin_the_opposite(
    name: str, case: Case
) -> None:
    right = name in cases.RIGHT or name in RIGHT_WITHIN_TOLERANCES or name in RIGHT_BUT_FOR_FROZEN_INPUTS
    for seed in range(3):
        assert true_verdict(case, draw(case, np.random.default_rng(seed))) == right
        _, twin = case.twin(right, 2.5 + seed / 2)
        assert true_verdict(twin, draw(twin, np.random.default_rng(seed))) != right


@pytest.mark.parametrize("table", [cases.RIGHT, cases.WRONG, cases.TOLERANCES, cases.FROZEN])
def test_neither_shapes_nor_tolerances_tell_what_gradcheck_says(table: dict[str, Case]) -> None:
    verdicts = defaultdict(list)
    for trial in verdict.trials(table, np.random.default_rng(0)):
        _, inputs, *others = trial.arguments
        verdicts[str(([x.shape for x in inputs], others))] += [float(*trial.truths.values())]
    assert {key: np.mean(truths) for key, truths in verdicts.items()} == dict.fromkeys(verdicts, 0.5)


def test_answers_in_the_order_of_one_run_are_wrong_in_another() -> None:
    exercise, answers = find("my_gradcheck"), list[bool]()
    right = load(submissions.right("my_gradcheck")[0].file(), "my_gradcheck")

    def recorded(*arguments: Any) -> bool:
        answers.append(right(*arguments))
        return answers[-1]

    assert verdict_on(exercise, recorded, 1).passed
    for seed, passed in ((1, True), (2, False)):
        bits = iter(answers)
        outcomes = verdict_on(exercise, lambda *_, bits=bits: next(bits), seed).outcomes
        assert {outcome.passed for outcome in outcomes} == {passed}
    assert (
        verdict_on(exercise, lambda *_: True, 1).score == verdict_on(exercise, lambda *_: False, 1).score == 0
    )


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 1, 3)])
def test_a_planted_array_holds_a_zero_and_a_value_twice(shape: tuple[int, ...]) -> None:
    for seed in range(20):
        ordinary, planted = (
            drawn(np.random.default_rng(seed), shape, planted=planted)[0].ravel() for planted in (False, True)
        )
        assert ordinary.all()
        assert len({*ordinary}) == ordinary.size
        others = planted[planted != 0]
        assert len(others) == len({*others}) + 1 == planted.size - 1


@pytest.mark.parametrize("shape", [(), (1,), (2,), (1, 2)])
def test_a_planted_array_without_room_is_zero_everywhere(shape: tuple[int, ...]) -> None:
    (array,) = drawn(np.random.default_rng(0), shape, planted=True)
    assert isinstance(array, np.ndarray)
    assert array.shape == shape
    assert not array.any()


@pytest.mark.parametrize("name", [name for name in jacobians.FUNCTIONS if "100000" not in name])
def test_small_differences_are_the_derivative_except_where_backward_is_wrong(name: str) -> None:
    generator = np.random.default_rng(0)
    inputs = [generator.uniform(0.5, 1.5, (2, 2)) for _ in jacobians.FUNCTIONS[name][0].split()]
    trial = jacobians.trial(name, inputs)
    numerical, analytical = jacobians.differences(trial, 1e-5, 1e-5), jacobians.by_backward(trial)
    assert [*numerical] == [*analytical] == [f"J[{position}]" for position in range(len(inputs))]
    agree = [np.allclose(numerical[of], analytical[of], atol=1e-6) for of in numerical]
    assert all(agree) != name.startswith("a Function")


def five_points(at: Any, step: float) -> Any:
    return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step)


def test_no_finite_difference_comes_near_the_derivative_of_a_steep_function() -> None:
    x = torch.tensor([0.7, -1.1, 0.4], dtype=torch.float64, requires_grad=True)
    v = torch.tensor([1.0, -0.5, 2.0], dtype=torch.float64)
    fn = function_of(*jacobians.FUNCTIONS[jacobians.STEEP])
    truth = torch.autograd.grad(fn(x).sum(), x)[0]
    scalar = HESSIANS_OF["(sum of squares)**2 + sum of sin(100000 x) / 10**10"]
    product = torch.autograd.functional.hvp(scalar, x, v)[1]

    def gradient(t: float) -> torch.Tensor:
        point = (x.detach() + t * v).requires_grad_()
        return torch.autograd.grad(scalar(point), point)[0]

    for step in 10.0 ** np.arange(-12, 0.1, 0.25):
        measured = five_points(lambda t: fn(x.detach() + t), step)
        assert not torch.allclose(measured, truth, rtol=5 * EXACT, atol=5 * EXACT)
        assert not torch.allclose(five_points(gradient, step), product, rtol=5 * EXACT, atol=5 * EXACT)


@pytest.mark.parametrize("name", CRITICS)
def test_the_true_penalty_is_that_of_finite_differences(name: str) -> None:
    generator = np.random.default_rng(0)
    critic = CRITICS[name]({n: generator.standard_normal(s) for n, s in CRITICS[name].shapes.items()})
    x = generator.standard_normal((4, CRITICS[name].columns))

    def value(row: np.ndarray) -> float:
        with torch.no_grad():
            return float(critic(torch.tensor(row[None])).sum())

    step = 1e-8 if "100000" in name else 1e-5
    steps = step * np.eye(CRITICS[name].columns)
    norms = [np.linalg.norm([(value(r + s) - value(r - s)) / (2 * step) for s in steps]) for r in x]
    truth = penalty(critic, torch.tensor(x, requires_grad=True)).item()
    assert truth == pytest.approx(np.mean((np.array(norms) - 1) ** 2), rel=1e-5 if "100000" in name else 1e-6)


@pytest.mark.shipped
def test_points_of_lessons_5_and_12_add_up_to_20() -> None:
    for lesson in (5, 12):
        assert sum(e.max_score for e in EXERCISES.values() if e.lesson == lesson) == 20
