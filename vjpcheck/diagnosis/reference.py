"""Computes the truth by autograd through a reference: in this process, or by a probe in another one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NotRequired, TypedDict

import numpy as np
from torch import Tensor

from vjpcheck.arguments import Argument, Arguments, differentiable
from vjpcheck.ask.protocol import Each, ProbeClient, Request, maybe, schema_of
from vjpcheck.ask.requests import gradients
from vjpcheck.diagnosis.expression import Sent, sent
from vjpcheck.diagnosis.options import Options
from vjpcheck.errors import brief
from vjpcheck.probe.conversion import Flags
from vjpcheck.probe.higher import has_error_node
from vjpcheck.probe.torch_backend import TorchBackend, World
from vjpcheck.result import CannotRun
from vjpcheck.spec import PullbackOf
from vjpcheck.truth.native import Arrays, Cotangents, NativeTruth, Truth

REFERENCE = "vjpcheck.diagnosis.reference"  # the module of its probe


def checked(like: Any, name: str) -> Callable[..., Any]:
    """Return the reference if it can be called; raises CannotRun otherwise, and for a Function class."""
    from torch.autograd import Function

    if isinstance(like, type) and issubclass(like, Function):
        message = f"{name} must be a function of the same inputs, but it is the class {like.__name__}"
        raise CannotRun(f"{message}: pass {like.__name__}.apply, or a function that calls it.")
    if not callable(like):
        kind = type(like).__name__
        raise CannotRun(f"{name} must be a function of the same inputs, but it is of type {kind}.")
    function: Callable[..., Any] = like
    return function


class Look(TypedDict):
    """The outputs of a reference at one point and their flags for a gradient, or the reason for a refusal."""

    outputs: list[np.ndarray]
    flows: list[bool]
    refused: NotRequired[str]


def references(
    like: Callable[..., Any] | None,
    backward_like: Callable[..., Any] | None,
    function: Any,
    options: Options,
) -> Callable[[Arguments], Truth] | None:
    """Return the source of the truth in this process; None if it must be measured."""
    from vjpcheck.diagnosis.probe import called

    if like is None and backward_like is None:
        return None
    world = World.from_plain(options.world(exact=True))
    forward = called(function, {}) if like is None else checked(like, "like")
    pullback = None if backward_like is None else _pullback(checked(backward_like, "backward_like"))
    return partial(native, forward, world=world, pullback=pullback)


def _pullback(backward_like: Callable[..., Any]) -> PullbackOf:
    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Any]:
        gradients = backward_like(tuple(cotangents), tuple(arguments))
        gradients = gradients if isinstance(gradients, (tuple, list)) else (gradients,)
        if len(gradients) != len(arguments):
            returned = f"backward_like returns {len(gradients)} gradients for {len(arguments)} inputs"
            raise CannotRun(f"{returned}; it must return one for each, or None.")
        return gradients

    return pullback


def native(
    like: Callable[..., Any],
    arguments: Arguments,
    world: World,
    pullback: PullbackOf | None = None,
) -> NativeTruth:
    """Return the truth by autograd through `like`, or by `pullback`, in this process.

    Raises CannotRun where `like`, or a backward pass through it, raises.
    """
    try:
        truth = _truth(like, arguments, world, pullback)
        truth.vjp([differentiable(a) for a in arguments], [_ones(y) for y in truth.differentiable_outputs])
        if pullback is not None:  # forward is the work's own, whose dtype is judged
            truth.outputs = [y.astype(float) if y.dtype.kind == "f" else y for y in truth.outputs]
            flows = truth.flows
            truth.differentiable_outputs = [
                y if f else None for y, f in zip(truth.outputs, flows, strict=True)
            ]
    except CannotRun:
        raise
    except Exception as error:
        raise CannotRun(f"{'like' if pullback is None else 'backward_like'} raised {brief(error)}") from None
    return truth


def _truth(
    like: Callable[..., Any], arguments: Arguments, world: World, pullback: PullbackOf | None = None
) -> NativeTruth:
    def forward(*tensors: Any) -> Any:
        # a reference may work in place, which a leaf does not allow
        copies = [t.clone() if isinstance(t, Tensor) else t for t in world.placed(tensors)]
        with world.seeded():
            returned = like(*copies)
        outputs = tuple(returned) if isinstance(returned, (tuple, list)) else (returned,)
        kept = tuple(output for output in outputs if isinstance(output, Tensor))
        if not kept:
            kind = type(returned).__name__
            raise CannotRun(f"like returns a {kind}; it should return a tensor or a tuple of tensors.")
        return kept

    return _TruthByLike("torch", forward, arguments, pullback, TorchBackend(world))


class _TruthByLike(NativeTruth):
    """Raises RuntimeError if the reference calls a Function that is declared once differentiable."""

    def _grad(
        self, outputs: Sequence[Any], inputs: Sequence[Any], cotangents: Sequence[Any], create_graph: bool
    ) -> Sequence[Any]:
        # autograd with allow_unused skips the error node
        if any(has_error_node(self._backend, output) for output in outputs):
            raise RuntimeError("like is declared once differentiable")
        return super()._grad(outputs, inputs, cotangents, create_graph)


def _ones(output: np.ndarray | None) -> np.ndarray | None:
    return None if output is None else np.ones(output.shape)


@dataclass
class RemoteTruth(Truth):
    """The truth by autograd through a reference that a probe runs; raises CannotRun."""

    probe: ProbeClient
    arguments: Arguments

    def __post_init__(self) -> None:
        question: Request[Look] = Request("look", (self.arguments,), schema_of(Look))
        look = self.probe.ask_one(question)
        if "refused" in look:
            raise CannotRun(look["refused"])
        self.outputs = look["outputs"]
        pairs = zip(look["outputs"], look["flows"], strict=True)
        self.differentiable_outputs = [output if flow else None for output, flow in pairs]

    def at(self, arguments: Sequence[Argument]) -> RemoteTruth:
        """Return the truth about the same function at other arguments."""
        return RemoteTruth(self.probe, tuple(arguments))

    def vjp(self, requires: Flags, cotangents: Cotangents) -> Arrays:
        """Return the gradient for every argument marked in `requires`, None for the others."""
        answer = gradients(self.arguments, requires)
        return self.probe.ask_one(Request("vjp", (self.arguments, requires, cotangents), answer))

    def higher_vjp(
        self, requires: Flags, cotangents: Cotangents, directions: Sequence[Cotangents]
    ) -> tuple[Arrays, Arrays]:
        """Return the gradient of <vjp, direction> and so on, for the marked arguments and the cotangents."""
        flags = [cotangent is not None for cotangent in cotangents]
        answer = maybe(Each([gradients(self.arguments, requires), gradients(cotangents, flags)]))
        arguments = (self.arguments, requires, cotangents, directions)
        higher: tuple[Arrays, Arrays] | None = self.probe.ask_one(Request("higher_vjp", arguments, answer))
        if higher is None:
            raise CannotRun("like cannot be differentiated as often.")
        return higher


class Probe:
    """Answers requests about a reference in its process; raises CannotRun if it cannot be called."""

    def __init__(self, like: Any, name: str, world: Mapping[str, Any] | None = None) -> None:
        self._like = checked(like, name)
        self._world = World.from_plain(world or {})

    def inputs(self, text: str) -> Sent:
        """Return the inputs that a text of the command line describes, as the probe of the work does."""
        return sent(text, self._world.objects)

    def look(self, arguments: Arguments) -> Look:
        """Return the outputs."""
        try:
            truth = native(self._like, arguments, self._world)
        except CannotRun as refusal:
            return {"outputs": [], "flows": [], "refused": str(refusal)}
        return {"outputs": truth.outputs, "flows": truth.flows}

    def vjp(self, arguments: Arguments, requires: Flags, cotangents: Cotangents) -> Arrays:
        """Return the gradients."""
        return _truth(self._like, arguments, self._world).vjp(requires, cotangents)

    def higher_vjp(
        self,
        arguments: Arguments,
        requires: Flags,
        cotangents: Cotangents,
        directions: Sequence[Cotangents],
    ) -> tuple[Arrays, Arrays] | None:
        """Return the higher derivatives; None if autograd cannot differentiate the reference so often."""
        try:
            return _truth(self._like, arguments, self._world).higher_vjp(requires, cotangents, directions)
        except RuntimeError:
            return None
