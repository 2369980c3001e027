"""The table of mistakes: every example makes its mistake, and what is called its cure mends it."""

import pytest
import torch
from reader_site import mistakes, symptoms
from torch.autograd.gradcheck import GradcheckError

from vjpcheck.mistakes import MISTAKES

ROWS = {row.id: row for group in mistakes.read() for row in group.mistakes}
OF_AN_EXERCISE = [row for row in ROWS.values() if row.example.exercise]


def test_every_mistake_has_a_row():
    assert set(ROWS) == set(MISTAKES)


@pytest.mark.parametrize("row", OF_AN_EXERCISE, ids=lambda row: row.id)
def test_an_example_makes_its_mistake_and_its_edits_mend_it(row):
    example = row.example
    assert symptoms.autograder_says(example.wrong, example.exercise).findings[0].mistake == row.id
    mended = symptoms.autograder_says(example.right, example.exercise)
    assert mended.passed, str(mended)


def test_what_no_exercise_can_show_is_shown_by_gradcheck():
    (row,) = [row for row in ROWS.values() if row.example.exercise is None]
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
    names = {}
    exec(row.example.right, names)
    assert torch.autograd.gradcheck(names["Square"].apply, z)
    exec(row.example.wrong, names)
    with pytest.raises(GradcheckError, match="imaginary part"):
        torch.autograd.gradcheck(names["Square"].apply, z)


def test_messages_are_those_of_this_pytorch():
    said = symptoms.pytorch_says(ROWS["too-few-gradients"].example)
    assert said.text.endswith("returned an incorrect number of gradients (expected 2, got 1)")
    assert symptoms.pytorch_says(ROWS["state-on-class"].example).when.startswith("when another call")
    assert symptoms.pytorch_says(ROWS["output-kept-on-ctx"].example) is None
