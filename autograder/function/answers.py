"""What a probe answers: arrays and facts, in dicts of fixed keys."""

from __future__ import annotations

from typing import NotRequired, TypedDict

import numpy as np

from autograder.errors import StudentError


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

    `wrapped` says that apply gave a tuple.
    """

    outputs: list[np.ndarray]
    wrapped: bool
    dtypes: list[str]
    changed: list[int]
    error: NotRequired[StudentError]


class Pullback(TypedDict):
    """The vector-Jacobian products for given cotangents, and how they came about.

    `gradients` has one entry an argument: an array, or None where nothing arrived. `returned` is None if
    backward was never called or did not return. `arrived` says for each output whether backward was given a
    cotangent and not None, `outputs_changed` which outputs it wrote into. `saves` counts the calls of
    save_for_backward.
    """

    gradients: list[np.ndarray | None]
    returned: list[Returned] | None
    arrived: list[bool]
    inputs_changed: list[int]
    outputs_changed: list[int]
    cotangents_changed: list[int]
    saves: int
    error: NotRequired[StudentError]


class Interleaved(TypedDict):
    """The gradients of two passes over one graph, with a call on other values before the first."""

    first: list[np.ndarray | None]
    second: list[np.ndarray | None]
    error: NotRequired[StudentError]


class WithoutCotangent(TypedDict):
    """The arguments at which a gradient arrives though no cotangent did: there should be none."""

    arrives: list[int]
    error: NotRequired[StudentError]
