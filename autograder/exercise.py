"""What every exercise says about itself: data, and nothing that it can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from autograder.arguments import Argument, Arguments
from autograder.numbers import RELATIVE

if TYPE_CHECKING:
    from torch import Tensor

    from autograder.function.truth import Truth

Library = Literal["torch", "engine"]
Observe = Callable[[Arguments, Sequence[np.ndarray]], Arguments]
# what some work needs beside operations on tensors: see grading/review/vocabulary.py
MayUse = Literal["autograd", "graph", "overrides", "custom ops"]
# from the list of arguments and that of cotangents to a gradient (or None) for each argument
PullbackOf = Callable[[Sequence[Any], Sequence[Any]], Sequence["Tensor | None"]]


class Lookalike(NamedTuple):
    """A wrong pullback: the id of the mistake, the gradients that it gives, and a sentence about them.

    Where the pullback gives None, it says nothing about that argument.
    """

    mistake: str
    pullback: PullbackOf
    told: str = ""


@dataclass(frozen=True)
class Subject:
    """What a probe may know of an exercise: plain data, and no truth.

    `kind` says which probe it takes: it is the library of a Function, or the folder of a task. `modifies` are
    the positions of the arguments that a Function must change in place.
    """

    id: str
    kind: str
    object_name: str
    modifies: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True, eq=False)  # each is itself alone
class Exercise(ABC):
    """One graded task.

    `points` gives the points of each check, in the order in which the checks run. `seconds` says for how long
    a notebook's `check` lets the work use the processor. `may_use` names what the text lets the work use
    beside operations on tensors: native autograd, nodes of the graph, PyTorch's overrides, its custom ops.
    A member of a family has the id of the course's exercise as its `family`, what was `chosen` for it, and
    `siblings`: from its own id to the other members. `work_name` is the name of the work, where that is not
    made of the id.
    """

    id: str
    lesson: int
    signature: str
    summary: str
    points: Mapping[str, float]
    seconds: float = 5.0
    may_use: tuple[MayUse, ...] = ()
    family: str = ""
    work_name: str = ""
    chosen: Mapping[str, Any] = field(default_factory=dict)
    siblings: Callable[[str], Sequence[Exercise]] | None = None

    def unlike(self, other: Exercise) -> bool:
        """Return whether two members of a family differ in more than one choice.

        With one they are too near: a factor that is forgotten makes one out of the other.
        """
        names = self.chosen.keys() | other.chosen.keys()
        return len([name for name in names if self.chosen.get(name) != other.chosen.get(name)]) > 1

    @property
    def max_score(self) -> float:
        """Return the points of all checks together."""
        return float(sum(self.points.values()))

    @property
    @abstractmethod
    def object_name(self) -> str:
        """Return the name under which a student hands the work in."""

    @property
    @abstractmethod
    def subject(self) -> Subject:
        """Return what its probe is made from."""


Draw = Callable[[np.random.Generator], Sequence[Arguments]]
# for what stays finite where an exponential in a formula of its own overflows
SATURATING = (1e-9, 10.0, 1e4)


def none_drawn(_: np.random.Generator) -> Sequence[Arguments]:
    """Return no arguments."""
    return []


@dataclass(frozen=True, kw_only=True, eq=False)
class FunctionExercise(Exercise):
    """What a Function must compute, and on which inputs it is tried.

    `library` says whose Function is asked for: PyTorch's or the course's engine's. `forward` is the truth,
    written in that library's own operations and differentiated by it in float64. `samples` draws argument
    tuples from a generator, other ones at each call: both sides of every branch, never on a kink, no two
    sizes equal, an axis of size 1 somewhere, no two tuples with a value in common. A tuple may be shorter
    than the signature where an argument may be left out. `small` is the small case of the exercise's text,
    whose numbers a student can follow. Zeros and repeated values are put into what is drawn, but no zeros
    into the parameters `off_zero` (where 0 is a kink or outside the domain), and no repeated values into
    those of `distinct` but in different rows. The first tuple is also tried with its arrays multiplied by
    each number of `scaled`, but for the parameters that are `bounded`, and with one array after the other
    full of zeros, but for those that are `somewhere_not_zero`. `compared_once` draws further tuples, of which
    the outputs and one gradient are compared and nothing else: shapes and numbers that a formula may have
    forgotten, for little time. The mean of the parameters `centred` makes no
    difference: in float32 they are also tried far from 0, where a difference of two large numbers has few
    digits.
    Where the gradient is chosen by hand, `pullback` is the truth about it: from the list of arguments and
    that of cotangents to a gradient (or None) for each argument, in native PyTorch.
    `lookalikes` are wrong pullbacks: a wrong gradient that equals one of them in every sample gets its name.
    Where the mistake amounts to differentiating another function, `gradient_of` makes one of that function.
    `terms` are the terms of which the true gradient is the sum, by their names in a sentence; a wrong
    gradient that is another combination of them is told so. Arguments for which they give None have no terms.
    Second derivatives may be declared missing, unless `second_order_asked`. With `computes_once` neither
    backward nor its derivative may compute a function such as exp or a root, nor depend on the values of the
    inputs: they work with what forward has kept. `tolerance` says how far outputs
    and gradients may be off, relative to the largest entry, and `second_order_tolerance` the same of second
    derivatives; gradcheck needs every digit, and is asked only where both are as strict as can be.
    `vmap_rule` says which rule of batching is asked for.

    Where samples are not drawn, `given` are they: for each its arguments, the truth about it, and other
    arguments of the same shapes; the last one is the small case.

    What forward may and must do besides: `modifies` names the parameters that it must change in place;
    `keeps` the parameters (and "output") that the node may hold until backward free of charge, and
    `saves_at_most` the bytes that it may hold beyond them (none, unless given), both for the check "memory";
    `lets_none_through` asks for set_materialize_grads(False). Where forward draws at random, `observe` gives
    the truth's arguments from those of apply and from the outputs that the student's forward gave for them.
    """

    parameters: tuple[str, ...]
    forward: Callable[..., Any]
    small: Arguments
    samples: Draw
    compared_once: Draw = none_drawn
    off_zero: tuple[str, ...] = ()
    distinct: tuple[str, ...] = ()
    scaled: tuple[float, ...] = (1e-9, 100.0)
    bounded: tuple[str, ...] = ()
    somewhere_not_zero: tuple[str, ...] = ()
    centred: tuple[str, ...] = ()
    library: Library = "torch"
    pullback: PullbackOf | None = None
    lookalikes: Sequence[Lookalike] = ()
    terms: Mapping[str, PullbackOf] = field(default_factory=dict)
    further_outputs: bool = False
    all_outputs_graded: bool = False
    modifies: tuple[str, ...] = ()
    keeps: tuple[str, ...] | None = None
    saves_at_most: Callable[[Sequence[Argument]], int] | None = None
    lets_none_through: bool = False
    observe: Observe | None = None
    second_order_asked: bool = False
    computes_once: bool = False
    tolerance: float = RELATIVE
    second_order_tolerance: float = RELATIVE
    vmap_rule: Literal["generated", "own", "any"] = "any"
    given: Sequence[tuple[Arguments, Truth, Arguments]] | None = None

    @property
    def by_gradcheck(self) -> bool:
        """Return whether gradcheck applies: to the derivative of forward itself, computed to all digits."""
        return self.pullback is None and max(self.tolerance, self.second_order_tolerance) <= RELATIVE

    @property
    def object_name(self) -> str:
        """Return the class name: `kill_head` is handed in as `KillHead`."""
        return self.work_name or class_name(self.id)

    @property
    def subject(self) -> Subject:
        """Return what its probe is made from."""
        modifies = tuple(self.parameters.index(name) for name in self.modifies)
        return Subject(self.id, self.library, self.object_name, modifies)


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskExercise(Exercise):
    """A task with a folder in `autograder/tasks/`: `probe.Probe` and `verdict.CHECKS`.

    `folder` names it where it is not named after the exercise, since another one shares it; then `variant`
    is what the checks are told besides, by name. `needs` says which checks must have passed before another
    is reached; without it, all before it must. A check gives one finding, the cause of what may follow,
    unless `all_findings`, as what it finds in one place has nothing to do with another.
    """

    folder: str = ""
    variant: Mapping[str, Any] = field(default_factory=dict)
    is_class: bool = False
    needs: Mapping[str, tuple[str, ...]] | None = None
    all_findings: bool = False

    @property
    def object_name(self) -> str:
        """Return the id, or the class name made of it."""
        return self.work_name or (class_name(self.id) if self.is_class else self.id)

    @property
    def subject(self) -> Subject:
        """Return what its probe is made from."""
        return Subject(self.id, self.folder or self.family or self.id, self.object_name)


def class_name(exercise_id: str) -> str:
    """Return the class name made of an id: `KillHead` for `kill_head`."""
    return "".join(word.capitalize() for word in exercise_id.split("_"))
