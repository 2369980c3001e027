"""Defines the requests of a verdict to a probe, and the schemas that check the answers: plain data in lists.

A probe runs beside the student's code: in this process, in one of its own, or in a sandbox. The student's
code may have tampered with the probe, so each answer is read by the schema of its request before a check
sees it.
"""

from __future__ import annotations

import functools
import inspect
import re
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    Concatenate,
    Generic,
    NotRequired,
    ParamSpec,
    TypeVar,
    is_typeddict,
)

import numpy as np

from vjpcheck.result import CannotRun
from vjpcheck.torch_internals import Unavailable
from vjpcheck.usual_settings import usual_settings

TEXT_AT_MOST = 10_000  # characters; a longer text is cut
ITEMS_AT_MOST = 10_000  # of a list or a dict
ENTRIES_AT_MOST = 1_000_000  # of an array
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
UNAVAILABLE = "not in this PyTorch"  # the key of the missing name, in place of an answer

TOO_LARGE = "The work returns more text or more numbers than any right answer contains."

Answer = TypeVar("Answer")
P = ParamSpec("P")

UNLESS_RAISED = "None where the call of the work has raised"
Value = TypeVar("Value")
UnlessRaised = Annotated[Value | None, UNLESS_RAISED]  # in a TypedDict with an "error"


class Misfit(CannotRun):
    """An answer does not fit its schema; no honest probe gives one. The message says where."""


class Schema(ABC):
    """Checks the type and the size of a value."""

    @abstractmethod
    def read(self, value: Any, place: str) -> Any:
        """Return the value, with texts cut and cleaned; raises Misfit with the place if it does not fit."""


@dataclass(frozen=True)
class Nothing(Schema):
    """Accepts None."""

    def read(self, value: Any, place: str) -> Any:
        """Return None."""
        return _require(value is None, value, place, "None")


@dataclass(frozen=True)
class Flag(Schema):
    """Accepts True or False."""

    def read(self, value: Any, place: str) -> Any:
        """Return the flag."""
        return _require(type(value) is bool, value, place, "a flag")


@dataclass(frozen=True)
class Whole(Schema):
    """Accepts an integer; with `below`, a position from 0 to `below` - 1."""

    below: int | None = None

    def read(self, value: Any, place: str) -> Any:
        """Return the integer."""
        low, high = (-1 << 63, 1 << 63) if self.below is None else (0, self.below)
        fits = type(value) is int and low <= value < high
        return _require(fits, value, place, "an integer" if self.below is None else f"0 to {self.below - 1}")


@dataclass(frozen=True)
class Number(Schema):
    """Accepts a float, or an integer that a float can hold; infinities and NaN too."""

    def read(self, value: Any, place: str) -> Any:
        """Return the number as a float."""
        _require(
            type(value) is float or (type(value) is int and abs(value) < 1 << 53), value, place, "a number"
        )
        return float(value)


@dataclass(frozen=True)
class Text(Schema):
    """Accepts a text; replaces characters that a page cannot show, and cuts a long text."""

    def read(self, value: Any, place: str) -> Any:
        """Return the text, cleaned."""
        _require(type(value) is str, value, place, "a text")
        return value if len(value) <= TEXT_AT_MOST and value.isprintable() else cleaned(value)


@dataclass(frozen=True)
class Array(Schema):
    """Accepts an array of this shape and this dtype; None stands for any.

    An array of any shape has at most a million entries. With `below` its entries are positions from 0 to
    `below` - 1.
    """

    shape: tuple[int, ...] | None = None
    dtype: np.dtype[Any] | str | None = None
    below: int | None = None

    def read(self, value: Any, place: str) -> Any:
        """Return the array."""
        _require(type(value) is np.ndarray, value, place, "an array")
        if self.shape is None:
            _require(value.size <= ENTRIES_AT_MOST, value.shape, place, f"{ENTRIES_AT_MOST} entries at most")
        else:
            _require(value.shape == self.shape, value.shape, place, f"shape {self.shape}")
        if self.dtype is not None and value.dtype != self.dtype:
            raise Misfit(f"{place} has dtype {value.dtype}, and should have {self.dtype}")
        if self.below is not None:
            fits = bool(((value >= 0) & (value < self.below)).all())
            _require(fits, value, place, f"positions from 0 to {self.below - 1}")
        return value


@dataclass(frozen=True)
class Either(Schema):
    """Accepts a value that fits one of several schemas."""

    schemas: tuple[Schema, ...]

    def read(self, value: Any, place: str) -> Any:
        """Return the value as read by the first schema that fits."""
        expected = []
        for schema in self.schemas:
            try:
                return schema.read(value, place)
            except Misfit as misfit:
                expected.append(str(misfit))
        raise Misfit("; or ".join(expected))


@dataclass(frozen=True)
class ListOf(Schema):
    """Accepts a list of items of one schema; with `length`, of so many."""

    item: Schema
    length: int | None = None

    def read(self, value: Any, place: str) -> Any:
        """Return the list."""
        _require(type(value) in (list, tuple), value, place, "a list")
        fits = len(value) <= ITEMS_AT_MOST if self.length is None else len(value) == self.length
        _require(fits, f"{len(value)} items", place, f"{self.length or f'at most {ITEMS_AT_MOST}'} items")
        return [self.item.read(item, f"{place}[{number}]") for number, item in enumerate(value)]


@dataclass(frozen=True)
class Each(Schema):
    """Accepts a list with one schema per item."""

    items: Sequence[Schema]

    def read(self, value: Any, place: str) -> Any:
        """Return the list."""
        _require(type(value) in (list, tuple), value, place, "a list")
        _require(len(value) == len(self.items), f"{len(value)} items", place, f"{len(self.items)} items")
        pairs = zip(self.items, value, strict=True)
        return [schema.read(item, f"{place}[{number}]") for number, (schema, item) in enumerate(pairs)]


@dataclass(frozen=True)
class DictOf(Schema):
    """Accepts a dict from texts to values of one schema."""

    item: Schema

    def read(self, value: Any, place: str) -> Any:
        """Return the dict."""
        _require(type(value) is dict and len(value) <= ITEMS_AT_MOST, value, place, "a dict")
        key = Text()
        return {
            key.read(name, f"a key of {place}"): self.item.read(item, f"{place}[{str(name)[:40]!r}]")
            for name, item in value.items()
        }


@dataclass(frozen=True)
class Record(Schema):
    """Accepts a dict with these keys; those in `optional` may be missing."""

    fields: Mapping[str, Schema]
    optional: frozenset[str] = frozenset()

    def read(self, value: Any, place: str) -> Any:
        """Return the dict."""
        _require(type(value) is dict, value, place, "a dict")
        missing = [name for name in self.fields if name not in value and name not in self.optional]
        strange = [str(name)[:40] for name in value if name not in self.fields]
        _require(not missing, "nothing", f"{place}[{', '.join(missing)}]", "a value")
        _require(not strange, ", ".join(strange[:5]), f"the keys of {place}", "no others")
        return {name: self.fields[name].read(item, f"{place}[{name}]") for name, item in value.items()}


def maybe(schema: Schema) -> Schema:
    """Return the schema of a value that may also be None."""
    return Either((Nothing(), schema))


def schema_of(kind: Any, **fields: Schema) -> Schema:
    """Return the schema of a type: a TypedDict, a list, a dict, an array, a text, a number, a union of them.

    `fields` replace the schemas of a TypedDict's fields by stricter ones, such as an exact shape.
    """
    if not fields:
        return _plain_schema(kind)
    whole, broken_off = _records(kind)
    if set(fields) - set(whole.fields):
        raise TypeError(f"{kind} has no such fields: {', '.join(fields)}")
    sharper = Record({**whole.fields, **fields}, whole.optional)
    return sharper if whole is broken_off else Either((sharper, broken_off))


@functools.cache
def _plain_schema(kind: Any) -> Schema:
    if is_typeddict(kind):
        whole, broken_off = _records(kind)
        return whole if whole is broken_off else Either((whole, broken_off))
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (NotRequired, typing.Annotated):
        return _plain_schema(inner[0])
    if origin in (types.UnionType, typing.Union):
        return Either(tuple(_plain_schema(part) for part in inner))
    if origin is list:
        return ListOf(_plain_schema(inner[0]))
    if origin is dict:
        return DictOf(_plain_schema(inner[1]))
    return _SIMPLE[kind]


def _records(kind: Any) -> tuple[Record, Record]:
    """Return two schemas of a TypedDict: for a complete answer, and for one after the work raised.

    Both are one schema where no field is an `UnlessRaised`.
    """
    # __optional_keys__ is empty where annotations are strings
    hints = typing.get_type_hints(kind, include_extras=True)
    optional = frozenset(name for name, hint in hints.items() if typing.get_origin(hint) is NotRequired)
    broken_off = Record({name: _plain_schema(hint) for name, hint in hints.items()}, optional)
    marked = {name: typing.get_args(hint)[0] for name, hint in hints.items() if UNLESS_RAISED in _notes(hint)}
    if not marked:
        return broken_off, broken_off
    values = {name: _plain_schema(typing.get_args(hint)[0]) for name, hint in marked.items()}
    whole = {name: values.get(name, schema) for name, schema in broken_off.fields.items() if name != "error"}
    return Record(whole), Record(broken_off.fields)


def _notes(hint: Any) -> tuple[Any, ...]:
    return typing.get_args(hint)[1:] if typing.get_origin(hint) is typing.Annotated else ()


_SIMPLE: dict[Any, Schema] = {
    None: Nothing(),
    type(None): Nothing(),
    bool: Flag(),
    int: Whole(),
    float: Number(),
    str: Text(),
    np.ndarray: Array(),
}


def request(
    method: Callable[Concatenate[Any, P], Answer], /, *arguments: P.args, **named: P.kwargs
) -> Request[Answer]:
    """Return the request for a call of a probe's method; its return annotation gives the schema."""
    call = _signature(method).bind(None, *arguments, **named)
    call.apply_defaults()
    return Request(method.__name__, call.args[1:], _answer_of(method))


_signature = functools.cache(inspect.signature)


@functools.cache
def _answer_of(method: Any) -> Schema:
    return _plain_schema(typing.get_type_hints(method, include_extras=True)["return"])


@dataclass(frozen=True)
class Request(Generic[Answer]):
    """One call of a probe's method with plain arguments; `answer` is the schema of the answer."""

    method: str
    arguments: tuple[Any, ...]
    answer: Schema

    def plain(self) -> dict[str, Any]:
        """Return the plain data that is sent to the probe."""
        return {"method": self.method, "arguments": self.arguments}


class ProbeClient(ABC):
    """Sends requests to one probe, in whatever process it runs."""

    def ask(self, requests: Sequence[Request[Answer]]) -> list[Answer]:
        """Return an answer for each request, in one round trip.

        Raises CannotRun if the work cannot run or an answer does not fit its request, and its subclass
        Unavailable if this release of PyTorch lacks something that the probe needs.
        """
        if not requests:
            return []
        reply = self.exchange(requests)
        try:
            _require(type(reply) is list and len(reply) == len(requests), reply, "what came back", "a list")
            for answer in reply:
                if type(answer) is dict and [*answer] == [UNAVAILABLE]:
                    raise Unavailable(Text().read(answer[UNAVAILABLE], UNAVAILABLE)[:100])
            pairs = zip(requests, reply, strict=True)
            return [request.answer.read(answer, request.method) for request, answer in pairs]
        except Misfit as misfit:
            message = f"The answers of the work to the autograder are invalid: {misfit}."
            raise Misfit(message) from None

    def ask_one(self, request: Request[Answer]) -> Answer:
        """Return the answer to one request."""
        (answer,) = self.ask([request])
        return answer

    def call(
        self, method: Callable[Concatenate[Any, P], Answer], *arguments: P.args, **named: P.kwargs
    ) -> Answer:
        """Return the answer of one of the probe's methods."""
        return self.ask_one(request(method, *arguments, **named))

    def each(self, method: Callable[..., Answer], calls: Iterable[Sequence[Any]]) -> list[Answer]:
        """Return the answers of one of the probe's methods to several calls, in one round trip."""
        return self.ask([request(method, *call) for call in calls])

    @abstractmethod
    def exchange(self, requests: Sequence[Request[Any]]) -> Any:
        """Send requests to the probe and return its unchecked answers; raises CannotRun."""


class LocalProbe(ProbeClient):
    """Sends requests to a probe in this process."""

    def __init__(self, probe: Any) -> None:
        self._probe = probe

    def exchange(self, requests: Sequence[Request[Any]]) -> Any:
        """Call the probe's methods."""
        return answers(self._probe, [request.plain() for request in requests])


def answers(probe: Any, requests: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the answers of a probe's methods to plain requests, in order: the probe's side of `ask`.

    Each request runs with the settings of a new process, whatever modes the notebook has left on.
    """
    return [_answer(probe, request) for request in requests]


def _answer(probe: Any, request: Mapping[str, Any]) -> Any:
    try:
        with usual_settings():
            return getattr(probe, request["method"])(*request["arguments"])
    except Unavailable as missing:
        return {UNAVAILABLE: missing.name}


def reply_of(message: Any) -> Any:
    """Return the reply in a message of a probe's process; raises CannotRun if the work cannot run."""
    if type(message) is dict and "reply" in message:
        return message["reply"]
    reason = message.get("cannot_run") if type(message) is dict else None
    nonsense = "The answers of the work to the autograder are invalid."
    raise CannotRun(cleaned(reason) if type(reason) is str and reason else nonsense)


def cleaned(text: str) -> str:
    """Return a text of bounded length, without characters that a page or a terminal cannot show."""
    return _CONTROL.sub("\ufffd", text[:TEXT_AT_MOST])


def _require(fits: bool, value: Any, place: str, expected: str) -> Any:
    if not fits:
        shown = value if isinstance(value, (str, tuple)) else type(value).__name__
        raise Misfit(f"{place} is {str(shown)[:80]}, and should be {expected}")
    return value
