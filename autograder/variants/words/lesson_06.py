"""What the templates of lesson 6 are filled in with."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from autograder.exercises.families.axes import chosen_axis
from autograder.exercises.lesson_06 import of_x, two_formulas
from autograder.variants import formulas

BY_OUTPUT = {"exp": "{k}*y", "tanh": "{k}*({a} - y**2/{a})", "sigmoid": "{k}*(y - y**2/{a})"}


def exp_saving_output(chosen: Any) -> Mapping[str, Any]:
    """Give the function, and its derivative in terms of the output."""
    slope = BY_OUTPUT[chosen["function"]].format(k=f"({chosen['rate']})", a=f"({chosen['factor']})")
    return {
        "formula": of_x(chosen),
        "uses_sigma": chosen["function"] == "sigmoid",
        "slope": formulas.expression(slope),
    }


def relu_inplace(chosen: Any) -> Mapping[str, Any]:
    """Give nothing: the slopes are the choices themselves."""
    return {}


def silu_recompute(chosen: Any) -> Mapping[str, Any]:
    """Give the function and its derivative."""
    formula = of_x(chosen)
    return {
        "formula": formula,
        "uses_sigma": chosen["function"] == "sigmoid",
        "saturates": chosen["function"] in ("sigmoid", "tanh"),
        "slope": formulas.derivative(formula, "x"),
        "computed": of_x({**chosen, "power": 0, "factor": 1}),
    }


def sin_cos(chosen: Any) -> Mapping[str, Any]:
    """Give both outputs, and the derivative of each in terms of the other."""
    first, second = two_formulas(chosen)
    signs = [-1 if name == "cos" else 1 for name in chosen["pair"].split(", ")]
    ratio = Fraction(chosen["first"], chosen["second"])
    return {
        "first": first,
        "second": second,
        "slopes": [formulas.derivative(first, "x"), formulas.derivative(second, "x")],
        "by_second": float(signs[0] * chosen["rate"] * ratio),
        "by_first": float(signs[1] * chosen["rate"] / ratio),
    }


def max_with_index(chosen: Any) -> Mapping[str, Any]:
    """Give the axis, as a number and as an index of a formula."""
    axes, place = chosen_axis(chosen)
    letters, sizes = "ijl"[:axes], "nmp"[:axes]
    at = [letter if axis != place else "k" for axis, letter in enumerate(letters)]
    others = letters[:place] + letters[place + 1 :]
    return {
        "greatest": "greatest" if chosen["which"] == "max" else "least",
        "axes": axes,
        "place": place,
        "factor": chosen["factor"],
        "times": formulas.before(chosen["factor"], " * "),
        "scale": formulas.before(chosen["factor"]),
        "letters": letters,
        "own": letters[place],
        "others": others,
        "at": "".join(at),
        "sizes": ", ".join(sizes),
        "left": ", ".join(sizes[:place] + sizes[place + 1 :]),
        "values_first": chosen["outputs"] == "values, index",
    }


def threshold_mask(chosen: Any) -> Mapping[str, Any]:
    """Give the condition, what is kept, and its derivative."""
    said = chosen["condition"].replace("abs(x)", r"\lvert x_i\rvert")
    return {
        "condition": chosen["condition"].replace("abs(x)", "x.abs()"),
        "said": chosen["condition"],
        "math": said if "lvert" in said else said.replace("x", "x_i"),
        "by_size": "lvert" in said,
        "slope": formulas.derivative(chosen["kept"], "x"),
        "marks_kept": chosen["mask"] == "kept",
    }
