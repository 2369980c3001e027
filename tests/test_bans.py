"""What the text of an assignment does not allow is looked for: wrong work in the corpus does it."""

import re
from pathlib import Path

import nbformat
import pytest
import submissions

from autograder.exercises import EXERCISES

SOLUTIONS = sorted((Path(__file__).resolve().parent.parent / "solutions").glob("[0-9][0-9]-*/*.ipynb"))
SENTENCE = re.compile(r"(?<=[.!?])\s+")
BAN = re.compile(
    r"may not|(do|must) not (use|call)|not (accepted|allowed)|no (place|points)|forbid|\bexcept\b|but not in",
    re.IGNORECASE,
)
NAME = re.compile(r"`@?(torch[\w.]*|[a-z_]+(?=\(\))|\w*vp|vhp|jac\w+|once_differentiable)(?:\(\))?`")


def bans(path: Path) -> set[str]:
    """Return the names of what is not allowed: in each sentence with a ban all calls and parts of torch."""
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]
    sentences = [each for cell in cells for each in SENTENCE.split(cell.source) if BAN.search(each)]
    return {name for each in sentences for name in NAME.findall(each)}


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.parent.name)
def test_what_is_not_allowed_is_done_by_wrong_work_that_fails(path):
    tried = "".join(
        submission.source
        for exercise in EXERCISES.values()
        if exercise.lesson == int(path.parent.name[:2])
        for submission in submissions.of(exercise.id)
        if submission.expected != "right"
    )
    tried = re.sub(r"autograd\.(Function|function)\b|autograd import Function", "", tried)
    names = {name: name.rpartition(".")[2] for name in bans(path)}
    untried = [name for name, last in names.items() if not re.search(rf"\b{last}\b", tried)]
    assert untried == [], "add a submission that uses it to the corpus, or allow it"


def test_bans_are_seen():
    assert sum(map(len, map(bans, SOLUTIONS))) > 10
