"""Draws the samples for a Function: those of its domain, and the notebook's small case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

import numpy as np

from vjpcheck.arguments import Argument, Arguments, differentiable, floating
from vjpcheck.spec import Spec

# added to entries of about 1: in float32 their squares keep two digits, and their differences five
FAR = 200.0
_FEW = 3  # entries; a larger array is described by its shape


class DrawnSamples(NamedTuple):
    """The samples, and for each sample other arguments of the same shapes."""

    samples: list[Arguments]
    others: list[Arguments]


def drawn(spec: Spec, random: np.random.Generator) -> DrawnSamples:
    """Return the samples that all checks use; the last one is the small case."""
    plans = [*spec.domain.small(), spec.domain.plan_of(spec.small)]
    samples = [*(spec.domain.draw(plan, random) for plan in plans[:-1]), spec.small]
    pairs = zip(plans, samples, strict=True)
    return DrawnSamples(samples, [spec.domain.others(plan, arguments, random) for plan, arguments in pairs])


def compared_once(spec: Spec, random: np.random.Generator) -> Iterator[tuple[str, Arguments]]:
    """Yield a description and the arguments of each further sample."""
    for plan in spec.domain.once():
        arguments = spec.domain.draw(plan, random)
        *earlier, last = map(_describe, spec.parameters, arguments)
        yield f"{', '.join(earlier)} and {last}" if earlier else last, arguments


def _describe(name: str, argument: Argument) -> str:
    if isinstance(argument, Mapping):
        (argument,) = argument.values()
    if not isinstance(argument, np.ndarray):
        return f"{name} = {argument}"
    if argument.size <= _FEW:
        return f"{name} = {np.array2string(argument, precision=4, separator=', ')}".replace("\n", "")
    return f"{name} of shape {argument.shape}"


def scaled(spec: Spec, arguments: Arguments, factor: float) -> Arguments:
    """Return the arguments with each array multiplied by the factor, if its kind allows the factor.

    Without large inputs a forward that clamps its input would pass; without small ones, a mask `x > 1e-6`.
    """
    return tuple(
        argument * factor
        if isinstance(argument, np.ndarray) and (kind := spec.domain.array(name)) and factor in kind.scales
        else argument
        for name, argument in zip(spec.parameters, arguments, strict=False)
    )


def factors(spec: Spec) -> list[float]:
    """Return the factors by which some arrays may be multiplied."""
    return sorted({factor for kind in spec.domain.arrays for factor in kind.scales})


def hard_in_float32(spec: Spec, arguments: Arguments) -> Iterator[tuple[str, Arguments]]:
    """Yield a description and arguments for which a formula may lose digits in float32, or overflow.

    Centred arrays are moved far from 0. If an exponential may overflow, all arrays are large.
    """
    kinds = [spec.domain.array(name) for name in spec.parameters]
    if any(kind is not None and kind.centred for kind in kinds):
        moved = (
            argument + FAR if isinstance(argument, np.ndarray) and kind and kind.centred else argument
            for kind, argument in zip(kinds, arguments, strict=False)
        )
        yield f"some {FAR:g} away from 0", rounded(tuple(moved))
    if spec.library == "torch" and any(kind is not None and kind.overflows for kind in kinds):
        largest = max(factors(spec))
        yield f"{largest:g} times as large as the others", rounded(scaled(spec, arguments, largest))


def rounded(arguments: Arguments) -> Arguments:
    """Return the arguments rounded to float32 numbers."""
    return tuple(
        argument.astype(np.float32).astype(float)
        if isinstance(argument, np.ndarray) and floating(argument)
        else argument
        for argument in arguments
    )


def with_zeros_alone(spec: Spec, arguments: Arguments) -> Iterator[tuple[str, Arguments]]:
    """Yield the name of each parameter that may be zero, and the arguments with zeros in its place.

    Without zeros, as a bias has them at first, `bias.any()` would pass for `bias is not None`.
    """
    for place, (name, argument) in enumerate(zip(spec.parameters, arguments, strict=False)):
        kind = spec.domain.array(name)
        if isinstance(argument, np.ndarray) and kind and kind.may_be_zero and name not in spec.modifies:
            yield name, (*arguments[:place], np.zeros_like(argument), *arguments[place + 1 :])


def with_one_tensor_twice(spec: Spec, tried: Sequence[Arguments]) -> tuple[list[int], Arguments] | None:
    """Return the positions of arguments that may be one tensor, and arguments that are equal there.

    They have the same shape in one of the samples, the one with the largest such arrays. Their value is that
    of the parameter with the most restrictions. Return None if no two arrays of floats have the same shape.
    """
    pairs = [pair for arguments in tried for pair in _alike(spec, arguments)]
    if not pairs:
        return None
    same, arguments = max(pairs, key=lambda pair: np.size(cast(np.ndarray, pair[1][pair[0][0]])))
    source = arguments[max(same, key=lambda place: len(_limits(spec, place)))]
    return same, tuple(source if place in same else argument for place, argument in enumerate(arguments))


def _alike(spec: Spec, arguments: Arguments) -> Iterator[tuple[list[int], Arguments]]:
    """Yield positions of arrays with the same shape, where one parameter has the restrictions of all."""
    arrays = {
        place: argument
        for place, argument in enumerate(arguments)
        if isinstance(argument, np.ndarray) and differentiable(argument) and argument.ndim
    }
    for first, array in arrays.items():
        limits = _limits(spec, first)
        same = [
            place
            for place, other in arrays.items()
            if other.shape == array.shape and _limits(spec, place) <= limits
        ]
        if len(same) > 1:
            yield same, arguments


def _limits(spec: Spec, place: int) -> set[str]:
    name = spec.parameters[place]
    kind = spec.domain.array(name)
    return {*(kind.limits if kind else ()), *(["modified"] if name in spec.modifies else [])}


def constant_along_first_axis(arguments: Sequence[Argument]) -> list[Argument]:
    """Return the arguments with equal rows in each array of floats, as `expand` makes them.

    Vectors stay as they are: their entries may have to differ.
    """
    return [
        equal_rows(argument)
        if isinstance(argument, np.ndarray) and differentiable(argument) and argument.ndim > 1
        else argument
        for argument in arguments
    ]


def equal_rows(array: np.ndarray) -> np.ndarray:
    """Return an array of the same shape whose rows all equal the first row."""
    return np.broadcast_to(array[:1], array.shape).copy()
