"""Plain data arrives as it was sent, and nothing else does."""

import io
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from vjpcheck.ask import wire

arrays = hnp.arrays(
    dtype=st.sampled_from(sorted(wire.DTYPES)),
    shape=hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    scalars | arrays,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def round_trip(value):
    stream = io.BytesIO()
    wire.send(stream, value)
    stream.seek(0)
    return wire.receive(stream)


def same(one, two) -> bool:
    if isinstance(one, np.ndarray):
        same_kind = isinstance(two, np.ndarray) and one.dtype == two.dtype and one.shape == two.shape
        return same_kind and one.tobytes() == two.tobytes()
    if isinstance(one, list):
        return isinstance(two, list) and len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return isinstance(two, dict) and one.keys() == two.keys() and all(same(one[k], two[k]) for k in one)
    return type(one) is type(two) and one == two


@given(values)
def test_plain_data_arrives_as_it_was_sent(value):
    assert same(value, round_trip(value))


@given(st.recursive(arrays, lambda inner: st.dictionaries(st.text("#", max_size=5), inner, min_size=1)))
def test_a_dict_is_never_taken_for_an_array(value):
    assert same(value, round_trip(value))


def test_infinities_and_nan_arrive():
    inf, nan = round_trip([math.inf, math.nan])
    assert inf == math.inf
    assert math.isnan(nan)


def test_a_tuple_arrives_as_a_list_and_a_numpy_number_as_a_number():
    assert round_trip((np.float64(1.5), np.int64(2))) == [1.5, 2]


@pytest.mark.parametrize(
    "value",
    [object(), {1, 2}, np.array(["text"]), np.array([object()]), [lambda: None]],
    ids=lambda value: type(value).__name__,
)
def test_anything_else_is_refused(value):
    with pytest.raises(TypeError, match="cannot be sent"):
        wire.send(io.BytesIO(), value)


@given(st.binary(max_size=200))
def test_noise_is_a_broken_frame(noise):
    with pytest.raises(wire.BrokenFrame):
        wire.receive(io.BytesIO(noise))


@given(st.binary(max_size=100))
def test_noise_in_a_well_formed_envelope_is_a_broken_frame_or_plain_data(noise):
    frame = wire.LENGTH.pack(len(noise), 0, 1) + noise
    try:
        value = wire.receive(io.BytesIO(frame))
    except wire.BrokenFrame:
        return
    assert value is None or isinstance(value, (bool, int, float, str, list, dict))


@pytest.mark.parametrize(
    "text",
    [
        b'{"#": ["object", [1]]}',
        b'{"#": ["float64", [1000000]]}',
        b'{"#": ["float64", [-1]]}',
        b'{"#": ["float64", [true]]}',
        b'{"#": ["float64", [1], 8]}',
        b'{"#": ["float64", [2, 2]], "other": 1}',
        b'[{"#": ["float64", [1]]}, {"#": ["float64", [2]]}]',
        b'{"#": "float64"}',
        b'{"#": 1}',
    ],
)
def test_a_forged_array_is_a_broken_frame(text):
    with pytest.raises(wire.BrokenFrame):
        wire.receive(io.BytesIO(wire.LENGTH.pack(len(text), 16, 1) + text + bytes(16)))


def test_a_pickle_is_a_broken_frame_and_a_huge_length_is_refused():
    evil = pickle.dumps(print)
    with pytest.raises(wire.BrokenFrame):
        wire.receive(io.BytesIO(wire.LENGTH.pack(len(evil), 0, 1) + evil))
    with pytest.raises(wire.TooLarge):
        wire.receive(io.BytesIO(wire.LENGTH.pack(1 << 62, 0, 1)))


class Counted(io.BytesIO):
    """Counts how many bytes somebody wants of it."""

    wanted = 0

    def read(self, size=-1):
        self.wanted += size
        return super().read(size)


lengths = st.integers(0, 300) | st.integers(0, 2**64 - 1)
headers = st.tuples(lengths, lengths, lengths)
bodies = (
    st.binary(max_size=300)
    | st.text('[]{}#:"1,').map(str.encode)
    | st.integers(0, 200_000).map(lambda depth: b"[" * depth)
)


@given(headers, bodies, st.integers(0, 250_000), st.integers(0, 100))
def test_whatever_comes_no_more_is_read_than_was_asked_for(header, body, text, arrays):
    stream = Counted(wire.LENGTH.pack(*header) + body)
    try:
        value = wire.receive(stream, text, arrays)
    except wire.BrokenFrame:
        value = None
    assert stream.wanted <= wire.LENGTH.size + text + arrays
    assert value is None or isinstance(value, (bool, int, float, str, list, dict, np.ndarray))


def test_what_is_too_large_is_refused_before_it_is_read():
    stream = Counted(wire.encode(["x" * 1000, np.zeros(1000)]))
    for text, arrays in ((999, 8000), (2000, 7999)):
        stream.seek(0)
        stream.wanted = 0
        with pytest.raises(wire.TooLarge):
            wire.receive(stream, text, arrays)
        assert stream.wanted == wire.LENGTH.size
