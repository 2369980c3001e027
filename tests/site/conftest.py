"""The site, built once for a whole run of the tests, however many processes it has."""

import pytest
from browser import WHY_NO_BROWSER, open_browser
from built_site import build, served
from site_server import reading, visit


@pytest.fixture(scope="session")
def html(shared):
    """Return the folder of the built site; fails with what Sphinx said if it cannot be built."""
    return build(shared)


@pytest.fixture(scope="session")
def address(html):
    with served(html) as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    if WHY_NO_BROWSER:
        pytest.skip(WHY_NO_BROWSER)
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def loaded(browser, address, request):
    """A page that is loaded once for the tests that look at it, with its path."""
    with reading(browser, address) as page:
        page.path = request.param
        visit(page, f"{address}{page.path}.html")
        yield page
        assert page.troubles == []


@pytest.fixture
def page(browser, address):
    with reading(browser, address) as page:
        yield page
        assert page.troubles == []
