"""The choice of an axis: how many axes x has, and which of them is meant."""

from typing import Any

ALONG = ("2-D, axis 0", "2-D, axis 1", "3-D, axis 0", "3-D, axis 1", "3-D, axis 2")


def chosen_axis(chosen: Any) -> tuple[int, int]:
    """Return how many axes x has, and the place of the axis that is meant."""
    axes, place = chosen["along"].split("-D, axis ")
    return int(axes), int(place)
