"""Calls a student's Function on new tensors, and runs backward passes from its outputs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from vjpcheck.arguments import Argument, differentiable
from vjpcheck.ask.answers import Layout
from vjpcheck.probe.backend import Backend
from vjpcheck.probe.conversion import Flags, as_outputs, as_tensors, spread, used_outputs


def with_copies(tensors: Sequence[Any], modifies: Collection[int]) -> list[Any]:
    """Return the inputs of apply: the tensors, with copies of those that forward must modify in place."""
    return [tensor.clone() if p in modifies else tensor for p, tensor in enumerate(tensors)]


class Call:
    """One call of apply: its inputs and its outputs.

    `tensors` are leaves, which require grad as `requires` says, by default all that can. `inputs` are the
    same tensors, with copies at the positions `modifies`: a leaf that requires grad cannot be modified in
    place. `layout` is the memory layout. The arguments at the positions `same` are one tensor.
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
        """Return the leaves and the other arguments by position."""
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
        """Run a backward pass and return the gradient for each argument; None where none arrives."""
        return self.spread(self.gradient_tensors(cotangents, retain_graph))

    def gradient_tensors(self, cotangents: Sequence[Any], retain_graph: bool | None = None) -> Sequence[Any]:
        """Run a backward pass and return the gradients of the leaves as tensors."""
        used, seeds = used_outputs(self.outputs, cotangents)
        return self._backend.grad(used, self.leaves, seeds, retain_graph=retain_graph)

    def overwrite(self, values: Sequence[Argument]) -> None:
        """Write other values into the tensors that can require grad.

        Where the truth does not follow the numbers that forward draws, its generators begin anew.
        """
        for place, value in enumerate(values):
            if isinstance(value, np.ndarray) and differentiable(value):
                self._backend.write(self.tensors[place], value)
            elif isinstance(value, Mapping) and not self._backend.only_tensors:
                self.tensors[place] = self._backend.argument(value)
        self.inputs = with_copies(self.tensors, self._modifies)

    def spread(self, gradients: Sequence[Any]) -> list[np.ndarray | None]:
        """Return one array per argument from the gradients of the leaves; None for the other arguments."""
        return spread(self._backend, gradients, self.requires)
