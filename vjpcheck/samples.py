"""The inputs that a Function is tried with: drawn ones with zeros and repeats, and the notebook's small case.

A check is only as good as its inputs. Where no input holds a 0, a mask `y != 0` passes for `x > t`; where no
value repeats, an assignment passes for an addition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import numpy as np

from vjpcheck.arguments import Argument, Arguments, differentiable, floating
from vjpcheck.spec import SATURATING, Spec

# beside which the squares of entries of some 1 have two digits in float32, and their differences five
FAR = 200.0
_LIMITS = ("off_zero", "distinct", "bounded", "somewhere_not_zero", "modifies")  # of a parameter's values
_ROWS = 2  # axes that an array has, at least, of which rows can be told
_FEW = 3  # entries that a sentence can hold
_ROOM = 3  # entries that an array needs for a zero and a repeated value


def inputs(spec: Spec, generator: np.random.Generator) -> list[Arguments]:
    """Return those that the specification draws, and last its small case.

    The first stays as it is drawn, since a Jacobian without accidental zeros tells mistakes apart; zeros and
    repeated values go into the others.
    """
    return [*_drawn(spec, generator), spec.small]


def others(spec: Spec, generator: np.random.Generator) -> list[Arguments]:
    """Return inputs of the same kinds and shapes with other values, those that are no tensors included."""
    small = tuple(_smaller(argument, generator) for argument in spec.small)
    tried = [*_drawn(spec, generator), small]
    constants = [
        {
            name: argument
            for name, argument in zip(spec.parameters, arguments, strict=False)
            if isinstance(argument, (int, float)) and not isinstance(argument, bool)
        }
        for arguments in tried
    ]
    return [
        tuple(
            _other_constant(name, argument, arguments, [*constants[place + 1 :], *constants[:place]])
            for name, argument in zip(spec.parameters, arguments, strict=False)
        )
        for place, arguments in enumerate(tried)
    ]


def _other_constant(
    name: str, argument: Argument, arguments: Arguments, elsewhere: Sequence[Mapping[str, Argument]]
) -> Argument:
    """Return another value of what is no array of floats, which goes with the other arguments as well.

    A number that is not always an integer counts nothing, so it may be that of another tuple: `elsewhere`.
    A cache that is kept by shapes alone gives the old results for it.
    """
    if isinstance(argument, np.ndarray):
        return argument if floating(argument) else np.roll(argument, 1)
    if isinstance(argument, Mapping):
        return {kind: value + 1 if kind == "generator" else value for kind, value in argument.items()}
    if name in ("dim", "axis"):
        axes = np.ndim(cast(np.ndarray, arguments[0]))
        return (cast(int, argument or 0) + 1) % axes if axes else argument
    if isinstance(argument, bool):
        return not argument
    if isinstance(argument, (int, float)):
        given = [constants[name] for constants in elsewhere if name in constants]
        if any(isinstance(number, float) for number in [argument, *given]):
            return next((number for number in given if number != argument), argument)
        return argument - 1 if argument > 1 else argument + 1
    return argument


def samples(spec: Spec, generator: np.random.Generator) -> list[Arguments]:
    """Return what the specification draws; what NumPy gives as a number, for no axis, is an array here."""
    return [
        tuple(np.asarray(argument) if isinstance(argument, np.generic) else argument for argument in drawn)
        for drawn in spec.samples(generator)
    ]


def _drawn(spec: Spec, generator: np.random.Generator) -> list[Arguments]:
    first, *further = samples(spec, generator)
    return [first, *(_with_zeros_and_repeats(spec, given, generator) for given in further)]


def scaled(spec: Spec, arguments: Arguments, factor: float) -> Arguments:
    """Return the arguments with arrays of floats `factor` times as large, except for `bounded` parameters.

    Where no input is large, a forward that clamps its input passes; where none is small, a mask `x > 1e-6`.
    """
    return tuple(
        argument * factor
        if isinstance(argument, np.ndarray) and differentiable(argument) and name not in spec.bounded
        else argument
        for name, argument in zip(spec.parameters, arguments, strict=False)
    )


def hard_in_float32(spec: Spec, arguments: Arguments) -> Iterator[tuple[str, Arguments]]:
    """Yield arguments with which a formula may lose its digits in float32 or overflow, and what they are.

    The parameters that are `centred` lie far from 0; where an exponential may overflow, all are large.
    """
    if spec.centred:
        moved = (
            argument + FAR if name in spec.centred and isinstance(argument, np.ndarray) else argument
            for name, argument in zip(spec.parameters, arguments, strict=False)
        )
        yield f"some {FAR:g} away from 0", rounded(tuple(moved))
    if spec.scaled is SATURATING and spec.library == "torch":
        largest = max(spec.scaled)
        yield f"{largest:g} times as large as the others", rounded(scaled(spec, arguments, largest))


def rounded(arguments: Arguments) -> Arguments:
    """Return the arguments in numbers that float32 can hold."""
    return tuple(
        argument.astype(np.float32).astype(float)
        if isinstance(argument, np.ndarray) and floating(argument)
        else argument
        for argument in arguments
    )


def compared_once(spec: Spec, generator: np.random.Generator) -> Iterator[tuple[str, Arguments]]:
    """Yield further arguments of the specification, and what they are."""
    for drawn in spec.compared_once(generator):
        arguments = tuple(np.asarray(a) if isinstance(a, np.generic) else a for a in drawn)
        *earlier, last = map(_told, spec.parameters, arguments)
        yield f"{', '.join(earlier)} and {last}" if earlier else last, arguments


def _told(name: str, argument: Argument) -> str:
    if isinstance(argument, Mapping):
        (argument,) = argument.values()
    if not isinstance(argument, np.ndarray):
        return f"{name} = {argument}"
    if argument.size <= _FEW:
        return f"{name} = {np.array2string(argument, precision=4, separator=', ')}".replace("\n", "")
    return f"{name} of shape {argument.shape}"


def with_zeros_alone(spec: Spec, arguments: Arguments) -> Iterator[tuple[str, Arguments]]:
    """Yield the arguments with one array full of zeros, as a bias is at first, and the name of its parameter.

    Where no array is, `bias.any()` passes for `bias is not None`.
    """
    closed = {*spec.off_zero, *spec.distinct, *spec.modifies, *spec.somewhere_not_zero}
    for place, (name, argument) in enumerate(zip(spec.parameters, arguments, strict=False)):
        if isinstance(argument, np.ndarray) and differentiable(argument) and name not in closed:
            yield name, (*arguments[:place], np.zeros_like(argument), *arguments[place + 1 :])


def with_one_tensor_twice(spec: Spec, drawn: Sequence[Arguments]) -> tuple[list[int], Arguments] | None:
    """Return the positions of arguments that may be one tensor, and the arguments, which are equal there.

    They have one shape in one of the tuples, where they are as large as possible; the value is that of the
    one whose parameter may hold the fewest values. None if no two arrays of floats have one shape.
    """
    found = [pair for arguments in drawn for pair in _alike(spec, arguments)]
    if not found:
        return None
    same, arguments = max(found, key=lambda pair: np.size(cast(np.ndarray, pair[1][pair[0][0]])))
    source = arguments[max(same, key=lambda place: len(_limits(spec, place)))]
    return same, tuple(source if place in same else given for place, given in enumerate(arguments))


def _alike(spec: Spec, arguments: Arguments) -> Iterator[tuple[list[int], Arguments]]:
    """Yield the positions of arrays that have one shape, of which one parameter has the limits of all."""
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
    return {kind for kind in _LIMITS if spec.parameters[place] in getattr(spec, kind)}


def constant_along_first_axis(arguments: Sequence[Argument]) -> list[Argument]:
    """Return the arguments with equal rows in each array of floats: what `expand` makes of one row.

    Vectors stay as they are: their entries may have to differ.
    """
    return [
        equal_rows(argument)
        if isinstance(argument, np.ndarray) and differentiable(argument) and argument.ndim > 1
        else argument
        for argument in arguments
    ]


def equal_rows(array: np.ndarray) -> np.ndarray:
    """Return an array of that shape whose rows are all the first one."""
    return np.broadcast_to(array[:1], array.shape).copy()


def _with_zeros_and_repeats(spec: Spec, arguments: Arguments, generator: np.random.Generator) -> Arguments:
    """Set one entry of each array to 0 and make two others equal, where the specification allows it."""
    planted = tuple(
        _planted(argument, name not in spec.off_zero, name not in spec.distinct, generator)
        if isinstance(argument, np.ndarray) and differentiable(argument)
        else argument
        for name, argument in zip(spec.parameters, arguments, strict=False)
    )
    return tuple(
        _shared_by_rows(argument) if name in spec.distinct and isinstance(argument, np.ndarray) else argument
        for name, argument in zip(spec.parameters, planted, strict=False)
    )


def _shared_by_rows(array: np.ndarray) -> np.ndarray:
    """Write the greatest value of one row into another one that has a greater one, in another column.

    No line along any axis has a value twice. Where rows share none, an entry can be found again by its value
    among those of all rows.
    """
    if array.ndim < _ROWS or array.shape[-1] < _ROOM:
        return array
    rows = array.reshape(-1, array.shape[-1]).copy()
    greatest = rows.max(axis=1)
    top, other = int(greatest.argmax()), int(greatest.argmin())
    taken = {int(rows[top].argmax()), int(rows[other].argmax())}
    free = [column for column in range(rows.shape[1]) if column not in taken and rows[top, column] != 0]
    if top != other and free:
        rows[top, free[0]] = greatest[other]
    return rows.reshape(array.shape)


def _planted(array: np.ndarray, zero: bool, repeat: bool, generator: np.random.Generator) -> np.ndarray:
    if array.size < _ROOM:
        return array
    flat = array.flatten()
    one, other, place = generator.choice(flat.size, 3, replace=False)
    if repeat:
        flat[one] = flat[other]
    if zero:
        flat[place] = 0.0
    return flat.reshape(array.shape)


def _smaller(argument: Argument, generator: np.random.Generator) -> Argument:
    """Return other values of the same signs, smaller: they stay where the function is defined."""
    if isinstance(argument, np.ndarray) and differentiable(argument):
        return np.asarray(argument * generator.uniform(0.6, 0.9, argument.shape))
    return argument
