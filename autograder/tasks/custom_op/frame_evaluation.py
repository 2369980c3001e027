"""Restores the interpreter's evaluation of frames, which a failed compilation leaves changed."""

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
def restoring_frame_evaluation() -> Iterator[None]:
    """Restore the evaluation of frames (PEP 523) after the block.

    torch.compile that ends in an error leaves its own evaluation of frames switched on (seen in torch 2.13).
    From then on each call of a Python function takes space on the C stack: a recursion 50,000 calls deep,
    which CPython allows with a raised limit, ends the process.
    """
    earlier = _evaluation(_interpreter())
    try:
        yield
    finally:
        _evaluate_by(_interpreter(), earlier)
