"""Reading the engine's tape: the same names as PyTorch's, but nodes that keep what they computed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from course.engine import Tensor, grad, no_grad
from course.engine.function import FunctionNode
from course.graph.engine_rules import rule_of
from course.graph.model import Rule, Value, of_array
from course.graph.tape import Firing, Gradients, Sweep, returned_by, unusable


class EngineTape:
    """The engine's tape, as `course.graph.tape.Tape` asks for it."""

    source: Literal["engine", "torch"] = "engine"

    def is_tensor(self, thing: Any) -> bool:
        """Tell whether `thing` is the engine's Tensor."""
        return isinstance(thing, Tensor)

    def parameters(self, thing: Any) -> Iterable[tuple[str, Any]]:
        """Give nothing: the engine has no modules."""
        return ()

    def living(self) -> list[Any]:
        """Give nothing: the engine's nodes keep what they computed."""
        return []

    def origin(self, tensor: Any) -> tuple[Any, int] | None:
        """Give the node; each has one output."""
        return None if tensor.node is None else (tensor.node, 0)

    def operands(self, function: Any) -> Sequence[tuple[Any, int]]:
        """Give next_functions, less the leaves that nobody holds any more: nobody can see their gradient."""
        found = function.next_functions
        return [
            (None, 0) if f and f.name() == "AccumulateGrad" and f.variable is None else (f, i)
            for f, i in found
        ]

    def leaf(self, function: Any) -> Any:
        """Give an AccumulateGrad node's variable."""
        return function.variable if function.name() == "AccumulateGrad" else None

    def operation(self, function: Any) -> str:
        """Name the operation: Mul is mul; a Function written by the user keeps the name of its class."""
        if self.custom(function):
            return str(function.operation.__name__)
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", function.name().removesuffix("Backward")).lower()

    def custom(self, function: Any) -> bool:
        """Tell whether the node is a call of a Function."""
        return isinstance(function, FunctionNode)

    def number(self, function: Any) -> int:
        """Give the node's number."""
        return int(function.number)

    def needs_grad(self, function: Any) -> tuple[bool, ...] | None:
        """Give a Function's ctx.needs_input_grad."""
        return tuple(function.ctx.needs_input_grad) if self.custom(function) else None

    def shapes(self, function: Any) -> Sequence[tuple[int, ...] | None]:
        """Give the shape of the one output."""
        return (function.shape,)

    def saved(self, function: Any) -> Sequence[tuple[str, Any]]:
        """List saved_tensors; they have no names."""
        try:
            return [("", tensor) for tensor in function.saved_tensors if tensor is not None]
        except RuntimeError as error:
            raise unusable(error) from None

    def context(self, function: Any) -> Sequence[tuple[str, str]]:
        """List what a Function put on ctx."""
        kept = vars(function.ctx) if self.custom(function) else {}
        return [(name, repr(item)) for name, item in kept.items()]

    def value(self, tensor: Any) -> Value:
        """Describe a tensor."""
        return of_array(tensor.data)

    def kept(self, function: Any) -> Value | None:
        """Give the output, which the node keeps if it is small."""
        return None if function.value is None else of_array(function.value)

    def sweep(self, output: Any, ends: Sequence[Any], functions: Sequence[Any], held: Iterable[Any]) -> Sweep:
        """Run `grad` with a hook on each function, which is removed again."""
        firings: list[Firing] = []
        seed = Tensor(np.ones_like(output.data))

        def watch(function: Any) -> Any:
            def hook(grad_inputs: Any, grad_outputs: Any) -> None:
                # The pass brings each product to its operand's shape after the hook.
                pairs = zip(function.edges, grad_inputs, strict=True)
                fitted = [g if g is None or edge is None else _tensor(edge.fit(g.data)) for edge, g in pairs]
                given = returned.get(function.ctx, ()) if self.custom(function) else ()
                firings.append(Firing(function, self._values(fitted), self._values(grad_outputs), given))

            return function.register_hook(hook)

        handles = [watch(function) for function in functions]
        kinds = [function.operation for function in functions if self.custom(function)]
        try:
            with returned_by(kinds) as returned:
                grads = grad(output, ends, seed, retain_graph=True, allow_unused=True)
        except RuntimeError as error:
            raise unusable(error) from None
        finally:
            for handle in handles:
                handle.remove()
        return Sweep(self.value(seed), tuple(firings), self._values(grads))

    def local(self, function: Any) -> Gradients:
        """Call the node's vector-Jacobian product on ones."""
        with no_grad():
            one = np.ones(function.shape) if function.shape else 1.0
            return self._values(map(_tensor, function.vjp(one)))

    def rule(
        self, function: Any, operands: Mapping[int, str], tensors: Mapping[int, Any], known: Iterable[Any]
    ) -> Rule | None:
        """Describe how the engine's own operation computes; a user's Function has no rule."""
        return None if self.custom(function) else rule_of(function, operands)

    def _values(self, tensors: Iterable[Any]) -> Gradients:
        return tuple(None if tensor is None else self.value(tensor) for tensor in tensors)


def _tensor(gradient: Any) -> Any:
    return gradient if gradient is None or isinstance(gradient, Tensor) else Tensor(gradient)
