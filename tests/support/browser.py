"""A browser for tests: the Chromium that is installed, or a reason to skip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import chromium
import pytest
import required
from playwright.sync_api import Browser, sync_playwright

PROGRAM = chromium.find()
WHY_NO_BROWSER = "" if required.in_this_run("browser") else chromium.why_none()
needs_browser = pytest.mark.skipif(bool(WHY_NO_BROWSER), reason=WHY_NO_BROWSER)


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        yield browser
        browser.close()
