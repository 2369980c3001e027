"""The judge judged: every cell of tests/submissions says in its header what must come out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import submissions
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from run_seed import RUN_SEED
from submissions import Submission
from tiers import first_now
from verdicts import in_a_word, verdict, verdict_apart, verdict_on

from autograder.exercises import EXERCISES, find
from vjpcheck import worker
from vjpcheck.mistakes import MISTAKES
from vjpcheck.result import CannotRun, Result
from vjpcheck.source_file import load

CORPUS = submissions.every()
CANNOT_RUN = [s for s in CORPUS if s.expected == "cannot run" and not s.hostile]
# two of each exercise; make test-all judges all, in the sandbox and with another seed
RIGHT_NOW = [submission for exercise in EXERCISES for submission in submissions.right(exercise)[:2]]
WRONG = [submission for exercise in EXERCISES for submission in submissions.mistaken(exercise)]
WRONG_NOW = submissions.each_mistake_in(3)  # make test-all judges all, with another seed
ENDLESS = [
    submissions.named(f"kill_head/hostile_{what}") for what in ("endless_backward", "sleeps_on_import")
]
HOSTILE = [submission for submission in CORPUS if submission.hostile and submission not in ENDLESS]


def fails(submission: Submission, seed: int) -> None:
    result = verdict(submission, seed)
    assert not result.passed
    assert result.score < result.max_score
    assert result.findings, "work that does not pass must be told why"
    assert in_a_word(result) == submission.expected, str(result)


@pytest.mark.parametrize("submission", RIGHT_NOW, ids=str)
def test_right_work_passes_in_full(submission: Submission) -> None:
    result = verdict(submission, submission.seed)
    assert result.passed, str(result)
    assert result.score == result.max_score


@pytest.mark.parametrize("submission", WRONG_NOW, ids=str)
def test_wrong_work_never_passes_and_the_first_finding_is_its_mistake(submission: Submission) -> None:
    fails(submission, submission.seed)


@pytest.mark.long
@pytest.mark.parametrize("submission", WRONG, ids=str)
def test_the_first_finding_is_the_mistake_with_another_seed(submission: Submission) -> None:
    fails(submission, RUN_SEED)


@pytest.mark.parametrize("submission", CANNOT_RUN, ids=str)
def test_what_cannot_be_run_is_told_in_one_sentence(submission: Submission) -> None:
    with pytest.raises(CannotRun, match=r"^[^\n]+$"):
        verdict(submission, 0)


@pytest.mark.parametrize("submission", first_now(HOSTILE, 4), ids=str)
def test_what_work_does_to_its_process_reaches_no_verdict(submission: Submission) -> None:
    if submission.expected == "cannot run":
        with pytest.raises(CannotRun, match=r"^(?!.*took longer)"):
            verdict_apart(submission, 0)
    else:
        result = verdict_apart(submission, 0)
        assert in_a_word(result) == submission.expected, str(result)


@pytest.mark.parametrize("submission", ENDLESS, ids=str)
def test_work_that_never_ends_is_stopped(submission: Submission, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SECONDS_AT_MOST", 4.0)
    with pytest.raises(CannotRun, match="took longer than 4 seconds"):
        verdict_apart(submission, 0)


def test_a_syntax_error_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "work.py"
    path.write_text("import torch\n\nclass KillHead(torch.autograd.Function)\n    pass\n")
    with pytest.raises(CannotRun, match="syntax error in line 3"):
        load(path, "KillHead")


@pytest.mark.shipped
def test_the_corpus_covers_every_exercise() -> None:
    assert {submission.exercise for submission in CORPUS} == set(EXERCISES)
    for name in EXERCISES:
        expected = [submission.expected for submission in submissions.of(name)]
        assert expected.count("right") >= 3, name
        assert sum(mistake != "right" for mistake in expected) >= 5, name


def test_every_expectation_is_one_that_can_come_out() -> None:
    possible = {"right", "wrong", "cannot run", *MISTAKES}
    assert not [str(submission) for submission in CORPUS if submission.expected not in possible]


@pytest.mark.shipped
def test_every_named_mistake_has_a_submission() -> None:
    no_exercise_has_complex_inputs = {"missing-conjugate"}
    assert set(MISTAKES) - {submission.expected for submission in CORPUS} == no_exercise_has_complex_inputs


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
    return verdict_on(find("affine"), type(Affine)("Affine", (Affine,), {"times": times}), seed)


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


# exercises in which the first output may equal an input: for some arguments, or always
MAY_EQUAL = [
    "kill_head",
    "affine",
    "dropout_mask",
    "threshold_mask",
    "round_ste",
    "gradient_reversal",
    "clip_gradient",
]


@pytest.mark.parametrize("id", MAY_EQUAL)
def test_an_input_is_not_returned_where_the_output_equals_it(id: str) -> None:
    submission = submissions.right(id)[0]
    base = load(submission.file(), find(id).object_name)

    def forward(*given: Any) -> Any:
        outputs = base.forward(*given)
        first, *others = outputs if isinstance(outputs, tuple) else (outputs,)
        equal = (x for x in given if isinstance(x, torch.Tensor) and torch.equal(x, first))
        first = next(equal, first)
        return (first, *others) if others else first

    work = type(base)(base.__name__, (base,), {"forward": staticmethod(forward)})
    assert in_a_word(verdict_on(find(id), work, 0)) == "returns-input-unchanged"


BASE = """# %% plain expected: right
# The product rule.
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g


# %% bad_zero expected: missing-gradient
zero = 0


"""


def source_of_edit(tmp_path: Path, header: str, edit: str) -> str:
    """Return the source of a cell that stands below those of BASE."""
    path = tmp_path / "double.py"
    path.write_text(f"{BASE}{header}\n{edit}")
    return submissions.read(path)[-1].source


def test_an_edit_changes_lines_of_its_right_cell(tmp_path: Path) -> None:
    header = "# %% bad_sign expected: wrong-sign from: plain"
    edit = """# The sign is lost.
# - import torch
# + from torch import autograd

# - class Double(torch.autograd.Function):
# + class Double(autograd.Function):

#       def backward(ctx, g):
# +         g = -g
"""
    expected = f"""{header}
# The sign is lost.
from torch import autograd


class Double(autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        g = -g
        return 2 * g
"""
    assert source_of_edit(tmp_path, header, edit) == expected


@pytest.mark.parametrize(
    ("base", "edit", "reason"),
    [
        (
            "plain",
            "# -         return 3 * g\n# +         return g\n",
            "the hunk that begins with '# -         return 3 * g' fits 0 places and not one",
        ),
        (
            "plain",
            "# -     @staticmethod\n",
            "the hunk that begins with '# -     @staticmethod' fits 2 places and not one",
        ),
        (
            "plain",
            "# +         return g\n",
            "the hunk that begins with '# +         return g' fits 11 places and not one",
        ),
        (
            "plain",
            "# -         return 2 * g\n# Half of it.\n",
            "'# Half of it.' is not `# - LINE`, `# + LINE` or `#   LINE`",
        ),
        ("plain", "# Nothing is changed.\n", "the edit has no line `# - LINE` or `# + LINE`"),
        ("other", "# -         return 2 * g\n", "other is not a right cell that is written in full"),
        ("bad_zero", "# - zero = 0\n", "bad_zero is not a right cell that is written in full"),
        ("half", "# -         return 2 * g\n", "half is not a right cell that is written in full"),
    ],
    ids=[
        "not found",
        "found twice",
        "no place",
        "line of no hunk",
        "no hunk",
        "no base",
        "wrong base",
        "edit as base",
    ],
)
def test_an_edit_that_does_not_fit_is_refused(tmp_path: Path, base: str, edit: str, reason: str) -> None:
    header = f"# %% half expected: right from: {base}"
    with pytest.raises(ValueError, match=f"^{re.escape(f'{tmp_path}/double.py: half: {reason}')}$"):
        source_of_edit(tmp_path, header, edit)
