"""Writes what the docstring of forward says about its arguments, from the domain of the exercise.

One line about each argument, and where there are several arrays of floats one about them together.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from math import inf

from autograder.exercise import FunctionExercise
from vjpcheck.arguments import Argument
from vjpcheck.domain import ANY, Array, Axis, Choice, Domain, Index, Integer, Kind, Optional, Real, Seed

WIDTH = 90  # of a line of code in a notebook
INDENT = 8  # of a docstring of a method
HANGING = 4
MANY = 4  # a domain in which `...` may stand for so many axes does not bound it
COUNTS = ("no", "one", "two", "three")
NO_BREAK = "\N{NO-BREAK SPACE}"  # a shape or an inequality stays on one line
UNCHANGED = f"left{NO_BREAK}unchanged"
MODIFIED = f"modified{NO_BREAK}in{NO_BREAK}place"

Names = tuple[str, ...]


def paragraph(exercise: FunctionExercise, order: Sequence[str] = ()) -> str:
    """Return the lines about the arguments, indented; in another order than that of forward, if given."""
    lines = (
        textwrap.fill(
            f"{_listed(names, 'and')}: {text}.",
            WIDTH,
            initial_indent=" " * INDENT,
            subsequent_indent=" " * (INDENT + HANGING),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for names, text in _texts(exercise, order or exercise.domain.names)
    )
    return "\n".join(lines).replace(NO_BREAK, " ")


def _texts(exercise: FunctionExercise, order: Sequence[str]) -> Iterator[tuple[Names, str]]:
    """Yield what is to be said about each argument, and about several together."""
    domain, of_torch = exercise.domain, exercise.library == "torch"
    floats = {name: array for name in order if (array := domain.array(name)) is not None}
    alike = tuple(name for name, array in floats.items() if array.axes == ANY)
    facts: dict[Names, list[str]] = {}

    for name in order:
        if name in alike:
            facts.setdefault(alike, [_of_any_shape(domain, len(alike), of_torch)])
        else:
            facts[(name,)] = [_fact(name, domain)]
    for names, fact in (
        *_of_sizes(domain, order),
        *_of_shared_axes(domain, floats),
        *_of_dtypes(tuple(floats), of_torch),
        *_of_entries(floats),
    ):
        facts.setdefault(names, []).append(fact)

    fates = {}
    if unchanged := tuple(name for name in floats if name not in exercise.modifies):
        fates[unchanged] = UNCHANGED
    for name in order:
        if name in exercise.modifies:
            fates[(name,)] = MODIFIED
        elif isinstance(domain.arguments[name], Index):
            fates[(name,)] = UNCHANGED
    for names in dict.fromkeys((*facts, *fates)):
        said = ", ".join(facts.get(names, ()))
        yield names, "; ".join(text for text in (said, fates.get(names, "")) if text)


def _fact(name: str, domain: Domain) -> str:
    """Return what an argument is."""
    kind = domain.arguments[name]
    match kind:
        case Array():
            return _shape(kind, domain)
        case Optional():
            left_out = ", and may be left out" if kind.left_out else ""
            return f"{_shape(kind.kind, domain)} or None{left_out}"
        case Index():
            last = _unbroken(f"{kind.below} − 1")
            dtypes = _listed(kind.dtypes, "or")
            return f"shape {_as_tuple(kind.names)}, {dtypes}, each entry from 0 to {last}"
        case Integer():
            return f"an int from {kind.low} to {kind.high}"
        case Real():
            return _number(name, kind)
        case Axis():
            end = "counted from the end if negative" if kind.from_the_end else "from 0 on"
            return f"the number of an axis of {kind.of}, {end}{', or None for all' if kind.or_none else ''}"
        case Choice():
            return _one_of(kind.options)
        case Seed():
            return "a torch.Generator"
    raise TypeError(f"There are no words for {name}, {kind}: add them to tools/argument_text.py.")


def _of_any_shape(domain: Domain, arrays: int, of_torch: bool) -> str:
    """Return the shape of arrays whose axes are all left open."""
    fewest, most = domain.lead
    if fewest == 0 and most >= MANY and not of_torch:  # a Tensor of the engine holds a Python number, too
        return "a number or an array of any shape" if arrays == 1 else "numbers, or arrays of one shape"
    kind = "tensor" if of_torch else "array"
    if arrays == 1 and most < MANY:
        return f"{'a' if of_torch else 'an'} {kind} of {_count(domain.lead)}"
    some = "any shape" if arrays == 1 else f"{kind}s of one shape"
    return f"{some} with {_count(domain.lead)}" if fewest or most < MANY else some


def _shape(array: Array, domain: Domain) -> str:
    """Return the shape of an array that has axes of its own."""
    axes = array.axes.split()
    if ANY not in axes or domain.lead == (0, 1):
        named = [domain.lead_name if axis == ANY else axis for axis in axes]
        without = f"{_as_tuple(array.names)} or " if ANY in axes else ""
        return f"shape {without}{_as_tuple(named)}"
    fewest, most = domain.lead
    bound = f", where ... is {_count(domain.lead)}" if fewest or most < MANY else ""
    return f"shape {_as_tuple(axes)}{bound}"


def _of_sizes(domain: Domain, order: Sequence[str]) -> Iterator[tuple[Names, str]]:
    """Yield which axes are never smaller than others, with the argument that names the last of the two."""
    before: set[str] = set()
    for name in order:
        kind = domain.arguments[name]
        axes = before | {*_axes(kind)}
        bounds = [
            _unbroken(f"{long} ≥ {short}" if isinstance(short, int) else f"{short} ≤ {long}")
            for long, short in domain.at_least.items()
            if {long, short if isinstance(short, str) else long} <= axes
            and not {long, short if isinstance(short, str) else long} <= before
        ]
        if bounds:
            yield (name,), f"where {_listed(bounds, 'and')}"
        before = axes


def _of_shared_axes(domain: Domain, floats: dict[str, Array]) -> Iterator[tuple[Names, str]]:
    """Yield that `...` stands for the same axes in several arrays, unless they have no others."""
    sharing = {name: array.axes.split() for name, array in floats.items() if ANY in array.axes.split()}
    if len(sharing) > 1 and any(len(axes) > 1 for axes in sharing.values()):
        leading = all(axes[0] == ANY for axes in sharing.values())
        which = "the same leading axes" if leading else "the same axes for ..."
        fewest, most = domain.lead
        count = "none or more" if fewest == 0 and most >= MANY else _count(domain.lead)
        yield tuple(sharing), f"{which} ({count})"


def _of_dtypes(floats: Names, of_torch: bool) -> Iterator[tuple[Names, str]]:
    """Yield the dtype of the arrays of floats, which is one in each call."""
    if floats:
        each = {1: "", 2: "both "}.get(len(floats), "all ")
        yield floats, f"{each}float32 or {each}float64" if of_torch else "float64"


def _of_entries(floats: dict[str, Array]) -> Iterator[tuple[Names, str]]:
    """Yield what holds for all entries of an array, or of several."""
    found: dict[str, list[str]] = {}
    for name, array in floats.items():
        for condition in _conditions(array):
            found.setdefault(condition, []).append(name)
    for condition, names in found.items():
        yield tuple(names), condition


def _conditions(array: Array) -> Iterator[str]:
    if array.low >= 0:
        yield "positive" if array.low > 0 or 0.0 in array.off else "0 or greater"
    elif array.high <= 0:
        yield "negative" if array.high < 0 or 0.0 in array.off else "0 or less"
    if array.off == (0.0,):
        yield "no zeros"
    elif array.off and all(not isinstance(kink, str) and kink % 1 == 0.5 for kink in array.off):
        yield "no entry halfway between two integers"
    elif array.off:
        kinks = [kink if isinstance(kink, str) else f"{kink:g}" for kink in array.off]
        yield f"no entry equal to {_listed(kinks, 'or')}"
    several = len(array.axes.split()) > 1
    if array.distinct:
        yield "no two equal entries along any axis" if several else "no two equal entries"
    if not array.zero_lines:
        yield f"no vector of {array.names[-1]} zeros" if several else "not all zeros"


def _number(name: str, kind: Real) -> str:
    least = min(kind.low, kind.high, *kind.also)
    either = any(isinstance(value, int) for value in kind.also)
    number = "an int or a float" if either else "a float"
    if kind.below < inf:
        bounds = f"0 ≤ {name} < {kind.below:g}" if least >= 0 else f"{name} < {kind.below:g}"
        return f"{number}, {_unbroken(bounds)}"
    if least > 0:
        return "a positive int or float" if either else "a positive float"
    return f"{number}, 0 or greater" if least == 0 else number


def _one_of(options: Sequence[Argument]) -> str:
    if all(isinstance(option, dict) and "function" in option for option in options):
        return "a function from a tensor to a tensor of the same shape"
    return _listed(list(dict.fromkeys(map(repr, options))), "or")


def _axes(kind: Kind) -> list[str]:
    return kind.names if isinstance(kind, (Array, Index, Optional)) else []


def _count(lead: tuple[int, int]) -> str:
    """Return how many axes `...` stands for."""
    fewest, most = lead
    if most >= MANY:
        return f"at least {COUNTS[fewest]} {'axis' if fewest == 1 else 'axes'}"
    axes = "axis" if most == 1 else "axes"
    if fewest in (0, most):
        return f"{'' if fewest else 'at most '}{COUNTS[most]} {axes}"
    return f"{COUNTS[fewest]} {'or' if most == fewest + 1 else 'to'} {COUNTS[most]} {axes}"


def _as_tuple(axes: Sequence[str]) -> str:
    """Return a shape as Python prints one."""
    return _unbroken(f"({', '.join(axes)}{',' if len(axes) == 1 else ''})")


def _unbroken(text: str) -> str:
    return text.replace(" ", NO_BREAK)


def _listed(items: Sequence[str], word: str) -> str:
    """Return items as in a sentence: a, b and c."""
    *others, last = items
    return f"{', '.join(others)} {word} {last}" if others else last
