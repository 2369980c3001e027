"""The samples of a domain: whatever it is, they leave a wrong formula no room."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.exercise import FunctionExercise
from autograder.exercises import EXERCISES
from vjpcheck.arguments import Arguments
from vjpcheck.domain import ANY, INTEGERS, Array, Axis, Choice, Domain, Index, Integer, Optional, Plan, Real

AXES = "nmkd"
SEEDS = st.integers(0, 2**32 - 1)
ARRAYS = st.lists(
    st.sampled_from(["n", "n m", "m k", "... n", "... n m", "... m k", "n ...", "..."]),
    min_size=1,
    max_size=3,
)
OF_EXERCISES = [e for e in EXERCISES.values() if isinstance(e, FunctionExercise)]


def domain_of(axes: Sequence[str]) -> Domain:
    return Domain({f"x{place}": Array(each) for place, each in enumerate(axes)})


def drawn(domain: Domain, seed: int) -> tuple[list[Plan], list[Arguments], list[Plan], list[Arguments]]:
    random = np.random.default_rng(seed)
    small, once = domain.small(), [*domain.once()]
    return small, [domain.draw(p, random) for p in small], once, [domain.draw(p, random) for p in once]


def sizes(domain: Domain, arguments: Arguments) -> dict[str, tuple[int, ...]]:
    """Return the size of each axis by its name, read off the shapes; fails where an axis has two."""
    found: dict[str, tuple[int, ...]] = {}
    for kind, argument in zip(domain.arguments.values(), arguments, strict=False):
        kind = kind.kind if isinstance(kind, Optional) else kind
        if argument is None or not isinstance(kind, (Array, Index)):
            continue
        shape, names = np.shape(argument), kind.axes.split()
        lead = len(shape) - len([name for name in names if name != ANY])
        rest = iter(shape)
        for name in names:
            size = tuple(next(rest) for _ in range(lead)) if name == ANY else (next(rest),)
            assert found.setdefault(name, size) == size, (name, arguments)
    return found


@given(ARRAYS, SEEDS)
@settings(max_examples=60)
def test_axes_of_one_name_have_one_size_in_every_sample(axes, seed):
    domain = domain_of(axes)
    _, samples, _, further = drawn(domain, seed)
    for arguments in (*samples, *further):
        assert set(sizes(domain, arguments)) == {name for each in axes for name in each.split()}


@given(ARRAYS, SEEDS)
@settings(max_examples=60)
def test_in_the_first_sample_no_two_axes_have_one_size(axes, seed):
    domain = domain_of(axes)
    _, (first, *_), _, _ = drawn(domain, seed)
    found = [size for each in sizes(domain, first).values() for size in each]
    assert len(found) == len(set(found))


@given(ARRAYS, SEEDS)
@settings(max_examples=60)
def test_in_one_sample_all_axes_have_one_size(axes, seed):
    domain = domain_of(axes)
    _, samples, _, _ = drawn(domain, seed)
    alike = [{size for each in sizes(domain, one).values() for size in each} for one in samples]
    assert any(len(found) == 1 and found != {1} for found in alike)


@given(ARRAYS, SEEDS)
@settings(max_examples=60)
def test_each_axis_has_size_1_and_more_than_600_entries_in_some_sample(axes, seed):
    domain = domain_of(axes)
    _, samples, _, further = drawn(domain, seed)
    for name in {name for each in axes for name in each.split()}:
        found = [sizes(domain, one)[name] for one in (*samples, *further)]
        assert any(1 in size for size in found), name
        assert any(max(size, default=0) > 600 for size in found), name


@given(ARRAYS, SEEDS)
@settings(max_examples=60)
def test_a_long_axis_leaves_the_others_tiny(axes, seed):
    domain = domain_of(axes)
    _, _, _, further = drawn(domain, seed)
    for arguments in further:
        for argument in arguments:
            others = sorted(np.shape(argument))[:-1]
            assert np.prod(others, dtype=int) <= 64 or np.size(argument) <= 4_000


@given(ARRAYS, SEEDS)
@settings(max_examples=60)
def test_other_arguments_have_the_same_shapes_and_no_number_in_common(axes, seed):
    domain, random = domain_of(axes), np.random.default_rng(seed)
    for plan in domain.small():
        arguments = domain.draw(plan, random)
        for one, other in zip(arguments, domain.others(plan, arguments, random), strict=True):
            assert np.shape(one) == np.shape(other)
            assert not (set(np.ravel(one)) & set(np.ravel(other))) - {0.0}


@given(ARRAYS, SEEDS)
@settings(max_examples=60)
def test_zeros_and_repeats_come_in_every_array_but_not_in_the_first_sample(axes, seed):
    domain = domain_of(axes)
    _, (first, *samples), _, _ = drawn(domain, seed)
    for place, array in enumerate(first):
        assert np.all(array != 0)
        assert any(np.any(one[place] == 0) for one in samples)
        assert any(np.unique(one[place]).size < np.size(one[place]) for one in samples)


@given(st.floats(0.01, 3) | st.floats(-3, -0.01) | st.just(0.0), SEEDS)
def test_entries_keep_off_a_kink_on_both_sides_and_come_near_it_once(kink, seed):
    domain = Domain({"x": Array("...", off=("t",)), "t": Choice((kink,))})
    _, samples, _, further = drawn(domain, seed)
    distances = [np.ravel(x) - kink for x, _ in samples if np.size(x) > 1]
    assert all((d > 0.1).any() and (d < -0.1).any() and (d != 0).all() for d in distances)
    nearest = min(float(np.abs(np.asarray(x) - kink).min()) for x, _ in further)
    assert 0 < nearest < 1e-5


@given(st.sampled_from(["n", "n m", "... n"]), SEEDS)
def test_distinct_lines_have_no_entry_twice_and_almost_equal_ones_once(axes, seed):
    domain = Domain({"x": Array(axes, distinct=True)})
    _, samples, _, further = drawn(domain, seed)
    nearest = np.inf
    for (x,) in (*samples, *further):
        array = np.asarray(x)
        for axis in range(array.ndim):
            steps = np.diff(np.sort(array, axis), axis=axis)
            assert (steps > 0).all() or axis < array.ndim - 1
        if array.shape[-1] > 1:
            nearest = min(nearest, float(np.diff(np.sort(array, -1), axis=-1).min()))
    assert nearest < 1e-5


@given(SEEDS)
def test_an_index_names_each_row_and_leaves_one_out_in_every_dtype(seed):
    domain = Domain({"x": Array("n m"), "index": Index("k", below="n", dtypes=INTEGERS)})
    _, samples, _, further = drawn(domain, seed)
    pairs = [(np.asarray(x), np.asarray(index)) for x, index in (*samples, *further)]
    assert all(((index >= 0) & (index < len(x))).all() for x, index in pairs)
    assert {str(index.dtype) for _, index in pairs} == {*INTEGERS}
    assert any(len(x) - 1 in index for x, index in pairs)
    assert any(len(x) > 1 and len(x) - 1 not in index for x, index in pairs)
    assert any(np.unique(index).size < index.size for _, index in pairs)
    (_, first), *_ = pairs
    assert (first[first] != np.arange(first.size)).any()


@given(SEEDS)
def test_numbers_take_their_bounds_and_have_many_digits(seed):
    domain = Domain({"x": Array("n"), "n": Integer(0, "n"), "by": Real(-2, 2, also=(0, 3))})
    _, samples, _, further = drawn(domain, seed)
    assert any(n == 0 for _, n, _ in (*samples, *further))
    assert any(n == np.size(x) for x, n, _ in samples)
    assert samples[0][2] != round(samples[0][2], 6)
    assert {0, 3} <= {by for _, _, by in (*samples, *further)}


@given(SEEDS)
def test_an_axis_is_counted_from_either_end_and_none_where_that_is_allowed(seed):
    domain = Domain({"x": Array("..."), "dim": Axis("x", or_none=True)}, lead=(1, 4))
    _, samples, _, _ = drawn(domain, seed)
    of_three = {dim % 3 for x, dim in samples if dim is not None and np.ndim(x) == 3}
    assert of_three == {0, 1, 2}
    assert {None, 0, -1} <= {dim for _, dim in samples}


@given(SEEDS)
def test_what_may_be_left_out_is_there_none_and_left_out(seed):
    domain = Domain({"x": Array("n m"), "bias": Optional(Array("m"), left_out=True)})
    _, samples, _, _ = drawn(domain, seed)
    assert {len(arguments) for arguments in samples} == {1, 2}
    assert {arguments[1] is None for arguments in samples if len(arguments) == 2} == {True, False}


@pytest.mark.parametrize("exercise", OF_EXERCISES, ids=lambda exercise: exercise.id)
def test_every_exercise_has_an_axis_of_more_than_600_entries_beside_tiny_ones(exercise):
    _, _, _, further = drawn(exercise.domain, 0)
    assert any(max(np.shape(a), default=0) > 600 for one in further for a in one if isinstance(a, np.ndarray))


WITHOUT_AN_AXIS = [
    exercise
    for exercise in OF_EXERCISES
    if not any(isinstance(kind, Axis) for kind in exercise.domain.arguments.values())
]


@pytest.mark.parametrize("exercise", WITHOUT_AN_AXIS, ids=lambda exercise: exercise.id)
def test_no_two_samples_of_an_exercise_have_one_shape(exercise):
    """Else state that is kept by shape shows as a wrong output, and not as what it is."""
    _, samples, _, further = drawn(exercise.domain, 0)
    shapes = [[np.shape(a) for a in one if isinstance(a, np.ndarray)] for one in (*samples, *further)]
    assert not [one for one, other in combinations(shapes, 2) if one == other]


@pytest.mark.parametrize("exercise", OF_EXERCISES, ids=lambda exercise: exercise.id)
def test_the_small_case_is_in_the_domain(exercise):
    plan = exercise.domain.plan_of(exercise.small)
    again = exercise.domain.draw(plan, np.random.default_rng(0))
    pairs = zip(exercise.small, again, strict=False)
    assert all(np.shape(one) == np.shape(other) for one, other in pairs if isinstance(one, np.ndarray))
