"""A browser for tests: the Chromium that is installed, or a reason to skip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import chromium
import pytest
from playwright.sync_api import Browser, sync_playwright

PROGRAM = chromium.find()
needs_browser = pytest.mark.skipif(PROGRAM is None, reason=chromium.MISSING)


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        yield browser
        browser.close()
