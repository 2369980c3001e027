"""Settings for all tests."""

import os

# Before torch is imported, here and in all that the tests start: each core has a process already.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

# nbgrader calls alembic and jupyter by name, however the tests are started
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"

import own_folders
import pytest
import repository
import run_seed
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

own_folders.replace_unwritable()

# An example may be slow on a busy machine without being wrong.
settings.register_profile("project", deadline=None)
settings.load_profile("project")


# what grades an assignment of the course as it is shipped, and so knows its exercises and points
KNOW_AN_ASSIGNMENT = (
    "attacks",
    "autograder/feedback",
    "autograder/grading",
    "autograder/platforms",
    "autograder/report",
    "autograder/test_gradescope.py",
    "autograder/test_validate.py",
    "autograder/variants/test_variant.py",
    "journeys",
    "test_postgresql.py",
    "test_round_trip.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what holds for the course as it is shipped alone: `make test SHIPPED=0` leaves it out."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and item.path.relative_to(here).as_posix().startswith(
            KNOW_AN_ASSIGNMENT
        ):
            item.add_marker("shipped")


SITE = "tests/site/"


class ByFile(LoadFileScheduling):
    """Gives a file's tests to one process, and those of all files that read the built site."""

    def _split_scope(self, nodeid: str) -> str:
        # a second process would wait for the site, idle, as long as the first one builds it
        return SITE if nodeid.startswith(SITE) else super()._split_scope(nodeid)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one process more than there are cores: tests wait for browsers and commands that they start."""
    return (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile | None:
    """Choose how tests are distributed: `--dist loadfile` is by file, any other is as xdist has it."""
    return ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_report_header() -> str:
    """Say how to repeat this run: where a test fails at one seed alone, nothing else does."""
    return f"SEED={run_seed.RUN_SEED}"


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return a folder of all the processes of this run."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Say last what was not tried here and why, and remind of the placeholder, which is no failure."""
    yield
    if repository.is_placeholder():
        terminalreporter.section("before publishing")
        terminalreporter.write_line(repository.REMINDER)
    reasons = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", ()))
    if reasons:
        terminalreporter.section("not tried, and why")
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} test{'s' * (count > 1)}: {reason}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return why a test was skipped."""
    said = report.longrepr[2] if isinstance(report.longrepr, (tuple, list)) else str(report.longrepr)
    return str(said).removeprefix("Skipped: ")
