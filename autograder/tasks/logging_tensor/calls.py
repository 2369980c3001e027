"""Makes a call of torch on a LoggingTensor from its text, which the verdict sends."""

from contextlib import suppress
from typing import Any

import torch

TWICE, AFTER_AN_ERROR = " twice", " after a call that failed"


def make(call: str, x: Any, t: Any, both: list[Any]) -> Any:
    """Return the result of a call of a LoggingTensor x, a plain tensor t and the list [t, x]."""
    if call.endswith(AFTER_AN_ERROR):
        with suppress(RuntimeError):
            torch.add(x, torch.zeros(7))  # the shapes do not fit
    text = call.removesuffix(AFTER_AN_ERROR).removesuffix(TWICE).replace("[t, x]", "both")
    # by the name of this file it is no code of the student's
    code, names = compile(text, __file__, "eval"), {"torch": torch, "x": x, "t": t, "both": both}
    if call.endswith(TWICE):
        eval(code, names)
    return eval(code, names)
