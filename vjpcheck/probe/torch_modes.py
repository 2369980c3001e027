"""Finds captured tensors and detaching calls in a student's lines, by PyTorch's dispatch modes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.overrides import TorchFunctionMode

from vjpcheck import torch_internals
from vjpcheck.ask.answers import HigherPullback
from vjpcheck.probe import higher

TO_NUMBERS: dict[Any, str] = {
    Tensor.item: ".item()",
    Tensor.tolist: ".tolist()",
    Tensor.__float__: "float()",
    Tensor.__int__: "int()",
}
CUTTING: dict[Any, str] = {**TO_NUMBERS, torch.tensor: "torch.tensor()"}
TO_NUMPY: set[Any] = {Tensor.numpy, Tensor.__array__}

# the ATen names of operations that compute more than sums, products and quotients
_NAMES = """
    exp exp2 expm1 matrix_exp linalg_matrix_exp sinh cosh tanh asinh acosh atanh sin cos tan asin acos atan
    atan2 sinc polar log log2 log10 log1p xlogy logaddexp logaddexp2 logsumexp logcumsumexp log_softmax
    softmax sigmoid logit log_sigmoid_forward softplus silu gelu mish elu selu celu erf erfc erfinv lgamma
    digamma polygamma igamma igammac i0 sqrt rsqrt hypot norm linalg_vector_norm cdist float_power
    renorm
"""
FUNCTIONS = frozenset(_NAMES.split())
_STEP = 1.001  # the factor of the saved inputs, which keeps their signs and order

_OURS = str(Path(__file__).parents[1])
_TORCH = str(Path(torch.__file__).parent)
_CALLS_BACKWARD = higher.__file__


class Capturing(TorchFunctionMode):
    """Collects tensors that require grad and are neither arguments nor results of an operation here."""

    def __init__(self, arguments: Sequence[Any], captured: list[Tensor]) -> None:
        super().__init__()
        self._known = [argument for argument in arguments if isinstance(argument, Tensor)]
        self._captured = captured

    def __torch_function__(
        self, function: Any, types: Any, arguments: tuple[Any, ...] = (), keywords: Any = None
    ) -> Any:
        """Call the function, and inspect its arguments and its return value."""
        for tensor in _tensors([*arguments, *(keywords or {}).values()]):
            if tensor.requires_grad and not any(tensor is known for known in self._known):
                self._captured.append(tensor)
        returned = function(*arguments, **(keywords or {}))
        self._known.extend(_tensors([returned]))
        return returned


def _tensors(values: Sequence[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


@contextmanager
def nothing_detached(answer: HigherPullback) -> Iterator[None]:
    """Let no call in the block detach a tensor, and record in the answer the calls that would."""
    with torch.set_grad_enabled(torch.is_grad_enabled()), _Attached(answer):
        yield


class _Attached(TorchFunctionMode):
    """Replaces detaching calls in the student's own lines, and records them."""

    def __init__(self, answer: HigherPullback) -> None:
        super().__init__()
        self._answer = answer
        # the detaching functions, and the way that a student writes them
        self._detaching: dict[Any, str] = {
            Tensor.detach: ".detach()",
            torch.detach: ".detach()",
            Tensor.detach_: ".detach_()",
            torch_internals.reads_data(): ".data",
        }
        self._sets_grad_mode = torch_internals.sets_grad_mode()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        cuts = func in TO_NUMBERS or (func is torch.tensor and any(True for _ in _tensors(args)))
        if cuts and _called_by_the_student(sys._getframe(1)):
            self._answer["cut"].append(CUTTING[func])
        known = func in self._detaching or func in TO_NUMPY or func is self._sets_grad_mode
        if not known or not _called_by_the_student(sys._getframe(1)):
            return func(*args, **(kwargs or {}))
        if func in TO_NUMPY:
            # the forward of another Function is not recorded anyway, so it may use NumPy
            self._answer["numpy"] |= torch.is_grad_enabled()
            return func(args[0].detach(), *args[1:], **(kwargs or {}))
        if func in self._detaching:
            self._answer["detaching"].append(self._detaching[func])
            return args[0].clone()
        if args[0]:
            return func(*args)
        self._answer["detaching"].append("no_grad")
        return None


def _called_by_the_student(frame: FrameType | None) -> bool:
    """Return whether a line of the student's made the call, outside any other Function's forward."""
    if torch_internals.inside_forward():
        return False  # autograd records nothing there anyway
    nearest = ""
    while frame is not None:
        filename = frame.f_code.co_filename
        if filename == _CALLS_BACKWARD:
            break
        if not nearest and not filename.startswith(_TORCH):
            nearest = filename
        frame = frame.f_back
    return not nearest.startswith(_OURS)  # "" for a decorator of PyTorch's on backward itself


@contextmanager
def inputs_moved(inputs: Sequence[Any]) -> Iterator[None]:
    """Let backward read these inputs, if saved, with values moved by a small step."""
    places = {tensor.data_ptr() for tensor in inputs if isinstance(tensor, Tensor) and tensor.numel()}

    def pack(tensor: Tensor) -> tuple[Tensor, bool]:
        return tensor, tensor.is_floating_point() and tensor.data_ptr() in places

    def unpack(packed: tuple[Tensor, bool]) -> Tensor:
        tensor, moved = packed
        return tensor.detach() * _STEP if moved else tensor

    with saved_tensors_hooks(pack, unpack):
        yield


def functions_called(names: list[str]) -> Any:
    """Record the names of functions that the block computes, those in autograd's own formulas included."""

    def observe(operation: Any, arguments: tuple[Any, ...], keywords: Any, result: Any) -> None:
        name = torch_internals.operation_name(operation).removeprefix("_foreach_").strip("_")
        if name in FUNCTIONS or name.startswith("special_") or (name == "pow" and not _whole(arguments)):
            names.append(name)

    return torch_internals.dispatched_to(observe)


def _whole(arguments: tuple[Any, ...]) -> bool:
    """Return whether a power is a repeated product or quotient: a tensor with integer exponents."""
    base, exponent = arguments[:2]
    if not isinstance(base, Tensor):
        return False
    return bool((exponent == exponent.round()).all()) if isinstance(exponent, Tensor) else exponent % 1 == 0
