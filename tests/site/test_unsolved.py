"""A site for a class whose solutions stay private: no page has code that solves an exercise."""

import shutil

import nbformat
import pytest
from reader_site import ROOT, mistakes, mistakes_page, notebooks, stage

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


@pytest.fixture
def staged(tmp_path, monkeypatch):
    """Return a function that stages a course with a variant, a midterm, and a trial beside an assignment."""
    for name in ("01-reverse-accumulation", "04-first-function"):
        for step in ("exercises", "solutions"):
            shutil.copytree(ROOT / step / name, tmp_path / step / name)
        (tmp_path / "course").mkdir(exist_ok=True)
        shutil.copy(ROOT / "course" / f"{name}.ipynb", tmp_path / "course")
    shutil.copy(ROOT / stage.FIGURES, tmp_path / "course")
    for step in ("exercises", "solutions"):
        whole = tmp_path / step / "04-first-function" / "04-exercises.ipynb"
        for other in ("04-first-function-2027/04-exercises", "midterm/midterm", "04-first-function/trial"):
            (tmp_path / step / other).parent.mkdir(exist_ok=True)
            shutil.copy(whole, tmp_path / step / f"{other}.ipynb")
    monkeypatch.setattr(stage, "ROOT", tmp_path)
    monkeypatch.setattr(stage, "SOURCE", tmp_path / "source")
    monkeypatch.setattr(stage, "_run", lambda *_: {})
    monkeypatch.setattr(stage.page_cells, "write", lambda _: None)
    monkeypatch.setattr(stage, "STATIC", tmp_path / "static")

    def pages(*others):
        stage.stage(True, others)
        contents = (tmp_path / "source" / "index.md").read_text()
        return {path.parent.name for path in tmp_path.glob("source/exercises/*/*.ipynb")}, contents

    return pages


def test_a_variant_and_a_midterm_are_built_by_name_alone(staged):
    lessons = {"01-reverse-accumulation", "04-first-function"}
    names, contents = staged("midterm")
    assert names == {*lessons, "midterm"}
    assert "exercises/midterm/midterm>" in contents
    names, contents = staged()
    assert names == lessons
    assert "midterm" not in contents
    assert "2027" not in contents
    with pytest.raises(SystemExit, match="There is no assignment final: no notebook in exercises/final/"):
        staged("final")


def test_a_notebook_beside_a_lessons_assignment_is_not_built(staged, tmp_path):
    staged()
    assert not list(tmp_path.glob("source/**/trial*"))
