"""The course with the release of PyTorch that is installed: `make test-torch` runs this with any of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
import submissions
import test_notebooks
from submissions import Submission
from verdicts import in_a_word, verdict

from autograder.exercises import EXERCISES

pytestmark = pytest.mark.torch_release

RIGHT = [submission for exercise in EXERCISES for submission in submissions.right(exercise)[:1]]
WRONG = [submission for exercise in EXERCISES for submission in submissions.mistaken(exercise)[:3]]


@pytest.fixture(scope="module", autouse=True)
def warm() -> Iterator[None]:
    """Have notebooks run in forks of a kernel that has imported torch."""
    with test_notebooks.warm_kernels():
        yield


@pytest.mark.parametrize("path", test_notebooks.LESSONS, ids=test_notebooks.name)
def test_a_lesson_runs_without_an_error_or_a_warning(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = nbformat.read(path, as_version=4)
    test_notebooks.execute_without_torch(notebook, path, monkeypatch)
    assert test_notebooks.stderr(notebook) == ""


@pytest.mark.parametrize("path", test_notebooks.SOLUTIONS, ids=test_notebooks.name)
def test_a_solution_gets_every_point(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test_notebooks.test_a_solution_gets_every_point(path, monkeypatch)


@pytest.mark.parametrize("submission", RIGHT, ids=str)
def test_right_work_passes(submission: Submission) -> None:
    result = verdict(submission, submission.seed)
    assert result.passed, str(result)


@pytest.mark.parametrize("submission", WRONG, ids=str)
def test_wrong_work_is_called_by_its_mistake(submission: Submission) -> None:
    result = verdict(submission, submission.seed)
    assert not result.passed
    assert in_a_word(result) == submission.expected, str(result)
