"""What the samples of every exercise must offer, so that a wrong formula has no room."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from run_seed import RUN_SEED

from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES
from vjpcheck.arguments import Arguments, differentiable
from vjpcheck.checks.transforms import BATCH
from vjpcheck.probe.backends import backend_of
from vjpcheck.probe.torch_tensors import laid_out
from vjpcheck.samples import DrawnSamples, compared_once, factors, scaled, with_one_tensor_twice
from vjpcheck.samples import drawn as drawn_of
from vjpcheck.truth.native import NativeTruth

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = [exercise for exercise in EXERCISES.values() if isinstance(exercise, FunctionExercise)]
of_every_exercise = pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda exercise: exercise.id)


def both(exercise: FunctionExercise) -> DrawnSamples:
    return drawn_of(exercise, np.random.default_rng(RUN_SEED))


def drawn(exercise: FunctionExercise) -> list[Arguments]:
    return both(exercise).samples


def with_those_compared_once(exercise: FunctionExercise) -> list[Arguments]:
    further = compared_once(exercise, np.random.default_rng(RUN_SEED))
    return [*drawn(exercise), *(arguments for _, arguments in further)]


def values_of(exercise: FunctionExercise, name: str, tried: list[Arguments]) -> list[Any]:
    place = exercise.parameters.index(name)
    return [arguments[place] for arguments in tried if place < len(arguments)]


@of_every_exercise
def test_no_two_inputs_share_a_value_of_an_array(exercise: FunctionExercise) -> None:
    for one, other in combinations(drawn(exercise), 2):
        for left, right in zip(one, other, strict=False):
            if differentiable(left) and differentiable(right):
                shared = set(np.ravel(left)) & set(np.ravel(right)) - {0.0}
                assert not shared


@of_every_exercise
def test_every_other_argument_takes_several_values(exercise: FunctionExercise) -> None:
    for name in exercise.parameters:
        values = values_of(exercise, name, drawn(exercise))
        if not any(differentiable(value) for value in values):
            assert len({repr(value) for value in values}) > 1, name


def has_a_value_twice(array: np.ndarray) -> bool:
    return len(np.unique(array[array != 0])) < np.count_nonzero(array)


@of_every_exercise
def test_there_are_zeros_and_repeated_values_where_they_are_allowed(exercise: FunctionExercise) -> None:
    for name in exercise.parameters:
        arrays = [np.asarray(v) for v in values_of(exercise, name, drawn(exercise)) if differentiable(v)]
        if not arrays:
            continue
        kind = exercise.domain.array(name)
        assert kind is not None
        if max(array.size for array in arrays[1:-1]) < 3:  # no room
            continue
        assert any((array == 0).any() for array in arrays) == kind.zeros, name
        assert any(map(has_a_value_twice, arrays)), name
        lines = [np.moveaxis(a, axis, -1).reshape(-1, n) for a in arrays for axis, n in enumerate(a.shape)]
        if kind.distinct:
            assert not any(has_a_value_twice(line) for each in lines for line in each)


@of_every_exercise
def test_an_axis_has_size_1(exercise: FunctionExercise) -> None:
    shapes = [
        np.shape(value) for arguments in drawn(exercise) for value in arguments if differentiable(value)
    ]
    assert any(shape == () or 1 in shape for shape in shapes)


@of_every_exercise
def test_the_calls_between_forward_and_backward_differ_in_every_array(exercise: FunctionExercise) -> None:
    for one, other in zip(*both(exercise), strict=True):
        for left, right in zip(one, other, strict=True):
            if differentiable(left):
                assert np.shape(left) == np.shape(right)
                assert not (np.asarray(left) == np.asarray(right))[np.asarray(left) != 0].any()


@of_every_exercise
def test_the_calls_between_forward_and_backward_differ_in_every_constant(exercise: FunctionExercise) -> None:
    """Where they never do, a cache that is kept by shapes alone is right by luck."""
    pairs = [*zip(*both(exercise), strict=True)]
    for place, name in enumerate(exercise.parameters):
        constants = [
            (a[place], b[place]) for a, b in pairs if place < len(a) and not differentiable(a[place])
        ]
        if any(constant is not None for constant, _ in constants):
            assert any(repr(constant) != repr(other) for constant, other in constants), name


@of_every_exercise
def test_the_truth_is_finite(exercise: FunctionExercise) -> None:
    if exercise.observe is not None:
        pytest.skip("the truth needs what the student's forward draws")
    for arguments in with_those_compared_once(exercise):
        truth = NativeTruth(exercise.library, exercise.forward, arguments, exercise.pullback)
        assert all(np.isfinite(output).all() for output in truth.outputs)
        cotangents = [None if o is None else np.ones(o.shape) for o in truth.differentiable_outputs]
        gradients = truth.vjp([differentiable(a) for a in arguments], cotangents)
        assert all(np.isfinite(gradient).all() for gradient in gradients if gradient is not None)


@of_every_exercise
def test_no_input_is_larger_than_the_text_says(exercise: FunctionExercise) -> None:
    """The assignments promise entries up to 1,000; an exercise with larger ones names their size."""
    first, *further = with_those_compared_once(exercise)
    tried = [a for f in factors(exercise) for a in scaled(exercise, first, f) if differentiable(a)]
    tried += [value for arguments in further for value in arguments if differentiable(value)]
    largest = max(float(np.abs(array).max(initial=0)) for array in tried)
    said = re.findall(r"10\^(\d)", MARKDOWN[exercise.id])
    assert largest <= max([1000.0, *(2.0 * 10 ** int(power) for power in said)])


def markdown() -> dict[str, str]:
    """Return all that stands in Markdown about each exercise: from its heading to the next one."""
    found: dict[str, str] = {}
    current = ""
    for path in sorted(ROOT.glob("exercises/*/*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                source = "".join(cell["source"])
                heading = re.match(r"## \d+\. `(\w+)`", source)
                current = heading[1] if heading else current
                found[current] = found.get(current, "") + source
    return found


MARKDOWN = markdown()


def texts() -> dict[str, str]:
    """Return the cell that a student writes into, for each exercise: it says what the arguments are."""
    cells = [
        cell
        for path in ROOT.glob("exercises/*/*.ipynb")
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
    ]
    return {cell["metadata"].get("nbgrader", {}).get("grade_id"): "".join(cell["source"]) for cell in cells}


TEXTS = texts()


OF_AN_AXIS = [(e, name) for e in FUNCTIONS for name in e.parameters if name in ("dim", "axis")]


@pytest.mark.parametrize(("exercise", "name"), OF_AN_AXIS, ids=lambda value: getattr(value, "id", value))
def test_an_axis_is_each_of_three_counted_from_either_end(exercise: FunctionExercise, name: str) -> None:
    """Where no sample has the last one, a wrong axis may be the right one by luck."""
    tried = drawn(exercise)
    pairs = zip(values_of(exercise, name, tried), values_of(exercise, "x", tried), strict=True)
    of_three = {axis % 3 for axis, x in pairs if axis is not None and np.ndim(x) == 3}
    assert of_three == {0, 1, 2}
    if name == "dim":  # PyTorch counts from the end too
        assert {-1, 0} <= {*values_of(exercise, name, tried)}
        assert {True, False} == {axis < -1 for axis in values_of(exercise, name, tried)}


@given(st.lists(st.integers(2, 3), min_size=1, max_size=4))
def test_no_two_axes_of_a_tensor_with_gaps_can_be_joined(shape: list[int]) -> None:
    placed = laid_out(torch.arange(float(np.prod(shape))).reshape(shape), "strided")
    for first in range(len(shape) - 1):
        joined = [*shape[:first], shape[first] * shape[first + 1], *shape[first + 2 :]]
        with pytest.raises(RuntimeError, match="view"):
            placed.view(joined)


@pytest.mark.parametrize("library", ["torch", "autograder.engine"])
def test_a_tensor_with_gaps_does_not_begin_where_its_memory_does(library: Any) -> None:
    backend = backend_of(library)
    value = backend.argument(np.arange(6.0).reshape(2, 3), True)
    placed = backend.laid_out(value, "strided")
    assert np.array_equal(backend.array(placed), np.arange(6.0).reshape(2, 3))
    array = np.asarray(placed.detach().numpy() if library == "torch" else placed.data)
    assert not array.flags.c_contiguous
    assert not array.flags.f_contiguous
    assert placed.requires_grad
    assert placed.is_leaf
    if library == "torch":
        assert placed.storage_offset() > 0


OF_AN_ORDER = [e for e in FUNCTIONS if any(array.distinct for array in e.domain.arrays)]


@pytest.mark.parametrize("exercise", OF_AN_ORDER, ids=lambda exercise: exercise.id)
def test_an_order_has_places_that_8_bits_cannot_hold(exercise: FunctionExercise) -> None:
    tried = with_those_compared_once(exercise)
    assert max(np.shape(arguments[0])[-1] for arguments in tried) > np.iinfo(np.uint8).max


BATCHED = [e for e in FUNCTIONS if "vmap" in e.points]


@pytest.mark.parametrize("exercise", BATCHED, ids=lambda exercise: exercise.id)
def test_a_batch_is_as_large_as_an_axis_of_some_sample_and_not_of_all(exercise: FunctionExercise) -> None:
    """Where it never is, a batch axis that is found by its size is the right one by luck."""
    alike = {BATCH in np.shape(arguments[0]) for arguments in drawn(exercise)}
    assert alike == {True, False}


def other_axes(exercise: FunctionExercise, arguments: Arguments) -> list[int]:
    """Return the sizes of the axes that are not named: the text's last ones, or `dim`."""
    shape = list(np.shape(arguments[0]))
    for name in {"dim", "axis"} & {*exercise.parameters}:
        axis = arguments[exercise.parameters.index(name)]
        return [size for place, size in enumerate(shape) if axis is not None and place != axis % len(shape)]
    named = re.search(r"\(\.\.\.((?:, \w+)+)\)", TEXTS[exercise.id])
    return shape[: len(shape) - named[1].count(",")] if named else []


@of_every_exercise
def test_an_axis_that_is_not_named_has_size_1_behind_a_larger_one(exercise: FunctionExercise) -> None:
    """Where none has, squeeze() without an axis is right by luck: broadcasting puts an axis back in front."""
    others = [other_axes(exercise, arguments) for arguments in drawn(exercise)]
    if max(map(len, others)) > 1:
        assert any(1 in sizes[1:] and max(sizes[: sizes.index(1)], default=1) > 1 for sizes in others)


def test_one_tensor_comes_twice_wherever_two_arguments_can_have_one_shape() -> None:
    """Where it never does, a branch for `a is b` passes, whatever it returns."""
    able = {e.id for e in FUNCTIONS if with_one_tensor_twice(e, drawn(e)) is not None}
    never = {"scale_rows"}
    several = {e.id for e in FUNCTIONS if sum(differentiable(a) for a in drawn(e)[0]) > 1}
    assert able == several - never


def small_cases() -> dict[str, str]:
    """Return the text about the small case of each exercise that has a notebook."""
    found: dict[str, str] = {}
    for path in sorted(ROOT.glob("solutions/*/*.ipynb")):
        title = ""
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            text = "".join(cell["source"])
            if match := re.match(r"## \d+\. `(\w+)`", text):
                title = match[1]
            if "**A small case" in text:
                found.setdefault(title, text)
    return found


SMALL_CASES = small_cases()


@pytest.mark.parametrize("exercise", [e for e in FUNCTIONS if e.id in SMALL_CASES], ids=lambda e: e.id)
def test_the_small_case_is_that_of_the_text(exercise: FunctionExercise) -> None:
    text = SMALL_CASES[exercise.id].replace("−", "-")
    numbers = {abs(float(number)) for number in re.findall(r"\d+(?:\.\d+)?", text)}
    numbers |= {np.log(float(number)) for number in re.findall(r"\\ln (\d+)", text)}
    numbers |= {np.pi / 2} if r"\pi/2" in text else set()
    for argument in exercise.small:
        if differentiable(argument):
            assert all(np.isclose(abs(v), [*numbers]).any() for v in np.ravel(np.asarray(argument)))
        elif isinstance(argument, (int, float)) and not isinstance(argument, bool):
            assert abs(argument) in numbers
