"""What the template of lesson 8 is filled in with."""

from collections.abc import Mapping
from typing import Any

from autograder.exercises.families.expressions import times
from autograder.exercises.lesson_08 import exponential
from autograder.variants import formulas


def logsumexp(chosen: Any) -> Mapping[str, Any]:
    """Give the constants, and the logarithm in words and code."""
    factor, rate = chosen["factor"], chosen["rate"]
    return {
        "sum": r"\sum_j" if chosen["of"] == "sum" else r"\frac{1}{n} \sum_j",
        "rate": formulas.before(rate),
        "factor": formulas.before(factor),
        "both": formulas.before(factor * rate),
        "constant": formulas.before(factor * rate, " * "),
        "inner": times(rate, "x"),
        "outer": times(factor, "y"),
        "exponential": exponential(chosen),
    }
