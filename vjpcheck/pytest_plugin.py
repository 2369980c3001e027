"""Offers `assert_backward` as a fixture of pytest; PyTorch is imported when a test asks for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def assert_backward() -> Callable[..., None]:
    """Return `vjpcheck.assert_backward`, which raises AssertionError with the card of a wrong backward."""
    import vjpcheck

    return vjpcheck.assert_backward
