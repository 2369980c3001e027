"""`autograder new` writes an exercise that works, in all its places, and changes nothing else."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from argument_text import paragraph

from autograder.skeleton.write import write

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = Path("solutions/04-first-function/04-exercises.ipynb")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what the command reads and writes."""
    clone = tmp_path_factory.mktemp("clone")
    for folder in ("autograder", "course", "solutions", "tools"):
        shutil.copytree(ROOT / folder, clone / folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    (clone / "tests" / "submissions").mkdir(parents=True)
    return clone


def run(clone: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *command], cwd=clone, capture_output=True, text=True)


@pytest.mark.long
def test_a_new_exercise_works_before_it_is_filled_in(clone: Path) -> None:
    before = nbformat.read(clone / NOTEBOOK, as_version=4).cells
    cells, number = len(before), len(re.findall(r"^\| \d+ \|", before[0].source, re.MULTILINE)) + 1
    done = run(clone, "autograder", "new", "double_it", "--lesson", "4")
    assert done.returncode == 0, done.stderr
    written = [line for line in done.stdout.splitlines() if (clone / line).is_file()]
    assert written == ["autograder/exercises/lesson_04.py", str(NOTEBOOK), "tests/submissions/double_it.py"]

    assert "DoubleIt (x)" in run(clone, "autograder", "list").stdout
    right, wrong = clone / "right.py", clone / "wrong.py"
    _, first, second = (clone / written[2]).read_text().split("# %% ")
    right.write_text(f"# {first}")
    wrong.write_text(f"# {second}")
    checked = run(clone, "autograder", "check", "double_it", str(right))
    assert checked.returncode == 0, checked.stdout
    checked = run(clone, "autograder", "check", "double_it", str(wrong))
    assert checked.returncode == 1
    assert "wrong-factor" in checked.stdout

    notebook = nbformat.read(clone / NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert f"| {number} | `double_it` |" in notebook.cells[0].source
    added = [cell.source for cell in notebook.cells[cells:] if cell.cell_type == "code"]
    script = clone / "solution.py"
    imports = next(cell.source for cell in notebook.cells if cell.id == "imports")
    script.write_text("\n".join([imports, *added[:-1], f"assert {added[-1]} == 4"]))
    done = subprocess.run([sys.executable, script], cwd=clone, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

    again = run(clone, "autograder", "new", "double_it", "--lesson", "4")
    assert again.returncode == 2
    assert again.stderr.startswith("autograder: Lesson 4 already has an exercise double_it.")


@pytest.mark.parametrize("lesson", range(4, 13))
def test_in_every_lesson_its_data_and_its_cells_have_what_they_need(tmp_path: Path, lesson: int) -> None:
    """The data and the solution run, the table keeps its columns, and no name is undefined."""
    (notebook,) = ROOT.glob(f"solutions/{lesson:02}-*/{lesson:02}-exercises.ipynb")
    data = Path(f"autograder/exercises/lesson_{lesson:02}.py")
    for path in (data, notebook.relative_to(ROOT)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    (tmp_path / "tests" / "submissions").mkdir(parents=True)
    written = write(tmp_path, "double_it", lesson)
    exercise = runpy.run_path(str(written[0]))["EXERCISES"][-1]
    assert exercise.id == "double_it"
    cells = nbformat.read(written[1], as_version=4).cells
    table = [line.count("|") for line in cells[0].source.splitlines() if line.startswith("|")]
    assert len(set(table)) == 1
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    exec("\n".join([code[0], code[-3]]), {})
    assert paragraph(exercise) in code[-3]
    lint = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F", *written[:2]]
    done = subprocess.run(lint, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("other", ["04-a-midterm", "04-first-function-2027"])
def test_a_variant_beside_the_lessons_own_assignment_stays_as_it_is(clone: Path, other: str) -> None:
    copy = clone / "solutions" / other / NOTEBOOK.name
    copy.parent.mkdir()
    shutil.copy(clone / NOTEBOOK, copy)
    before = copy.read_bytes()
    name = f"my_cube_{other[-1]}"
    done = run(clone, "autograder", "new", name, "--lesson", "4")
    assert str(NOTEBOOK) in done.stdout.splitlines()
    assert f"`{name}`" in (clone / NOTEBOOK).read_text()
    assert copy.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("Kill Head", "--lesson", "4"), "is not an id"),
        (("kill_head", "--lesson", "4"), "Lesson 4 already has an exercise kill_head"),
        (("new_one", "--lesson", "13"), "There is no autograder/exercises/lesson_13.py"),
        (("new_one", "--lesson", "3"), "Lesson 3 imports no torch"),
    ],
)
def test_what_cannot_be_written_is_told_and_nothing_changes(
    clone: Path, arguments: tuple[str, ...], told: str
) -> None:
    before = {path: path.read_bytes() for path in clone.rglob("*.py")}
    done = run(clone, "autograder", "new", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("autograder: ")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert {path: path.read_bytes() for path in clone.rglob("*.py")} == before
