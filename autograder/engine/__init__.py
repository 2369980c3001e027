"""Makes the course's engine a library for vjpcheck: its Functions are checked like PyTorch's.

An import registers the engine's values that a call must not change, and the setting that a notebook may have
changed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import course
from course.engine import Node, Tensor
from course.engine.recording import mode
from vjpcheck.errors import add_own_code
from vjpcheck.probe.callers_world import facts_of
from vjpcheck.usual_settings import FURTHER


@facts_of.register
def _of_tensor(tensor: Tensor) -> dict[str, Any]:
    grad = None if tensor.grad is None else _bits(getattr(tensor.grad, "data", tensor.grad))
    return {"values": _bits(tensor.data), "graph": id(tensor.node), "grad": grad}


@facts_of.register
def _of_node(node: Node) -> dict[str, Any]:
    parts = {"saved": node.saved, "graph": [*node.edges, node.hooks], "adjoint": [node.adjoint]}
    return {aspect: [id(part) for part in objects] for aspect, objects in parts.items()}


def _bits(data: Any) -> bytes:
    return np.asarray(data).tobytes()


@contextmanager
def _recording() -> Iterator[None]:
    earlier, mode.recording = mode.recording, True
    try:
        yield
    finally:
        mode.recording = earlier


FURTHER.append(_recording)
add_own_code(Path(__file__).parents[1], *map(Path, course.__path__))
