"""Makes cache keys of values; two keys are equal if the values are equal to the last bit.

A class is graded with the same samples, so the truth about them and the questions of gradcheck are the same
for every submission that a process grades.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np


class ExactKey:
    """A hashable key of arrays, numbers and texts, in lists, tuples and mappings."""

    def __init__(self, *values: Any) -> None:
        self.values = values
        self._key = _key(values)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExactKey) and self._key == other._key


def _key(value: Any) -> Hashable:
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, (list, tuple)):
        return tuple(map(_key, value))
    if isinstance(value, Mapping):
        return dict, _key([*value.items()])
    # 0.0 == -0.0 although their bits differ; nan != nan although their bits are the same
    return type(value), value.hex() if isinstance(value, float) else value
