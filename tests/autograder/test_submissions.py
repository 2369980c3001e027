"""The judge judged: every file under tests/submissions says in its first line what must come out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder import worker
from autograder.capture import captured_output
from autograder.exercises import EXERCISES, find
from autograder.feedback import judge
from autograder.mistakes import MISTAKES
from autograder.result import CannotRun, Result
from autograder.submission import load
from autograder.worker import RemoteProbe

SUBMISSIONS = Path(__file__).parents[1] / "submissions"
MARK = "# expected: "
FILES = sorted(SUBMISSIONS.glob("*/*.py"))


def expectation(path: Path) -> str:
    return path.read_text().splitlines()[0].removeprefix(MARK)


def of(*expected: str, hostile: bool = False) -> list[object]:
    """Return the files with these expectations (with none: the wrong ones), with readable ids."""
    special = {"right", "cannot run"}
    return [
        pytest.param(path, id=f"{path.parent.name}/{path.stem}")
        for path in FILES
        if path.name.startswith("hostile_") == hostile
        and (expectation(path) in expected or (not expected and expectation(path) not in special))
    ]


@pytest.fixture(autouse=True)
def _settings_of_torch() -> Iterator[None]:
    """Put back what a submission may change for its whole process."""
    yield
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    torch.set_printoptions(profile="default")


def verdict(path: Path, seed: int) -> Result:
    exercise = find(path.parent.name)
    with captured_output():
        return judge(exercise, exercise.probe(load(path, exercise.object_name)), seed)


@pytest.mark.parametrize("path", of("right"))
def test_right_work_passes_in_full(path: Path) -> None:
    for seed in range(5):
        result = verdict(path, seed)
        assert result.passed, str(result)
        assert result.score == result.max_score


@pytest.mark.parametrize("path", of())
def test_wrong_work_never_passes_and_the_first_finding_is_its_mistake(path: Path) -> None:
    for seed in range(3):
        result = verdict(path, seed)
        assert not result.passed
        assert result.score < result.max_score
        assert result.findings, "work that does not pass must be told why"
        assert (result.findings[0].mistake or "wrong") == expectation(path), str(result)


@pytest.mark.parametrize("path", of("cannot run"))
def test_what_cannot_be_run_is_told_in_one_sentence(path: Path) -> None:
    with pytest.raises(CannotRun, match=r"^[^\n]+$"):
        verdict(path, 0)


@pytest.mark.parametrize("path", of("right", "wrong", "cannot run", *MISTAKES, hostile=True))
def test_what_work_does_to_its_process_reaches_no_verdict(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "SECONDS_AT_MOST", 8.0 if expectation(path) != "cannot run" else 4.0)
    exercise = find(path.parent.name)
    try:
        with RemoteProbe(exercise.id, path) as probe:
            result = judge(exercise, probe, seed=0)
    except CannotRun:
        assert expectation(path) == "cannot run"
        return
    found = "right" if result.passed else result.findings[0].mistake or "wrong"
    assert found == expectation(path), str(result)


def test_a_syntax_error_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "work.py"
    path.write_text("import torch\n\nclass KillHead(torch.autograd.Function)\n    pass\n")
    with pytest.raises(CannotRun, match="syntax error in line 3"):
        load(path, "KillHead")


def test_the_corpus_covers_every_exercise() -> None:
    for exercise in EXERCISES.values():
        expected = [expectation(path) for path in FILES if path.parent.name == exercise.id]
        assert expected.count("right") >= 3, exercise.id
        assert sum(mistake != "right" for mistake in expected) >= 5, exercise.id


def test_every_expectation_is_one_that_can_come_out() -> None:
    possible = {"right", "wrong", "cannot run", *MISTAKES}
    for path in FILES:
        assert path.read_text().startswith(MARK), path
        assert expectation(path) in possible, path


def test_every_named_mistake_has_a_submission() -> None:
    no_exercise_has_complex_inputs = {"missing-conjugate"}
    assert set(MISTAKES) - {expectation(path) for path in FILES} == no_exercise_has_complex_inputs


class Affine(torch.autograd.Function):
    """Right but for `times`, by which the gradient is multiplied."""

    times = 1.0

    @classmethod
    def forward(cls, ctx, x, scale, shift):
        ctx.scale = scale
        return x * scale + shift

    @classmethod
    def backward(cls, ctx, g):
        return g * ctx.scale * cls.times, None, None


def judged(times: float, seed: int) -> Result:
    exercise = find("affine")
    return judge(exercise, exercise.probe(type(Affine)("Affine", (Affine,), {"times": times})), seed)


@settings(max_examples=20, deadline=None)
@given(st.floats(-5, 5).filter(lambda k: abs(k) > 0.01 and abs(k - 1) > 1e-3), st.integers(0, 2**32))
def test_a_multiple_of_the_gradient_is_named(times: float, seed: int) -> None:
    result = judged(times, seed)
    assert not result.passed
    assert result.findings[0].mistake == ("wrong-sign" if times == -1 else "wrong-factor")


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32))
def test_no_seed_accuses_right_work(seed: int) -> None:
    result = judged(1.0, seed)
    assert result.passed, str(result)
