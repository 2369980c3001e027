"""What the templates of lesson 4 are filled in with."""

from collections.abc import Mapping
from typing import Any

from autograder.exercises.families.axes import chosen_axis
from autograder.exercises.families.expressions import inserted, times
from autograder.exercises.lesson_04 import line, part_of
from autograder.variants import formulas


def kill_head(chosen: Any) -> Mapping[str, Any]:
    """Say which part is killed: as a condition, and as a slice of a tensor."""
    columns = chosen["axis"] == "columns"
    index, size, before = ("j", "c", ":, ") if columns else ("i", "r", "")
    killed, left = {
        "first": (rf"{index} < n", rf"{index} \ge n"),
        "last": (rf"{index} \ge {size} - n", rf"{index} < {size} - n"),
    }["first" if "first" in chosen["part"] else "last"]
    if chosen["part"].startswith("all but"):
        killed, left = left, killed

    def part(tensor: str, n: str) -> str:
        """Return the index of the killed part of a tensor."""
        end = f"{tensor}.shape[{int(columns)}] - {n}"
        return (
            before
            + {
                "first n": f": {n}" if "." in n else f":{n}",
                "last n": f"{end} :",
                "all but the first n": f"{n} :" if "." in n else f"{n}:",
                "all but the last n": f": {end}",
            }[chosen["part"]]
        )

    factor = chosen["factor"]
    named = part_of(chosen)
    return {
        "part": named.replace(" n", " $n$"),
        "plain_part": named,
        "size": size,
        "killed": killed,
        "left": left,
        "factor": factor,
        "scaled": formulas.before(factor),
        "slice_of": part,
    }


def abs_product(chosen: Any) -> Mapping[str, Any]:
    """Give the two steps and their derivatives."""
    outer, inner = formulas.expression(times(chosen["factor"], chosen["outer"])), chosen["inner"]
    by_u, by_v = (formulas.derivative(inner, name) for name in "uv")
    return {
        "kink": chosen["outer"] == "abs(s)",
        "divides": [name for name in "uv" if f"/{name}" in inner],
        "outer": outer,
        "inner": inner,
        "slope": formulas.derivative(outer, "s"),
        "by_u": by_u,
        "by_v": by_v,
        "whole": times(chosen["factor"], inserted(chosen["outer"], s=inner)),
    }


def affine(chosen: Any) -> Mapping[str, Any]:
    """Give the line, its derivative, and what of it has to be kept."""
    formula = line(chosen)
    return {
        "formula": formula,
        "slope": formulas.derivative(formula, "x"),
        "letters": {"scale": "a", "shift": "c", "x": "x_i"},
    }


def scale_rows(chosen: Any) -> Mapping[str, Any]:
    """Give the formula and its derivatives, with the weights brought to the axes of x."""
    axes, place = chosen_axis(chosen)
    formula = times(chosen["factor"], chosen["form"])
    letters = "ijk"[:axes]
    others = [axis for axis in range(axes) if axis != place]
    return {
        "formula": formula,
        "by_x": formulas.derivative(formula, "x"),
        "by_w": formulas.derivative(formula, "w"),
        "axes": axes,
        "place": place,
        "letters": {"x": f"x_{{{letters}}}", "w": f"w_{letters[place]}"},
        "all": letters,
        "own": letters[place],
        "summed": [letters[axis] for axis in others],
        "sizes": ", ".join("nml"[:axes]),
        "size": "nml"[place],
        "dims": others[0] if len(others) == 1 else tuple(others),
        "spread": "w" if place == axes - 1 else f"w[:{', None' * (axes - 1 - place)}]",
    }


def linear(chosen: Any) -> Mapping[str, Any]:
    """Give the products of the three gradients for the layouts of x and of weight."""
    upright, out_first = chosen["x"] == "(n, in)", chosen["weight"] == "(out, in)"
    rows, rows_turned = ("X", r"X^\top") if upright else (r"X^\top", "X")
    columns, columns_turned = (r"W^\top", "W") if out_first else ("W", r"W^\top")
    products = {
        "y": rf"{rows}\,{columns}",
        "x": rf"\bar Y\,{columns_turned}" if upright else rf"{columns}\,\bar Y^\top",
        "weight": rf"\bar Y^\top\,{rows}" if out_first else rf"{rows_turned}\,\bar Y",
    }
    factor, bias = chosen["factor"], chosen["bias"]
    return {
        "names": chosen["order"].split(", "),
        "x_shape": chosen["x"],
        "weight_shape": chosen["weight"],
        "math": {name: formulas.before(factor) + product for name, product in products.items()},
        "code": {name: _as_code(factor, product) for name, product in products.items()},
        "sign": "-" if bias < 0 else "+",
        "bias": {"math": formulas.before(abs(bias)), "code": formulas.before(abs(bias), " * ")},
        "of_bias": {"math": formulas.before(bias), "code": formulas.before(bias, " * ")},
    }


def _as_code(factor: int, product: str) -> str:
    """Return a factor times a product of matrices in LaTeX, as Python."""
    names = {r"\bar Y": "grad_output", "X": "x", "W": "weight"}
    sides = [side.replace(r"^\top", ".T") for side in product.split(r"\,")]
    for symbol, name in names.items():
        sides = [side.replace(symbol, name) for side in sides]
    return " @ ".join(sides) if factor == 1 else f"{formulas.before(factor, ' * ')}({' @ '.join(sides)})"
