"""A window for each journey, and a folder for its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import open_browser
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with open_browser() as browser:
        yield browser.new_page()


@pytest.fixture(scope="session")
def pictures() -> Path:
    return ROOT / "screenshots" / "journeys"
