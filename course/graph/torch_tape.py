"""Reading PyTorch's tape: grad_fn, next_functions, what was saved; adjoints by hooks, removed afterwards.

A node keeps what its backward needs. A constant that backward does not need (the 1 in `x + 1`) is recovered
where operand and result are known.
"""

import gc
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import compress
from typing import Any, Literal

import numpy as np
import torch

from course.graph import torch_internals
from course.graph.model import ENTRIES, Rule, Value, of_array
from course.graph.tape import Firing, Gradients, Sweep, returned_by, shortest, unusable
from course.graph.torch_internals import KEPT, MOVES, PLAIN, RULES, UNARY, metadata, signed, slot_or

RESULT = -1  # in place of an operand's position


class TorchTape:
    """PyTorch's tape, as `course.graph.tape.Tape` asks for it."""

    source: Literal["engine", "torch", "values"] = "torch"

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
        return getattr(function, "variable", None) if torch_internals.is_leaf(function) else None

    def operation(self, function: Any) -> str:
        """Name the operation: AddmmBackward0 is addmm; a custom Function has the name of its class."""
        if self.custom(function):
            return str(torch_internals.function_of(function).__name__)
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", torch_internals.operation(function)).lower()

    def custom(self, function: Any) -> bool:
        """Tell whether the node is the ctx of a Function written in Python."""
        return torch_internals.is_custom(function)

    def number(self, function: Any) -> int:
        """Give a number that grows with each function that a thread makes."""
        return torch_internals.number(function)

    def needs_grad(self, function: Any) -> tuple[bool, ...] | None:
        """Give a custom Function's ctx.needs_input_grad."""
        return tuple(function.needs_input_grad) if self.custom(function) else None

    def shapes(self, function: Any) -> Sequence[tuple[int, ...] | None]:
        """Give the shapes that gradients of the results must have."""
        return tuple(tuple(each.shape) for each in metadata(function))

    def saved(self, function: Any) -> Sequence[tuple[str, Any]]:
        """List saved_tensors, or what a native node has saved."""
        try:
            if self.custom(function):
                return [("", tensor) for tensor in function.saved_tensors if tensor is not None]
            slots = [*torch_internals.slots(function)]
        except RuntimeError as error:
            raise unusable(error) from None
        # Slots hold sizes and flags as well, and lists of tensors (cat, stack, index).
        lists = [(name, item if isinstance(item, tuple) else (item,)) for name, item in slots]
        return [(name, tensor) for name, items in lists for tensor in items if self.is_tensor(tensor)]

    def context(self, function: Any) -> Sequence[tuple[str, str]]:
        """List what a custom Function put on ctx; of a native node, the exponent of pow alone."""
        if self.custom(function):
            return [(name, _brief(item)) for name, item in vars(function).items()]
        exponent = slot_or(function, "exponent", None)
        return [("exponent", repr(exponent))] if isinstance(exponent, int | float) else []

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
        kinds = [torch_internals.function_of(function) for function in functions if self.custom(function)]
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
        taken = metadata(function)[0]
        with torch.no_grad():
            grads = torch_internals.call(function, torch.ones(taken.shape, dtype=taken.dtype))
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


def rule_of(
    function: Any, operands: Mapping[int, str], tensors: Mapping[int, Any], storages: Collection[int]
) -> Rule | None:
    """Describe how an operation of PyTorch computes; None for what a page cannot compute.

    `operands` has the ids of the operands that are nodes, `tensors` what is known of them and of the result,
    by their position. A page computes numbers and arrays of one float dtype and of at most `ENTRIES` entries.
    `storages` are those of the tensors of the graph: a constant in one of them would change with the leaves.
    """
    name = torch_internals.operation(function)
    edges = [(edge, at) for edge, at in function.next_functions if edge is not None]
    around = [metadata(function)[0], *(metadata(edge)[at] for edge, at in edges)]
    same = len({each.dtype for each in around}) == 1 and around[0].dtype in (torch.float32, torch.float64)
    if not same or max(math.prod(each.shape) for each in around) > ENTRIES or not operands:
        return None
    if any(slot_or(function, slot, plain) != plain for slot, plain in PLAIN.items()):
        return None
    if name in UNARY:
        return Rule(name.lower(), (operands[0],))
    if name in ("Add", "Sub", "Rsub"):
        return _sum(name, operands, tensors)
    if name in KEPT:
        return _product(name, function, operands, storages)
    if name in ("Sum", "Mean"):
        return Rule("scatter" if name == "Sum" else "mean", (operands[0],), _summed(function))
    if name not in MOVES or any(_is_mask(each) for each in slot_or(function, "indices", ())):
        return None
    return Rule("gather", (operands[0],), _flat(MOVES[name](_numbered(_operand_shape(function)), function)))


def _sum(name: str, operands: Mapping[int, str], tensors: Mapping[int, Any]) -> Rule | None:
    """Describe a sum or a difference; a constant is recovered from operand and result."""
    rule = "add" if name == "Add" else "sub"
    if len(operands) == 2:
        return Rule(rule, (operands[0], operands[1]))
    ((at, key),) = operands.items()
    if tensors.get(at) is None or tensors.get(RESULT) is None:
        return None
    first = at == 0 and name != "Rsub"
    x, y = (tensors[each].detach().cpu().numpy() for each in (at, RESULT))
    single = x.dtype.type
    recovered = np.vectorize(
        lambda x, y: (
            shortest(y - x, lambda c: x + single(c) == y)
            if rule == "add"
            else shortest(x - y, lambda c: x - single(c) == y)
            if first
            else shortest(x + y, lambda c: single(c) - x == y)
        ),
        otypes=[float],
    )(x, y)
    constant = of_array(recovered[()]) if np.isfinite(recovered).all() else None
    return None if constant is None else Rule(rule, (key, constant) if first else (constant, key))


def _product(name: str, function: Any, operands: Mapping[int, str], storages: Collection[int]) -> Rule | None:
    """Describe an operation that keeps its constants."""
    slots = KEPT[name]
    if not torch_internals.has_slot(function, slots[-1]):  # a scalar stands second, and is kept as "other"
        return None
    if torch_internals.is_power_of_a_number(function):
        operands = {1: operands[0]}
    given = [
        operands[at] if at in operands else _constant(slot_or(function, slot, None), storages)
        for at, slot in enumerate(slots)
    ]
    known = tuple(each for each in given if each is not None)
    if len(known) < len(given) or (name == "Mul" and any(_is_sign(each) for each in known)):
        return None
    return Rule(RULES.get(name, name.lower()), known)


def _constant(kept: Any, storages: Collection[int]) -> Value | None:
    if isinstance(kept, torch.Tensor):
        if kept.numel() > ENTRIES or kept.untyped_storage().data_ptr() in storages or kept.is_complex():
            return None
        kept = kept.detach().cpu().numpy()
    if kept is None or isinstance(kept, complex | bool):
        return None
    plain = np.asarray(kept)
    return of_array(_decimal(plain)[()]) if plain.dtype.kind in "fi" and np.isfinite(plain).all() else None


def _decimal(array: Any) -> Any:
    """Write numbers of single precision as they were typed: 0.1, not 0.10000000149."""
    return np.vectorize(lambda x: float(str(x)), otypes=[float])(array)


def _is_sign(operand: str | Value) -> bool:
    """Tell whether a constant may be a mask or signs, which would change with the leaves."""
    if isinstance(operand, str) or operand.shape == ():
        return False
    entries = np.asarray(operand.entries)
    return bool(np.isin(entries, (-1, 0, 1)).all() and not (entries == 1).all())


def _is_mask(indices: Any) -> bool:
    return indices is not None and not isinstance(indices, int) and indices.dtype in (torch.bool, torch.uint8)


def _summed(function: Any) -> tuple[int, ...]:
    """Say where each entry of an operand is added."""
    shape = _operand_shape(function)
    axes = slot_or(function, "dim", ()) or ()
    axes = tuple(map(signed, axes)) or tuple(range(len(shape)))
    kept = torch.empty(shape).sum(axes, keepdim=True).shape if shape else ()
    return _flat(_numbered(kept).expand(shape))


def _operand_shape(function: Any) -> tuple[int, ...]:
    edge, at = function.next_functions[0]
    return tuple(metadata(edge)[at].shape)


def _numbered(shape: tuple[int, ...]) -> Any:
    return torch.arange(math.prod(shape)).reshape(shape)


def _flat(places: Any) -> tuple[int, ...]:
    return tuple(places.reshape(-1).tolist())
