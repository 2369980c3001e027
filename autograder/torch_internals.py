"""Everything that the autograder asks of PyTorch beyond its documentation: private names and messages.

A release of PyTorch may change any of it. tests/autograder/test_torch_internals.py has a test for each name
and each message, so a test says what to change here. A name that a release lacks raises `Unavailable` when it
is needed, and not before: the check that needs it is not made, and the others are.

torch is imported at the first use: the exercises of lessons 1 to 3 are checked without it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import version as installed_version
from types import CodeType, FrameType
from typing import Any


class Unavailable(Exception):  # noqa: N818 - said of a release of PyTorch, which made no error
    """A check needs what this release of PyTorch does not have; the message is one sentence."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"This check cannot be made with PyTorch {installed_version('torch')}, which has no {name}."
        )


@cache
def _found(module: str, name: str) -> Any:
    """Return what a dotted name of a module of PyTorch stands for."""
    try:
        return operator.attrgetter(name)(import_module(module))
    except (ImportError, AttributeError):
        raise Unavailable(f"{module}.{name}") from None


def _attribute(thing: Any, name: str) -> Any:
    """Return an attribute that a tensor, a node or a Function of every release up to now has."""
    try:
        return getattr(thing, name)
    except AttributeError:
        raise Unavailable(f"attribute {name} of {type(thing).__name__}") from None


# -- tensors


def as_plain_tensors() -> Any:
    """Return a context in which subclasses of Tensor are treated like Tensor itself."""
    return _found("torch._C", "DisableTorchFunctionSubclass")()


def version(tensor: Any) -> int:
    """Return a tensor's version counter, which each write in place raises."""
    return int(_attribute(tensor, "_version"))


def map_tree(function: Callable[[Any], Any], tree: Any) -> Any:
    """Return nested lists, tuples and dicts with a function applied to each leaf."""
    return _found("torch.utils._pytree", "tree_map")(function, tree)


# -- Functions and the nodes of the graph


def context_class(work: type[Any]) -> Any:
    """Return the class of a Function's ctx; each Function has one of its own."""
    return _attribute(work, "_backward_cls")


def function_of(node: Any) -> Any:
    """Return the Function that made a node, or None for a node of PyTorch's own operations."""
    return getattr(type(node), "_forward_cls", None)


def needs_input_grad(ctx: Any) -> tuple[bool, ...]:
    """Return the flags that autograd set, also where the attribute of ctx is overridden."""
    flags: tuple[bool, ...] = _found("torch._C", "_FunctionBase.needs_input_grad").__get__(ctx)
    return flags


def is_error_node(node: Any) -> bool:
    """Return whether this is the node with which `once_differentiable` ends the graph."""
    return bool(node.name() == "torch::autograd::Error")


def undefined_gradient(output: Any) -> Any:
    """Return a tensor through which an undefined gradient arrives at an output."""
    return _found("torch._C", "_functions.UndefinedGrad")()(output)


def inside_forward() -> bool:
    """Return whether a Function's forward is running: apply switches forward mode off around it."""
    import torch

    # inference mode switches it off, too
    return not _found("torch._C", "_is_fwd_grad_enabled")() and not torch.is_inference_mode_enabled()


# -- what passes through torch's modes, `TorchFunctionMode` and `TorchDispatchMode`


def reads_data() -> Any:
    """Return the function that a mode sees for `tensor.data`."""
    return _found("torch._C", "TensorBase.data").__get__


def sets_grad_mode() -> Any:
    """Return the function that a mode sees for `no_grad` and `enable_grad`."""
    return _found("torch._C", "_set_grad_enabled")


def dispatched_to(observe: Callable[[Any, tuple[Any, ...], Mapping[str, Any], Any], None]) -> Any:
    """Return a context that calls `observe(operation, arguments, keywords, result)` after each operation."""
    return _dispatch_mode()(observe)


@cache
def _dispatch_mode() -> Any:
    base: Any = _found("torch.utils._python_dispatch", "TorchDispatchMode")

    class Observing(base):
        def __init__(self, observe: Callable[..., None]) -> None:
            super().__init__()
            self._observe = observe

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = func(*args, **(kwargs or {}))
            self._observe(func, args, kwargs or {}, result)
            return result

    return Observing


def operation_name(operation: Any) -> str:
    """Return the name of an operation that was dispatched, without namespace and overload: `add`."""
    return str(_attribute(_attribute(operation, "overloadpacket"), "__name__"))


# -- what the interpreter's profile shows

_ENTRANCES = (
    ("torch.autograd", "grad"),
    ("torch.autograd", "backward"),
    ("torch.autograd.forward_ad", "enter_dual_level"),
)
_ENGINE = "run_backward"  # the engine's own method, which all entrances to reverse mode call


def code_of(function: Any) -> CodeType | None:
    """Return the code of a function in Python, None for one in C."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if isinstance(code, CodeType) else None


@cache
def entrances() -> frozenset[Any]:
    """Return the functions that start native autograd: their code, or themselves where they are in C."""
    functions = [_found(module, name) for module, name in _ENTRANCES]
    return frozenset(code_of(function) or function for function in functions)


def enters_autograd(frame: FrameType, event: str, argument: Any) -> bool:
    """Return whether an event of the profile is a call of native autograd."""
    if event == "c_call":
        return getattr(argument, "__name__", "") == _ENGINE or argument in entrances()
    return event == "call" and frame.f_code in entrances()


@cache
def _apply_in_python() -> CodeType | None:
    from torch.autograd import Function

    return code_of(vars(Function)["apply"])  # None from PyTorch 2.14 on, which has it in C


def applied_function(frame: FrameType, event: str, argument: Any) -> Any:
    """Return the Function whose apply an event of the profile calls, else None."""
    if event == "call" and frame.f_code is _apply_in_python():
        return frame.f_locals["cls"]
    if event == "c_call" and getattr(argument, "__name__", "") == "apply":
        owner = getattr(argument, "__self__", None)
        return owner if isinstance(owner, type) and hasattr(owner, "_backward_cls") else None
    return None


# -- what the review of source and the sandbox know of PyTorch's modules

# what is imported before the first submission runs: each is slow, and an optimiser imports the last two; the
# last one is in some releases alone
WARM_IMPORTS = (
    "numpy.random",
    "torch",
    "torch.func",
    "torch.fx.experimental.symbolic_shapes",
    "torch._dynamo",
    "torch.profiler._cupti_monitor",
)


def tensor_functions() -> Iterable[str]:
    """Return the names of `torch` that are functions of tensors, without settings and the compiler."""
    return dir(_found("torch._C", "_VariableFunctions"))
