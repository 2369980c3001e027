"""A site for a class whose solutions stay private: no page has code that solves an exercise."""

import nbformat
import pytest
from reader_site import ROOT, mistakes, mistakes_page, notebooks

RELEASED = sorted(ROOT.glob("exercises/*/*.ipynb"))


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_an_assignment_is_shown_as_it_is_received_and_does_not_run(path):
    released = nbformat.read(path, as_version=4)
    page = notebooks.unsolved(nbformat.read(path, as_version=4))
    assert [cell.cell_type for cell in page.cells] == ["markdown"] * len(released.cells)
    text = "\n".join(cell.source for cell in page.cells)
    for cell in released.cells:
        if cell.cell_type == "code":
            assert f"```python\n{cell.source}\n```" in text


def test_the_table_of_mistakes_has_no_code_of_an_exercise(monkeypatch):
    monkeypatch.setattr(
        mistakes_page, "pytorch_says", lambda example: None
    )  # takes seconds, and is not asked here
    monkeypatch.setattr(mistakes_page, "gradcheck_passes", lambda example: False)
    groups = [mistakes.Group(g.title, g.about, g.mistakes[:2]) for g in mistakes.read()]
    shown, kept = (mistakes_page.write(groups, {}, "", solutions) for solutions in (True, False))
    assert shown.count("{code-block} diff") == sum(len(group.mistakes) for group in groups)
    assert kept.count("{code-block} diff") == sum(
        mistake.example.exercise is None for group in groups for mistake in group.mistakes
    )
