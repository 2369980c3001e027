"""Puts back how the interpreter evaluates frames, which a compilation that fails leaves changed."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

_interpreter = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyInterpreterState_Get", ctypes.pythonapi))
_evaluation = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(
    ("_PyInterpreterState_GetEvalFrameFunc", ctypes.pythonapi)
)
_evaluate_by = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(
    ("_PyInterpreterState_SetEvalFrameFunc", ctypes.pythonapi)
)


@contextmanager
def frame_evaluation_put_back() -> Iterator[None]:
    """Evaluate frames after the block as before it (PEP 523).

    torch.compile that ends in an error leaves its own evaluation of frames switched on (seen in torch 2.13).
    From then on each call of a Python function takes room on the C stack: recursion that is 50,000 deep,
    which CPython allows once its limit is raised, ends the process.
    """
    before = _evaluation(_interpreter())
    try:
        yield
    finally:
        _evaluate_by(_interpreter(), before)
