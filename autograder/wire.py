"""Plain data between two processes: a length, JSON, then the arrays as raw bytes. Never a pickle."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np

LENGTH = struct.Struct(">QQ")
TEXT_AT_MOST, ARRAYS_AT_MOST = 1 << 23, 1 << 26
DTYPES = {"float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"}
DTYPES |= {"complex128", "complex64"}
_NAMES = {np.dtype(name): name for name in DTYPES}
_PLAIN = (str, int, float, bool, type(None))


class BrokenFrame(Exception):  # noqa: N818 - an end of the conversation
    """The other side ended, or sent what is no frame."""


def encode(value: Any) -> bytes:
    """Return the frame of one value of None, numbers, strings, lists, dicts and arrays; a tuple as a list.

    Raises TypeError for anything else.
    """
    arrays: list[bytes] = []
    text = json.dumps(_pack(value, arrays)).encode()
    body = b"".join(arrays)
    return LENGTH.pack(len(text), len(body)) + text + body


def send(stream: BinaryIO, value: Any) -> None:
    """Write one value; raises what `encode` raises, and OSError if the other side is gone."""
    stream.write(encode(value))
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one value; raises BrokenFrame at the end of the stream and for anything malformed."""
    try:
        text_length, body_length = LENGTH.unpack(_exactly(stream, LENGTH.size))
        if text_length > TEXT_AT_MOST or body_length > ARRAYS_AT_MOST:
            raise BrokenFrame("a frame larger than 8 MB of text and 64 MB of arrays")
        packed = json.loads(_exactly(stream, text_length))
        return _Unpacking(_exactly(stream, body_length)).value(packed)
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
        raise BrokenFrame(str(error)) from error


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise BrokenFrame("the stream ended")
    return data


def _pack(value: Any, arrays: list[bytes]) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, np.ndarray):
        name = _NAMES.get(value.dtype)
        if name is None:
            raise TypeError(f"an array of dtype {value.dtype} cannot be sent")
        arrays.append(value.tobytes())
        return {"array": [name, value.shape]}
    if isinstance(value, dict):
        return {"dict": [[str(key), _pack(item, arrays)] for key, item in value.items()]}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Sequence):
        return [_pack(item, arrays) for item in value]
    raise TypeError(f"a {type(value).__name__} cannot be sent")


class _Unpacking:
    """Takes the arrays from the body one after the other: no byte of it counts twice."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._at = 0

    def value(self, packed: Any) -> Any:
        if isinstance(packed, list):
            return [self.value(item) for item in packed]
        if not isinstance(packed, dict):
            return packed
        if "dict" in packed:
            return {str(key): self.value(item) for key, item in packed["dict"]}
        return self._array(*packed["array"])

    def _array(self, dtype: str, shape: list[int]) -> np.ndarray:
        if dtype not in DTYPES or not all(type(size) is int and size >= 0 for size in shape):
            raise BrokenFrame(f"an array of dtype {dtype!r} and shape {shape}")
        kind = np.dtype(dtype)
        start, self._at = self._at, self._at + math.prod(shape) * kind.itemsize
        if self._at > len(self._body):
            raise BrokenFrame("an array larger than what was sent")
        return np.frombuffer(self._body[start : self._at], kind).reshape(shape).copy()
