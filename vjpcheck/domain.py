"""Describes the domain of a Function, the values that each argument may have, and draws samples from it.

An axis has a name; axes with the same name have the same size. `...` stands for any further axes, the same
ones in all arguments of a call. A sample is first planned (sizes, special numbers), then drawn. A second
draw of the same plan gives arguments of the same shapes with other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import count
from math import inf
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from vjpcheck.arguments import Argument, Arguments, generator

Random = np.random.Generator
Shape = tuple[int, ...]
ANY = "..."
INTEGERS = ("int64", "int8", "int16", "int32")
LONG = 601  # entries of an axis: more than one block of blockwise code, few enough for all pairs
GAP = 0.2  # the distance of an entry from a kink
NEAR = 2e-6  # a relative distance that a tolerance may ignore
FAR = 500.0  # a distance from 0
_ROOM = 3  # the entries that a zero and a repeated value need
# shapes and axes for an argument that names an axis: each axis, counted from either end; no shape with
# different sizes is its own reversal
_ALONG: tuple[tuple[Shape, int], ...] = (
    ((3, 4), 1),
    ((2, 3, 4), -2),
    ((5,), 0),
    ((3, 3), -1),
    ((4, 2, 1), 0),
    ((3, 2, 4), -1),
    ((2, 3, 2, 3), 2),
    ((3, 3), 0),
    ((2, 2, 2), 1),
)
_ALONG_ONCE: tuple[tuple[Shape, int], ...] = (((2, 3, 2, 1, 2), 1), ((2, 1, 2, 2, 3), -1))


@dataclass(frozen=True)
class Plan:
    """A plan of one sample: the size of each axis, the sizes of `...`, and the special numbers.

    `turn` numbers the samples: some arguments take their values in turn. `along` is the axis that an argument
    names. `change` is applied to each array of floats after it is drawn. `planted` says whether zeros and
    repeated values are inserted.
    """

    turn: int
    sizes: Mapping[str, int]
    lead: Shape = ()
    along: int | None = None
    planted: bool = False
    change: Change | None = None


class Change(NamedTuple):
    """A change to the numbers of a sample: a test for the arrays that it concerns, and their new entries.

    `entries` receives the kind of the array, its entries, its kinks, and a generator.
    """

    concerns: Callable[[Array], bool]
    entries: Callable[[Array, np.ndarray, np.ndarray, Random], np.ndarray]


class Kind(Protocol):
    """Describes the values that one argument may have."""

    def drawn(self, plan: Plan, others: Mapping[str, Any], random: Random) -> Argument:
        """Return a value for a sample; `others` are the arguments that were drawn before."""


@dataclass(frozen=True)
class Array:
    """An array of floats with these axes: any real numbers, or numbers from `low` to `high`.

    `off` are the kinks, which no entry equals: numbers, or names of arguments that are such numbers. With
    `distinct`, no two entries of a line are equal. `zero_lines` says whether all entries of a line may be 0.
    `scales` are factors by which all entries may be multiplied; without any, the entries are bounded.
    `overflows` says that a formula may overflow although the result does not. `centred` says that adding a
    constant does not change the result. `far` is a distance that entries of one line may have. `on` is the
    set on which the array must stay: "symmetric", "positive definite" or "orthogonal" matrices, or lines on
    the "simplex" (with sum 1), on the "sphere" (with length 1) or "ordered". `draw` replaces the usual way of
    drawing the entries.
    """

    axes: str
    low: float = -inf
    high: float = inf
    _: KW_ONLY
    off: tuple[float | str, ...] = ()
    distinct: bool = False
    zero_lines: bool = True
    scales: tuple[float, ...] = (1e-9, 100.0)
    overflows: bool = False
    centred: bool = False
    far: float = 0.0
    on: Literal["", "symmetric", "positive definite", "orthogonal", "simplex", "sphere", "ordered"] = ""
    draw: Callable[[Random, Shape], np.ndarray] | None = None

    @property
    def names(self) -> list[str]:
        """Return the names of its axes without `...`."""
        return [axis for axis in self.axes.split() if axis != ANY]

    @property
    def free(self) -> bool:
        """Return whether its entries may be numbers of any size and sign."""
        return self.low == -inf

    @property
    def zeros(self) -> bool:
        """Return whether single entries may be 0."""
        return 0.0 not in self.off and self.low < 0

    @property
    def may_be_zero(self) -> bool:
        """Return whether all entries may be 0 together."""
        return self.zeros and self.zero_lines and not (self.distinct or self.off)

    @property
    def limits(self) -> frozenset[str]:
        """Return the names of the restrictions on its entries."""
        closed = {"off": self.off, "distinct": self.distinct, "lines": not self.zero_lines}
        closed |= {"bounded": not self.scales, "drawn": self.draw is not None or not self.free}
        return frozenset(name for name, is_closed in closed.items() if is_closed)

    def drawn(self, plan: Plan, others: Mapping[str, Any], random: Random) -> np.ndarray:
        """Return entries for a sample."""
        axes = [plan.lead if axis == ANY else (plan.sizes[axis],) for axis in self.axes.split()]
        shape = tuple(size for sizes in axes for size in sizes)
        array = np.asarray(self._entries(shape, others, random), dtype=float)
        kinks = self.kinks(others)
        if plan.change is not None and plan.change.concerns(self):
            array = np.asarray(plan.change.entries(self, array, kinks, random))
        array = _planted(array, self, kinks, random) if plan.planted else array
        return _onto(self.on, array)

    def _entries(self, shape: Shape, others: Mapping[str, Any], random: Random) -> Any:
        if self.draw is not None:
            return self.draw(random, shape)
        if self.distinct:
            return _in_disorder(random, shape)
        if not self.off:
            normal = random.standard_normal
            return normal(shape) if self.free else random.uniform(self.low, self.high, shape)
        kinks = self.kinks(others)
        if self.free:  # on both sides of the first kink, in an order that changes under a transpose
            signs = np.resize([1.0, -1.0, *random.permutation([1.0, -1.0, 1.0, -1.0, -1.0])], shape)
            return kinks[0] + signs * random.uniform(GAP, 2.0, shape)
        entries = random.uniform(self.low, self.high, shape)
        while (near := np.abs(entries[..., None] - kinks).min(-1) < GAP / 2).any():
            entries = np.where(near, random.uniform(self.low, self.high, shape), entries)
        return entries

    def kinks(self, others: Mapping[str, Any]) -> np.ndarray:
        """Return the kinks, the numbers that no entry equals."""
        return np.array([others[kink] if isinstance(kink, str) else kink for kink in self.off], dtype=float)


@dataclass(frozen=True)
class Index:
    """An array of integers from 0 to the size of the axis `below`, less 1, of one of these dtypes.

    An entry is repeated if the array is large enough. Every second sample contains the last row, and the
    others do not. If there is one entry per row, the entries are a permutation that is not its own inverse.
    """

    axes: str
    below: str
    _: KW_ONLY
    dtypes: tuple[str, ...] = ("int64",)

    @property
    def names(self) -> list[str]:
        """Return the names of its axes."""
        return self.axes.split()

    def drawn(self, plan: Plan, others: Mapping[str, Any], random: Random) -> np.ndarray:
        """Return entries for a sample."""
        shape, last = tuple(plan.sizes[axis] for axis in self.names), plan.sizes[self.below] - 1
        below = last if plan.turn // 2 % 2 and last else last + 1
        if shape == (last + 1,):  # else a contribution that a repeated entry loses may lie off a diagonal
            entries = random.permutation(last + 1)
            entries = (
                np.roll(np.arange(last + 1), 1)
                if (entries[entries] == np.arange(last + 1)).all()
                else entries
            )
        else:
            entries = random.integers(0, below, shape)
            entries.flat[-1] = entries.flat[0]
            entries.flat[entries.size // 2] = below - 1
        fitting = [dtype for dtype in self.dtypes if last <= np.iinfo(dtype).max]
        return entries.astype(fitting[plan.turn % len(fitting)])


@dataclass(frozen=True)
class Integer:
    """An integer from `low` to `high`; `high` is a number or the name of an axis."""

    low: int
    high: int | str

    def drawn(self, plan: Plan, others: Mapping[str, Any], random: Random) -> int:
        """Return in turn a number inside, the highest, another one inside, and the lowest."""
        high = plan.sizes[self.high] if isinstance(self.high, str) else self.high
        inside = int(random.integers(min(self.low + 1, high), max(high, self.low + 2)))
        return (inside, high, inside, self.low)[plan.turn % 4]


@dataclass(frozen=True)
class Real:
    """A number from `low` to `high` with many digits, or one of `also`.

    Forward must accept every number below `below`, whatever the samples are.
    """

    low: float
    high: float
    also: tuple[float, ...] = ()
    below: float = inf

    def drawn(self, plan: Plan, others: Mapping[str, Any], random: Random) -> float:
        """Return a number with many digits in every third sample, and the numbers of `also` in turn."""
        rounds, place = divmod(plan.turn, 3)
        if place and self.also:
            return self.also[(2 * rounds + place - 1) % len(self.also)]
        return float(random.uniform(self.low, self.high))


@dataclass(frozen=True)
class Axis:
    """The number of an axis of the argument `of`, also counted from the end, or None for all axes."""

    of: str
    _: KW_ONLY
    from_the_end: bool = True
    or_none: bool = False

    def drawn(self, plan: Plan, others: Mapping[str, Any], random: Random) -> int | None:
        """Return the axis of the plan."""
        if plan.along is None and self.or_none:
            return None
        along = plan.along or 0
        return along if self.from_the_end else along % np.ndim(others[self.of])


@dataclass(frozen=True)
class Choice:
    """One of these options, in turn."""

    options: tuple[Argument, ...]

    def drawn(self, plan: Plan, others: Mapping[str, Any], random: Random) -> Argument:
        """Return the next option."""
        return self.options[plan.turn % len(self.options)]


class Seed:
    """A torch.Generator."""

    def drawn(self, plan: Plan, others: Mapping[str, Any], random: Random) -> Argument:
        """Return a generator with any seed."""
        return generator(int(random.integers(2**31)))


@dataclass(frozen=True)
class Optional:
    """An argument that may be None; with `left_out`, the last argument of a call may be left out."""

    kind: Array
    left_out: bool = False

    @property
    def names(self) -> list[str]:
        """Return the names of the axes."""
        return self.kind.names

    def drawn(self, plan: Plan, others: Mapping[str, Any], random: Random) -> Argument:
        """Return the argument in two of four samples, and None in the others."""
        return None if plan.turn % 4 > 1 else self.kind.drawn(plan, others, random)


@dataclass(frozen=True)
class Domain:
    """The kinds of all arguments by name, and the relations between their axes.

    `lead` bounds the number of axes that `...` stands for; `lead_name` names that axis if it is at most one.
    `at_least` maps an axis to its smallest size or to an axis that it must not be smaller than. `long` are
    the axes that may be long, by default all. `together` are axes that are also made long at the same time.
    An axis is `wide` if size 1 leaves nothing to differentiate: then only outputs and one gradient are
    compared.
    """

    arguments: Mapping[str, Kind]
    lead: tuple[int, int] = (0, 4)
    lead_name: str = "batch"
    at_least: Mapping[str, str | int] = field(default_factory=dict)
    long: Sequence[str] | None = None
    together: Sequence[str] = ()
    wide: Sequence[str] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the arguments, in order."""
        return tuple(self.arguments)

    def array(self, name: str) -> Array | None:
        """Return the kind of the array of floats of that name; None for another kind of argument."""
        kind = self.arguments[name]
        kind = kind.kind if isinstance(kind, Optional) else kind
        return kind if isinstance(kind, Array) else None

    @property
    def arrays(self) -> list[Array]:
        """Return the kinds of all arrays of floats."""
        return [array for name in self.arguments if (array := self.array(name)) is not None]

    @property
    def axes(self) -> list[str]:
        """Return the names of all axes, without `...`."""
        named = [kind.names for kind in self.arguments.values() if isinstance(kind, (Array, Index, Optional))]
        return list(dict.fromkeys(axis for names in named for axis in names))

    @property
    def _indices(self) -> list[Index]:
        return [kind for kind in self.arguments.values() if isinstance(kind, Index)]

    @property
    def _of_arrays(self) -> set[str]:
        return {name for array in self.arrays for name in array.names}

    @property
    def _ends(self) -> list[str]:
        return list(dict.fromkeys((*self.axes[:1], *self.axes[-1:])))

    @property
    def _leads(self) -> bool:
        return any(ANY in array.axes.split() for array in self.arrays)

    @property
    def _axis(self) -> Axis | None:
        return next((kind for kind in self.arguments.values() if isinstance(kind, Axis)), None)

    def draw(self, plan: Plan, random: Random) -> Arguments:
        """Return the arguments of a sample."""
        drawn: dict[str, Any] = {}
        # numbers first, because a kink may be one; an axis last, because it needs the shape of its array
        rank = {Array: 1, Optional: 1, Axis: 2}
        whole = [name for name, kind in self.arguments.items() if isinstance(kind, Integer)]
        # two integers must not always be at their bounds in the same sample
        turns = dict.fromkeys(self.arguments, plan.turn) | {n: plan.turn + i for i, n in enumerate(whole)}
        for name, kind in sorted(self.arguments.items(), key=lambda item: rank.get(type(item[1]), 0)):
            drawn[name] = kind.drawn(replace(plan, turn=turns[name]), drawn, random)
        arguments = [drawn[name] for name in self.arguments]
        last = [*self.arguments.values()][-1]
        if isinstance(last, Optional) and last.left_out and plan.turn % 4 == 3:
            arguments.pop()
        return tuple(arguments)

    def others(self, plan: Plan, arguments: Arguments, random: Random) -> Arguments:
        """Return arguments of the same shapes with other values, where other values exist.

        Work that keeps its state by shapes instead of on ctx is wrong after a call with these arguments.
        """
        values = list(arguments)
        for step in range(1, 4):
            along = None if plan.along is None else (plan.along + step) % max(len(plan.lead), 1)
            drawn = self.draw(replace(plan, turn=plan.turn + step, along=along), random)
            for place, (now, other) in enumerate(zip(arguments, drawn, strict=False)):
                alike = _shape(now) == _shape(other) is not None
                if alike and repr(values[place]) == repr(now):
                    values[place] = other
        return tuple(values)

    def small(self) -> list[Plan]:
        """Return the plans of the samples that all checks use.

        The first sample has no planted zeros, because a Jacobian without accidental zeros distinguishes
        mistakes. The sizes of the axes differ in all samples except one.
        """
        turn, axes, (fewest, most) = count(), self.axes, self.lead
        if (axis := self._axis) is not None:
            plans = [Plan(next(turn), {}, shape, along) for shape, along in self._along(_ALONG)]
            plans += [Plan(next(turn), {}, shape) for shape in ((3, 2, 2), (2, 3), (2, 2, 2)) if axis.or_none]
        elif not axes:
            shapes = ((3, 4), (2, 3, 2), (3, 3), (1,), ())
            plans = [Plan(next(turn), {}, shape) for shape in shapes if len(shape) >= fewest]
        else:
            leads: list[Shape] = [lead for lead in ((2, 3), (2, 1)) if len(lead) <= most] or [(2,), (1,)]
            plans = [self._plan(next(turn), {}, (3,) if self._leads and len(axes) == 1 else ())]
            plans += [self._plan(next(turn), {}, lead) for lead in leads if self._leads]
            alike = 2 if self._leads or len(axes) > 4 else 3
            lead = (alike,) * (len(axes) > 1 and self._leads)
            plans += [self._plan(next(turn), dict.fromkeys(axes, alike), lead)]
            plans += [self._plan(next(turn), {name: 1}) for name in self._ends if name not in self.wide]
            outgrown = {name: 16 + place for place, name in enumerate(self.together)}
            plans += [self._plan(next(turn), outgrown, rest=1)] if outgrown else []
        first, *further = plans
        return [first, *(replace(plan, planted=True) for plan in further)]

    def once(self) -> Iterator[Plan]:
        """Yield the plans of samples for which only the outputs and one gradient are compared.

        They have axes of size 1, long axes beside short ones, and numbers that a formula may have overlooked.
        """
        turn, axes, along = count(5), self.axes, 0 if self._axis else None
        if along is not None:
            yield from (Plan(next(turn), {}, shape, place) for shape, place in self._along(_ALONG_ONCE))
        elif not axes:
            yield from (Plan(next(turn), {}, shape) for shape in ((3, 1), (1, 2, 1)))
        narrow = [name for name in axes if name not in self._ends or name in self.wide]
        yield from (self._plan(next(turn), {name: 1}) for name in narrow)
        if self._leads and axes and self.lead[1] > 2:
            yield self._plan(next(turn), {}, (2, 1, 3))
        few = 2 if len(axes) < 5 else 1  # code that loops over all entries must stay fast
        changes = [change for change in CHANGES if any(map(change.concerns, self.arrays))]
        for number, change in enumerate(changes, start=1):
            some: Shape = (5 + number,) if not axes else (2,) if self._leads else ()
            yield self._plan(next(turn), {}, some, change, along, larger=number)
        long = [*axes, *([ANY] if self._leads else [])] if self.long is None else self.long
        for number, name in enumerate(long):
            if name == ANY:
                yield self._plan(next(turn), {}, (LONG,), along=along, rest=few)
            else:
                yield self._plan(next(turn), {name: LONG + number}, rest=few)
        if along is not None:
            yield self._plan(next(turn), {}, (2, LONG), along=0)

    def _along(self, shapes: Sequence[tuple[Shape, int]]) -> list[tuple[Shape, int]]:
        fewest, most = self.lead
        return [(shape, place) for shape, place in shapes if fewest <= len(shape) <= most]

    def plan_of(self, arguments: Arguments) -> Plan:
        """Return the plan that fits some arguments."""
        sizes: dict[str, int] = {}
        lead: Shape = ()
        for kind, argument in zip(self.arguments.values(), arguments, strict=False):
            kind = kind.kind if isinstance(kind, Optional) else kind
            if isinstance(kind, (Array, Index)) and argument is not None:
                shape, axes = np.shape(argument), kind.axes.split()  # type: ignore[arg-type]
                before = axes.index(ANY) if ANY in axes else len(axes)
                after = len(axes) - before - 1
                sizes |= dict(zip(axes[:before], shape, strict=False))
                if ANY in axes:
                    lead = shape[before : len(shape) - after]
                    sizes |= dict(zip(axes[before + 1 :], shape[len(shape) - after :], strict=True))
        return Plan(0, sizes, lead, 0 if self._axis else None)

    def _plan(
        self,
        turn: int,
        overrides: Mapping[str, int],
        lead: Shape = (),
        change: Change | None = None,
        along: int | None = None,
        rest: int | None = None,
        larger: int = 0,
    ) -> Plan:
        """Return a plan with the sizes in `overrides`; the other axes have the size `rest`, or all differ."""
        axes = self.axes
        few = (4,) if len(axes) == 1 else (3, 4) if len(axes) == 2 else (2, 3, 4, 5)
        order = axes if turn % 2 == 0 else axes[::-1]
        drawn = few if len(axes) < 5 else (2, 3, 4, 5, 4, 2, 3)
        sizes = {name: size + larger for name, size in zip(order, drawn, strict=False)}
        if rest is not None:
            sizes = dict.fromkeys(axes, rest)
        for kind in self._indices if turn == 0 else ():  # one entry for each of three or more rows
            most = max(sizes, key=lambda name: sizes[name])
            sizes[kind.below], sizes[most] = sizes[most], sizes[kind.below]
            sizes |= {} if kind.axes in self._of_arrays else {kind.axes: sizes[kind.below]}
        sizes |= overrides
        for long, short in self.at_least.items():
            if isinstance(short, int):
                sizes[long] = max(sizes[long], short)
            elif sizes[long] < sizes[short] and long in overrides:
                sizes[short] = sizes[long]
            elif sizes[long] < sizes[short] and short in overrides:
                sizes[long] = sizes[short]
            elif sizes[long] < sizes[short]:
                sizes[long], sizes[short] = sizes[short], sizes[long]
        lead = lead if len(lead) >= self.lead[0] else (1,) * self.lead[0]
        return Plan(turn, sizes, lead, along, change=change)


def _near_a_kink(array: Array, entries: np.ndarray, kinks: np.ndarray, random: Random) -> np.ndarray:
    """Put the entries so near to a kink that a tolerance would ignore the difference."""
    chosen = random.choice(kinks, entries.shape)
    steps = np.resize([NEAR, -NEAR, NEAR / 4, -NEAR / 4, 2 * NEAR, -2 * NEAR], entries.shape)
    values: np.ndarray = chosen + steps * np.where(chosen == 0, 1e-3, np.abs(chosen))
    return values


def _nearly_equal(array: Array, entries: np.ndarray, kinks: np.ndarray, random: Random) -> np.ndarray:
    """Make the second greatest entry of each line almost equal to the greatest."""
    if entries.shape[-1] < 2:
        return entries
    values = np.sort(entries, -1)
    values[..., -2] = values[..., -1] * (1 - np.sign(values[..., -1]) * NEAR)
    return random.permuted(values, axis=-1)


def _far_apart(array: Array, entries: np.ndarray, kinks: np.ndarray, random: Random) -> np.ndarray:
    """Add a large number to some entries of a line and subtract it from others."""
    values: np.ndarray = entries + array.far * np.resize([1.0, 1.0, -1.0, -1.0, 1.0, 0.0], entries.shape)
    return values


def _beyond_exp(array: Array, entries: np.ndarray, kinks: np.ndarray, random: Random) -> np.ndarray:
    """Return entries for which exp, or exp of twice the entry, overflows, among others."""
    between = np.resize([-500.0, 400.0, 89.0, -30.0, 0.5, 720.0], entries.shape)
    return np.asarray(between * random.uniform(0.97, 1.0, entries.shape))


def _zero_line(array: Array, entries: np.ndarray, kinks: np.ndarray, random: Random) -> np.ndarray:
    """Fill the first line, or a whole vector, with zeros; if that is not allowed, set one entry to 0.

    An iteration does not move at 0, and a quotient of output and input is 0 / 0.
    """
    values = entries.copy()
    if array.may_be_zero:
        values[: 1 if entries.ndim > 1 else None] = 0.0
    elif entries.size > 1:
        values.flat[0] = 0.0
    return values


def _reaches_far(array: Array) -> bool:
    return array.free and array.draw is None and 100.0 in array.scales


CHANGES = (
    Change(lambda array: bool(array.off), _near_a_kink),
    Change(lambda array: array.distinct, _nearly_equal),
    Change(lambda array: array.far != 0, _far_apart),
    Change(lambda array: array.overflows, _beyond_exp),
    # all entries negative: a maximum that starts at 0 is wrong; all positive: a mask passes every entry
    Change(_reaches_far, lambda array, entries, kinks, random: entries - FAR),
    Change(_reaches_far, lambda array, entries, kinks, random: entries + FAR),
    Change(lambda array: array.zeros and not array.off, _zero_line),
)


def _onto(name: str, array: np.ndarray) -> np.ndarray:
    """Return an array of the same shape on a set; `vjpcheck.probe.manifolds` has the same sets."""
    match name:
        case "symmetric":
            return np.asarray(array + array.swapaxes(-1, -2)) / 2
        case "positive definite":
            product = array @ array.swapaxes(-1, -2)
            return np.asarray(product + array.shape[-1] * np.eye(array.shape[-1]))
        case "ordered":
            return np.sort(array, axis=-1)
        case "orthogonal":
            return np.linalg.qr(array)[0]
        case "simplex":
            return np.asarray(abs(array) / abs(array).sum(-1, keepdims=True))
        case "sphere":
            return np.asarray(array / np.linalg.norm(array, axis=-1, keepdims=True))
    return array


def _shape(argument: Argument) -> Shape | None:
    """Return the shape of an argument, () for a number; None for None."""
    return None if argument is None else argument.shape if isinstance(argument, np.ndarray) else ()


def _in_disorder(random: Random, shape: Shape) -> np.ndarray:
    """Return well separated entries, with each line in an order that is not its own inverse.

    In a long line the last entry is the greatest, so that its index does not fit into one byte.
    """
    *lead, size = shape
    lines = int(np.prod(lead))
    orders: list[np.ndarray] = []
    while len(orders) < lines:
        order = random.permutation(size)
        if size < _ROOM or (order[order] != np.arange(size)).any():
            orders.append(order if size < LONG else np.roll(order, size - 1 - order.argmax()))
    spread = np.reshape(orders, shape) + random.uniform(-0.4, 0.4, shape)
    values: np.ndarray = spread * (4 / max(size, 8)) - 1.5
    return values


def _planted(array: np.ndarray, kind: Array, kinks: np.ndarray, random: Random) -> np.ndarray:
    """Set one entry to 0 and make two others equal, where the domain allows it.

    Without a 0 in the input, a mask `y != 0` would pass for `x > t`. Without a repeated value, an assignment
    would pass for an addition.
    """
    if array.size < _ROOM:
        return array
    flat = array.flatten()
    one, other, place = random.choice(flat.size, 3, replace=False)
    if not kind.distinct:
        flat[one] = flat[other]
    if kind.zeros and kinks.all() and (kind.zero_lines or array.shape[-1] > 1):
        flat[place] = 0.0
    planted = flat.reshape(array.shape)
    return _shared_by_rows(planted) if kind.distinct else planted


def _shared_by_rows(array: np.ndarray) -> np.ndarray:
    """Copy the greatest value of one row into another row that has a greater value, in another column.

    No line along any axis contains a value twice. If rows shared no value, code could wrongly find an entry
    by its value among all rows.
    """
    if array.ndim < 2 or array.shape[-1] < _ROOM:
        return array
    rows = array.reshape(-1, array.shape[-1]).copy()
    greatest = rows.max(axis=1)
    top, other = int(greatest.argmax()), int(greatest.argmin())
    columns = {int(rows[top].argmax()), int(rows[other].argmax())}
    free = [column for column in range(rows.shape[1]) if column not in columns and rows[top, column] != 0]
    if top != other and free:
        rows[top, free[0]] = greatest[other]
    return rows.reshape(array.shape)
