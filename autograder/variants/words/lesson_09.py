"""What the templates of lesson 9 are filled in with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.exercise import Exercise
from autograder.exercises.families.expressions import times


def _before(factor: float) -> str:
    """Return a factor as it stands in a formula before what it multiplies."""
    return "" if factor == 1 else "-" if factor == -1 else f"{factor:g}\\,"


def softmax(exercise: Exercise) -> Mapping[str, Any]:
    """Give the constants, and the probabilities in terms of the output."""
    chosen = exercise.chosen
    factor, rate, logarithm = chosen["factor"], chosen["rate"], chosen["kind"] == "log_softmax"
    output = "y" if factor == 1 else "-y" if factor == -1 else f"y / {factor}"
    return {
        "kind": chosen["kind"],
        "logarithm": logarithm,
        "names": chosen["order"].split(", "),
        "inner": times(rate, "x"),
        "outer": times(factor, "result"),
        "rate": _before(rate),
        "factor": _before(factor),
        "constant": factor * rate,
        "both": _before(factor * rate),
        "probabilities": f"({output}).exp()" if logarithm else output,
    }


def cross_entropy(exercise: Exercise) -> Mapping[str, Any]:
    """Give the constants, the targets' probabilities and the reduction."""
    chosen = exercise.chosen
    smoothing = chosen["smoothing"]
    return {
        "names": chosen["order"].split(", "),
        "mean": chosen["reduction"] == "mean",
        "reduction": chosen["reduction"],
        "inner": times(chosen["rate"], "logits"),
        "rate": chosen["rate"],
        "rate_before": _before(chosen["rate"]),
        "smoothing": smoothing,
        "rest": f"{1 - smoothing:g}",
    }


def layer_norm(exercise: Exercise) -> Mapping[str, Any]:
    """Give what is subtracted, where eps stands, and the gain."""
    chosen = exercise.chosen
    return {
        "names": [*chosen["order"].split(", "), "eps"],
        "centred": chosen["centred"],
        "under": chosen["eps"] == "under the root",
        "plus_one": chosen["gain"] != "weight",
        "factor": chosen["factor"],
        "factor_before": _before(chosen["factor"]),
        "gain": times(chosen["factor"], "weight" if chosen["gain"] == "weight" else "1 + weight"),
    }


def attention(exercise: Exercise) -> Mapping[str, Any]:
    """Give the scale as a formula and as code, and the factor."""
    chosen = exercise.chosen
    math = {"1/√d": r"\frac{1}{\sqrt d}\,", "1/d": r"\frac1d\,", "√d": r"\sqrt d\,", "1": ""}
    code = {"1/√d": "q.shape[-1] ** -0.5", "1/d": "1 / q.shape[-1]", "√d": "q.shape[-1] ** 0.5", "1": "1.0"}
    return {
        "names": chosen["order"].split(", "),
        "scale": math[chosen["scale"]],
        "scale_code": code[chosen["scale"]],
        "factor": chosen["factor"],
        "factor_before": _before(chosen["factor"]),
        "output": times(chosen["factor"], "weights @ v"),
    }
