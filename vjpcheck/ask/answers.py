"""Defines the answers of a probe: arrays and facts, in dicts of fixed keys."""

from collections.abc import Callable
from functools import cache
from types import NoneType
from typing import Any, Literal, NotRequired, TypedDict, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

from vjpcheck.errors import StudentError

# a change to the student's backward, made to find a cause; "" leaves backward as it is
Supposition = Literal[
    "", "nothing detached", "forward recorded", "inputs moved", "strided", "between", "constant"
]


# the memory layout of tensors: dense, in another order with gaps, or with rows that share one row's memory
Layout = Literal["", "strided", "expanded"]

# begins a line that takes a complex step, among those that call native autograd
COMPLEX_STEP = "complex step: "


Answer = TypeVar("Answer")


def blank(kind: type[Answer]) -> Answer:
    """Return an empty answer of this class of dicts: each field is None, 0 or an empty value.

    The annotations of the class must be types, not strings (`from __future__ import annotations` makes
    strings of them): a process that hides our modules from a student's code cannot look up the names in a
    string.
    """
    return cast(Answer, {name: empty() for name, empty in _empty_values(cast(Any, kind))})


@cache
def _empty_values(kind: type[Any]) -> list[tuple[str, Callable[[], Any]]]:
    def empty(hint: Any) -> Callable[[], Any]:
        if NoneType in get_args(hint):
            return lambda: None
        return (lambda: np.zeros(0)) if hint is np.ndarray else (get_origin(hint) or hint)

    return [(name, empty(hint)) for name, hint in get_type_hints(kind).items() if name != "error"]


class Returned(TypedDict):
    """The value that backward returned for one argument, before the engine repairs or refuses it.

    `value` is None unless the shape differs from the argument's.
    """

    type: str
    dtype: str | None
    shape: list[int] | None
    value: np.ndarray | None


class Forward(TypedDict):
    """The outputs of a call; `dtypes` are those of the tensors, which NumPy may lack.

    `wrapped` says that apply returned a tuple. `moved` are the arguments whose memory was replaced. `shared`
    are those whose memory an output shares, without being a view as the library knows it.
    """

    outputs: list[np.ndarray]
    wrapped: bool
    dtypes: list[str]
    changed: list[int]
    moved: list[int]
    shared: list[int]
    error: NotRequired[StudentError]


class Pullback(TypedDict):
    """The vector-Jacobian products for some cotangents, and how backward computed them.

    `gradients` has one entry per argument: an array, or None where no gradient arrived. `returned` is None if
    backward was never called or did not return. `arrived` says for each output whether backward received a
    cotangent and not None. `outputs_changed` are the outputs that backward wrote into. `saves` counts the
    calls of save_for_backward. `disturbed` has the other things that the call changed, and their aspects: see
    `vjpcheck.probe.callers_world`. It names an argument by its position.
    """

    gradients: list[np.ndarray | None]
    returned: list[Returned] | None
    arrived: list[bool]
    inputs_changed: list[int]
    outputs_changed: list[int]
    cotangents_changed: list[int]
    saves: int
    disturbed: dict[str, list[str]]
    error: NotRequired[StudentError]


class Gradients(TypedDict):
    """One gradient per argument: an array, or None where no gradient arrived."""

    gradients: list[np.ndarray | None]
    error: NotRequired[StudentError]


class Interleaved(TypedDict):
    """The gradients of two backward passes over one graph, after a call with other values.

    `outputs_overwritten` are the outputs that the other call wrote into. `gradients_overwritten` are the
    positions of gradients of the first pass that a later call, with its backward pass, wrote into.
    """

    first: list[np.ndarray | None]
    second: list[np.ndarray | None]
    outputs_overwritten: list[int]
    gradients_overwritten: list[int]
    error: NotRequired[StudentError]


class AfterAStep(TypedDict):
    """The outputs and gradients of a second call on the same tensors, changed in place.

    `generators` names the libraries whose global random generators the calls moved.
    """

    generators: list[str]
    outputs: list[np.ndarray]
    gradients: list[np.ndarray | None]
    error: NotRequired[StudentError]


class Descent(TypedDict):
    """The value of an argument after steps of gradient descent."""

    end: np.ndarray
    error: NotRequired[StudentError]


class WithoutCotangent(TypedDict):
    """The arguments that receive a gradient although no output had a cotangent: there should be none.

    `arrives` are the arguments with a gradient other than 0, `zeros` those with a gradient of zeros,
    and `not_finite` those with an infinity or NaN in it.
    """

    arrives: list[int]
    zeros: list[int]
    not_finite: list[int]
    error: NotRequired[StudentError]


class Inspection(TypedDict):
    """The facts about one call: what the node keeps, and what the code captures and calls.

    They are empty where the Function raises; other answers report the error.

    `inputs_on_ctx` maps places on ctx to positions of the arguments. `outputs_on_ctx` are places on ctx that
    hold an output. `leaks` says that ctx and an output refer to each other until the cyclic collector runs.
    `saved_inputs` are the positions of arguments passed to save_for_backward. `bytes_of_inputs` and
    `bytes_of_outputs` give the memory that the node holds of each, by position. `other_bytes` counts all
    other memory, each piece once, and `others` are its places. `narrow` maps places to dtypes, for floats
    that are kept with fewer bits than those of all arguments. `inputs_returned` are the positions of
    arguments returned unchanged. `same_objects` are the positions of arguments that are outputs too, marked
    as dirty or not. `captured` names tensors that require grad and are not arguments. `listed` says that
    forward received tensors inside a list, `listed_in_backward` is the line where backward calls apply of
    another Function in that way, and `autograd` has the lines that call native autograd. `foreign_nodes`
    names nodes directly behind outputs that are not the Function's own. `objects_on_ctx` maps places on ctx
    to types, for objects that are neither tensors nor plain constants. `requires_grad` has the flag of each
    output. `draws` says that forward moved the state of a generator among its arguments.
    """

    inputs_on_ctx: dict[str, int]
    outputs_on_ctx: list[str]
    leaks: bool
    saved_inputs: list[int]
    bytes_of_inputs: dict[str, int]
    bytes_of_outputs: dict[str, int]
    other_bytes: int
    others: list[str]
    narrow: dict[str, str]
    inputs_returned: list[int]
    same_objects: list[int]
    captured: list[str]
    listed: bool
    listed_in_backward: str
    autograd: list[str]
    foreign_nodes: list[str]
    objects_on_ctx: dict[str, str]
    requires_grad: list[bool]
    draws: bool


class HigherPullback(TypedDict):
    """The gradient of the last inner product for each argument and each cotangent.

    `declared_once` says that backward is marked `once_differentiable`. Under a supposition, `detaching` has
    the calls in backward that detach a tensor, and `cut` the calls that convert tensors to numbers or make
    new tensors from numbers. `numpy` says whether backward passed a tensor to NumPy. `kept` names the
    attributes of ctx that are neither inputs nor outputs. `functions` are the functions, such as exp, that
    backward and its derivative compute while the inputs are moved. `functions_behind` are all Functions in
    the graph of the gradient. `written` says that the call changed the values of the arguments or the
    cotangents.
    """

    for_arguments: list[np.ndarray | None]
    for_cotangents: list[np.ndarray | None]
    declared_once: bool
    detaching: list[str]
    cut: list[str]
    numpy: bool
    kept: list[str]
    functions: list[str]
    functions_behind: list[str]
    written: bool
    error: NotRequired[StudentError]


class Transformed(TypedDict):
    """The result of a transform."""

    output: np.ndarray | None
    error: NotRequired[StudentError]


class Tangents(TypedDict):
    """The tangent of each output in forward mode: an array, or None where no tangent arrives.

    `written` are the positions of the input tangents that jvp wrote into.
    """

    outputs: list[np.ndarray | None]
    written: list[int]
    error: NotRequired[StudentError]


class Signature(TypedDict):
    """The names of forward's parameters without ctx, and how many of them are required.

    `further` is the name of its `*args`, or an empty string.
    """

    names: list[str]
    required: int
    further: str


class Unreached(TypedDict):
    """Consecutive statements of the work that never ran, from the line `first` to the line `last`.

    `count` is their number, nested statements included, and `source` is the first line. `function` names a
    function that was never called, or is an empty string.
    """

    function: str
    first: int
    last: int
    count: int
    source: str


class NeverRan(TypedDict):
    """The parts of the work that no request has reached so far; `raised` says that the work raised in one."""

    parts: list[Unreached]
    raised: bool


class Declared(TypedDict):
    """The static methods that a Function defines in addition to forward and backward."""

    setup_context: bool
    generate_vmap_rule: bool
    vmap: bool
    vmap_calls_forward: bool
    jvp: bool
