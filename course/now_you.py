"""The check of the cells that a lesson leaves to its reader, under "Now you"; they give no points.

    answer = ...  # the reader's
    check_answer(answer, expected)

What is expected is computed in the same cell, by the engine, by PyTorch or by a difference quotient.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

NOT_STARTED = "Not started: write your code in the cell and run it again."
TYPED = 1e-3  # relative: a number that is typed from a printed one has four digits
NEARLY = 2e-2  # relative: the number is the right one, and was rounded
COLOURS = {True: "#1a7f37", False: "#bc4c00", None: "#777777"}


@dataclass(frozen=True, repr=False)
class Verdict:
    """What is said of an answer; `right` is None where there is none yet."""

    right: bool | None
    sentence: str

    def __repr__(self) -> str:
        return f"{self._mark()} {self.sentence}"

    def _repr_html_(self) -> str:
        colour = COLOURS[self.right]
        style = f"border-left: 4px solid {colour}; padding: 0.3em 0.8em; margin: 0.3em 0"
        mark = f'<strong style="color: {colour}">{self._mark()}</strong>'
        return f'<div style="{style}">{mark} {html.escape(self.sentence)}</div>'

    def _mark(self) -> str:
        return {True: "✓", False: "✗", None: "○"}[self.right]


def check_answer(answer: Any, expected: Any, at: Sequence[tuple[Any, ...]] = ()) -> Verdict:
    """Compare a reader's answer with the expected one, and say in one sentence what differs.

    Both are numbers, strings, arrays, tensors of the engine or of PyTorch, or tuples, lists and dicts of
    these. If `expected` is a function, so is the answer, and both are called with the arguments of each tuple
    of `at`. Numbers agree to a relative 1e-3, shapes exactly. An answer that is still `...`, None or raises
    NotImplementedError is not started. Raises ValueError if `expected` is a function and `at` is empty.
    """
    try:
        right, sentence = _judged(answer, expected, at)
    except NotImplementedError:
        right, sentence = None, NOT_STARTED
    return Verdict(right, sentence)


def _judged(answer: Any, expected: Any, at: Sequence[tuple[Any, ...]]) -> tuple[bool | None, str]:
    if not callable(expected):
        if _missing(answer):
            return None, NOT_STARTED
        wrong = next(_differences("", answer, expected), None)
        return (True, "Right.") if wrong is None else (False, wrong)
    if not at:
        raise ValueError("check_answer compares functions at given arguments: pass them as `at`")
    if _missing(answer):
        return None, NOT_STARTED
    if not callable(answer):
        return False, f"The answer must be a function, but it is {_named(answer)}."
    return _judged_function(answer, expected, at)


def _judged_function(
    answer: Callable[..., Any], expected: Callable[..., Any], at: Sequence[tuple[Any, ...]]
) -> tuple[bool | None, str]:
    for arguments in at:
        call = f"{getattr(answer, '__name__', 'it')}({', '.join(map(_short, arguments))})"
        try:
            found = answer(*arguments)
        except NotImplementedError:
            return None, NOT_STARTED
        except Exception as error:
            return False, f"{call} raised {type(error).__name__}: {error}"
        if _missing(found):
            return None, NOT_STARTED
        wrong = next(_differences(call, found, expected(*arguments)), None)
        if wrong is not None:
            return False, wrong
    times = "once" if len(at) == 1 else f"with {len(at)} sets of arguments"
    return True, f"Right, tried {times}."


def _missing(answer: Any) -> bool:
    if isinstance(answer, Mapping):
        return bool(answer) and any(_missing(value) for value in answer.values())
    if isinstance(answer, tuple | list):
        return bool(answer) and any(_missing(value) for value in answer)
    return answer is None or answer is ...


def _differences(place: str, answer: Any, expected: Any) -> Iterator[str]:
    """Yield one sentence for each entry that differs, in order."""
    if isinstance(expected, Mapping):
        yield from _mapping(place, answer, expected)
    elif isinstance(expected, tuple | list) and not all(isinstance(entry, int | float) for entry in expected):
        yield from _sequence(place, answer, expected)
    elif isinstance(expected, str | bool):
        if _scalar(answer) != expected:
            yield f"{_subject(place)} {answer!r}, which is not right."
    else:
        yield from _array(place, answer, expected)


def _mapping(place: str, answer: Any, expected: Mapping[Any, Any]) -> Iterator[str]:
    if not isinstance(answer, Mapping):
        yield f"The answer must be a dict, but it is {_named(answer)}."
        return
    for key in expected:
        if key not in answer:
            yield f"The entry for {key} is missing."
        else:
            yield from _differences(f"{place}{key}", answer[key], expected[key])
    for key in answer:
        if key not in expected:
            yield f"The entry {key} is not expected; the entries are {', '.join(map(str, expected))}."


def _sequence(place: str, answer: Any, expected: Sequence[Any]) -> Iterator[str]:
    if not isinstance(answer, tuple | list):
        yield f"The answer must be a tuple, but it is {_named(answer)}."
    elif len(answer) != len(expected):
        yield f"The answer must have {len(expected)} entries, but it has {len(answer)}."
    else:
        for index, pair in enumerate(zip(answer, expected, strict=True)):
            yield from _differences(f"{place}[{index}]", *pair)


def _array(place: str, answer: Any, expected: Any) -> Iterator[str]:
    wanted = np.asarray(_plain(expected), dtype=float)
    try:
        found = np.asarray(_plain(answer), dtype=float)
    except (TypeError, ValueError):
        yield f"{_subject(place)} {_named(answer)}; it must be numbers."
        return
    if found.shape != wanted.shape:
        yield f"{_subject(place)} of shape {found.shape}; it must have shape {wanted.shape}."
        return
    for index in np.ndindex(wanted.shape):
        one, other = float(found[index]), float(wanted[index])
        if not math.isclose(one, other, rel_tol=TYPED, abs_tol=1e-9) and not (one != one and other != other):
            where = f"{place or 'Your answer'}[{', '.join(map(str, index))}]" if index else place
            yield f"{_subject(where)} {one:.6g}, {_how_far(one, other)}"


def _how_far(one: float, other: float) -> str:
    if math.isclose(one, other, rel_tol=NEARLY):
        return "which is close: give more digits."
    if math.isclose(one, -other, rel_tol=TYPED):
        return "which has the opposite sign."
    times = one / other if other else math.inf
    if math.isfinite(times) and math.isclose(abs(times), round(abs(times)) or 1, rel_tol=TYPED):
        return f"which is {times:.0f} times the right value."
    return "which is not right."


def _subject(place: str) -> str:
    return f"{place} is" if place else "Your answer is"


def _plain(value: Any) -> Any:
    """Return the numbers of a tensor, the engine's or PyTorch's; else the value."""
    return value.data if hasattr(value, "requires_grad") else value


def _scalar(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _named(value: Any) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _short(value: Any) -> str:
    shape = getattr(value, "shape", ())
    if shape:
        return f"an array of shape {tuple(shape)}"
    return f"{value:g}" if isinstance(value, float) else str(_scalar(value))
