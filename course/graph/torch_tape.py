"""Reading PyTorch's tape: grad_fn, next_functions, what was saved; adjoints by hooks, removed afterwards."""

import gc
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import compress
from typing import Any, Literal

import torch
from torch.autograd.function import BackwardCFunction

from course.graph.model import ENTRIES, Rule, Value
from course.graph.tape import Firing, Gradients, Sweep, returned_by, unusable
from course.graph.torch_rules import rule_of


class TorchTape:
    """PyTorch's tape, as `course.graph.tape.Tape` asks for it."""

    source: Literal["engine", "torch"] = "torch"

    def __init__(self) -> None:
        self._living: list[Any] | None = None
        self._storages: set[int] | None = None

    def is_tensor(self, thing: Any) -> bool:
        """Tell whether `thing` is a torch Tensor by its type alone: isinstance makes proxies warn."""
        return issubclass(type(thing), torch.Tensor)

    def parameters(self, thing: Any) -> Iterable[tuple[str, Any]]:
        """List a module's parameters; nothing for anything else."""
        return thing.named_parameters() if issubclass(type(thing), torch.nn.Module) else ()

    def living(self) -> list[Any]:
        """List the tensors alive: nodes do not keep their results, nor know of retained gradients."""
        if self._living is None:
            things = gc.get_objects()
            kinds = map(_kinds(torch.Tensor).__contains__, map(type, things))
            self._living = list(compress(things, kinds))
        return self._living

    def origin(self, tensor: Any) -> tuple[Any, int] | None:
        """Give grad_fn and output_nr; for a leaf, its AccumulateGrad node."""
        if not tensor.requires_grad:
            return None
        if tensor.grad_fn is not None:
            return tensor.grad_fn, tensor.output_nr
        edge = torch.autograd.graph.get_gradient_edge(tensor)
        return edge.node, edge.output_nr

    def operands(self, function: Any) -> Sequence[tuple[Any, int]]:
        """Give next_functions."""
        return tuple(function.next_functions)

    def leaf(self, function: Any) -> Any:
        """Give an AccumulateGrad node's variable."""
        return getattr(function, "variable", None) if "AccumulateGrad" in function.name() else None

    def operation(self, function: Any) -> str:
        """Name the operation: AddmmBackward0 is addmm; a custom Function has the name of its class."""
        if self.custom(function):
            return str(function._forward_cls.__name__)
        name = re.sub(r"Backward\d*$", "", function.name().rpartition("::")[2])
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()

    def custom(self, function: Any) -> bool:
        """Tell whether the node is the ctx of a Function written in Python."""
        return isinstance(function, BackwardCFunction)

    def number(self, function: Any) -> int:
        """Give _sequence_nr: it grows with each function that a thread makes."""
        return int(function._sequence_nr())

    def needs_grad(self, function: Any) -> tuple[bool, ...] | None:
        """Give a custom Function's ctx.needs_input_grad."""
        return tuple(function.needs_input_grad) if self.custom(function) else None

    def shapes(self, function: Any) -> Sequence[tuple[int, ...] | None]:
        """Give the shapes that gradients of the results must have."""
        return tuple(tuple(each.shape) for each in function._input_metadata)

    def saved(self, function: Any) -> Sequence[tuple[str, Any]]:
        """List saved_tensors, or what a native node has in its _saved_ slots."""
        try:
            if self.custom(function):
                return [("", tensor) for tensor in function.saved_tensors if tensor is not None]
            found = sorted(dir(function), key=lambda slot: slot != "_saved_self")  # the first operand, first
            slots = [(slot[7:], getattr(function, slot)) for slot in found if slot.startswith("_saved_")]
        except RuntimeError as error:
            raise unusable(error) from None
        # Slots hold sizes and flags as well, and lists of tensors (cat, stack, index).
        lists = [(name, item if isinstance(item, tuple) else (item,)) for name, item in slots]
        return [(name, tensor) for name, items in lists for tensor in items if self.is_tensor(tensor)]

    def context(self, function: Any) -> Sequence[tuple[str, str]]:
        """List what a custom Function put on ctx; of a native node, the exponent of pow alone."""
        if self.custom(function):
            return [(name, _brief(item)) for name, item in vars(function).items()]
        slots = [slot for slot in dir(function) if slot == "_saved_exponent"]
        found = [(slot[7:], getattr(function, slot)) for slot in slots]
        return [(name, repr(item)) for name, item in found if isinstance(item, int | float)]

    def value(self, tensor: Any) -> Value:
        """Describe a tensor; entries are kept for few, real, dense ones."""
        plain = tensor.layout == torch.strided and not tensor.is_meta and not tensor.is_complex()
        # cloned, since PyTorch hands on some zeros without storage
        entries = tensor.detach().clone().cpu().tolist() if plain and tensor.numel() <= ENTRIES else None
        nbytes = tensor.numel() * tensor.element_size()
        return Value(tuple(tensor.shape), str(tensor.dtype).removeprefix("torch."), nbytes, entries)

    def kept(self, function: Any) -> Value | None:
        """Give nothing: PyTorch's nodes do not keep their results."""
        return None

    def sweep(self, output: Any, ends: Sequence[Any], functions: Sequence[Any], held: Iterable[Any]) -> Sweep:
        """Run torch.autograd.grad with a hook on each function, which is removed again."""
        firings: list[Firing] = []
        seed = torch.ones_like(output)

        def watch(function: Any) -> Any:
            def hook(grad_inputs: Any, grad_outputs: Any) -> None:
                given = returned.get(function, ()) if self.custom(function) else ()
                firings.append(Firing(function, self._values(grad_inputs), self._values(grad_outputs), given))

            return function.register_hook(hook)

        handles = [watch(function) for function in functions]
        kinds = [function._forward_cls for function in functions if self.custom(function)]
        try:
            with _untouched(held), returned_by(kinds) as returned:
                grads = torch.autograd.grad(output, ends, seed, retain_graph=True, allow_unused=True)
        except RuntimeError as error:
            raise unusable(error) from None
        finally:
            for handle in handles:
                handle.remove()
        return Sweep(self.value(seed), tuple(firings), self._values(grads))

    def local(self, function: Any) -> Gradients:
        """Call the node, or the backward of a custom Function, on a one."""
        shape, dtype = function._input_metadata[0].shape, function._input_metadata[0].dtype
        call = function.apply if self.custom(function) else function
        with torch.no_grad():
            grads = call(torch.ones(shape, dtype=dtype))
        return self._values(grads if isinstance(grads, tuple) else (grads,))

    def rule(
        self, function: Any, operands: Mapping[int, str], tensors: Mapping[int, Any], known: Iterable[Any]
    ) -> Rule | None:
        """Describe how PyTorch's own operation computes; a custom Function has no rule."""
        if self.custom(function):
            return None
        if self._storages is None:
            plain = (each for each in known if each.layout == torch.strided)
            self._storages = {each.untyped_storage().data_ptr() for each in plain}
        try:
            return rule_of(function, operands, tensors, self._storages)
        except RuntimeError:  # what it has saved is gone, and the sweep will tell
            return None

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


def _kinds(kind: type) -> set[type]:
    return {kind}.union(*map(_kinds, kind.__subclasses__()))


def _brief(item: Any) -> str:
    if issubclass(type(item), torch.Tensor):  # kept on ctx itself: it should have been saved
        return f"tensor {tuple(item.shape)}"
    return repr(item)
