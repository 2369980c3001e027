"""Exercise definitions: plain data, no behaviour."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import autograder.engine  # noqa: F401 - vjpcheck learns of the values that the engine has
from autograder.guards.allowed import MayUse
from vjpcheck.domain import Axis, Optional
from vjpcheck.numbers import ALL_DIGITS
from vjpcheck.probes import FUNCTION, Subject
from vjpcheck.spec import Spec

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Numbered = TypeVar("Numbered", bound="DataclassInstance")  # an exercise, or a family of them


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
    lesson: int = 0
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
    def signature(self) -> str:
        """Return the arguments in short, and what comes back where that is not one result."""

    @property
    @abstractmethod
    def subject(self) -> Subject:
        """Return what its probe is made from."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FunctionExercise(Exercise, Spec):
    """A Function to write, with its specification; `outputs` says how many it returns."""

    outputs: int = 1

    @property
    def signature(self) -> str:
        """Return the names of the arguments; `?` marks one that may be None."""
        kinds = self.domain.arguments.items()
        names = [
            f"{name}?" if isinstance(kind, Optional) or (isinstance(kind, Axis) and kind.or_none) else name
            for name, kind in kinds
        ]
        return f"({', '.join(names)})" + (f" → {self.outputs} outputs" if self.outputs > 1 else "")

    @property
    def object_name(self) -> str:
        """Return the class name: `kill_head` is handed in as `KillHead`."""
        return self.work_name or class_name(self.id)

    @property
    def subject(self) -> Subject:
        """Return what its probe is made from."""
        probe = FUNCTION if self.library == "torch" else f"{self.library}.probe"
        modifies = tuple(self.parameters.index(name) for name in self.modifies)
        return Subject(self.object_name, probe, modifies)


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskExercise(Exercise):
    """A task with a folder in `autograder/tasks/`: `probe.Probe` and `verdict.CHECKS`.

    `call` says in short what it is called with and what it returns.
    `folder` names it where it is not named after the exercise, since another one shares it; then `variant`
    is what the checks are told besides, by name. `needs` says which checks must have passed before another
    is reached; without it, all before it must. A check gives one finding, the cause of what may follow,
    unless `all_findings`, as what it finds in one place has nothing to do with another.
    """

    call: str
    folder: str = ""
    variant: Mapping[str, Any] = field(default_factory=dict)
    is_class: bool = False
    needs: Mapping[str, tuple[str, ...]] | None = None
    all_findings: bool = False

    @property
    def signature(self) -> str:
        """Return what it is called with, and what it returns."""
        return self.call

    @property
    def object_name(self) -> str:
        """Return the id, or the class name made of it."""
        return self.work_name or (class_name(self.id) if self.is_class else self.id)

    @property
    def subject(self) -> Subject:
        """Return what its probe is made from."""
        return Subject(self.object_name, f"autograder.tasks.{self.task_folder}.probe")

    @property
    def task_folder(self) -> str:
        """Return the name of its folder in `autograder/tasks/`."""
        return self.folder or self.family or self.id


# a Function of the course's engine, which computes in float64 alone
of_engine = partial(FunctionExercise, library="autograder.engine", tolerance=ALL_DIGITS)


def of_lesson(lesson: int, *exercises: Numbered) -> tuple[Numbered, ...]:
    """Return the exercises and families of a lesson, each with its number."""
    return tuple(replace(exercise, lesson=lesson) for exercise in exercises)


def class_name(exercise_id: str) -> str:
    """Return the class name made of an id: `KillHead` for `kill_head`."""
    return "".join(word.capitalize() for word in exercise_id.split("_"))
