"""A browser's page for players, and a memory that holds only what the tests made.

Recording from torch looks through all that is alive: keep what pytest and its plugins hold out of that.
"""

import gc

import pytest
from browser import open_browser


@pytest.fixture(autouse=True, scope="module")
def frozen_objects():
    """Set aside what was there before the tests; tensors made by a test are still seen."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


@pytest.fixture
def page(browser):
    """Open a page without a network; an error in one of its scripts is an error of the test."""
    context = browser.new_context(offline=True, viewport={"width": 1200, "height": 900})
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []
