"""Measures the truth about a Function without a reference, by central differences of its forward."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from vjpcheck.arguments import Argument, Arguments, differentiable
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import Request
from vjpcheck.numbers import current_precision
from vjpcheck.probe.conversion import Flags
from vjpcheck.truth.exact_key import ExactKey
from vjpcheck.truth.extrapolation import LEVELS, derivative, steps
from vjpcheck.truth.native import Arrays, Cotangents, Truth

ACCEPTED = 1e-7  # the tolerance for a gradient that is compared with measured ones
TRUSTED = 0.1  # the largest error of trusted differences, as a part of the current tolerance
GUESSED_AT_MOST = 10_000  # calls of forward that serve only to test hypotheses about a mistake
FEW = 2  # entries of each argument that are moved to exclude a hypothesis

Ask = Callable[[Sequence[Request[Any]]], list[Any]]


class Doubt(NamedTuple):
    """The entry of an argument whose derivative is least certain."""

    position: int
    entry: tuple[int, ...]


class _Line(NamedTuple):
    """Arguments on both sides of a point along a direction, and the steps, the largest first."""

    steps: np.ndarray
    points: list[list[Argument]]  # x + h d, then x - h d, for each step h


class TooManyGuesses(Exception):  # noqa: N818 - this is not an error
    """The next guess would need more calls of forward than are left for guesses."""


class Differences:
    """Measures the Jacobians of the forward that `ask` calls.

    The calls for guesses are counted, not timed, so that a busy machine finds the same names.
    """

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self._left = GUESSED_AT_MOST
        self._guessed: dict[ExactKey, TruthByDifferences] = {}

    def at(self, arguments: Arguments) -> TruthByDifferences:
        """Measure the Jacobians at one point, in one round trip; if forward raises, there are no outputs."""
        return _measured(self, arguments, [range(_size(argument)) for argument in arguments])

    def guess(self, arguments: Arguments, few: bool) -> TruthByDifferences:
        """Measure the Jacobians once per point, with `few` at a few entries; raises TooManyGuesses."""
        entries = [_few(_size(argument)) if few else range(_size(argument)) for argument in arguments]
        key = ExactKey(arguments, [[*some] for some in entries])
        if key not in self._guessed:
            calls = 2 + 2 * LEVELS * sum(map(len, entries))
            if calls > self._left:
                raise TooManyGuesses
            self._left -= calls
            self._guessed[key] = _measured(self, arguments, entries)
        return self._guessed[key]


def _few(size: int) -> Sequence[int]:
    """Return a few entries, in different rows and columns of a matrix."""
    return range(size) if size <= FEW else [size // 3, size - 1]


def _measured(
    differences: Differences, arguments: Arguments, entries: Sequence[Sequence[int]]
) -> TruthByDifferences:
    """Return the Jacobians, with NaN in all columns except those of `entries`."""
    columns = [(p, e) for p, some in enumerate(entries) for e in some]
    lines = [_line(arguments, _unit(arguments, *column)) for column in columns]
    questions: list[Request[Any]] = [
        requests.inspect(arguments, []),
        requests.forward(arguments),
        *(requests.forward(point) for line in lines for point in line.points),
    ]
    inspection, centre, *shifted = differences.ask(questions)
    outputs = [_in_float64(output) for output in centre["outputs"]]
    floats = [output.dtype.kind == "f" for output in outputs]
    # if no output requires grad, the checks report the reason
    required = [*inspection["requires_grad"], *floats] if any(inspection["requires_grad"]) else floats
    flows = [one and other for one, other in zip(required, floats, strict=False)]
    values = [_flat(answer["outputs"], outputs) for answer in shifted]
    derivatives = [
        _along(line.steps, values[2 * LEVELS * i :][: 2 * LEVELS], _flat(outputs, outputs))
        for i, line in enumerate(lines)
    ]
    total = sum(output.size for output in outputs)
    places = _slices([_size(argument) for argument in arguments])
    jacobian, doubts = np.full((2, total, places[-1].stop), np.nan)
    for (position, entry), (slopes, doubt) in zip(columns, derivatives, strict=True):
        column = places[position].start + entry
        # a slope smaller than its error is a rounded 0
        jacobian[:, column], doubts[:, column] = np.where(np.abs(slopes) > doubt, slopes, 0.0), doubt
    raised = next((answer["error"] for answer in shifted if "error" in answer), None)
    return TruthByDifferences(
        differences,
        arguments,
        outputs,
        flows,
        jacobian,
        doubts,
        raised=f"{raised['type']} ({raised['message'].rstrip('.')})" if raised else "",
    )


@dataclass
class TruthByDifferences(Truth):
    """Jacobians measured by differences of forward, and second derivatives by differences of backward.

    `whole` has a row for each entry of all outputs and a column for each entry of all arguments that can
    require grad. `doubts` bounds the errors of its entries.
    """

    differences: Differences
    arguments: Arguments
    outputs: list[np.ndarray]
    has_gradient: list[bool]
    whole: np.ndarray
    doubts: np.ndarray
    guesses: Literal["", "few", "all"] = ""  # the entries that `at` measures for a guess
    raised: str = ""  # what forward raised close to the arguments

    tabulates = False

    def __post_init__(self) -> None:
        pairs = zip(self.outputs, self.has_gradient, strict=True)
        self.differentiable_outputs = [output if flag else None for output, flag in pairs]

    @property
    def doubt(self) -> Doubt | None:
        """Return the entry whose derivative is too uncertain for a verdict; None if there is none."""
        for rows, flow in zip(self._rows, self.has_gradient, strict=True):
            for position, columns in self._columns.items():
                block, doubts = self.whole[rows, columns], self.doubts[rows, columns]
                if flow and not _trusted(block, doubts):
                    worst = int(doubts.max(axis=0).argmax())
                    shape = np.shape(np.asarray(self.arguments[position]))
                    return Doubt(position, tuple(int(i) for i in np.unravel_index(worst, shape)))
        return None

    @cached_property
    def _rows(self) -> list[slice]:
        return _slices([output.size for output in self.outputs])

    @cached_property
    def _columns(self) -> dict[int, slice]:
        return dict(enumerate(_slices([_size(argument) for argument in self.arguments])))

    def at(self, arguments: Sequence[Argument]) -> TruthByDifferences:
        """Return the truth about the same function at other arguments."""
        if self.guesses:
            return self.differences.guess(tuple(arguments), self.guesses == "few")
        return self.differences.at(tuple(arguments))

    def for_guesses(self, few: bool = False) -> TruthByDifferences:
        """Return the same truth for guesses: `at` may raise TooManyGuesses, and `few` limits its entries."""
        return replace(self, guesses="few" if few else "all")

    def jacobian(self, position: int, output: int = 0) -> np.ndarray:
        """Return d output / d argument as a matrix: a row an output element, a column an input element."""
        return np.array(self.whole[self._rows[output], self._columns[position]])

    def vjp(self, requires: Flags, cotangents: Cotangents) -> Arrays:
        """Return the gradient for every argument marked in `requires`, None for the others."""
        along = np.zeros(len(self.whole))
        for rows, cotangent in zip(self._rows, cotangents, strict=True):
            along[rows] = 0.0 if cotangent is None else np.ravel(cotangent)
        gradient = along @ self.whole
        return [
            gradient[self._columns[p]].reshape(np.shape(np.asarray(argument))) if flag else None
            for p, (argument, flag) in enumerate(zip(self.arguments, requires, strict=True))
        ]

    def higher_vjp(
        self, requires: Flags, cotangents: Cotangents, directions: Sequence[Cotangents]
    ) -> tuple[Arrays, Arrays]:
        """Return the gradient of <vjp, direction> for the marked arguments, and for the cotangents.

        The Hessian is symmetric, so the first gradient is the derivative of the vjp along the direction. It
        is measured by differences of the Function's own backward, which has been found right before. None
        stands for a gradient that is too uncertain. There are no derivatives of higher order.
        """
        (direction,) = directions
        line = _line(self.arguments, direction)
        passes = [requests.vjp(point, requires, cotangents) for point in [self.arguments, *line.points]]
        like = [np.asarray(a) for a, flag in zip(self.arguments, requires, strict=True) if flag]
        centre, *values = (self._gradients(answer, requires, like) for answer in self.differences.ask(passes))
        slopes, doubts = _along(line.steps, values, centre)
        pieces = iter(_slices([array.size for array in like]))
        for_arguments: Arrays = []
        for argument, flag in zip(self.arguments, requires, strict=True):
            piece = next(pieces) if flag else slice(0)
            certain = flag and _trusted(slopes[piece], doubts[piece])
            for_arguments.append(slopes[piece].reshape(np.shape(np.asarray(argument))) if certain else None)
        return for_arguments, self._pushed(direction, cotangents)

    def _gradients(self, answer: Any, requires: Flags, like: Sequence[np.ndarray]) -> np.ndarray:
        marked = [g for g, flag in zip(answer["gradients"], requires, strict=True) if flag]
        if "error" in answer:
            return np.full(sum(array.size for array in like), np.nan)
        pairs = zip(marked, like, strict=True)
        return _flat([np.zeros_like(array) if g is None else g for g, array in pairs], like)

    def _pushed(self, direction: Cotangents, cotangents: Cotangents) -> Arrays:
        """Return the Jacobian-vector product: the gradient of <vjp, direction> for each cotangent."""
        along = np.zeros(self.whole.shape[1])
        for position, array in enumerate(direction):
            along[self._columns[position]] = 0.0 if array is None else array.ravel()
        pushed = self.whole @ along
        return [
            None if cotangent is None else pushed[rows].reshape(output.shape)
            for rows, output, cotangent in zip(self._rows, self.outputs, cotangents, strict=True)
        ]


def _size(argument: Argument) -> int:
    return argument.size if isinstance(argument, np.ndarray) and differentiable(argument) else 0


def _slices(sizes: Sequence[int]) -> list[slice]:
    ends = np.cumsum([0, *sizes]).tolist()
    return [slice(start, end) for start, end in pairwise(ends)]


def _unit(arguments: Arguments, position: int, entry: int) -> Arrays:
    moved = np.zeros(_size(arguments[position]))
    moved[entry] = 1.0
    shape = np.shape(np.asarray(arguments[position]))
    return [moved.reshape(shape) if p == position else None for p in range(len(arguments))]


def _line(arguments: Arguments, direction: Cotangents) -> _Line:
    pairs = [
        (a, d)
        for a, d in zip(arguments, direction, strict=True)
        if d is not None and isinstance(a, np.ndarray)
    ]
    x, along = (np.concatenate([np.ravel(array) for array in arrays]) for arrays in zip(*pairs, strict=True))
    lengths = steps(x, along)
    return _Line(lengths, list(_points(arguments, direction, lengths)))


def _points(arguments: Arguments, direction: Cotangents, lengths: np.ndarray) -> Iterator[list[Argument]]:
    for length in (sign * h for h in lengths for sign in (1, -1)):
        yield [
            a if d is None else np.asarray(a + length * d) for a, d in zip(arguments, direction, strict=True)
        ]


def _along(h: np.ndarray, values: Sequence[np.ndarray], centre: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return derivative(h, np.array(values[::2]), np.array(values[1::2]), centre)


def _flat(arrays: Sequence[np.ndarray], like: Sequence[np.ndarray]) -> np.ndarray:
    """Return all entries in one row; NaN if the number of arrays or their shapes differ from `like`."""
    if [array.shape for array in arrays] != [other.shape for other in like]:
        return np.full(sum(other.size for other in like), np.nan)
    return np.concatenate([np.ravel(array).astype(np.float64) for array in arrays] or [np.zeros(0)])


def _trusted(values: np.ndarray, doubts: np.ndarray) -> bool:
    scale = max(1.0, float(np.abs(values).max(initial=0.0)))
    return float(doubts.max(initial=0.0)) <= TRUSTED * current_precision() * scale


def _in_float64(output: np.ndarray) -> np.ndarray:
    return output.astype(np.float64) if output.dtype.kind == "f" else output
