"""The line of `autograder grade` on the time that is left."""

import re

import pytest

from autograder.grading import cli
from autograder.grading.summary import Row


@pytest.mark.parametrize("workers", [1, 2, 16])
def test_the_time_that_is_left_is_right_from_its_first_mention(monkeypatch, capsys, workers):
    """The first worker is there after 10 s, the last one 5 s later; a submission takes one 2 s."""
    total, now = 300, 0.0
    monkeypatch.setattr(cli.time, "monotonic", lambda: now)
    ready = [10.0 + 5.0 * number / workers for number in range(workers)]
    ends = sorted(start + 2.0 * n for start in ready for n in range(1, total))[:total]
    progress, said = cli.Progress(total), {}
    for now in ends:
        progress.add(Row("ada", 20.0, 20.0), now > ready[-1])
        said[now] = capsys.readouterr().err
    estimates = [
        (now, match) for now, line in said.items() if (match := re.search(r"([\d.]+) (s|min) left", line))
    ]
    assert len(estimates) > 5
    for now, match in estimates:
        left = float(match[1]) * (60 if match[2] == "min" else 1)
        assert left == pytest.approx(ends[-1] - now, rel=0.35, abs=3)
