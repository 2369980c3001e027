"""The truth about a Function exercise: autograd on its forward in native PyTorch, in float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.autograd.gradcheck import GradcheckError

from autograder.function.arguments import Argument, differentiable
from autograder.function.exercise import FunctionExercise
from autograder.function.numbers import basis
from autograder.function.probe import FunctionProbe
from autograder.function.probed import probed
from autograder.function.refusal import Refusal
from autograder.function.tensors import Flags, as_cotangents, as_tensors, spread

Cotangents = Sequence[np.ndarray | None]


class Truth:
    """Outputs, vector-Jacobian products, Jacobians and second derivatives at one sample.

    `outputs` are all of them; `differentiable_outputs` has None in place of those without a gradient.
    A cotangent that is None leaves its output out.
    """

    def __init__(self, exercise: FunctionExercise, arguments: Sequence[Argument]) -> None:
        self._exercise = exercise
        self.arguments = arguments
        outputs = self._run(as_tensors(arguments, [differentiable(argument) for argument in arguments]))
        self.outputs = [output.numpy(force=True) for output in outputs]
        chosen = exercise.pullback is not None  # then autograd may have nothing to say about forward
        self.differentiable_outputs = [
            array if output.is_floating_point() and (chosen or output.requires_grad) else None
            for output, array in zip(outputs, self.outputs, strict=True)
        ]

    @property
    def flows(self) -> list[bool]:
        """Return for each output whether it has a gradient."""
        return [output is not None for output in self.differentiable_outputs]

    def _run(self, arguments: Sequence[Any]) -> tuple[torch.Tensor, ...]:
        outputs = self._exercise.forward(*arguments)
        return outputs if isinstance(outputs, tuple) else (outputs,)

    def _pullback(
        self, arguments: Sequence[Any], requires: Flags, cotangents: Sequence[Any], create_graph: bool
    ) -> tuple[torch.Tensor, ...]:
        leaves = [argument for argument, flag in zip(arguments, requires, strict=True) if flag]
        if self._exercise.pullback is not None:
            gradients = self._exercise.pullback(arguments, cotangents)
            chosen = [gradient for gradient, flag in zip(gradients, requires, strict=True) if flag]
            return tuple(
                torch.zeros_like(leaf) if gradient is None else gradient
                for gradient, leaf in zip(chosen, leaves, strict=True)
            )
        pairs = zip(self._run(arguments), cotangents, strict=True)
        used = [(output, given) for output, given in pairs if given is not None and output.requires_grad]
        if not used:
            return tuple(torch.zeros_like(leaf) for leaf in leaves)
        return torch.autograd.grad(
            [output for output, _ in used],
            leaves,
            [given for _, given in used],
            create_graph=create_graph,
            materialize_grads=True,
        )

    def vjp(self, requires: Flags, cotangents: Cotangents) -> list[np.ndarray | None]:
        """Return the gradient for every argument marked in `requires`, None for the others."""
        arguments = as_tensors(self.arguments, requires)
        found = self._pullback(arguments, requires, as_cotangents(cotangents), create_graph=False)
        return spread(found, requires)

    def second_vjp(
        self, requires: Flags, cotangents: Cotangents, seconds: Cotangents
    ) -> tuple[list[np.ndarray | None], list[np.ndarray | None]]:
        """Return the gradient of <vjp, seconds> for the marked arguments, and for the cotangents."""
        return self.higher_vjp(requires, cotangents, [seconds])

    def higher_vjp(
        self, requires: Flags, cotangents: Cotangents, directions: Sequence[Cotangents]
    ) -> tuple[list[np.ndarray | None], list[np.ndarray | None]]:
        """Return the gradient of <…<<vjp, first direction>'s gradient, second direction>…>, and so on."""
        arguments = as_tensors(self.arguments, requires)
        leaves = [argument for argument, flag in zip(arguments, requires, strict=True) if flag]
        cotangent_leaves = as_cotangents(cotangents, requires_grad=True)
        given = [cotangent for cotangent in cotangent_leaves if cotangent is not None]
        found = self._pullback(arguments, requires, cotangent_leaves, create_graph=True)
        for order, direction in enumerate(directions, start=1):
            along = [torch.tensor(array) for array in direction if array is not None]
            inner = torch.stack([(g * d).sum() for g, d in zip(found, along, strict=False)]).sum()
            if not inner.requires_grad:  # a constant gradient
                found = tuple(torch.zeros_like(leaf) for leaf in [*leaves, *given])
                continue
            found = torch.autograd.grad(
                inner, [*leaves, *given], create_graph=order < len(directions), materialize_grads=True
            )
        flags = [cotangent is not None for cotangent in cotangents]
        return spread(found[: len(leaves)], requires), spread(found[len(leaves) :], flags)

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

    def gradcheck(self, probe: FunctionProbe, arguments: Sequence[Argument]) -> Refusal | None:
        """Return what torch.autograd.gradcheck finds wrong; None if all is right."""
        function, tensors = self._probed(probe, arguments)
        return _refusal(torch.autograd.gradcheck, function, tensors)

    def gradgradcheck(
        self, probe: FunctionProbe, arguments: Sequence[Argument], cotangents: Cotangents
    ) -> Refusal | None:
        """Return what torch.autograd.gradgradcheck finds wrong; None if all is right."""
        function, tensors = self._probed(probe, arguments)
        given = [c for c in as_cotangents(cotangents, requires_grad=True) if c is not None]
        return _refusal(torch.autograd.gradgradcheck, function, tensors, given)

    def _probed(
        self, probe: FunctionProbe, arguments: Sequence[Argument]
    ) -> tuple[Any, tuple[torch.Tensor, ...]]:
        positions = [position for position, argument in enumerate(arguments) if differentiable(argument)]
        function = probed(probe, arguments, positions, self.flows)
        return function, tuple(torch.tensor(arguments[p], requires_grad=True) for p in positions)


def _refusal(check: Callable[..., bool], *operands: Any) -> Refusal | None:
    """Ask in the fast mode, along random directions; what it refuses there, it must refuse in full too."""
    found: Refusal | None = None
    for fast in (True, False):
        try:
            check(*operands, fast_mode=fast)
            return None
        except (GradcheckError, RuntimeError) as error:
            found = Refusal(" ".join(str(error).split())[:300], not isinstance(error, GradcheckError))
    return found
