"""Recording from torch looks through all that is alive: keep what pytest and its plugins hold out of that."""

import gc

import pytest


@pytest.fixture(autouse=True, scope="module")
def frozen_objects():
    """Set aside what was there before the tests; tensors made by a test are still seen."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
