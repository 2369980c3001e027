"""Sends plain data between two processes: lengths, JSON, then the arrays as raw bytes. Never a pickle.

In the JSON an array is an object whose only key is the frame's mark. No dict in the frame has this key.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np

LENGTH = struct.Struct(">QQQ")  # of the text, of the arrays, of the mark
TEXT_AT_MOST, ARRAYS_AT_MOST, MARK_AT_MOST = 1 << 23, 1 << 26, 1 << 8
DIMENSIONS_AT_MOST = 32
DTYPES = {"float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"}
DTYPES |= {"complex128", "complex64"}
_KINDS = {name: np.dtype(name) for name in DTYPES}
_NAMES = {kind: name for name, kind in _KINDS.items()}


class BrokenFrame(Exception):  # noqa: N818 - an end of the conversation
    """The other side ended or sent malformed bytes."""


def encode(value: Any) -> bytes:
    """Return the frame of a value of None, numbers, strings, lists, dicts and arrays; tuples become lists.

    Raises TypeError for any other value, and ValueError for a value that contains itself.
    """
    for length in range(1, MARK_AT_MOST):
        packing = _Packing("#" * length)
        text = json.dumps(value, default=packing.pack, separators=(",", ":"))
        if text.count(f'"{packing.mark}":') == len(packing.arrays):
            body = b"".join(packing.arrays)
            return LENGTH.pack(len(text), len(body), length) + text.encode() + body
    raise TypeError("a dict whose keys are made of '#' alone cannot be sent")


def fits(frame: bytes, text: int, arrays: int) -> bool:
    """Return whether a frame has at most so many bytes of text and of arrays."""
    text_length, body_length, _ = LENGTH.unpack_from(frame)
    return bool(text_length <= text and body_length <= arrays)


def send(stream: BinaryIO, value: Any) -> None:
    """Write one value; raises the errors of `encode`, and OSError if the other side has ended."""
    stream.write(encode(value))
    stream.flush()


def receive(stream: BinaryIO, text: int = TEXT_AT_MOST, arrays: int = ARRAYS_AT_MOST) -> Any:
    """Read one value; raises BrokenFrame at the end of the stream and for anything malformed.

    Raises TooLarge for more bytes of text or of arrays, before reading any of them.
    """
    return Frame.read(stream, text, arrays).value()


class TooLarge(BrokenFrame):
    """The other side sends more bytes than allowed."""


class Frame:
    """The bytes of one value."""

    def __init__(self, text: bytes, body: bytes, mark: str) -> None:
        self.text = text
        self._body = body
        self._mark = mark
        self._at = 0

    @staticmethod
    def read(stream: BinaryIO, text: int = TEXT_AT_MOST, arrays: int = ARRAYS_AT_MOST) -> Frame:
        """Read one frame; raises BrokenFrame at the end of the stream, and TooLarge."""
        text_length, body_length, mark_length = LENGTH.unpack(_exactly(stream, LENGTH.size))
        if text_length > text or body_length > arrays:
            raise TooLarge(f"a frame larger than {text:,} bytes of text and {arrays:,} of arrays")
        mark = "#" * min(mark_length, MARK_AT_MOST)
        return Frame(_exactly(stream, text_length), _exactly(stream, body_length), mark)

    def value(self) -> Any:
        """Return the decoded value; raises BrokenFrame for anything malformed."""
        self._at = 0
        try:
            return json.loads(self.text, object_hook=self._object)
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
            raise BrokenFrame(str(error)) from error

    def _object(self, parsed: dict[str, Any]) -> Any:
        return self._array(*parsed[self._mark]) if self._mark in parsed else parsed

    def _array(self, dtype: str, shape: list[int]) -> np.ndarray:
        """Take the next array from the body; no byte is read twice."""
        kind = _KINDS[dtype]
        if len(shape) > DIMENSIONS_AT_MOST or not all(type(size) is int and size >= 0 for size in shape):
            raise BrokenFrame("an array of no shape")
        count = math.prod(shape)
        start, self._at = self._at, self._at + count * kind.itemsize
        if self._at > len(self._body):
            raise BrokenFrame("an array larger than the body")
        return np.frombuffer(self._body, kind, count, start).reshape(shape).copy()


class _Packing:
    """Converts arrays and scalars for JSON, and collects the bytes of the arrays."""

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.arrays: list[bytes] = []

    def pack(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            name = _NAMES.get(value.dtype)
            if name is None:
                raise TypeError(f"an array of dtype {value.dtype} cannot be sent")
            self.arrays.append(value.tobytes())
            return {self.mark: [name, value.shape]}
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
            return list(value)
        raise TypeError(f"a {type(value).__name__} cannot be sent")


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise BrokenFrame("the stream ended")
    return data
