"""What the template of lesson 10 is filled in with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.exercises.lesson_10 import in_steps, surrogate
from autograder.variants import formulas


def round_ste(chosen: Any) -> Mapping[str, Any]:
    """Give the rounding as mathematics and as code, and the derivative that is asked for."""
    step, function, inner = chosen["step"], chosen["function"], in_steps(chosen)
    return {
        "step": step,
        "function": function,
        "math": rf"{formulas.before(step)}\mathrm{{{function}}}({formulas.latex(inner, x='x_i')})",
        "written": f"{formulas.before(step, ' * ')}torch.{function}({formulas.code(inner)})",
        "slope": formulas.expression(surrogate(chosen)),
        "identity": chosen["slope"] == "1",
    }
