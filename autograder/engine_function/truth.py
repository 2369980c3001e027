"""The truth about an engine Function: the engine's own operations, in float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.engine_function.probed import probed
from autograder.engine_function.tensors import Cotangents, Flags, as_array, as_cotangents, as_tensors, spread
from autograder.function.arguments import Argument, differentiable
from autograder.function.numbers import basis
from autograder.function.refusal import Refusal
from course.engine import GradcheckError, Tensor, grad, gradcheck, gradgradcheck

if TYPE_CHECKING:
    from autograder.engine_function.exercise import EngineFunctionExercise
    from autograder.engine_function.probe import EngineProbe


class EngineTruth:
    """What `autograder.function.truth.Truth` is for PyTorch: the same methods, for one output."""

    def __init__(self, exercise: EngineFunctionExercise, arguments: Sequence[Argument]) -> None:
        self._forward = exercise.forward
        self.arguments = arguments
        output: Tensor = self._forward(*as_tensors(arguments, [False] * len(arguments)))
        self.outputs = [as_array(output)]
        self.differentiable_outputs: list[np.ndarray | None] = [*self.outputs]
        self.flows = [True]

    def vjp(self, requires: Flags, cotangents: Cotangents) -> list[np.ndarray | None]:
        """Return the gradient for every argument marked in `requires`, None for the others."""
        arguments = as_tensors(self.arguments, requires)
        leaves = [argument for argument, flag in zip(arguments, requires, strict=True) if flag]
        return spread(grad(self._forward(*arguments), leaves, as_cotangents(cotangents)[0]), requires)

    def second_vjp(
        self, requires: Flags, cotangents: Cotangents, seconds: Cotangents
    ) -> tuple[list[np.ndarray | None], list[np.ndarray | None]]:
        """Return the gradient of <vjp, seconds> for the marked arguments, and for the cotangent."""
        arguments = as_tensors(self.arguments, requires)
        leaves = [argument for argument, flag in zip(arguments, requires, strict=True) if flag]
        (cotangent,) = as_cotangents(cotangents, requires_grad=True)
        first = grad(self._forward(*arguments), leaves, cotangent, create_graph=True)
        directions = as_cotangents([second for second in seconds if second is not None])
        live = [
            (gradient, direction)
            for gradient, direction in zip(first, directions, strict=True)
            if gradient is not None and gradient.requires_grad
        ]
        wanted = [*leaves, cotangent]
        found = grad(
            [gradient for gradient, _ in live],
            wanted,
            [direction for _, direction in live],
            allow_unused=True,
        )
        filled = [Tensor(np.zeros(x.shape)) if g is None else g for g, x in zip(found, wanted, strict=True)]
        return spread(filled[:-1], requires), spread(filled[-1:], [True])

    def jacobian(self, position: int, output: int = 0) -> np.ndarray:
        """Return d output / d argument as a matrix: a row an output element, a column an input element."""
        requires = [index == position for index in range(len(self.arguments))]
        rows = []
        for unit in basis(self.outputs[output].shape):
            gradient = self.vjp(requires, [unit])[position]
            assert gradient is not None
            rows.append(gradient.ravel())
        return np.array(rows)

    def gradcheck(self, probe: EngineProbe, arguments: Sequence[Argument]) -> Refusal | None:
        """Return what the engine's gradcheck finds wrong; None if all is right."""
        return _refusal(gradcheck, self._along_a_line(probe, arguments))

    def gradgradcheck(
        self, probe: EngineProbe, arguments: Sequence[Argument], cotangents: Cotangents
    ) -> Refusal | None:
        """Return what the engine's gradgradcheck finds wrong; None if all is right."""
        return _refusal(gradgradcheck, self._along_a_line(probe, arguments))

    def _along_a_line(self, probe: EngineProbe, arguments: Sequence[Argument]) -> Any:
        """Return a weighted sum of the student's output as a function of one number, which moves all inputs.

        What torch's gradcheck calls its fast mode: every choice of inputs has been compared with the truth.
        """
        positions = [p for p, argument in enumerate(arguments) if differentiable(argument)]
        function = probed(probe, arguments, positions)
        generator = np.random.default_rng(0)
        starts = as_tensors([arguments[p] for p in positions], [False] * len(positions))
        steps = [Tensor(np.asarray(generator.standard_normal(x.shape))) for x in starts]
        weights = Tensor(np.asarray(generator.standard_normal(self.outputs[0].shape)))

        def along(t: Tensor) -> Any:
            moved = [start + t * step for start, step in zip(starts, steps, strict=True)]
            return (function(*moved) * weights).sum()

        return along


def _refusal(check: Callable[..., bool], function: Any) -> Refusal | None:
    try:
        check(function, Tensor(0.0, requires_grad=True))
    except (GradcheckError, RuntimeError) as error:
        return Refusal(" ".join(str(error).split())[:300], not isinstance(error, GradcheckError))
    return None
