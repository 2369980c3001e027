"""Collects the undocumented parts of PyTorch that the autograder uses: private names and messages.

A release of PyTorch may change any of them. tests/vjpcheck/test_torch_internals.py has a test for each name
and each message, so a failing test says what to change here. A name that a release lacks raises `Unavailable`
only when it is needed: the check that needs it is not made, and the others are.

torch is imported at the first use, because Functions of other libraries are checked without it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from importlib.metadata import version as installed_version
from types import CodeType, FrameType
from typing import Any

from vjpcheck.result import CannotRun


class Unavailable(CannotRun):
    """A check needs a name that this release of PyTorch lacks; the message is one sentence."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"This check cannot be made with PyTorch {installed_version('torch')}, which has no {name}."
        )


@cache
def _lookup(module: str, name: str) -> Any:
    """Return the object of a dotted name in a module of PyTorch."""
    try:
        return operator.attrgetter(name)(import_module(module))
    except (ImportError, AttributeError):
        raise Unavailable(f"{module}.{name}") from None


def _attribute(thing: Any, name: str) -> Any:
    """Return an attribute of a tensor, a node or a Function that every release so far has."""
    try:
        return getattr(thing, name)
    except AttributeError:
        raise Unavailable(f"attribute {name} of {type(thing).__name__}") from None


class Message(Enum):
    """The messages of PyTorch; a value has one pattern for each known wording."""

    # of autograd, about a Function
    MISSING_METHOD = (r"^You must implement",)
    MISSING_JVP = (r"^You must implement the jvp function",)
    MISSING_BACKWARD = (r"^You must implement either the backward",)
    BACKWARD_AND_VJP = (r"Implementing both 'backward' and 'vjp'",)
    SAVED_A_TUPLE = (r"save_for_backward .* argument 0 is of type tuple",)
    SAVED_A_NON_TENSOR = (r"save_for_backward can only save variables",)
    SAVED_FOR_FORWARD = (r"save_for_forward expects all arguments to be tensors",)
    DIRTY_NOT_RETURNED = (r"marked as dirty during the forward method were not returned",)
    NUMBER_OF_GRADIENTS = (r"incorrect number of gradients \(expected (\d+), got (\d+)\)",)
    GRADIENT_FOR_NON_TENSOR = (r"returned a gradient different than None at position",)
    GRADIENT_OF_ANOTHER_SHAPE = (r"returned an invalid gradient at index",)
    COTANGENT_OF_ANOTHER_SHAPE = (r"Mismatch in shape: grad_output",)
    # of autograd, about a graph
    WITHOUT_HISTORY = (r"does not require grad and does not have a grad_fn",)
    OUTPUT_WITHOUT_GRAD = (r"element (\d+) of tensors does not require grad",)
    UNUSED_INPUT = (r"allow_unused",)
    SAVED_AND_OVERWRITTEN = (r"modified by an inplace operation",)
    LEAF_OVERWRITTEN = (r"a leaf Variable that requires grad is being used in an in-place operation",)
    GRADCHECK_NOT_REENTRANT = (r"not reentrant",)
    # of transforms and custom ops
    WITHOUT_SETUP_CONTEXT = (r"must override the setup_context",)
    WITHOUT_VMAP = (r"does not have vmap support",)
    CAPTURED_AND_WRITTEN = (r"would mutate a captured Tensor",)
    NO_STORAGE = (r"doesn't have storage",)  # a tensor that stands for a batch, or for a dual number
    NO_NUMBER_OF_A_BATCH = (r"\.item\(\)",)
    NOTHING_BATCHED = (r"flat_bdims must not be None",)
    ONE_RETURN_OF_VMAP = (r"have two returns",)
    ALIASES_AN_INPUT = (r"may not alias any inputs",)
    NO_AUTOGRAD_FORMULA = (r"no autograd formula was registered",)
    NOT_TRACED = (r"\.numpy\(\)",)
    # of operations
    FACTORS = (r"cannot be multiplied", r"Expected size for first two dimensions of batch2")
    BROADCAST = (r"size of tensor a .* must match the size of tensor b",)
    EXPANDED_AND_WRITTEN = (r"more than one element of the written-to tensor",)
    EXPANDED = (r"The expanded size of the tensor",)
    SHAPES = (
        r"must match the (existing )?size",
        r"is invalid for input of size",
        r"size mismatch",
        r"inconsistent tensor size",
        r"Sizes of tensors must match",
        r"to be equal size",
        r"does not match the shape",
        r"shape must match self",
        r"must have same slice shapes",
        r"must have the same number of (dimensions|columns)",
        r"cannot be broadcast to indexing result",
        r"could not be broadcast together",
        r"contracted dimensions need to match",
        r"does not broadcast",
        r"match the broadcast shape",
        r"Incompatible shapes",
        r"cannot be multiplied",
        r"expected input.* to have \d+ channels",
    )
    CONVOLUTION = (r"Given (groups|transposed)=",)
    INDEX = (r"index (\d+) is out of bounds for dimension (\d+) with size (\d+)",)
    AXIS = (r"^Dimension out of range",)
    VIEW = (r"view size is not compatible with input tensor's size and stride",)
    # PyTorch takes a product with a tuple for a repetition of the tuple: hence the message about an index
    TUPLE_FOR_A_TENSOR = (r"must be Tensor, not tuple", r"only integer tensors of a single element")
    TWO_DTYPES = (  # of floats, or of a float and an integer
        r"(?:to have|have|expected) (?:the )?same (?:d|scalar )type",
        r"float != double",
        r"double != float",
        r"dtypes? match",
        r"dtype to be equal to",
        r"scalar type (?:of )?(?:Float|Double|Half)",
        r"expected dtype (?:float|double|half)",
    )
    ABOUT_DTYPES = (r"dtype", r"scalar type", r"float != double", r"double != float")
    INTEGERS = (r"\b(Long|Int|Bool|Byte|long|int)\b",)

    def find(self, text: str) -> re.Match[str] | None:
        """Return the match of this message in a text, or None."""
        return next((match for pattern in self.value if (match := re.search(pattern, text))), None)


# -- tensors


def as_plain_tensors() -> Any:
    """Return a context in which subclasses of Tensor are treated like Tensor itself."""
    return _lookup("torch._C", "DisableTorchFunctionSubclass")()


def is_view(tensor: Any) -> bool:
    """Return whether autograd tracks a tensor as a view of another one."""
    return bool(_attribute(tensor, "_is_view")())


def version(tensor: Any) -> int:
    """Return a tensor's version counter, which each in-place write increments."""
    return int(_attribute(tensor, "_version"))


def map_tree(function: Callable[[Any], Any], tree: Any) -> Any:
    """Return nested lists, tuples and dicts with a function applied to each leaf."""
    return _lookup("torch.utils._pytree", "tree_map")(function, tree)


# -- Functions and the nodes of the graph


def context_class(work: type[Any]) -> Any:
    """Return the class of a Function's ctx; each Function has its own."""
    return _attribute(work, "_backward_cls")


def function_of(node: Any) -> Any:
    """Return the Function that made a node, or None for a node of PyTorch's own operations."""
    return getattr(type(node), "_forward_cls", None)


def needs_input_grad(ctx: Any) -> tuple[bool, ...]:
    """Return the flags that autograd set, even if the attribute of ctx is overridden."""
    flags: tuple[bool, ...] = _lookup("torch._C", "_FunctionBase.needs_input_grad").__get__(ctx)
    return flags


def is_error_node(node: Any) -> bool:
    """Return whether this is the node with which `once_differentiable` ends the graph."""
    return bool(node.name() == "torch::autograd::Error")


def undefined_gradient(output: Any) -> Any:
    """Return a tensor that passes an undefined gradient to an output."""
    return _lookup("torch._C", "_functions.UndefinedGrad")()(output)


def inside_forward() -> bool:
    """Return whether a Function's forward is running; apply disables forward mode around it."""
    import torch

    # inference mode disables forward mode too
    return not _lookup("torch._C", "_is_fwd_grad_enabled")() and not torch.is_inference_mode_enabled()


# -- functions and operations in torch's modes, `TorchFunctionMode` and `TorchDispatchMode`


def reads_data() -> Any:
    """Return the function that a mode receives for `tensor.data`."""
    return _lookup("torch._C", "TensorBase.data").__get__


def sets_grad_mode() -> Any:
    """Return the function that a mode receives for `no_grad` and `enable_grad`."""
    return _lookup("torch._C", "_set_grad_enabled")


def dispatched_to(observe: Callable[[Any, tuple[Any, ...], Mapping[str, Any], Any], None]) -> Any:
    """Return a context that calls `observe(operation, arguments, keywords, result)` after each operation."""
    return _dispatch_mode()(observe)


@cache
def _dispatch_mode() -> Any:
    base: Any = _lookup("torch.utils._python_dispatch", "TorchDispatchMode")

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


# -- events of the interpreter's profile

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
    """Return the functions that start native autograd: their code, or for functions in C themselves."""
    functions = [_lookup(module, name) for module, name in _ENTRANCES]
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


# -- PyTorch's modules, for the review of source and the sandbox

# imported before the first submission runs: each is slow, and an optimiser imports the last two; only some
# releases have the last one
WARM_IMPORTS = (
    "numpy.random",
    "torch",
    "torch.func",
    "torch.fx.experimental.symbolic_shapes",
    "torch._dynamo",
    "torch.profiler._cupti_monitor",
)


def custom_operator(value: Any) -> Any | None:
    """Return a custom operator as torch.library.opcheck takes it; None for any other value."""
    kinds = (
        ("torch.library", "CustomOpDef"),
        ("torch._ops", "OpOverload"),
        ("torch._ops", "OpOverloadPacket"),
    )
    return value if isinstance(value, tuple(_lookup(*kind) for kind in kinds)) else None
