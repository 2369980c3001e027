"""Functions of several outputs: each output is a node, and hands its adjoint on to the Function's."""

from __future__ import annotations

from typing import Any

from course.engine.node import Node, tick


class Cotangents(tuple[Any, ...]):
    """The adjoints of several outputs; what has not been reached is None."""

    def __add__(self, other: Any) -> Cotangents:
        pairs = zip(self, other, strict=True)
        return Cotangents(b if a is None else a if b is None else a + b for a, b in pairs)


class Output(Node):
    """One of several outputs: a node of its own, which hands its adjoint to the Function's."""

    __slots__ = ("index",)

    def __init__(self, function: Any, index: int) -> None:
        self.edges, self.saved, self.index, self.number = (function,), (), index, tick()
        self.adjoint = self.hooks = self.value = None
        self.like = function.outputs[index]

    def source(self) -> tuple[Node, int]:
        """Return the Function's node and which of its outputs this is."""
        (function,) = self.edges
        assert function is not None
        return function, self.index

    def vjp(self, cotangent: Any, saved: Any) -> tuple[Cotangents]:
        """Put the cotangent in its place among those of the other outputs."""
        function: Any = self.source()[0]
        return (Cotangents(cotangent if i == self.index else None for i in range(len(function.outputs))),)
