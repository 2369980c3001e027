"""Listens to a student's Function: what its backward hands over, and how often it saves."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from torch._C import _FunctionBase
from torch.autograd import Function
from torch.autograd.function import FunctionCtx

_NEEDS_INPUT_GRAD: Any = vars(_FunctionBase)["needs_input_grad"]


@dataclass
class Record:
    """What the last backward returned (a tuple, always), and how often save_for_backward was called.

    With `all_needed` ctx.needs_input_grad says that every input needs its gradient.
    """

    returned: tuple[Any, ...] | None = None
    saves: int = 0
    all_needed: bool = False


def recording_subclass(work: type[Function], current: Callable[[], Record]) -> type[Function]:
    """Return a subclass that notes in the current record what its backward returns and how often it saves."""
    name = "backward" if work.vjp is Function.vjp else "vjp"  # PyTorch allows either name
    original: Callable[..., Any] = getattr(work, name)

    def recording(ctx: Any, *cotangents: Any) -> Any:
        returned = original(ctx, *cotangents)
        current().returned = returned if isinstance(returned, tuple) else (returned,)
        return returned

    def saving(ctx: Any, *tensors: Any) -> None:
        current().saves += 1
        FunctionCtx.save_for_backward(ctx, *tensors)

    def needs_input_grad(ctx: Any) -> tuple[bool, ...]:
        flags: tuple[bool, ...] = _NEEDS_INPUT_GRAD.__get__(ctx)
        return (True,) * len(flags) if current().all_needed else flags

    subclass: Any = types.new_class(work.__name__, (work,))
    setattr(subclass, name, staticmethod(recording))
    subclass._backward_cls.save_for_backward = saving  # the class of ctx
    subclass._backward_cls.needs_input_grad = property(needs_input_grad)
    return cast(type[Function], subclass)
