"""Runs any differentiable work for a diagnosis: a Function, or whatever calls one.

A Function whose `apply` is PyTorch's own is observed as in an exercise. A function of tensors, a module, a
custom operator or an `apply` of one's own is called as it is: its gradient is judged, its backward unseen.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, update_wrapper, wraps
from typing import Any

import numpy as np
import torch
from torch.autograd import Function
from torch.func import functional_call

from vjpcheck import torch_internals
from vjpcheck.arguments import Inputs
from vjpcheck.ask import answers
from vjpcheck.diagnosis.expression import Sent, sent
from vjpcheck.errors import brief
from vjpcheck.probe import function_probe
from vjpcheck.probe.recording import Record
from vjpcheck.probe.torch_backend import TorchBackend, World
from vjpcheck.result import CannotRun

OPCHECKS = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")
_OF_FUNCTION = ("setup_context", "vjp", "backward", "jvp", "vmap")


class Probe(function_probe.Probe):
    """Calls any work that autograd differentiates; `world` has the fields of `World`.

    Raises CannotRun if the work cannot be called.
    """

    def __init__(
        self, work: Any, name: str, modifies: Sequence[int] = (), world: Mapping[str, Any] | None = None
    ) -> None:
        surroundings = World.from_plain(world or {})
        self._backend, self._objects = TorchBackend(surroundings), surroundings.objects
        self._given = work
        self._work = _function_of(work, name)
        if surroundings.under:
            self._work = _standing_for(
                _UNDER[surroundings.under](_apply(self._work)), self._work.forward, name
            )
        self._modifies = frozenset(modifies)
        self._record = Record()

    @cached_property
    def _recorded(self) -> type[Any]:
        return super()._recorded if issubclass(self._work, Function) else self._work

    def is_function(self) -> bool:
        """Return whether the work is a Function that PyTorch's own apply calls."""
        return issubclass(self._work, Function)

    def parameters(self) -> dict[str, np.ndarray]:
        """Return the parameters of a module that require grad, by name: they follow its inputs."""
        if not isinstance(self._given, torch.nn.Module):
            return {}
        return {name: self._backend.array(each).astype(float) for name, each in _trained(self._given).items()}

    def signature(self) -> answers.Signature:
        """Return the parameters of forward without ctx, or of the function that is called."""
        if self.is_function():
            return super().signature()
        answer: answers.Signature = answers.blank(answers.Signature) | {"further": "input"}
        try:
            parameters = [*inspect.signature(self._work.forward).parameters.values()]
        except (TypeError, ValueError):  # of an operator
            return answer
        single = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        answer["names"] = [p.name for p in single]
        answer["required"] = sum(p.default is p.empty for p in single)
        further = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "")
        answer["further"] = "parameter" if isinstance(self._given, torch.nn.Module) else further
        return answer

    def inputs(self, text: str) -> Sent:
        """Return the inputs that a text describes; the world keeps those that are no plain data."""
        return sent(text, self._objects)

    def opcheck(self, arguments: Inputs) -> dict[str, str] | None:
        """Return what torch.library.opcheck objects to in a custom operator, by test; None for other work."""
        operator = torch_internals.custom_operator(self._given)
        if operator is None:
            return None
        objections = {}
        for test in OPCHECKS:
            try:
                torch.library.opcheck(operator, tuple(self._call(arguments).inputs), test_utils=test)
            except Exception as error:
                objections[test] = brief(error)
        return objections


def _apply(work: type[Any]) -> Callable[..., Any]:
    apply: Callable[..., Any] = work.apply
    return apply


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    # aot_eager traces forward and backward as the default does, and needs no compiler of C++
    compiled: Callable[..., Any] = torch.compile(lambda *arguments: function(*arguments), backend="aot_eager")
    return compiled


def _mapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, computed as the first element of a batch of two."""

    def call(*arguments: Any) -> Any:
        tensors = [isinstance(each, torch.Tensor) for each in arguments]
        batch = [
            torch.stack([a, a.flip(0) if a.ndim else a]) if isinstance(a, torch.Tensor) else a
            for a in arguments
        ]
        outputs = torch.vmap(function, in_dims=tuple(0 if f else None for f in tensors))(*batch)
        return tuple(y[0] for y in outputs) if isinstance(outputs, tuple) else outputs[0]

    return call


_UNDER = {"compile": _compiled, "vmap": _mapped}


def called(work: Any, named: Mapping[str, Any]) -> Callable[..., Any]:
    """Return work as a function of its inputs by position, with these further ones by name."""
    own: Any = work
    function: Callable[..., Any] = own.apply if isinstance(work, type) else work

    @wraps(getattr(work, "forward", function))
    def call(*arguments: Any) -> Any:
        return function(*arguments, **named)

    return call


def _function_of(work: Any, name: str) -> type[Any]:
    """Return a Function, or a class that stands for one: its `apply` is the work itself."""
    owner = getattr(work, "__self__", None)
    if isinstance(owner, type) and issubclass(owner, Function) and getattr(work, "__name__", "") == "apply":
        work = owner
    if isinstance(work, type) and issubclass(work, Function):
        if not function_probe.defines_apply(work, Function):
            return work
        return _standing_for(work.apply, work.apply, name)
    if isinstance(work, Function):
        raise CannotRun(f"Pass the class {name} itself, not an instance of it.")
    if isinstance(work, torch.nn.Module):
        return _standing_for(_of_module(work), work.forward, name)
    if isinstance(work, type) or not callable(work):
        kind = f"the class {work.__name__}" if isinstance(work, type) else f"of type {type(work).__name__}"
        message = f"{name} must be a subclass of torch.autograd.Function, a module or a function of tensors"
        raise CannotRun(f"{message}, but it is {kind}.")
    return _standing_for(work, work, name)


def _standing_for(apply: Callable[..., Any], like: Callable[..., Any], name: str) -> type[Any]:
    """Return a class with this `apply`, and nothing to see of a backward."""

    def forward(*arguments: Any) -> Any:
        return apply(*arguments)

    update_wrapper(forward, like)
    members: dict[str, Any] = {each: staticmethod(getattr(Function, each)) for each in _OF_FUNCTION}
    members |= {"apply": staticmethod(apply), "forward": staticmethod(forward)}
    return types.new_class(name, exec_body=lambda body: body.update(members))


def _trained(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: each for name, each in module.named_parameters() if each.requires_grad}


def _of_module(module: torch.nn.Module) -> Callable[..., Any]:
    """Return the module as a function of its inputs, followed by its parameters."""
    names = [*_trained(module)]

    def call(*arguments: Any) -> Any:
        inputs = arguments[: len(arguments) - len(names)]
        return functional_call(module, dict(zip(names, arguments[len(inputs) :], strict=True)), inputs)

    return call
