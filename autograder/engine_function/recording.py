"""Listens to a student's engine Function: what its backward hands over, and how often it saves."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, cast

from autograder.engine_function.inspection import watching
from course.engine import Function
from course.engine.function import Context


@dataclass
class Record:
    """What the last backward returned (a tuple, always), and how often save_for_backward was called.

    Where `watch` is set, `autograd` is the student's own line that started a backward pass of the engine's.
    With `all_needed` ctx.needs_input_grad says to backward that every input needs its gradient.
    """

    returned: tuple[Any, ...] | None = None
    saves: int = 0
    all_needed: bool = False
    watch: bool = False
    autograd: list[str] = field(default_factory=list)


def recording_subclass(work: type[Function], current: Callable[[], Record]) -> type[Function]:
    """Return a subclass that notes in the current record what its backward returns and how often it saves."""
    original: Callable[..., Any] = work.backward

    def recording(ctx: Any, *cotangents: Any) -> Any:
        needed = ctx.needs_input_grad
        if current().all_needed:
            ctx.needs_input_grad = (True,) * len(needed)
        try:
            with watching(current().autograd) if current().watch else nullcontext():
                returned = original(ctx, *cotangents)
        finally:
            ctx.needs_input_grad = needed
        current().returned = returned if isinstance(returned, tuple) else (returned,)
        return returned

    def apply(cls: type[Function], *args: Any) -> Any:
        with _counting_saves(current()):
            return original_apply(cls, *args)

    original_apply: Callable[..., Any] = vars(Function)["apply"].__func__
    subclass: Any = types.new_class(work.__name__, (work,))
    subclass.backward = staticmethod(recording)
    subclass.apply = classmethod(apply)
    return cast(type[Function], subclass)


@contextmanager
def _counting_saves(record: Record) -> Iterator[None]:
    save = Context.save_for_backward

    def counted(ctx: Any, *tensors: Any) -> None:
        record.saves += 1
        save(ctx, *tensors)

    Context.save_for_backward = counted  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        Context.save_for_backward = save  # type: ignore[method-assign]
