"""PyTorch's messages about shapes in backward: a cause is named only where a line leaves no doubt."""

from __future__ import annotations

from pathlib import Path

import pytest
from verdicts import verdict_on

from autograder.exercises import find
from vjpcheck.source_file import load

FRAME = """import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / x.norm(dim=-1)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        {}
"""

LINES = [
    ("return -g * y**3 * x", "missing-expand"),
    ("return -((g * y**3).expand(x.shape)) * x", "expanded-wrong-axis"),
    ("return -x / (x * x).sum(-1) ** 1.5", "missing-grad-output"),
    ("n = x.norm(dim=-1)\n        u = x / n\n        return -u / n**2 * g", "lost-keepdim"),
    ("return g @ x @ x", "missing-transpose"),
    # the cause is anybody's guess; that shapes do not fit is true
    ("return -(y**3)[..., None] * x * g", "wrong-shape"),
    ("return -(y**3 * x) * g.unsqueeze(-1)", "wrong-shape"),
    ("return -(g * y**3).view(3, -1) * x", "wrong-shape"),
]


@pytest.mark.parametrize(("line", "mistake"), LINES)
def test_a_line_that_raises(line: str, mistake: str, tmp_path: Path) -> None:
    path = tmp_path / "work.py"
    path.write_text(FRAME.format(line))
    exercise = find("reciprocal_norm")
    result = verdict_on(exercise, load(path, exercise.object_name), 0)
    assert not result.passed
    assert result.findings[0].mistake == mistake, str(result)
