"""What a probe answers: arrays and facts, in dicts of fixed keys."""

from collections.abc import Callable
from functools import cache
from types import NoneType
from typing import Any, Literal, NotRequired, TypedDict, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

from vjpcheck.errors import StudentError

# what is to be different from how the student has written backward; "" leaves it as it is
Supposition = Literal[
    "", "nothing detached", "forward recorded", "inputs moved", "strided", "between", "constant"
]


# how tensors lie in memory: dense, in another order with gaps, or with rows that are one row
Layout = Literal["", "strided", "expanded"]


Answer = TypeVar("Answer")


def blank(kind: type[Answer]) -> Answer:
    """Return an answer of this class of dicts with nothing in it yet: None, 0, or an empty value.

    Its annotations must be types and no text (`from __future__ import annotations` makes text of them): the
    names in a text could not be looked up in a process that hides our modules from a student's code.
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
    """What backward handed over for one argument, before the engine repairs or refuses it.

    `value` is there only where the shape is not the argument's own.
    """

    type: str
    dtype: str | None
    shape: list[int] | None
    value: np.ndarray | None


class Forward(TypedDict):
    """Outputs for given arguments; `dtypes` are their own, which NumPy may not have.

    `wrapped` says that apply gave a tuple, `moved` are the arguments that have other memory than before.
    """

    outputs: list[np.ndarray]
    wrapped: bool
    dtypes: list[str]
    changed: list[int]
    moved: list[int]
    error: NotRequired[StudentError]


class Pullback(TypedDict):
    """The vector-Jacobian products for given cotangents, and how they came about.

    `gradients` has one entry an argument: an array, or None where nothing arrived. `returned` is None if
    backward was never called or did not return. `arrived` says for each output whether backward was given a
    cotangent and not None, `outputs_changed` which outputs it wrote into. `saves` counts the calls of
    save_for_backward. `disturbed` has what else is different after the call, and in which aspects: see
    `vjpcheck.probe.callers_world`; an argument is named by its position.
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
    """One gradient an argument: an array, or None where nothing arrived."""

    gradients: list[np.ndarray | None]
    error: NotRequired[StudentError]


class Interleaved(TypedDict):
    """The gradients of two passes over one graph, with a call on other values before the first.

    `outputs_overwritten` are the outputs that those calls have written into, `gradients_overwritten` the
    positions of gradients of the first pass that a whole call afterwards has written into.
    """

    first: list[np.ndarray | None]
    second: list[np.ndarray | None]
    outputs_overwritten: list[int]
    gradients_overwritten: list[int]
    error: NotRequired[StudentError]


class AfterAStep(TypedDict):
    """The outputs and the gradient for each argument of a call on tensors that were changed in place.

    `generators` says whose global random generators the calls have moved.
    """

    generators: list[str]
    outputs: list[np.ndarray]
    gradients: list[np.ndarray | None]
    error: NotRequired[StudentError]


class Descent(TypedDict):
    """Where gradient descent has taken an argument."""

    end: np.ndarray
    error: NotRequired[StudentError]


class WithoutCotangent(TypedDict):
    """The arguments at which a gradient arrives though no cotangent did: there should be none.

    `zeros` are the arguments at which zeros arrive.
    """

    arrives: list[int]
    zeros: list[int]
    error: NotRequired[StudentError]


class Inspection(TypedDict):
    """What stands behind one call; empty wherever the Function raises, which other answers tell.

    `inputs_on_ctx` has a place on ctx for a position of the arguments; `outputs_on_ctx` are places, and
    `leaks` says that ctx and an output hold each other until the cyclic collector runs. `saved_inputs` are
    positions given to save_for_backward. `bytes_of_inputs` and `bytes_of_outputs` give the memory that the
    node holds of each, by position, `other_bytes` that of everything else, each piece of memory counted once,
    and `others` where that is; `narrow` has a place and a dtype for floats that are kept with fewer bits than
    those of all arguments. `inputs_returned` are positions returned as they are, `same_objects` those of
    all arguments that are outputs too, marked as dirty or not. `captured` names tensors that require grad and
    are no arguments, `listed` says that forward got tensors inside a list, `listed_in_backward` is where
    backward calls apply of another Function that way, and `autograd` is where native autograd was called.
    `foreign_nodes` names nodes directly behind outputs that are not the Function's own, `objects_on_ctx` are
    places on ctx of what is neither a tensor nor a plain constant, each with its type; `requires_grad` tells
    it of each output, and `draws` says that forward moved the state of a generator that it was given.
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
    """The gradient of the last inner product, for every argument and every cotangent.

    `declared_once` says that backward is marked `once_differentiable`. Under a supposition, `detaching`
    are the calls in backward that would have left the graph, `cut` those that turn tensors into numbers
    or make new tensors of them, `numpy` says whether a tensor went to NumPy there, and `kept` names what
    forward left for backward that is neither an input nor an output. `functions` are those, such as exp, that
    backward and its derivative have called where the inputs are moved. `functions_behind` are all Functions
    in the graph of the gradient. `written` says that the arguments or the cotangents have other values
    afterwards.
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
    """What came of a transform."""

    output: np.ndarray | None
    error: NotRequired[StudentError]


class Tangents(TypedDict):
    """What forward mode gives for each output: an array, or None where no tangent arrives.

    `written` are the positions of the given tangents that jvp has written into.
    """

    outputs: list[np.ndarray | None]
    written: list[int]
    error: NotRequired[StudentError]


class Signature(TypedDict):
    """The names of forward's parameters without ctx, and how many of them may not be left out.

    `further` is the name under which it takes any number of further ones, or an empty string.
    """

    names: list[str]
    required: int
    further: str


class Unreached(TypedDict):
    """Statements of the work, one after the other, that never ran: from the line `first` to the line `last`.

    `count` is their number, those inside them included, and `source` the first line. `function` names a
    function that was never called, or is an empty string.
    """

    function: str
    first: int
    last: int
    count: int
    source: str


class NeverRan(TypedDict):
    """The parts of the work that no request has reached so far; `raised` says that one let the work raise."""

    parts: list[Unreached]
    raised: bool


class Declared(TypedDict):
    """Which static methods a Function has of its own, beside forward and backward."""

    setup_context: bool
    generate_vmap_rule: bool
    vmap: bool
    vmap_calls_forward: bool
    jvp: bool
