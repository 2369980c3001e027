"""What the template of lesson 5 is filled in with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.exercises.families.expressions import times
from autograder.variants import formulas


def numerical_jacobian(chosen: Any) -> Mapping[str, Any]:
    """Give the two points and their distance, as mathematics and as code, and the numbers of small cases."""
    ahead, behind = chosen["ahead"], chosen["behind"]
    cubes = [(2 + 0.1 * step) ** 3 for step in (ahead, -behind)]
    return {
        "ahead": formulas.before(ahead, " * "),
        "behind": formulas.before(behind, " * "),
        "math": [formulas.before(times) for times in (ahead, behind, ahead + behind)],
        "distance": times(ahead + behind, "eps"),
        "by_rows": chosen["layout"] == "outputs, inputs",
        "shape": chosen["layout"].replace("puts", "put elements"),
        "of_cube": (cubes[0] - cubes[1]) / (0.1 * (ahead + behind)),
    }
