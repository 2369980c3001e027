"""The site, built once for a whole run of the tests, however many processes it has."""

import chromium
import pytest
from browser import PROGRAM, open_browser
from built_site import build, served
from site_server import reading


@pytest.fixture(scope="session")
def html(tmp_path_factory, worker_id):
    """Return the folder of the built site; fails with what Sphinx said if it cannot be built."""
    return build(tmp_path_factory.getbasetemp(), worker_id)


@pytest.fixture(scope="session")
def address(html):
    with served(html) as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    if PROGRAM is None:
        pytest.skip(chromium.MISSING)
    with open_browser() as browser:
        yield browser


@pytest.fixture
def page(browser, address):
    with reading(browser, address) as page:
        yield page
        assert page.troubles == []
