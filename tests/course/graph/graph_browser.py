"""A browser for tests: the Chromium that is installed, or a reason to skip."""

from contextlib import contextmanager

import chromium
import pytest
from playwright.sync_api import sync_playwright

PROGRAM = chromium.find()
needs_browser = pytest.mark.skipif(PROGRAM is None, reason=chromium.MISSING)


@contextmanager
def open_browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        yield browser
        browser.close()


def place(player):
    """Return the number of the step that a player shows."""
    return int(player.locator(".place").inner_text().split(" / ")[0])


def row(player, name):
    """Return what the table says of a node: value and adjoint, as far as they are known."""
    cells = player.locator("tbody tr").filter(has=player.page.get_by_text(name, exact=True)).locator("td")
    return tuple(cell.inner_text() if cell.is_visible() else "" for cell in cells.all())
