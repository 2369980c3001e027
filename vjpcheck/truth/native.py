"""Computes the truth about a Function at one sample, in float64."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from vjpcheck.arguments import Argument, Library, differentiable
from vjpcheck.numbers import basis
from vjpcheck.probe.backend import Backend
from vjpcheck.probe.backends import backend_of
from vjpcheck.probe.conversion import (
    Flags,
    as_cotangents,
    as_tensors,
    is_floating,
    spread,
    used_outputs,
    zeros_like,
)
from vjpcheck.spec import PullbackOf
from vjpcheck.truth.exact_key import ExactKey

Cotangents = Sequence[np.ndarray | None]
Arrays = list[np.ndarray | None]


class Truth(ABC):
    """Outputs, vector-Jacobian products, Jacobians and second derivatives at one sample.

    `outputs` are all outputs. `differentiable_outputs` has None in place of outputs without a gradient. If a
    cotangent is None, its output is unused. `tabulates` says that the truth at thousands of other arguments
    is cheap.
    """

    tabulates = True
    arguments: Sequence[Argument]
    outputs: list[np.ndarray]
    differentiable_outputs: list[np.ndarray | None]

    @property
    def flows(self) -> list[bool]:
        """Return for each output whether it has a gradient."""
        return [output is not None for output in self.differentiable_outputs]

    @abstractmethod
    def at(self, arguments: Sequence[Argument]) -> Truth:
        """Return the truth about the same function at other arguments."""

    def for_guesses(self, few: bool = False) -> Truth:
        """Return the same truth for hypotheses about a mistake; an expensive `at` may raise.

        With `few`, gradients at other arguments may be NaN in most entries.
        """
        return self

    @abstractmethod
    def vjp(self, requires: Flags, cotangents: Cotangents) -> Arrays:
        """Return the gradient for every argument marked in `requires`, None for the others."""

    @abstractmethod
    def higher_vjp(
        self, requires: Flags, cotangents: Cotangents, directions: Sequence[Cotangents]
    ) -> tuple[Arrays, Arrays]:
        """Return the gradient of <…<<vjp, first direction>'s gradient, second direction>…>, and so on.

        The first list is for the marked arguments, the second for the cotangents.
        """

    def second_vjp(
        self, requires: Flags, cotangents: Cotangents, seconds: Cotangents
    ) -> tuple[Arrays, Arrays]:
        """Return the gradient of <vjp, seconds> for the marked arguments, and for the cotangents."""
        return self.higher_vjp(requires, cotangents, [seconds])

    def jacobian(self, position: int, output: int = 0) -> np.ndarray:
        """Return d output / d argument as a matrix: a row an output element, a column an input element."""
        requires = [index == position for index in range(len(self.arguments))]
        rows = []
        for unit in basis(self.outputs[output].shape):
            cotangents = [unit if index == output else None for index in range(len(self.outputs))]
            gradient = self.vjp(requires, cotangents)[position]
            assert gradient is not None
            rows.append(gradient.ravel())
        return np.array(rows)


class NativeTruth(Truth):
    """The truth by the library's own derivatives of forward or, for a chosen gradient, by `pullback`."""

    def __init__(
        self,
        library: Library,
        forward: Callable[..., Any],
        arguments: Sequence[Argument],
        pullback: PullbackOf | None = None,
        backend: Backend | None = None,
    ) -> None:
        self._library: Library = library
        self._forward, self._by_hand = forward, pullback
        self._backend = backend or backend_of(library)
        self.arguments = arguments
        requires = [differentiable(argument) for argument in arguments]
        outputs = self._run(as_tensors(self._backend, arguments, requires))
        self.outputs = [self._backend.array(output) for output in outputs]
        chosen = pullback is not None  # then forward need not be differentiable
        self.differentiable_outputs = [
            array if is_floating(output) and (chosen or output.requires_grad) else None
            for output, array in zip(outputs, self.outputs, strict=True)
        ]

    def at(self, arguments: Sequence[Argument]) -> NativeTruth:
        """Return the truth about the same function at other arguments."""
        return type(self)(self._library, self._forward, arguments, self._by_hand, self._backend)

    def outputs_of(self, forward: Callable[..., Any]) -> Sequence[np.ndarray]:
        """Return the outputs of another function of the same arguments."""
        return type(self)(self._library, forward, self.arguments, None, self._backend).outputs

    def _run(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        outputs = self._forward(*arguments)
        return outputs if isinstance(outputs, tuple) else (outputs,)

    def _pullback(
        self, arguments: Sequence[Any], requires: Flags, cotangents: Sequence[Any], create_graph: bool
    ) -> Sequence[Any]:
        leaves = [argument for argument, flag in zip(arguments, requires, strict=True) if flag]
        if self._by_hand is None:
            outputs, seeds = used_outputs(self._run(arguments), cotangents)
            return self._grad(outputs, leaves, seeds, create_graph)
        gradients = self._by_hand(arguments, cotangents)
        selected = [gradient for gradient, flag in zip(gradients, requires, strict=True) if flag]
        return self._with_zeros(selected, leaves)

    def _grad(
        self, outputs: Sequence[Any], inputs: Sequence[Any], cotangents: Sequence[Any], create_graph: bool
    ) -> Sequence[Any]:
        """Return the gradients; zeros if the outputs are constants or do not depend on the input."""
        pairs = [(y, c) for y, c in zip(outputs, cotangents, strict=True) if y.requires_grad]
        if not pairs:
            return self._with_zeros([None] * len(inputs), inputs)
        gradients = self._backend.grad([y for y, _ in pairs], inputs, [c for _, c in pairs], create_graph)
        return self._with_zeros(gradients, inputs)

    def _with_zeros(self, gradients: Sequence[Any], like: Sequence[Any]) -> Sequence[Any]:
        pairs = zip(gradients, like, strict=True)
        return [zeros_like(self._backend, x) if g is None else g for g, x in pairs]

    def vjp(self, requires: Flags, cotangents: Cotangents) -> Arrays:
        """Return the gradient for every argument marked in `requires`, None for the others."""
        return [*_vjp(self, ExactKey(requires, cotangents))]

    def computed_vjp(self, requires: Flags, cotangents: Cotangents) -> Arrays:
        """Compute what `vjp` returns."""
        arguments = as_tensors(self._backend, self.arguments, requires)
        seeds = as_cotangents(self._backend, cotangents)
        gradients = self._pullback(arguments, requires, seeds, create_graph=False)
        return spread(self._backend, gradients, requires)

    def higher_vjp(
        self, requires: Flags, cotangents: Cotangents, directions: Sequence[Cotangents]
    ) -> tuple[Arrays, Arrays]:
        """Return the gradient of <…<<vjp, first direction>'s gradient, second direction>…>, and so on."""
        for_arguments, for_cotangents = _higher_vjp(self, ExactKey(requires, cotangents, directions))
        return [*for_arguments], [*for_cotangents]

    def computed_higher_vjp(
        self, requires: Flags, cotangents: Cotangents, directions: Sequence[Cotangents]
    ) -> tuple[Arrays, Arrays]:
        """Compute what `higher_vjp` returns."""
        arguments = as_tensors(self._backend, self.arguments, requires)
        leaves = [argument for argument, flag in zip(arguments, requires, strict=True) if flag]
        cotangent_leaves = as_cotangents(self._backend, cotangents, requires_grad=True)
        targets = [*leaves, *(cotangent for cotangent in cotangent_leaves if cotangent is not None)]
        grads = self._pullback(arguments, requires, cotangent_leaves, create_graph=True)
        for order, direction in enumerate(directions, start=1):
            along = as_cotangents(self._backend, [array for array in direction if array is not None])
            grads = self._grad(grads[: len(along)], targets, along, create_graph=order < len(directions))
        flags = [cotangent is not None for cotangent in cotangents]
        return (
            spread(self._backend, grads[: len(leaves)], requires),
            spread(self._backend, grads[len(leaves) :], flags),
        )


@lru_cache(maxsize=512)
def _vjp(truth: NativeTruth, key: ExactKey) -> Arrays:
    return truth.computed_vjp(*key.values)


@lru_cache(maxsize=128)
def _higher_vjp(truth: NativeTruth, key: ExactKey) -> tuple[Arrays, Arrays]:
    return truth.computed_higher_vjp(*key.values)
