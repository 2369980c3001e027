"""Points along a path of an SVG, for what is to move along it."""

from __future__ import annotations

import re
from collections.abc import Iterator

Point = tuple[float, float]


def points_along(path: str, steps: int) -> Iterator[Point]:
    """Yield points along a path of lines and cubic curves in absolute coordinates, `steps` of each piece.

    A gap in the path is crossed in a straight line.
    """
    line = path.replace("M", "L").replace("L", "M", 1)
    here = (0.0, 0.0)
    for command, numbers in re.findall(r"([MLC])([^MLC]*)", line):
        flat = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        pairs = list(zip(flat[::2], flat[1::2], strict=True))
        if command == "C":
            for a, b, c in zip(pairs[::3], pairs[1::3], pairs[2::3], strict=True):
                yield from (_cubic(here, a, b, c, t / steps) for t in range(1, steps + 1))
                here = c
        else:
            end = pairs[-1]
            if command == "L":
                yield from (_between(here, end, t / steps) for t in range(1, steps + 1))
            else:
                yield end
            here = end


def _between(a: Point, b: Point, t: float) -> Point:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def _cubic(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    ab, bc, cd = _between(a, b, t), _between(b, c, t), _between(c, d, t)
    return _between(_between(ab, bc, t), _between(bc, cd, t), t)
