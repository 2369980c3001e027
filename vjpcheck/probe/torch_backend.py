"""Adapts PyTorch to the interface of `backend`; only this module and its imports use torch in the probe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import FunctionCtx
from torch.utils.flop_counter import FlopCounterMode

from vjpcheck import torch_internals
from vjpcheck.arguments import Argument
from vjpcheck.ask.answers import HigherPullback, Layout
from vjpcheck.probe import torch_modes
from vjpcheck.probe.backend import Memory
from vjpcheck.probe.manifolds import MANIFOLDS
from vjpcheck.probe.native_autograd import names_in_code, profiling
from vjpcheck.probe.native_autograd.complex_step import NotingSteps
from vjpcheck.probe.saved_state import array_memory
from vjpcheck.probe.torch_tensors import as_array, as_tensor, laid_out
from vjpcheck.probe.transforms import tangents, transformed

_APPLY: Any = vars(Function)["apply"]  # looked up before the work can replace it


@dataclass(frozen=True)
class World:
    """The surroundings of each call: where its tensors are, and what is given beside them.

    Arrays of float64 become tensors of `dtype` on `device`. `seed` seeds PyTorch's generators before each
    call. `manifolds` has by position the names of the `MANIFOLDS` on which arguments stay. `objects` are
    constants of any type, by name. `under` is a transform that a call goes through.
    """

    dtype: str = "float64"
    device: str = "cpu"
    seed: int | None = None
    manifolds: Mapping[int, str] = field(default_factory=dict)
    objects: dict[str, Any] = field(default_factory=dict)
    under: str = ""

    @classmethod
    def from_plain(cls, fields: Mapping[str, Any]) -> World:
        """Return the world with these fields, some of which may have come as JSON."""
        manifolds = {int(place): name for place, name in fields.get("manifolds", {}).items()}
        return cls(**{**fields, "manifolds": manifolds})

    @property
    def converts(self) -> bool:
        """Return whether tensors differ in dtype or device from float64 on the CPU."""
        return (self.dtype, self.device) != ("float64", "cpu")

    @contextmanager
    def seeded(self) -> Iterator[None]:
        """Seed PyTorch's generators in the block, and put them back behind it."""
        if self.seed is None:
            yield
            return
        device = torch.device(self.device)
        with torch.random.fork_rng(devices=[] if device.type == "cpu" else [device]):
            torch.manual_seed(self.seed)
            yield

    def placed(self, arguments: Sequence[Any]) -> list[Any]:
        """Return the arguments of a call, each projected onto its manifold."""
        names = [self.manifolds.get(place) for place in range(len(arguments))]
        return [a if name is None else MANIFOLDS[name](a) for name, a in zip(names, arguments, strict=True)]


class TorchBackend:
    """Implements `vjpcheck.probe.backend.Backend` for torch.autograd.Function."""

    name = "torch.autograd.Function"
    function_class: type[Any] = Function
    context_class: type[Any] = FunctionCtx
    tensor_class: type[Any] = Tensor
    inputs_may_be_returned = False

    def __init__(self, world: World | None = None) -> None:
        self._world = world or World()
        self.only_tensors = world is None

    def argument(self, value: Argument, requires_grad: bool = False) -> Any:
        """Return a tensor for an array, and a generator or another object for its plain data."""
        world = self._world
        if not isinstance(value, np.ndarray) or not world.converts:
            return as_tensor(value, requires_grad, world.objects)
        dtype = getattr(torch, world.dtype) if value.dtype == np.float64 else None
        tensor = as_tensor(value).to(device=world.device, dtype=dtype)
        return tensor.requires_grad_() if requires_grad else tensor

    def laid_out(self, value: Any, layout: Layout) -> Any:
        """Return a tensor with the strides that transposing, slicing or `expand` leave."""
        return laid_out(value, layout) if isinstance(value, Tensor) else value

    def array(self, tensor: Tensor) -> np.ndarray:
        """Return a copy of the values, in float64 where the world has another dtype instead."""
        array = as_array(tensor)
        return array.astype(np.float64) if self._world.converts and array.dtype.kind == "f" else array

    def write(self, tensor: Tensor, array: np.ndarray) -> None:
        """Copy an array into a tensor, unrecorded."""
        with torch.no_grad():
            tensor.copy_(torch.from_numpy(np.array(array)))  # converts to its dtype and device

    def version(self, tensor: Tensor) -> int:
        """Return autograd's version counter."""
        return torch_internals.version(tensor)

    def is_view(self, tensor: Tensor) -> bool:
        """Return whether autograd tracks the tensor as a view."""
        return torch_internals.is_view(tensor)

    def memory(self, value: Any) -> Memory | None:
        """Return a tensor's whole storage or an array's buffer; None for numbers.

        A sparse tensor has no storage of its own, so it counts with the bytes of all its entries.
        """
        if isinstance(value, Tensor):
            try:
                storage = value.untyped_storage()
                return (storage.data_ptr(), storage.nbytes()) if storage.nbytes() else None
            except (RuntimeError, NotImplementedError):
                size = 0 if value.is_meta else value.numel() * value.element_size()
                return (id(value), size) if size else None
        return array_memory(value) if isinstance(value, np.ndarray) else None

    def random_states(self, arguments: Sequence[Any]) -> dict[int, bytes]:
        """Return the state of each torch.Generator, by its position."""
        generators = ((p, a) for p, a in enumerate(arguments) if isinstance(a, torch.Generator))
        return {place: generator.get_state().numpy().tobytes() for place, generator in generators}

    def draw(self, arguments: Sequence[Any]) -> None:
        """Draw one number from each torch.Generator."""
        for argument in arguments:
            if isinstance(argument, torch.Generator):
                torch.rand((), generator=argument, device=argument.device)

    def no_grad(self) -> AbstractContextManager[None]:
        """Record nothing inside a `with` block."""
        return torch.no_grad()

    def grad(
        self,
        outputs: Sequence[Any],
        inputs: Sequence[Any],
        cotangents: Sequence[Any],
        create_graph: bool = False,
        retain_graph: bool | None = None,
    ) -> Sequence[Any]:
        """Run torch.autograd.grad."""
        return torch.autograd.grad(
            outputs,
            inputs,
            cotangents,
            create_graph=create_graph,
            retain_graph=retain_graph,
            allow_unused=True,
        )

    def grad_without_cotangents(self, outputs: Sequence[Any], inputs: Sequence[Any]) -> Sequence[Any]:
        """Run a backward pass that starts with undefined gradients, as gradcheck's last pass does."""
        ends = [torch_internals.undefined_gradient(y) for y in outputs if y.requires_grad]
        return self.grad(ends, inputs, [torch.zeros_like(end) for end in ends])

    def apply(self, work: type[Any], *arguments: Any) -> Any:
        """Call PyTorch's apply, or what stands for a Function; the world's seed begins each call anew."""
        function = _APPLY.__get__(None, work) if issubclass(work, Function) else work.apply
        with self._world.seeded():
            return function(*self._world.placed(arguments))

    def backward_name(self, work: type[Any]) -> str:
        """Return `vjp` if the Function defines it, which PyTorch allows, else `backward`."""
        return "backward" if work.vjp is Function.vjp else "vjp"

    def function_of(self, node: Any) -> type[Any] | None:
        """Return the Function that made a node."""
        function: type[Any] | None = torch_internals.function_of(node)
        return function

    def attributes(self, node: Any) -> dict[str, Any]:
        """Return the node's own dict: in PyTorch the node is ctx."""
        contents: dict[str, Any] = vars(node)
        return contents

    def is_error_node(self, node: Any) -> bool:
        """Return whether a node is the one that raises after `once_differentiable`."""
        return torch_internals.is_error_node(node)

    def observe_context(
        self,
        work: Any,
        on_save: Callable[[], None],
        on_mark_dirty: Callable[[Sequence[Any]], None],
        all_needed: Callable[[], bool],
    ) -> None:
        """Override methods of the class of ctx; each Function has its own such class."""

        def saving(ctx: Any, *tensors: Any) -> None:
            on_save()
            FunctionCtx.save_for_backward(ctx, *tensors)

        def marking(ctx: Any, *tensors: Any) -> None:
            on_mark_dirty(tensors)
            FunctionCtx.mark_dirty(ctx, *tensors)

        def needs_input_grad(ctx: Any) -> tuple[bool, ...]:
            flags = torch_internals.needs_input_grad(ctx)
            return (True,) * len(flags) if all_needed() else flags

        context = torch_internals.context_class(work)
        context.save_for_backward, context.mark_dirty = saving, marking
        context.needs_input_grad = property(needs_input_grad)

    @contextmanager
    def captured(self, arguments: Sequence[Any]) -> Iterator[list[Any]]:
        """Inspect the arguments of each function of PyTorch in the block; a module brings its tensors."""
        tensors: list[Any] = []
        modules = [argument for argument in arguments if isinstance(argument, torch.nn.Module)]
        received = [*arguments, *(each for m in modules for each in (*m.parameters(), *m.buffers()))]
        with torch_modes.Capturing(received, tensors):
            yield tensors

    def nothing_detached(self, answer: HigherPullback) -> AbstractContextManager[None]:
        """Let calls of detach, .data, no_grad and NumPy in the student's lines detach nothing."""
        return torch_modes.nothing_detached(answer)

    def inputs_moved(self, inputs: Sequence[Any]) -> AbstractContextManager[None]:
        """Recognise the inputs among the saved tensors by their memory."""
        return torch_modes.inputs_moved(inputs)

    @contextmanager
    def flops(self) -> Iterator[Callable[[], int]]:
        """Count the operations on numbers in the block's matrix products, convolutions and sums."""
        with FlopCounterMode(display=False, custom_mapping={torch.ops.aten.sum: _of_a_sum}) as counter:
            yield counter.get_total_flops

    def functions_called(self, names: list[str]) -> AbstractContextManager[None]:
        """Inspect each operation that is dispatched."""
        called: AbstractContextManager[None] = torch_modes.functions_called(names)
        return called

    def autograd_in_code(self, work: type[Any]) -> str:
        """Read the code of forward, backward and their helpers."""
        return names_in_code.autograd_in_code(work)

    @contextmanager
    def watching(self, lines: list[str], lists: list[str], inputs: Sequence[Any] = ()) -> Iterator[None]:
        """Profile the block, and look for complex steps of these inputs."""
        with profiling.watching(lines, lists), NotingSteps(inputs, lines) if inputs else nullcontext():
            yield

    def transform(
        self, name: str, function: Callable[[Any], Any], point: Sequence[np.ndarray], layout: Layout = ""
    ) -> np.ndarray:
        """Apply one of torch.func's transforms, or forward mode."""
        return transformed(name, function, point, layout)

    def tangents(
        self, function: Callable[..., Any], tensors: Sequence[Any], directions: Sequence[Any]
    ) -> list[np.ndarray | None]:
        """Compute with dual numbers."""
        return tangents(function, tensors, directions)


def _of_a_sum(shape: torch.Size, *_: Any, **__: Any) -> int:
    """Return the number of additions in a sum over axes of a tensor."""
    return shape.numel()


BACKEND = TorchBackend()
