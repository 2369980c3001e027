"""Draws the numbers for the trials of tasks from domains, like the samples of a Function."""

import numpy as np

from vjpcheck.domain import Array, Plan, Random, Real, Shape

NORMAL = Array("...")


def drawn(random: Random, *shapes: Shape, planted: bool = False, kind: Array = NORMAL) -> list[np.ndarray]:
    """Return an array of each shape; with `planted`, each holds a 0 and a value twice.

    An array without room for both is 0 everywhere. Mistakes are named by arrays that are not planted.
    """
    arrays = [kind.drawn(Plan(0, {}, shape, planted=planted), {}, random) for shape in shapes]
    return [np.zeros_like(array) if planted and array.size < 3 else array for array in arrays]


def numbers(random: Random, count: int, kind: Real) -> list[float]:
    """Return `count` numbers: the first has many digits, and those of `also` follow in turn."""
    return [kind.drawn(Plan(turn, {}), {}, random) for turn in range(count)]
