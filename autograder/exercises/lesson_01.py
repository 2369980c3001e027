"""Lesson 1, reverse accumulation: adjoints by hand, then the two sweeps over a tape."""

from collections.abc import Mapping
from functools import partial

from autograder.exercise import TaskExercise, of_lesson
from course.engine import Tensor, log, sin


def _log_product() -> Mapping[str, Tensor]:
    x1, x2 = Tensor(2.0, requires_grad=True), Tensor(5.0, requires_grad=True)
    v1, v2, v3 = log(x1), x1 * x2, sin(x2)
    v4 = v1 + v2
    return {"x1": x1, "x2": x2, "v1": v1, "v2": v2, "v3": v3, "v4": v4, "v5": v4 - v3}


def _diamond() -> Mapping[str, Tensor]:
    a, b = Tensor(0.5, requires_grad=True), Tensor(3.0, requires_grad=True)
    p = a * b
    s = sin(p)
    t = s * b
    return {"a": a, "b": b, "p": p, "s": s, "t": t, "y": p + t}


_adjoints = partial(
    TaskExercise,
    call="dict: node name → adjoint",
    may_use=("autograd",),
    points={"inner nodes": 2, "leaves": 2},
    folder="adjoints",
    needs={},
    all_findings=True,
)
EXERCISES = of_lesson(
    1,
    _adjoints(
        id="adjoints_log_product",
        summary="adjoints of ln x1 + x1·x2 − sin x2 at (2, 5)",
        variant={"nodes": _log_product},
    ),
    _adjoints(
        id="adjoints_diamond",
        summary="adjoints of (a·b) + sin(a·b)·b at (0.5, 3)",
        variant={"nodes": _diamond},
    ),
    TaskExercise(
        id="forward_sweep",
        call="(tape, inputs, seed) → tangents",
        summary="forward mode on a given tape",
        points={"plain tape": 3, "fan-out": 2, "one pass": 1},
        folder="sweep",
        variant={"direction": "forward"},
    ),
    TaskExercise(
        id="reverse_sweep",
        call="(tape, seed) → adjoints",
        summary="reverse mode on a given tape",
        points={"plain tape": 2, "fan-out": 2, "unreachable nodes": 1, "one pass": 1},
        folder="sweep",
        variant={"direction": "reverse"},
    ),
)
