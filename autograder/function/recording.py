"""Listens to a student's Function: what its methods are given and hand over, and what they call on ctx."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, cast

from torch import Tensor
from torch._C import _FunctionBase
from torch.autograd import Function
from torch.autograd.function import FunctionCtx

from autograder.function.watching import holds_tensors, watching

_NEEDS_INPUT_GRAD: Any = vars(_FunctionBase)["needs_input_grad"]


@dataclass
class Record:
    """What one call of the Function did.

    `returned` is what the last backward returned (a tuple, always), `arrived` says for each of its cotangents
    whether it was a tensor and not None, `written` are the places of those that it wrote into, and `saves`
    counts the calls of save_for_backward. `inputs_returned` are the places of arguments that forward returned
    as they are and did not mark as dirty, `listed` says that forward was given tensors inside a list, a tuple
    or a dict. Where `watch` is set, `autograd` is the student's own line that called native autograd, and
    `lists` those in backward that call apply of another Function with tensors inside a list, and `evasions`
    what took the watch off. With `all_needed` ctx.needs_input_grad says that every input needs its gradient.
    """

    watch: bool = False
    returned: tuple[Any, ...] | None = None
    arrived: list[bool] | None = None
    written: list[int] = field(default_factory=list)
    saves: int = 0
    listed: bool = False
    autograd: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    evasions: list[str] = field(default_factory=list)
    all_needed: bool = False
    _handed_back: list[tuple[int, Tensor]] = field(default_factory=list)
    _dirty: list[Any] = field(default_factory=list)

    @property
    def inputs_returned(self) -> list[int]:
        """Return the places, among the arguments of apply, of what forward returned as it was given."""
        return [place for place, tensor in self._handed_back if not any(tensor is d for d in self._dirty)]

    def note_forward(self, arguments: Sequence[Any], returned: Any) -> None:
        """Look at what forward was given and what it returned."""
        self.listed = any(holds_tensors(argument) for argument in arguments)
        outputs = returned if isinstance(returned, tuple) else (returned,)
        self._handed_back = [
            (place, argument)
            for place, argument in enumerate(arguments)
            if isinstance(argument, Tensor) and any(argument is output for output in outputs)
        ]


def recording_subclass(work: type[Function], current: Callable[[], Record]) -> type[Function]:
    """Return a subclass that notes in the current record what its methods are given and return."""
    name = "backward" if work.vjp is Function.vjp else "vjp"  # PyTorch allows either name
    original: Callable[..., Any] = getattr(work, name)
    original_forward: Callable[..., Any] = work.forward

    @wraps(original_forward)  # apply looks at the signature, for arguments left out
    def recording_forward(*arguments: Any) -> Any:
        record = current()
        with watching(record.autograd, [], record.evasions) if record.watch else nullcontext():
            returned = original_forward(*arguments)
        given = arguments[1:] if arguments and isinstance(arguments[0], FunctionCtx) else arguments
        record.note_forward(given, returned)
        return returned

    def recording(ctx: Any, *cotangents: Any) -> Any:
        record = current()
        record.arrived = [cotangent is not None for cotangent in cotangents]
        versions = [0 if c is None else c._version for c in cotangents]
        with watching(record.autograd, record.lists, record.evasions) if record.watch else nullcontext():
            returned = original(ctx, *cotangents)
        record.returned = returned if isinstance(returned, tuple) else (returned,)
        pairs = zip(cotangents, versions, strict=True)
        record.written = [place for place, (c, old) in enumerate(pairs) if c is not None and c._version > old]
        return returned

    def saving(ctx: Any, *tensors: Any) -> None:
        current().saves += 1
        FunctionCtx.save_for_backward(ctx, *tensors)

    def marking(ctx: Any, *tensors: Any) -> None:
        current()._dirty.extend(tensors)
        FunctionCtx.mark_dirty(ctx, *tensors)

    def needs_input_grad(ctx: Any) -> tuple[bool, ...]:
        flags: tuple[bool, ...] = _NEEDS_INPUT_GRAD.__get__(ctx)
        return (True,) * len(flags) if current().all_needed else flags

    subclass: Any = types.new_class(work.__name__, (work,))
    setattr(subclass, name, staticmethod(recording))
    subclass.forward = staticmethod(recording_forward)
    subclass._backward_cls.save_for_backward = saving  # the class of ctx
    subclass._backward_cls.mark_dirty = marking
    subclass._backward_cls.needs_input_grad = property(needs_input_grad)
    return cast(type[Function], subclass)
