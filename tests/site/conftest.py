"""The site, built once for a whole run of the tests, however many processes it has."""

import fcntl
import subprocess
import sys
from pathlib import Path

import chromium
import pytest
from playwright.sync_api import sync_playwright
from site_server import reading, served

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = chromium.find()


@pytest.fixture(scope="session")
def html(tmp_path_factory, worker_id):
    """Return the folder of the built site; fails with what Sphinx said if it cannot be built."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared if worker_id == "master" else shared.parent
    log = shared / "site.log"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not log.exists():
            build = [sys.executable, str(ROOT / "tools" / "build_site.py")]
            done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
            log.write_text(f"{done.returncode}\n{done.stdout}\n{done.stderr}")
    status, _, said = log.read_text().partition("\n")
    assert status == "0", said
    return ROOT / "site" / "_build" / "html"


@pytest.fixture(scope="session")
def address(html):
    with served(html) as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    if PROGRAM is None:
        pytest.skip(chromium.MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        yield browser
        browser.close()


@pytest.fixture
def page(browser, address):
    with reading(browser, address) as page:
        yield page
        assert page.troubles == []
