"""Notices a complex step: forward at x + ih, whose imaginary part is h times the derivative, to all digits.

Source: W. Squire and G. Trapp, SIAM Review 40 (1998), 110-112.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from vjpcheck.ask.answers import COMPLEX_STEP
from vjpcheck.errors import students_line

_STEP_AT_MOST = 1e-3  # a larger one is not exact enough


class NotingSteps(TorchDispatchMode):
    """Adds to `lines` the student's own line where a tensor is made whose real part is one of these inputs.

    Its imaginary part must be small and not zero.
    """

    def __init__(self, inputs: Sequence[Any], lines: list[str]) -> None:
        super().__init__()
        self._inputs = [each for each in inputs if isinstance(each, Tensor) and each.is_floating_point()]
        self._lines = lines

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call the operator, and look at its return value."""
        made = func(*args, **(kwargs or {}))
        if type(made) is Tensor and made.is_complex() and self._is_a_step(made):
            self._lines.append(COMPLEX_STEP + students_line(sys._getframe(1)))
        return made

    def _is_a_step(self, made: Tensor) -> bool:
        size = made.imag.abs().max().item() if made.numel() else 0.0
        return 0 < size <= _STEP_AT_MOST and any(
            made.shape == each.shape and bool((made.real == each).all()) for each in self._inputs
        )
