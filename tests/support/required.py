"""What a run of the tests must not skip: CI names it in TESTS_REQUIRE, as `sandbox browser`."""

from __future__ import annotations

import os


def in_this_run(thing: str) -> bool:
    """Return whether tests that need it are to fail where it is missing, and not to be skipped."""
    return thing in os.environ.get("TESTS_REQUIRE", "").split()
