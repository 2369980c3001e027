"""Makes functions of tensors for student code to call as fn, from formulas that the verdict sends.

No function is written here, so that a student's process holds none before it is asked about one.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


@lru_cache(maxsize=1000)
def function_of(names: str, formula: str, pullback: str = "") -> Callable[..., Tensor]:
    """Return the function with this formula of tensors with these names, such as `a, b`.

    With a pullback, it is `apply` of a Function with this backward: a formula of the cotangent g, the flags
    `needed` of the tensors, and the tensors themselves, with commas between the gradients. The same formulas
    give the same function.
    """
    forward = _compiled(names, formula)
    if not pullback:
        return forward
    backward_of = _compiled(f"g, needed, {names}", f"({pullback})")

    class Custom(Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Tensor) -> Tensor:
            ctx.save_for_backward(*inputs)
            output: Tensor = forward(*inputs)
            return output

        @staticmethod
        def backward(ctx: Any, grad_output: Tensor) -> Any:
            return backward_of(grad_output, ctx.needs_input_grad, *ctx.saved_tensors)

    return Custom.apply


def _compiled(names: str, formula: str) -> Callable[..., Any]:
    # by the name of this file it is no code of the student's
    function: Callable[..., Any] = eval(compile(f"lambda {names}: {formula}", __file__, "eval"), vars(torch))
    return function
