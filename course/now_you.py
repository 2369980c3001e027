"""The check of the cells that a lesson leaves to its reader, under "Now you"; they give no points.

    answer = ...  # the reader's
    check_answer(answer, expected, wrong={"The other share is missing.": 3.0})

What is expected is computed in the same cell, by the engine, by PyTorch or by a difference quotient. A page
without NumPy can run this module.
"""

from __future__ import annotations

import copy
import html
import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

NOT_STARTED = "Not started: write your code in the cell and run it again."
TYPED = 1e-3  # relative: a number that is typed from a printed one has four digits
NEARLY = 2e-2  # relative: the number is the right one, and was rounded
CALL = re.compile(r"[\w<>]+\(")
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


Arguments = tuple[Any, ...]
Calls = Sequence[Arguments] | Mapping[str, Arguments]


def check_answer(
    answer: Any, expected: Any, at: Calls = (), wrong: Mapping[str, Any] | None = None
) -> Verdict:
    """Compare a reader's answer with the expected one, and say in one sentence what differs.

    Both are numbers, strings, arrays, tensors of the engine or of PyTorch, or tuples, lists and dicts of
    these. If `expected` is a function, so is the answer, and both are called with the arguments of each tuple
    of `at`; if `at` is a dict, its keys say in words what a call returns, as "x.grad after two passes". Each
    call gets copies of the arguments. Numbers agree to a relative 1e-3, shapes exactly. `wrong` has known
    mistakes: a sentence about each, and the answer that it gives, in the form of `expected`. An answer that
    is still `...`, None or raises NotImplementedError is not started. Raises ValueError if `expected` is a
    function and `at` is empty.
    """
    if callable(expected) and not at:
        raise ValueError("check_answer compares functions at given arguments: pass them as `at`")
    try:
        difference = _difference(answer, expected, at)
        if difference is None:
            times = "once" if len(at) == 1 else f"with {len(at)} sets of arguments"
            return Verdict(True, f"Right, tried {times}." if callable(expected) else "Right.")
        for sentence, mistaken in (wrong or {}).items():
            if _difference(answer, mistaken, at) is None:
                return Verdict(False, f"{difference} {sentence}")
    except NotImplementedError:
        return Verdict(None, NOT_STARTED)
    return Verdict(False, difference)


def _difference(answer: Any, expected: Any, at: Calls) -> str | None:
    """Say how an answer first differs; None if it does not. Raises NotImplementedError if there is none."""
    if _missing(answer):
        raise NotImplementedError
    if not callable(expected):
        return next(_differences("", answer, expected), None)
    if not callable(answer):
        return f"The answer must be a function, but it is {_named(answer)}."
    name = getattr(answer, "__name__", "it")
    plain = [(f"{name}({', '.join(map(_short, each))})", each) for each in at]
    for call, arguments in at.items() if isinstance(at, Mapping) else plain:
        try:
            found = answer(*map(_copied, arguments))
        except NotImplementedError:
            raise
        except Exception as error:
            return f"{_opened(call)} raised {type(error).__name__}: {error}"
        if _missing(found):
            raise NotImplementedError
        wrong = next(_differences(call, found, expected(*map(_copied, arguments))), None)
        if wrong is not None:
            return wrong
    return None


def _copied(argument: Any) -> Any:
    """Copy an argument, so that a call that writes into it changes nothing for the next one."""
    try:
        return copy.deepcopy(argument)
    except Exception:  # such as a tensor with a graph
        return argument


def _entry_of(place: str, *index: int) -> str:
    """Name an entry, with brackets after code and in words after words."""
    at = f"[{', '.join(map(str, index))}]"
    return f"{place}{at}" if " " not in place or CALL.match(place) else f"entry {at} of {place}"


def _opened(words: str) -> str:
    """Begin a sentence with words; a name in code stays as it is."""
    first, space, rest = words.partition(" ")
    return first.capitalize() + space + rest if space and first.isalpha() and len(first) > 1 else words


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
            yield f"{_subject(place)} {_scalar(answer)!r}, which is not right."
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
            yield from _differences(f"{place}: {key}" if place else str(key), answer[key], expected[key])
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
            yield from _differences(_entry_of(place, index), *pair)


def _array(place: str, answer: Any, expected: Any) -> Iterator[str]:
    wanted, found = _plain(expected), _plain(answer)
    shape, own = _shape(wanted), _shape(found)
    if own is None:
        yield f"{_subject(place)} {_named(answer)}; it must be numbers."
        return
    if own != shape:
        yield f"{_subject(place)} of shape {own}; it must have shape {shape}."
        return
    for index in itertools.product(*map(range, shape)):
        one, other = _entry(found, index), _entry(wanted, index)
        if not math.isclose(one, other, rel_tol=TYPED, abs_tol=1e-9) and not (one != one and other != other):
            where = _entry_of(place or "your answer", *index) if index else place
            yield f"{_subject(where)} {one:.6g}, {_how_far(one, other)}"


def _shape(plain: Any) -> tuple[int, ...] | None:
    """Return the shape of nested lists of numbers; None if they are no array of numbers."""
    if isinstance(plain, int | float):
        return ()
    if not isinstance(plain, list | tuple):
        return None
    shapes = {_shape(entry) for entry in plain}
    if len(shapes) > 1 or None in shapes:
        return None
    return (len(plain), *(shapes.pop() or () if shapes else ()))


def _entry(plain: Any, index: tuple[int, ...]) -> float:
    for place in index:
        plain = plain[place]
    return float(plain)


def _how_far(one: float, other: float) -> str:
    if math.isclose(one, other, rel_tol=NEARLY):
        return "which is close: give more digits."
    if math.isclose(one, -other, rel_tol=TYPED):
        return "which has the opposite sign."
    times = one / other if other else math.inf
    if math.isclose(times, 0.5, rel_tol=TYPED):
        return "which is half the right value."
    if math.isfinite(times) and math.isclose(abs(times), round(abs(times)) or 1, rel_tol=TYPED):
        return f"which is {times:.0f} times the right value."
    return "which is not right."


def _subject(place: str) -> str:
    return f"{_opened(place)} is" if place else "Your answer is"


def _plain(value: Any) -> Any:
    """Return the numbers of an array or a tensor as nested lists; else the value."""
    value = value.data if hasattr(value, "requires_grad") else value
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _scalar(value: Any) -> Any:
    """Return the only entry of an array or a tensor; else the value."""
    plain = _plain(value)
    while isinstance(plain, list) and len(plain) == 1:
        plain = plain[0]
    return plain


def _named(value: Any) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _short(value: Any) -> str:
    shape = getattr(value, "shape", ())
    if shape:
        return f"an array of shape {tuple(shape)}"
    return f"{value:g}" if isinstance(value, float) else str(_scalar(value))
