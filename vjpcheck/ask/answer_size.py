"""Bounds the size of an answer by the schema of its request; a larger answer is not read."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from vjpcheck.ask.protocol import (
    Array,
    DictOf,
    Each,
    Either,
    Flag,
    ListOf,
    Nothing,
    Number,
    Record,
    Schema,
    Text,
    Whole,
)

# bytes of an answer whose length the schema leaves open; right work needs 35 kB and 800 kB at most
OPEN_TEXT, OPEN_ARRAYS = 1 << 17, 1 << 21
_AROUND = 64  # bytes of the text around an answer or an array's shape: brackets, dtype
_NUMBER = 26  # bytes of the longest number, with a comma
_KNOWN = "_size"  # the attribute of a schema that keeps its size


class Size(NamedTuple):
    """The bytes of a frame's text and of its arrays, and whether the schema leaves either length open."""

    text: int = 0
    arrays: int = 0
    open_text: bool = False
    open_arrays: bool = False


def frame_size(answers: Iterable[Schema]) -> Size:
    """Return the largest size of a frame with these answers, or with a sentence in their place."""
    text, arrays = OPEN_TEXT, 0
    for schema in answers:
        size = size_of(schema)
        text += size.text + size.open_text * OPEN_TEXT + _AROUND
        arrays += size.arrays + size.open_arrays * OPEN_ARRAYS
    return Size(text, arrays)


def size_of(schema: Schema) -> Size:
    """Return the largest size of an answer that fits the schema; raises TypeError for an unknown schema."""
    known: Size | None = vars(schema).get(_KNOWN)  # most requests share their schemas of types
    if known is None:
        known = vars(schema)[_KNOWN] = _size_of(schema)
    return known


def _size_of(schema: Schema) -> Size:
    match schema:
        case Nothing() | Flag() | Number() | Whole():
            return Size(text=_NUMBER)
        case Text():
            return Size(open_text=True)
        case Array():
            return _of_array(schema)
        case Either(schemas=schemas):
            return _of(max, map(size_of, schemas))
        case ListOf(item=item, length=None) | DictOf(item=item):
            inner = size_of(item)
            return Size(0, 0, True, inner.open_arrays or inner.arrays > 0)
        case ListOf(item=item, length=int(length)):
            inner = size_of(item)
            return Size(_AROUND + length * inner.text, length * inner.arrays, *inner[2:])
        case Each(items=items):
            return _of(sum, (Size(_AROUND), *map(size_of, items)))
        case Record(fields=fields):
            names = Size(_AROUND + sum(len(json.dumps(name)) + 2 for name in fields))
            return _of(sum, (names, *map(size_of, fields.values())))
    raise TypeError(f"no size is known of a {type(schema).__name__}")


def _of(both: Callable[[Iterable[int]], int], sizes: Iterable[Size]) -> Size:
    """Return the size of all parts together (sum) or of the largest part (max)."""
    text, arrays, open_text, open_arrays = zip(*sizes, strict=True)
    return Size(both(text), both(arrays), any(open_text), any(open_arrays))


def _of_array(schema: Array) -> Size:
    if schema.shape is None:
        return Size(open_text=True, open_arrays=True)
    itemsize = 16 if schema.dtype is None else np.dtype(schema.dtype).itemsize
    return Size(_AROUND + _NUMBER * len(schema.shape), math.prod(schema.shape) * itemsize)
