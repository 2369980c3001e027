"""When arrays count as equal: as NumPy's isclose says, for shapes that are the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from vjpcheck.numbers import apart

ENTRIES = st.floats() | st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-8, np.inf, -np.inf, np.nan, 1e308, -1e308])
KINDS = st.sampled_from(["float64", "float32", "int64", "bool"])


def filled(kind, shape):
    elements = {"elements": ENTRIES} if kind == "float64" else {}
    return arrays.arrays(kind, shape, **elements)


@given(data=st.data(), kinds=st.tuples(KINDS, KINDS), shape=arrays.array_shapes(min_dims=0, min_side=0))
def test_two_arrays_are_apart_where_isclose_says_so(data, kinds, shape):
    found, truth = (np.asarray(data.draw(filled(kind, shape))) for kind in kinds)
    relative, absolute = data.draw(st.sampled_from([(1e-7, 1e-9), (0.0, 1e-10), (1e-3, 0.0)]))
    with np.errstate(all="ignore"):
        expected = ~np.isclose(found, truth, rtol=relative, atol=absolute)
    assert np.array_equal(apart(found, truth, relative, absolute), expected)


def test_arrays_of_two_shapes_are_not_compared():
    with pytest.raises(ValueError, match="shapes"):
        apart(np.zeros(3), np.zeros((1, 3)))
