"""What the templates of lesson 7 are filled in with."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.exercises.families.expressions import times
from autograder.exercises.lesson_07 import exponentials, polynomial
from autograder.variants import formulas


def sinh_with_intermediates(chosen: Any) -> Mapping[str, Any]:
    """Give the exponentials, and what is made of them."""
    rate, up, down = chosen["rate"], chosen["up"], chosen["down"]
    return {
        "up": exponentials(chosen)[0],
        "down": exponentials(chosen)[1],
        "whole": f"{times(up, 'u')} + {times(down, 'd')}",
        "slope": formulas.expression(f"{rate}*({up}*u - ({down})*d)".replace("0.5", "1/2")),
        "sum": formulas.expression(f"{up}*u + ({down})*d".replace("0.5", "1/2")),
    }


def cube(chosen: Any) -> Mapping[str, Any]:
    """Give the polynomial and three derivatives."""
    derivatives = [formulas.expression(polynomial(chosen))]
    for _ in range(3):
        derivatives.append(formulas.derivative(derivatives[-1], "x"))
    return {"formula": derivatives[0], "derivatives": derivatives[1:]}


def reciprocal_norm(chosen: Any) -> Mapping[str, Any]:
    """Give the norm, its power, and the gradient's factor and power."""
    axis = -1 if chosen["axis"] == "last" else 0
    beside, power = chosen["beside"], chosen["power"]
    slope = chosen["factor"] * power
    return {
        "axis": axis,
        "which": chosen["axis"],
        "beside": f" + {beside}" if beside else "",
        "math": formulas.before(chosen["factor"]) + _power(power),
        "code": times(chosen["factor"], "s" if power == 1 else f"s**{power}"),
        "slope": formulas.before(slope) + _power(power - 2),
        "slope_code": times(slope, f"s**{power - 2}"),
    }


def _power(power: int) -> str:
    return "s" if power == 1 else f"s^{{{power}}}"


def hessian_vector_product(chosen: Any) -> Mapping[str, Any]:
    """Give the two terms, and the numbers of the small case."""
    scale, damping = chosen["scale"], chosen["damping"]
    code = times(scale, "product")
    sign, size = ("-", -damping) if damping < 0 else ("+", damping)
    product = np.array([[2.0, 3.0], [3.0, 0.0]]) @ np.array([1.0, 10.0])
    return {
        "math": f"{formulas.before(scale)}H v {sign} {formulas.before(size)}v",
        "code_of": f"{code} {sign} {formulas.before(size, ' * ')}v",
        "result": scale * product + damping * np.array([1.0, 10.0]),
    }


def gradient_penalty(chosen: Any) -> Mapping[str, Any]:
    """Give the formula, and the numbers of the small case at three samples."""
    weight, target, mean = chosen["weight"], chosen["target"], chosen["reduction"] == "mean"
    samples = 1 if mean else 3
    before = formulas.before(weight) + (r"\frac1n " if mean else "")
    return {
        "mean": mean,
        "math": rf"{before}\sum_{{i=1}}^{{n}} \bigl( \lVert g_i\rVert - {target} \bigr)^2",
        "value": weight * samples * (5 - target) ** 2,
        "slope": weight * samples * 2 * (5 - target) * 5,
        "code_of": times(weight, f"(gradient.norm(dim=1) - {target}).square().{'mean' if mean else 'sum'}()"),
    }
