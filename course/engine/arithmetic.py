"""Arithmetic: sums, differences, products, quotients.

Where operands broadcast, a vjp gives gradients of the broadcast shape: the pass sums them down (Node.fit).
"""
# ruff: noqa: D102  what forward and vjp do is said in Operation

from __future__ import annotations

import operator
from typing import Any

from course.engine.operation import Binary, Operation, binary


class Add(Binary):
    """a + b."""

    __slots__ = ()
    forward = operator.add

    def vjp(self, g: Any, saved: Any) -> Any:
        return g, g


class Sub(Binary):
    """a − b."""

    __slots__ = ()
    forward = operator.sub

    def vjp(self, g: Any, saved: Any) -> Any:
        return g, self.right and -g


class Mul(Binary):
    """a · b."""

    __slots__ = ()
    keeps_inputs = keeps_other = True
    forward = operator.mul

    def vjp(self, g: Any, saved: Any) -> Any:
        a, b = saved
        return self.left and g * b, self.right and g * a


class Div(Binary):
    """a / b."""

    __slots__ = ()
    keeps_inputs = True
    forward = operator.truediv

    def vjp(self, g: Any, saved: Any) -> Any:
        a, b = saved
        return self.left and g / b, self.right and -g * a / (b * b)


class Neg(Operation):
    """−x."""

    __slots__ = ()
    forward = operator.neg

    def vjp(self, g: Any, saved: Any) -> Any:
        return -g


add, sub, mul, div = binary(Add), binary(Sub), binary(Mul), binary(Div)
