"""Records the arguments and return values of a Function's methods, and their calls of ctx."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from vjpcheck.probe.backend import Backend
from vjpcheck.probe.conversion import holds_tensors


@dataclass
class Record:
    """The record of one call of the Function.

    `returned` is the return value of the last backward, always as a tuple. `arrived` says for each of its
    cotangents whether it was a tensor and not None. `written` are the places of the cotangents that it wrote
    into. `saves` counts the calls of save_for_backward. `inputs_returned` are the places of arguments that
    forward returned unchanged and did not mark as dirty. `listed` says that forward received tensors inside a
    list, a tuple or a dict. With `watch`, `autograd` has the student's own lines that call native autograd,
    and `lists` the lines in backward that call apply of another Function with tensors inside a list. `inputs`
    are the arguments of forward. With
    `all_needed`, ctx.needs_input_grad is true for every input.
    """

    watch: bool = False
    returned: tuple[Any, ...] | None = None
    arrived: list[bool] | None = None
    written: list[int] = field(default_factory=list)
    saves: int = 0
    listed: bool = False
    autograd: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    inputs: Sequence[Any] = ()
    all_needed: bool = False
    _handed_back: list[tuple[int, Any]] = field(default_factory=list)
    _dirty: list[Any] = field(default_factory=list)

    @property
    def inputs_returned(self) -> list[int]:
        """Return the places of the arguments of apply that forward returned unchanged."""
        return [place for place, tensor in self._handed_back if not any(tensor is d for d in self._dirty)]

    def note_forward(self, backend: Backend, arguments: Sequence[Any], returned: Any) -> None:
        """Record facts about the arguments and the return value of forward."""
        self.inputs = arguments
        self.listed = any(holds_tensors(argument, backend.tensor_class) for argument in arguments)
        outputs = returned if isinstance(returned, tuple) else (returned,)
        self._handed_back = [
            (place, argument)
            for place, argument in enumerate(arguments)
            if isinstance(argument, backend.tensor_class) and any(argument is output for output in outputs)
        ]

    def note_saving(self) -> None:
        """Count a call of save_for_backward."""
        self.saves += 1

    def note_dirty(self, tensors: Sequence[Any]) -> None:
        """Record the tensors that forward marked as dirty."""
        self._dirty.extend(tensors)


def recording_subclass(backend: Backend, work: type[Any], current: Callable[[], Record]) -> type[Any]:
    """Return a subclass whose methods record their arguments and return values in the current record."""
    name = backend.backward_name(work)
    original: Callable[..., Any] = getattr(work, name)
    original_forward: Callable[..., Any] = work.forward

    @wraps(original_forward)  # apply reads the signature for the defaults
    def recording_forward(*arguments: Any) -> Any:
        record = current()
        with backend.watching(record.autograd, []) if record.watch else nullcontext():
            returned = original_forward(*arguments)
        with_ctx = arguments and isinstance(arguments[0], backend.context_class)
        record.note_forward(backend, arguments[1:] if with_ctx else arguments, returned)
        return returned

    def recording_backward(ctx: Any, *cotangents: Any) -> Any:
        record = current()
        record.arrived = [cotangent is not None for cotangent in cotangents]
        before = [_version(backend, cotangent) for cotangent in cotangents]
        watch = record.autograd, record.lists, record.inputs
        with backend.watching(*watch) if record.watch else nullcontext():
            returned = original(ctx, *cotangents)
        record.returned = returned if isinstance(returned, tuple) else (returned,)
        after = [_version(backend, cotangent) for cotangent in cotangents]
        record.written = [
            place for place, (old, new) in enumerate(zip(before, after, strict=True)) if new > old
        ]
        return returned

    subclass = _overriding(work, {"forward": recording_forward, name: recording_backward})
    backend.observe_context(
        subclass,
        on_save=lambda: current().note_saving(),
        on_mark_dirty=lambda tensors: current().note_dirty(tensors),
        all_needed=lambda: current().all_needed,
    )
    return subclass


def _version(backend: Backend, cotangent: Any) -> int:
    return 0 if cotangent is None else backend.version(cotangent)


def _overriding(work: type[Any], methods: dict[str, Callable[..., Any]]) -> type[Any]:
    """Return a subclass of a Function, of the same name, that overrides these static methods."""
    static = {name: staticmethod(method) for name, method in methods.items()}
    return types.new_class(work.__name__, (work,), exec_body=lambda body: body.update(static))
