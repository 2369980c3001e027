"""What the templates of lesson 9 are filled in with."""

from collections.abc import Mapping
from typing import Any

from autograder.exercises.families.expressions import times
from autograder.variants import formulas


def softmax(chosen: Any) -> Mapping[str, Any]:
    """Give the constants, and the probabilities in terms of the output."""
    factor, rate, logarithm = chosen["factor"], chosen["rate"], chosen["kind"] == "log_softmax"
    output = "y" if factor == 1 else "-y" if factor == -1 else f"y / {factor}"
    return {
        "logarithm": logarithm,
        "inner": times(rate, "x"),
        "outer": times(factor, "result"),
        "rate": formulas.before(rate),
        "factor": formulas.before(factor),
        "constant": factor * rate,
        "both": formulas.before(factor * rate),
        "probabilities": f"({output}).exp()" if logarithm else output,
    }


def cross_entropy(chosen: Any) -> Mapping[str, Any]:
    """Give the constants, the targets' probabilities and the reduction."""
    return {
        "mean": chosen["reduction"] == "mean",
        "inner": times(chosen["rate"], "logits"),
        "rate_before": formulas.before(chosen["rate"]),
        "rest": f"{1 - chosen['smoothing']:g}",
    }


def layer_norm(chosen: Any) -> Mapping[str, Any]:
    """Give what is subtracted, where eps stands, and the gain."""
    return {
        "under": chosen["eps"] == "under the root",
        "plus_one": chosen["gain"] != "weight",
        "factor": chosen["factor"],
        "factor_before": formulas.before(chosen["factor"]),
        "gain": times(chosen["factor"], "weight" if chosen["gain"] == "weight" else "1 + weight"),
    }


def attention(chosen: Any) -> Mapping[str, Any]:
    """Give the scale as a formula and as code, and the factor."""
    math = {"1/√d": r"\frac{1}{\sqrt d}\,", "1/d": r"\frac1d\,", "√d": r"\sqrt d\,", "1": ""}
    code = {"1/√d": "q.shape[-1] ** -0.5", "1/d": "1 / q.shape[-1]", "√d": "q.shape[-1] ** 0.5", "1": "1.0"}
    return {
        "scale": math[chosen["scale"]],
        "scale_code": code[chosen["scale"]],
        "factor": chosen["factor"],
        "factor_before": formulas.before(chosen["factor"]),
        "output": times(chosen["factor"], "weights @ v"),
    }
