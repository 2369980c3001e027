"""Plain data between two processes: a length, JSON, then the arrays as raw bytes. Never a pickle."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np

LENGTH = struct.Struct(">QQ")
FRAME_AT_MOST = 1 << 28
DTYPES = {"float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"}
DTYPES |= {"complex128", "complex64"}


class BrokenFrame(Exception):  # noqa: N818 - an end of the conversation
    """The other side ended, or sent what is no frame."""


def send(stream: BinaryIO, value: Any) -> None:
    """Write one value of None, numbers, strings, lists, dicts and arrays; a tuple arrives as a list.

    Raises TypeError for anything else, and OSError if the other side is gone.
    """
    arrays: list[np.ndarray] = []
    text = json.dumps(_pack(value, arrays)).encode()
    body = b"".join(array.tobytes() for array in arrays)
    stream.write(LENGTH.pack(len(text), len(body)) + text + body)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one value; raises BrokenFrame at the end of the stream and for anything malformed."""
    try:
        text_length, body_length = LENGTH.unpack(_exactly(stream, LENGTH.size))
        if text_length + body_length > FRAME_AT_MOST:
            raise BrokenFrame("a frame larger than 256 MB")
        packed = json.loads(_exactly(stream, text_length))
        body = memoryview(_exactly(stream, body_length))
        return _unpack(packed, body)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BrokenFrame(str(error)) from error


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise BrokenFrame("the stream ended")
    return data


def _pack(value: Any, arrays: list[np.ndarray]) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        if value.dtype.name not in DTYPES:
            raise TypeError(f"an array of dtype {value.dtype} cannot be sent")
        arrays.append(value)
        start = sum(array.nbytes for array in arrays[:-1])
        return {"array": [value.dtype.name, list(value.shape), start]}
    if isinstance(value, dict):
        return {"dict": [[str(key), _pack(item, arrays)] for key, item in value.items()]}
    if isinstance(value, Sequence):
        return [_pack(item, arrays) for item in value]
    raise TypeError(f"a {type(value).__name__} cannot be sent")


def _unpack(packed: Any, body: memoryview) -> Any:
    if isinstance(packed, list):
        return [_unpack(item, body) for item in packed]
    if not isinstance(packed, dict):
        return packed
    if "dict" in packed:
        return {str(key): _unpack(item, body) for key, item in packed["dict"]}
    dtype, shape, start = packed["array"]
    if dtype not in DTYPES or min(shape, default=0) < 0:
        raise BrokenFrame(f"an array of dtype {dtype!r} and shape {shape}")
    count = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(body, dtype, count, start).reshape(shape).copy()
