"""Settings for all tests."""

import os

# Before torch is imported, here and in all that the tests start: one worker a core, so one thread a process.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from pathlib import Path

import pytest
import repository
from hypothesis import settings

# An example may be slow on a busy machine without being wrong.
settings.register_profile("project", deadline=None)
settings.load_profile("project")


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return a folder of all the processes of this run."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Remind of the placeholder; it is no failure, the course works without an address."""
    if repository.is_placeholder():
        terminalreporter.section("before publishing")
        terminalreporter.write_line(repository.REMINDER)
