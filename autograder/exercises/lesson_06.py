"""Lesson 6, what ctx is for.

A family chooses which function of the output or the input, which slopes, axis and condition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import FunctionExercise, of_lesson
from autograder.exercises.draws import AXES, SATURATING
from autograder.exercises.families.axes import ALONG, chosen_axis
from autograder.exercises.families.expressions import function_of, inserted, times
from autograder.exercises.families.family import Family
from autograder.exercises.families.numbers import whole_numbers
from autograder.exercises.pullbacks import of_first
from vjpcheck.arguments import Arguments, generator
from vjpcheck.domain import Array, Domain, Real, Seed
from vjpcheck.spec import Lookalike, PullbackOf

if TYPE_CHECKING:
    from torch import Tensor


# the second term of the derivative without one of its factors, from x and sigmoid(x)
SILU_WITHOUT: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "x": lambda x, s: s * (1 - s),
    "s": lambda x, s: x * (1 - s),
    "1 − s": lambda x, s: x * s,
}


def _dropout(x: Tensor, p: float, mask: Tensor) -> Tensor:
    return x * mask / (1 - p)


def _observed_mask(arguments: Arguments, outputs: Sequence[np.ndarray]) -> Arguments:
    """Read the mask off the output: which random call draws it is the student's choice."""
    x, p, _ = arguments
    assert isinstance(x, np.ndarray)
    seen = outputs[0] != 0 if outputs and outputs[0].shape == x.shape else np.ones(x.shape, dtype=bool)
    return x, p, seen


def _into_whole_columns(values: Callable[[Tensor], Tensor]) -> PullbackOf:
    """Return the gradient that writes values made of the cotangent into every row at the places of all."""

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        (x,), g = arguments, cotangents[0]
        gradient = g.new_zeros(x.shape)
        gradient[:, x.argmax(dim=1)] = values(g)
        return [gradient]

    return pullback


def _put(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    (x,), g = arguments, cotangents[0]
    return [g.new_zeros(x.shape).put(x.argmax(dim=1), g)]


def of_x(chosen: Any) -> str:
    """Return the formula of an activation: a factor, a power of x, and a function of a multiple of x."""
    inner = inserted(f"{chosen['function']}(t)", t=times(chosen["rate"], "x"))
    powers = {0: "", 1: "x*", 2: "x**2*"}
    return times(chosen["factor"], powers[chosen.get("power", 0)] + inner)


def _by_output(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formula = of_x(chosen)
    return {
        "summary": f"{formula}, saving the output",
        "domain": Domain({"x": Array("...", -2, 2)}, lead=AXES),
        "forward": function_of(formula, ("x",)),
        "keeps": ("output",),
        "small": (np.array([0.0, numbers.choice([0.5, 1.0, -1.0])]),),
    }


def _by_input(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formula = of_x(chosen)
    return {
        "summary": f"{formula}, saving x alone",
        "domain": Domain({"x": Array("...", -2, 2, scales=SATURATING, overflows=True)}, lead=AXES),
        "forward": function_of(formula, ("x",)),
        "keeps": ("x",),
        "small": (np.array([1.0, numbers.choice([2.0, -2.0, -1.0])]),),
    }


def _two_slopes(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    above, below = chosen["above"], chosen["below"]
    return {
        "summary": f"{above:g}x where x > 0, else {below:g}x, modifying x",
        "domain": Domain({"x": Array("...", off=(0.0,))}, lead=AXES),
        "forward": lambda x: above * x.clamp(min=0) + below * x.clamp(max=0),
        "modifies": ("x",),
        "small": (whole_numbers(numbers, 3),),
    }


def two_formulas(chosen: Any) -> tuple[str, str]:
    """Return the formulas of the two outputs."""
    of = times(chosen["rate"], "x")
    names = chosen["pair"].split(", ")
    factors = (chosen["first"], chosen["second"])
    first, second = (times(a, f"{name}({of})") for a, name in zip(factors, names, strict=True))
    return first, second


def _two_outputs(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formulas = two_formulas(chosen)
    functions = [function_of(formula, ("x",)) for formula in formulas]
    return {
        "outputs": 2,
        "summary": f"{formulas[0]} and {formulas[1]}, either output unused",
        "domain": Domain({"x": Array("...", -2, 2)}, lead=AXES),
        "forward": lambda x: tuple(function(x) for function in functions),
        "lets_none_through": True,
        "small": (np.array([0.0, numbers.choice([0.5, 1.0, -1.0])]),),
    }


def _extremum(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    axes, place = chosen_axis(chosen)

    def forward(x: Tensor) -> tuple[Tensor, Tensor]:
        values, index = getattr(x, chosen["which"])(dim=place)
        scaled = chosen["factor"] * values
        return (scaled, index) if chosen["outputs"] == "values, index" else (index, scaled)

    kept, other = chosen["outputs"].split(", ")
    values = times(chosen["factor"], f"x.{chosen['which']}(dim={place})")
    return {
        "outputs": 2,
        "summary": f"{values} of {axes} axes, as {kept}, {other}, the index without gradient",
        "forward": forward,
        "domain": Domain({"x": Array("n m" if axes == 2 else "n m p", distinct=True)}),
        "small": (whole_numbers(numbers, *((2, 3) if axes == 2 else (2, 2, 2))),),
    }


def _masked(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    condition = function_of(chosen["condition"], ("x", "t"))
    kept = function_of(chosen["kept"], ("x", "t"))

    def forward(x: Tensor, t: float) -> tuple[Tensor, Tensor]:
        import torch

        passes = condition(x, t)
        marked = passes if chosen["mask"] == "kept" else ~passes
        return torch.where(passes, kept(x, t), 0.0), marked.to(x.dtype)

    t = Real(0.3, 1.5, also=(2, 0.5) if "abs" in chosen["condition"] else (-1, 0, -2.5))
    x = np.array([1.0, -3.0, 4.0, -1.0]) + numbers.integers(0, 2) * np.array([0.0, -1.0, 1.0, 0.0])
    return {
        "outputs": 2,
        "summary": f"{chosen['kept']} where {chosen['condition']}, else 0, and the mask of what is "
        f"{chosen['mask']}, without gradient",
        "domain": Domain({"x": Array("...", off=("t",)), "t": t}, lead=AXES),
        "forward": forward,
        "small": (x, 2),
    }


EXERCISES = of_lesson(
    6,
    Family(
        id="exp_saving_output",
        work_name="ByOutput",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "memory": 0.5, "second order": 0.5},
        choices={
            "function": ("exp", "sigmoid", "tanh"),
            "rate": (1, 2, 3, -1, -2),
            "factor": (1, 2, 3, -1, -2),
        },
        make=_by_output,
        own={"summary": "exp x, saving the output", "small": (np.log([1.0, 2.0]),)},
        apart=lambda chosen: chosen["function"] != "tanh" or chosen["rate"] > 0,  # an odd function
    ),
    Family(
        id="relu_inplace",
        work_name="TwoSlopesInplace",
        points={"forward": 1, "contract": 0.5, "gradient": 1, "second order": 0.5},
        choices={
            "above": (1, 2, 3, 0.5, 4, 1.5),
            "below": (0, 0.1, 0.2, 0.25, 0.5, 0.05, 0.75, 1, 2, 3),
        },
        make=_two_slopes,
        own={"summary": "relu, modifying x", "small": (np.array([1.0, -2.0, 3.0]),)},
        apart=lambda chosen: chosen["above"] != chosen["below"],
    ),
    Family(
        id="silu_recompute",
        work_name="ByInput",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "memory": 0.5, "second order": 0.5},
        choices={
            "function": ("sigmoid", "tanh", "cos", "sin"),
            "power": (1, 2),
            "rate": (1, 2, 3, 0.5),
            "factor": (1, 2, -1),
        },
        make=_by_input,
        own={
            "summary": "x·sigmoid(x), saving x alone",
            "small": (np.array([0.0, 2.0]),),
            "terms": {
                "the term g·s, where s is sigmoid(x)": of_first(lambda g, x: g * x.sigmoid()),
                "the term g·x·s·(1 − s), where s is sigmoid(x)": of_first(
                    lambda g, x: g * x * x.sigmoid() * (1 - x.sigmoid())
                ),
            },
            "lookalikes": [
                Lookalike(
                    "missing-factor",
                    of_first(lambda g, x, second=second: g * (x.sigmoid() + second(x, x.sigmoid()))),
                    f"The term g·x·s·(1 − s), where s is sigmoid(x), lacks its factor {factor}.",
                )
                for factor, second in SILU_WITHOUT.items()
            ],
        },
    ),
    FunctionExercise(
        id="dropout_mask",
        summary="x·mask/(1−p), the same mask in backward",
        points={"mask": 0.5, "forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 0.5},
        domain=Domain(
            {"x": Array("..."), "p": Real(0.2, 0.7, also=(0, 0.5), below=1), "generator": Seed()}, lead=AXES
        ),
        forward=_dropout,
        small=(np.array([1.0, 2.0, 3.0, 4.0]), 0.5, generator(0)),
        observe=_observed_mask,
    ),
    Family(
        id="sin_cos",
        work_name="TwoOutputs",
        points={"forward": 0.5, "contract": 1, "gradient": 1, "second order": 0.5},
        choices={
            "pair": ("sin, cos", "cos, sin", "sinh, cosh", "cosh, sinh"),
            "rate": (1, 2, 3),
            "first": (1, 2, -1),
            "second": (1, 2, -1),
        },
        make=_two_outputs,
        own={"summary": "sin x and cos x, either output unused", "small": (np.array([0.0, np.pi / 2]),)},
    ),
    Family(
        id="max_with_index",
        work_name="ExtremumWithIndex",
        points={"forward": 1, "contract": 0.5, "gradient": 1, "second order": 0.5},
        choices={
            "which": ("max", "min"),
            "along": ALONG,
            "factor": (1, 2, -1, 3, -2),
            "outputs": ("values, index", "index, values"),
        },
        make=_extremum,
        shipped_as={"which": "max", "along": "2-D, axis 1", "factor": 1, "outputs": "values, index"},
        own={
            "summary": "x.max(dim=1), the index without gradient",
            "small": (np.array([[1.0, 7.0, 3.0], [9.0, 2.0, 4.0]]),),
            "lookalikes": [
                Lookalike(
                    "crossed-indices",
                    _into_whole_columns(lambda g: g[:, None]),
                    "Each gradient is written into whole columns, as in d[:, index] = g[:, None].",
                ),
                Lookalike(
                    "crossed-indices",
                    _into_whole_columns(lambda g: g),
                    "The gradients of all rows are written into each row, as in d[:, index] = g.",
                ),
                Lookalike(
                    "crossed-indices",
                    _put,
                    "The index counts within its row, and is taken as a place in the whole matrix, "
                    "as in put_.",
                ),
            ],
        },
    ),
    Family(
        id="threshold_mask",
        work_name="KeepWhere",
        points={"forward": 0.5, "contract": 0.5, "gradient": 0.5, "second order": 0.5},
        choices={
            "condition": ("x > t", "x < t", "abs(x) > t", "abs(x) < t"),
            "kept": ("x", "2 * x", "x - t", "x ** 2"),
            "mask": ("kept", "dropped"),
            "order": ("x, t", "t, x"),
        },
        make=_masked,
        own={
            "summary": "x where x > t, else 0, and the mask, without gradient",
            "small": (np.array([1.0, -2.0, 3.0, 0.0]), -1),
        },
    ),
)
