"""Lesson 11, torch.func: tanh_transformable, numpy_sort_vmap, mean_gate.

A family chooses the first function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import FunctionExercise, of_lesson
from autograder.exercises import wrong_tanh
from autograder.exercises.draws import AXES, SATURATING
from autograder.exercises.families.expressions import function_of
from autograder.exercises.families.family import Family
from autograder.exercises.lesson_06 import of_x
from autograder.exercises.pullbacks import of_first, sorted_by_all_rows
from vjpcheck.domain import Array, Domain
from vjpcheck.spec import Lookalike

if TYPE_CHECKING:
    from torch import Tensor


def _once_more(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor]:
    """Return the cotangent sorted by the order of x, in place of being put back."""
    return [cotangents[0].gather(-1, arguments[0].argsort(dim=-1))]


def _transformable(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formula = of_x(chosen)
    return {
        "summary": f"{formula}, for every transform of torch.func",
        "domain": Domain({"x": Array("...", scales=SATURATING, overflows=True)}, lead=AXES),
        "forward": function_of(formula, ("x",)),
        "small": (np.array([0.0, numbers.choice([0.5, 1.0, -1.0])]),),
        "further_outputs": True,
        "vmap_rule": "generated",
    }


def _through_the_gate(g: Tensor, x: Tensor) -> Tensor:
    gate = x.mean().sigmoid()
    return ((g * x).sum() * gate * (1 - gate) / x.numel()).expand_as(x)


_GATE_HELD_FIXED = of_first(lambda g, x: g * x.mean().sigmoid())

EXERCISES = of_lesson(
    11,
    Family(
        id="tanh_transformable",
        work_name="Transformable",
        points={
            "forward": 0.5,
            "contract": 0.5,
            "gradient": 1,
            "second order": 0.5,
            "setup_context": 0.5,
            "jvp": 1.5,
            "vmap": 1,
            "transforms": 0.5,
        },
        choices={
            "function": ("tanh", "sigmoid"),
            "rate": (1, 2, 3, -1, -2),
            "factor": (1, 2, 3, 4, -1, -2, -3),
        },
        make=_transformable,
        own={
            "summary": "tanh x, for every transform of torch.func",
            "small": (np.array([0.0, 0.5]),),
            "lookalikes": wrong_tanh.LOOKALIKES,
            "terms": wrong_tanh.TERMS,
        },
        apart=lambda chosen: chosen["function"] != "tanh" or chosen["rate"] > 0,  # an odd function
    ),
    FunctionExercise(
        id="numpy_sort_vmap",
        summary="sort along the last axis, by NumPy, with a vmap of its own",
        points={
            "forward": 1,
            "contract": 0.5,
            "gradient": 1.5,
            "second order": 0.5,
            "setup_context": 0.5,
            "vmap": 3,
        },
        domain=Domain({"x": Array("... n", distinct=True)}),
        forward=lambda x: x.sort(dim=-1).values,
        small=(np.array([3.0, 1.0, 2.0]),),
        lookalikes=[
            Lookalike("inverse-permutation", _once_more),
            Lookalike("crossed-indices", sorted_by_all_rows),
        ],
        further_outputs=True,
        vmap_rule="own",
    ),
    FunctionExercise(
        id="mean_gate",
        summary="x·σ(mean of x), for every transform of torch.func",
        points={
            "forward": 0.5,
            "contract": 0.5,
            "gradient": 1.5,
            "second order": 0.5,
            "setup_context": 0.5,
            "jvp": 1.5,
            "vmap": 0.5,
            "transforms": 0.5,
            "hessian": 1,
        },
        domain=Domain({"x": Array("n", scales=SATURATING, overflows=True)}),
        forward=lambda x: x * x.mean().sigmoid(),
        small=(np.array([2.0, -2.0]),),
        lookalikes=[
            Lookalike("missing-term", _GATE_HELD_FIXED, "The gate is treated as a constant."),
        ],
        terms={
            "the path through the factor x": _GATE_HELD_FIXED,
            "the path through the gate": of_first(_through_the_gate),
        },
        further_outputs=True,
        second_order_asked=True,
    ),
)
