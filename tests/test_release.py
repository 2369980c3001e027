"""What `make exercises` writes is what is there."""

import runpy
import subprocess
import sys
from pathlib import Path

import nbformat
import points
import pytest

ROOT = Path(__file__).resolve().parent.parent


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".ipynb_checkpoints" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_exercises_are_what_make_exercises_writes(tmp_path):
    subprocess.run([sys.executable, ROOT / "tools" / "release.py", "--into", tmp_path / "new"], check=True)
    assert tree(tmp_path / "new") == tree(ROOT / "exercises"), "run `make exercises` and commit the result"


def test_the_second_ways_are_those_of_the_solutions():
    written = ROOT / "autograder" / "exercises" / "second_ways.json"
    tool = runpy.run_path(str(ROOT / "tools" / "second_ways.py"))
    told = tool["as_text"](tool["second_ways"](ROOT / "solutions"))
    assert told == written.read_text(encoding="utf-8"), "run `make exercises` and commit the result"


@pytest.mark.parametrize("path", sorted(ROOT.glob("solutions/*/*.ipynb")), ids=lambda path: path.stem)
def test_points_and_minutes_are_those_of_the_data_and_their_sums(path):
    notebook = nbformat.read(path, as_version=4)
    before = nbformat.writes(notebook)
    assert nbformat.writes(points.with_points(notebook)) == before, (
        "run `make exercises` and commit the result"
    )


def test_an_exercise_less_is_taken_off_the_sums():
    notebook = nbformat.read(ROOT / "solutions" / "04-first-function" / "04-exercises.ipynb", as_version=4)
    title = notebook.cells[0]
    sums = points.SUMS.search(title.source)[0]
    dropped = next(row for row in points.ROW.finditer(title.source))
    title.source = title.source.replace(f"{dropped[0]}\n", "")
    said = points.SUMS.search(points.with_points(notebook).cells[0].source)[0]
    assert float(said.split()[0]) == float(sums.split()[0]) - float(dropped["points"])
    assert abs(int(sums.split()[3]) - int(dropped["minutes"]) - int(said.split()[3])) <= points.STEP
