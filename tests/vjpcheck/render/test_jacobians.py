"""The drawn Jacobians: what is marked is what differs, and the drawing says so in words too."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vjpcheck.render.heat_maps import CELL_WITH_NUMBER, LETTERS_IN_CELL, as_maps, in_a_cell
from vjpcheck.render.jacobians import as_marks, in_words
from vjpcheck.result import Jacobians

SHAPES = st.tuples(st.integers(1, 3), st.integers(1, 3))


@st.composite
def jacobians(draw: st.DrawFn) -> tuple[Jacobians, set[tuple[int, int]]]:
    output, given_ = draw(SHAPES), draw(SHAPES)
    rows, columns = output[0] * output[1], given_[0] * given_[1]
    true = np.random.default_rng(draw(st.integers(0, 99))).integers(-2, 3, (rows, columns)).astype(float)
    places = draw(st.sets(st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1)), min_size=1))
    observed = true.copy()
    for place in places:
        observed[place] = draw(st.sampled_from([np.nan, np.inf, true[place] + 1, -7.0]))
    return Jacobians(observed, true, output, given_), places


@settings(max_examples=25)
@given(jacobians())
def test_the_marks_stand_where_the_two_differ(case: tuple[Jacobians, set[tuple[int, int]]]) -> None:
    pair, places = case
    marked = {
        (row, column)
        for row, line in enumerate(as_marks(pair))
        for column, mark in enumerate(line.split())
        if mark == "✗"
    }
    assert marked == places
    assert f"differ in {len(places)} of {pair.true.size} entries" in in_words(pair)


@settings(max_examples=10)
@given(jacobians())
def test_the_drawing_is_well_formed_and_has_its_text(
    case: tuple[Jacobians, set[tuple[int, int]]],
) -> None:
    root = ElementTree.fromstring(as_maps(case[0]))
    assert root.attrib["aria-label"] == in_words(case[0])
    assert root.attrib["role"] == "img"
    ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
    assert len(ids) == len(set(ids))


@settings(max_examples=10)
@given(jacobians())
def test_cells_below_0_are_hatched_and_no_others(case: tuple[Jacobians, set[tuple[int, int]]]) -> None:
    pair, _ = case
    maps = ElementTree.fromstring(as_maps(pair)).findall("./{*}svg/{*}g")
    for drawn, values in zip(maps, (pair.observed, pair.true), strict=True):
        hatched = drawn.findall("./{*}g/{*}path[@class='below']")
        starts = {
            (int(float(y) - 0.01), int(float(x)))
            for path in hatched
            for x, y in (line.split("l")[0].split() for line in path.attrib["d"].split("M")[1:])
        }
        below = np.argwhere(np.isfinite(values) & (values < 0)).tolist()
        assert starts == {(row, column) for row, column in below}


@settings(max_examples=10)
@given(jacobians())
def test_each_number_is_written_in_its_cell_and_what_differs_is_outlined(
    case: tuple[Jacobians, set[tuple[int, int]]],
) -> None:
    pair, places = case
    root = ElementTree.fromstring(as_maps(pair))
    maps = root.findall("./{*}svg/{*}g")
    for drawn, values in zip(maps, (pair.observed, pair.true), strict=True):
        written = {
            (
                int(float(node.attrib["y"]) / CELL_WITH_NUMBER[1]),
                int(float(node.attrib["x"]) / CELL_WITH_NUMBER[0]),
            ): node.text
            for node in drawn.findall("./{*}text[@class='number']")
        }
        assert {place: float(text or "") for place, text in written.items()} == pytest.approx(
            {(row, column): value for (row, column), value in np.ndenumerate(values)}, rel=0.05, nan_ok=True
        )
        lines = drawn.findall("./{*}g/{*}path")[-1].attrib["d"].count("M")
        padded = np.pad(pair.differing().astype(int), 1)
        assert lines == sum(int(np.abs(np.diff(padded, axis=axis)).sum()) for axis in (0, 1))
        assert len(places) == int(padded.sum())


@example(1.5e308)
@given(st.floats())
def test_a_number_has_room_in_its_cell_and_says_what_it_can_there(value: float) -> None:
    written = in_a_cell(value)
    # three digits of exponent leave no room for more
    assert len(written) <= LETTERS_IN_CELL or abs(value) >= 1e100 or abs(value) < 1e-99
    if math.isfinite(value):  # as a Decimal: one digit of the largest float is more than any float
        assert abs(Decimal(written) - Decimal(value)) <= Decimal("0.35") * abs(Decimal(value))
    else:
        assert float(written) == pytest.approx(value, nan_ok=True)


def test_a_number_of_many_letters_is_set_narrower_than_its_cell_in_any_font() -> None:
    values = np.array([[-0.024, 1e-120], [-1.5, 0.0]])
    drawn = ElementTree.fromstring(as_maps(Jacobians(values, values, (2,), (2,))))
    numbers = drawn[0].findall("./{*}g/{*}text[@class='number']")
    assert [number.text for number in numbers] == ["-0.024", "1e-120", "-1.5", "0"]
    widths = [number.get("textLength") for number in numbers]
    assert all(0 < float(width or 0) < CELL_WITH_NUMBER[0] for width in widths[:2])
    assert widths[2:] == [None, None]  # few letters have room in any font


def test_an_entry_is_told_by_its_place_in_the_output_and_in_the_input() -> None:
    observed, true = np.zeros((6, 4)), np.zeros((6, 4))
    true[4, 3] = 2.5
    told = in_words(Jacobians(observed, true, (2, 3), (4,)))
    assert "output[1, 1] with respect to input[3] is 0 and should be 2.5" in told


@pytest.mark.parametrize("shape", [(500, 400)])
def test_what_is_too_large_to_be_seen_is_told_and_not_drawn(shape: tuple[int, int]) -> None:
    pair = Jacobians(np.ones(shape), np.zeros(shape), shape[:1], shape[1:])
    assert as_maps(pair) == ""
    assert as_marks(pair) == []
    assert "200000 of 200000" in in_words(pair)


@settings(max_examples=10)
@given(jacobians())
def test_each_cell_that_differs_tells_its_value_under_the_pointer(
    case: tuple[Jacobians, set[tuple[int, int]]],
) -> None:
    pair, places = case
    root = ElementTree.fromstring(as_maps(pair))
    for drawn, values in zip(root.findall("./{*}svg/{*}g"), (pair.observed, pair.true), strict=True):
        told = {
            (int(square.attrib["y"]), int(square.attrib["x"])): square.findtext("{*}title") or ""
            for square in drawn.iter("{http://www.w3.org/2000/svg}rect")
        }
        for place in places:
            output, given = pair.entry(*place)
            assert told[place] == f"output{output} by input{given}: {values[place]:.6g}"
