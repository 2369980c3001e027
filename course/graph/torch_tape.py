"""Reading PyTorch's tape: grad_fn, next_functions, what was saved; adjoints by hooks that are removed again."""

import gc
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import torch
from torch.autograd.function import BackwardCFunction

from course.graph.model import Value
from course.graph.tape import Firing, Gradients, Sweep, UnusableError
from course.graph.values import ENTRIES

FREED = "an earlier backward() freed this graph: record it before, or call backward(retain_graph=True)"
CHANGED = "a tensor saved for backward was changed in place after it was saved"


class TorchTape:
    """PyTorch's tape, as `course.graph.tape.Tape` asks for it."""

    source: Literal["torch"] = "torch"

    def is_tensor(self, thing: Any) -> bool:
        return issubclass(type(thing), torch.Tensor)

    def parameters(self, thing: Any) -> Iterable[tuple[str, Any]]:
        return thing.named_parameters() if issubclass(type(thing), torch.nn.Module) else ()

    def living(self) -> Iterable[Any]:
        # A node of the tape does not keep its result, and a retained .grad is seen from its tensor alone.
        return [thing for thing in gc.get_objects() if self.is_tensor(thing)]

    def origin(self, tensor: Any) -> tuple[Any, int] | None:
        if not tensor.requires_grad:
            return None
        edge = torch.autograd.graph.get_gradient_edge(tensor)
        return edge.node, edge.output_nr

    def operands(self, function: Any) -> Sequence[tuple[Any, int]]:
        return tuple(function.next_functions)

    def leaf(self, function: Any) -> Any:
        return getattr(function, "variable", None) if "AccumulateGrad" in function.name() else None

    def operation(self, function: Any) -> str:
        if self.custom(function):
            return str(function._forward_cls.__name__)
        name = re.sub(r"Backward\d*$", "", function.name().rpartition("::")[2])
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()

    def custom(self, function: Any) -> bool:
        return isinstance(function, BackwardCFunction)

    def needs_grad(self, function: Any) -> tuple[bool, ...] | None:
        return tuple(function.needs_input_grad) if self.custom(function) else None

    def shapes(self, function: Any) -> Sequence[tuple[int, ...] | None]:
        return tuple(tuple(each.shape) for each in function._input_metadata)

    def saved(self, function: Any) -> Sequence[tuple[str, Any]]:
        try:
            if self.custom(function):
                return [("", tensor) for tensor in function.saved_tensors if tensor is not None]
            slots = [(slot[7:], getattr(function, slot)) for slot in dir(function) if slot.startswith("_saved_")]
        except RuntimeError as error:
            raise _unusable(error) from None
        # Slots hold sizes and flags as well, and lists of tensors (cat, stack, index).
        lists = [(name, item if isinstance(item, tuple) else (item,)) for name, item in slots]
        return [(name, tensor) for name, items in lists for tensor in items if self.is_tensor(tensor)]

    def context(self, function: Any) -> Sequence[tuple[str, str]]:
        if self.custom(function):
            return [(name, _brief(item)) for name, item in vars(function).items()]
        slots = [slot for slot in dir(function) if slot == "_saved_exponent"]
        found = [(slot[7:], getattr(function, slot)) for slot in slots]
        return [(name, repr(item)) for name, item in found if isinstance(item, int | float)]

    def value(self, tensor: Any) -> Value:
        plain = tensor.layout == torch.strided and not tensor.is_meta and not tensor.is_complex()
        entries = tensor.detach().cpu().tolist() if plain and tensor.numel() <= ENTRIES else None
        nbytes = tensor.numel() * tensor.element_size()
        return Value(tuple(tensor.shape), str(tensor.dtype).removeprefix("torch."), nbytes, entries)

    def sweep(self, output: Any, ends: Sequence[Any], functions: Sequence[Any]) -> Sweep:
        firings: list[Firing] = []
        seed = torch.ones_like(output)

        def watch(function: Any) -> Any:
            def hook(grad_inputs: Any, grad_outputs: Any) -> None:
                firings.append(Firing(function, self._values(grad_inputs), self._values(grad_outputs)))

            return function.register_hook(hook)

        handles = [watch(function) for function in functions]
        try:
            with _untouched(self.living()):
                grads = torch.autograd.grad(output, ends, seed, retain_graph=True, allow_unused=True)
        except RuntimeError as error:
            raise _unusable(error) from None
        finally:
            for handle in handles:
                handle.remove()
        return Sweep(self.value(seed), tuple(firings), self._values(grads))

    def local(self, function: Any) -> Gradients:
        shape, dtype = function._input_metadata[0].shape, function._input_metadata[0].dtype
        call = function.apply if self.custom(function) else function
        with torch.no_grad():
            grads = call(torch.ones(shape, dtype=dtype))
        return self._values(grads if isinstance(grads, tuple) else (grads,))

    def _values(self, tensors: Iterable[Any]) -> Gradients:
        return tuple(None if tensor is None else self.value(tensor) for tensor in tensors)


@contextmanager
def _untouched(tensors: Iterable[Any]) -> Iterator[None]:
    """Put back every retained .grad: retain_grad() makes autograd.grad write there as well."""
    kept = [(tensor, tensor.grad) for tensor in tensors if tensor.retains_grad]
    try:
        yield
    finally:
        for tensor, grad in kept:
            tensor.grad = grad


def _unusable(error: RuntimeError) -> Exception:
    if "second time" in str(error):
        return UnusableError(FREED)
    if "modified by an inplace operation" in str(error):
        return UnusableError(CHANGED)
    return error


def _brief(item: Any) -> str:
    if issubclass(type(item), torch.Tensor):  # kept on ctx itself: it should have been saved
        return f"tensor {tuple(item.shape)}"
    return repr(item)
