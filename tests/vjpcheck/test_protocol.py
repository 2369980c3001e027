"""What fits a schema gets through unchanged, and nothing else does."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vjpcheck.ask import wire
from vjpcheck.ask.answer_size import frame_size
from vjpcheck.ask.protocol import (
    Array,
    Each,
    Flag,
    ListOf,
    LocalProbe,
    Misfit,
    Schema,
    UnlessRaised,
    maybe,
    request,
    schema_of,
)


class Inner(TypedDict):
    name: str
    count: int


class Told(TypedDict):
    value: np.ndarray | None
    ratio: float
    flags: list[bool]
    by_name: dict[str, Inner]
    error: NotRequired[str]


whole = st.integers(1 - 2**63, 2**63 - 1)
inner = st.fixed_dictionaries({"name": st.text(st.characters(categories=["L", "N"])), "count": whole})
told = st.fixed_dictionaries(
    {
        "value": st.none() | st.integers(0, 5).map(np.zeros),
        "ratio": st.floats(allow_nan=False),
        "flags": st.lists(st.booleans()),
        "by_name": st.dictionaries(st.text(st.characters(categories=["L"])), inner),
    },
    optional={"error": st.just("raised")},
)
TOLD = schema_of(Told)
REQUIRED = ["value", "ratio", "flags", "by_name"]


@given(told)
def test_what_a_typed_dict_describes_fits_its_schema(value: Any) -> None:
    read = TOLD.read(value, "the answer")
    assert set(read) == set(value)
    assert all(read[key] == value[key] for key in ("ratio", "flags", "by_name"))


@given(told)
def test_what_fits_a_schema_fits_its_size(value: Any) -> None:
    size = frame_size([TOLD])
    assert wire.fits(wire.encode({"reply": [value]}), size.text, size.arrays)


@given(st.lists(st.integers(0, 4), max_size=3), st.sampled_from(sorted(wire.DTYPES)), st.integers(0, 5))
def test_arrays_of_known_shapes_are_sized_exactly(shape: list[int], dtype: str, count: int) -> None:
    schema = ListOf(Array(tuple(shape), dtype), count)
    sent = wire.encode([np.zeros(shape, dtype)] * count)
    size = frame_size([schema])
    assert wire.fits(sent, size.text, size.arrays)
    assert size.arrays == count * np.zeros(shape, dtype).nbytes


@given(told, st.sampled_from([*REQUIRED]), st.sampled_from([3j, b"x", [[]], {"a": {}}, object()]))
def test_a_field_of_another_kind_is_refused(value: Any, field: str, odd: Any) -> None:
    with pytest.raises(Misfit, match=field):
        TOLD.read({**value, field: odd}, "the answer")


@given(told, st.sampled_from([*REQUIRED]))
def test_a_missing_or_a_strange_key_is_refused(value: Any, field: str) -> None:
    with pytest.raises(Misfit, match=field):
        TOLD.read({key: item for key, item in value.items() if key != field}, "the answer")
    with pytest.raises(Misfit, match="strange"):
        TOLD.read({**value, "strange": 1}, "the answer")


@given(st.lists(st.integers(0, 3), max_size=3), st.lists(st.integers(0, 3), max_size=3))
def test_an_array_fits_its_own_shape_alone(shape: list[int], other: list[int]) -> None:
    schema = Array(tuple(other), "float64")
    if shape == other:
        assert schema.read(np.zeros(shape), "it").shape == tuple(other)
    else:
        with pytest.raises(Misfit, match="shape"):
            schema.read(np.zeros(shape), "it")
    with pytest.raises(Misfit, match="dtype"):
        schema.read(np.zeros(other, np.float32), "it")


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("schema", [TOLD, Each([maybe(Array((2,)))]), schema_of(list[list[int]])])
@pytest.mark.parametrize("value", [nested(600), nested(50_000), [None] * 20_000, True, "text" * 10_000])
def test_hostile_values_are_refused_in_one_line(schema: Schema, value: Any) -> None:
    with pytest.raises(Misfit, match=r"^[^\n]{1,400}$"):
        schema.read(value, "the answer")


def test_texts_are_cut_and_cleaned() -> None:
    read = schema_of(str).read("a\x1b[2J\u202e" + "b" * 100_000, "the text")
    assert len(read) == 10_000
    assert "\x1b" not in read


def test_a_sharper_schema_is_of_a_field_that_is_there() -> None:
    assert schema_of(Told, value=Array((2,))) != TOLD
    with pytest.raises(TypeError, match="values"):
        schema_of(Told, values=Array((2,)))


@given(st.lists(st.integers(-3, 6), max_size=5))
def test_positions_are_below_the_number_of_things(entries: list[int]) -> None:
    schema, array = Array(dtype="int64", below=4), np.array(entries, np.int64)
    if all(0 <= entry < 4 for entry in entries):
        assert schema.read(array, "it") is array
    else:
        with pytest.raises(Misfit, match="positions from 0 to 3"):
            schema.read(array, "it")


class BrokenOff(TypedDict):
    value: UnlessRaised[np.ndarray]
    flags: UnlessRaised[list[bool]]
    count: int
    error: NotRequired[str]


@pytest.mark.parametrize(
    "schema", [schema_of(BrokenOff), schema_of(BrokenOff, value=Array((2,)), flags=ListOf(Flag(), 1))]
)
def test_an_answer_may_lack_a_value_where_the_work_raised_and_nowhere_else(schema: Schema) -> None:
    whole = {"value": np.zeros(2), "flags": [True], "count": 1}
    broken_off = {"value": None, "flags": [], "count": 1}
    assert schema.read(whole, "it") == whole
    assert schema.read({**broken_off, "error": "raised"}, "it")["value"] is None
    with pytest.raises(Misfit):
        schema.read({**whole, "value": None}, "it")
    assert schema_of(BrokenOff, flags=ListOf(Flag(), 1)) != schema_of(BrokenOff)


class Doubling:
    """A probe."""

    def double(self, number: int, times: int = 2) -> int:
        return number * times


def test_requests_go_in_one_list_and_answers_come_in_their_order() -> None:
    requests = [request(Doubling.double, number) for number in range(5)]
    assert LocalProbe(Doubling()).ask(requests) == [0, 2, 4, 6, 8]
    assert wire.encode([request.plain() for request in requests])
    assert LocalProbe(Doubling()).each(Doubling.double, [(1,), (2, 5)]) == [2, 10]


def test_an_answer_that_does_not_fit_its_request_stops_the_check() -> None:
    with pytest.raises(Misfit, match="to the autograder are invalid: double"):
        LocalProbe(Doubling()).call(Doubling.double, "x")  # type: ignore[arg-type]


def test_a_request_has_the_parameters_of_its_method() -> None:
    with pytest.raises(TypeError):
        request(Doubling.double, 1, 2, 3)  # type: ignore[call-arg]
    assert request(Doubling.double, 1, times=3).arguments == (1, 3)
