"""The numbers that tasks are tried with: they follow from domains, like the samples of a Function."""

from __future__ import annotations

import numpy as np

from vjpcheck.domain import Array, Plan, Random, Real, Shape

NORMAL = Array("...")


def drawn(random: Random, *shapes: Shape, planted: bool = False, kind: Array = NORMAL) -> list[np.ndarray]:
    """Return an array of each shape; with `planted`, each holds a 0 and a value twice.

    One that has no room for both is 0 everywhere. A mistake is named by arrays that are not planted.
    """
    arrays = [kind.drawn(Plan(0, {}, shape, planted=planted), {}, random) for shape in shapes]
    return [np.zeros_like(array) if planted and array.size < 3 else array for array in arrays]


def numbers(random: Random, count: int, kind: Real) -> list[float]:
    """Return so many numbers: the first has many digits, and those of `also` come in turn."""
    return [kind.drawn(Plan(turn, {}), {}, random) for turn in range(count)]
