"""One call of a student's Function on fresh tensors, and backward passes from its outputs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from vjpcheck.arguments import Argument, differentiable
from vjpcheck.ask.answers import Layout
from vjpcheck.probe.backend import Backend
from vjpcheck.probe.conversion import Flags, as_outputs, as_tensors, spread, used_outputs


def with_copies(tensors: Sequence[Any], modifies: Collection[int]) -> list[Any]:
    """Return what apply is called with: copies of the leaves that forward must modify in place."""
    return [tensor.clone() if p in modifies else tensor for p, tensor in enumerate(tensors)]


class Call:
    """What apply is called with, and what it has returned.

    `tensors` are leaves, which require grad where `requires` says so, by default all that can. `inputs` are
    the same, but at the positions `modifies` copies of them, as a leaf that requires grad cannot be modified
    in place. `layout` says how they lie in memory. The arguments at the positions `same` are one tensor.
    """

    def __init__(
        self,
        backend: Backend,
        arguments: Sequence[Argument],
        requires: Flags | None = None,
        modifies: Collection[int] = (),
        layout: Layout = "",
        same: Sequence[int] = (),
    ) -> None:
        self._backend, self._modifies = backend, modifies
        self.requires = [differentiable(a) for a in arguments] if requires is None else requires
        self.tensors = [
            backend.laid_out(tensor, layout) for tensor in as_tensors(backend, arguments, self.requires)
        ]
        for place in same:
            self.tensors[place] = self.tensors[same[0]]
        self.inputs = with_copies(self.tensors, modifies)
        self.outputs: tuple[Any, ...] = ()

    @property
    def named(self) -> dict[str, Any]:
        """Return the leaves and the other arguments by their position."""
        return {str(position): tensor for position, tensor in enumerate(self.tensors)}

    @property
    def leaves(self) -> list[Any]:
        """Return the tensors that require grad."""
        return [tensor for tensor, flag in zip(self.tensors, self.requires, strict=True) if flag]

    def apply(self, function: Any) -> Any:
        """Call the Function and return its outputs; raises WrongReturn if one is not a tensor."""
        returned = self._backend.apply(function, *self.inputs)
        self.outputs = as_outputs(self._backend, returned)
        return returned

    def gradients(
        self, cotangents: Sequence[Any], retain_graph: bool | None = None
    ) -> list[np.ndarray | None]:
        """Run a backward pass and return the gradient for each argument, None where none arrives."""
        return self.spread(self.gradient_tensors(cotangents, retain_graph))

    def gradient_tensors(self, cotangents: Sequence[Any], retain_graph: bool | None = None) -> Sequence[Any]:
        """Run a backward pass and return what arrives at the leaves, as it is."""
        used, seeds = used_outputs(self.outputs, cotangents)
        return self._backend.grad(used, self.leaves, seeds, retain_graph=retain_graph)

    def overwrite(self, values: Sequence[Argument]) -> None:
        """Give the tensors that can require grad other values, in place."""
        for tensor, value in zip(self.tensors, values, strict=True):
            if isinstance(value, np.ndarray) and differentiable(value):
                self._backend.write(tensor, value)
        self.inputs = with_copies(self.tensors, self._modifies)

    def spread(self, gradients: Sequence[Any]) -> list[np.ndarray | None]:
        """Return what has been found for the leaves as one array an argument, None for the others."""
        return spread(self._backend, gradients, self.requires)
