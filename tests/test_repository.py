"""The repository's address stands in one place, and all links to it come from there."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import repository
import set_home
from shipped import ship

ROOT = Path(__file__).resolve().parent.parent
NOBODYS = r"(https://|github\.com[:/]|/gh/)OWNER"
LAUNCH = re.compile(r"https://mybinder\.org/v2/[^)\s\"]*")


def test_binder_opens_a_page_of_the_course_in_jupyterlab():
    start = f"https://mybinder.org/v2/gh/{repository.owner_and_name()}/HEAD?urlpath="
    assert repository.launch() == start + "lab/tree/course/01-reverse-accumulation.ipynb"
    assert (ROOT / repository.FIRST_PAGE).is_file()


def test_the_readme_has_badges_as_soon_as_there_is_a_home():
    readme = (ROOT / "README.md").read_text()
    assert set_home.BADGES + repository.badges() + "\n" in readme
    assert LAUNCH.findall(readme) == ([] if repository.is_placeholder() else [repository.launch()])


def run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture
def copy(tmp_path):
    """A clone without the tests, which name a placeholder of their own."""
    shipped = ship(tmp_path / "copy", ".", ":!tests")
    run(shipped, "git", "init", "--quiet")
    run(shipped, "git", "add", ".")
    return shipped


def test_a_home_is_written_wherever_the_former_one_stood(copy):
    """Whatever make exercises writes from pyproject.toml is the same; a second home replaces the first."""
    asked = run(copy, sys.executable, "tools/set_home.py")
    assert "  course/01-reverse-accumulation.ipynb\n" in asked.stdout
    for name in ("somebody/course", "some-body/another.course"):
        owner, project = name.split("/")
        done = run(copy, sys.executable, "tools/set_home.py", f"https://github.com/{name}")
        assert done.returncode == 0, done.stderr
        assert asked.stdout.partition(" in:\n")[2] == done.stdout.partition(" into:\n")[2]
        readme = (copy / "README.md").read_text()
        assert f"](https://mybinder.org/v2/gh/{name}/HEAD?urlpath=" in readme
        assert f"](https://{owner}.github.io/{project}/)" in readme
        assert readme.count("[![") == 2
    assert run(copy, "git", "grep", "-E", NOBODYS).stdout == ""
    assert run(copy, "git", "grep", "-l", "somebody/course").stdout == ""
    written = run(copy, "git", "diff").stdout
    assert run(copy, sys.executable, "tools/opening_cells.py").returncode == 0
    assert run(copy, "git", "diff").stdout == written
    assert run(copy, sys.executable, "tools/notebooks.py").stdout.endswith(" notebooks, all clean\n")


def test_a_bad_address_changes_nothing_and_gets_one_sentence(copy):
    for address in ("course", "https://github.com/somebody", "git@github.com:somebody/course.git"):
        done = run(copy, sys.executable, "tools/set_home.py", address)
        assert done.returncode == 1
        assert re.fullmatch(
            rf"{re.escape(address)} is not the address of a repository, [^\n]*\n", done.stderr
        )
    assert run(copy, "git", "diff").stdout == ""


def test_the_reminder_follows_the_address(monkeypatch):
    for address, placeholder in (("OWNER/course", True), ("somebody/course", False)):
        monkeypatch.setattr(repository, "address", lambda address=address: f"https://github.com/{address}")
        assert repository.is_placeholder() == placeholder
        assert repository.owner_and_name() == address


PRIVATE = [
    "roster.csv",
    "groups.csv",
    "canvas-gradebook.csv",
    "2027-03-01T1200_Grades-AD101.csv",
    "moodle-worksheet.csv",
    "grades.csv",
    "term/Grades.xlsx",
    "04-first-function-moodle.csv",
    "04-first-function-canvas-feedback.zip",
    "midterm.zip",
    "term/submissions.zip",
    "gradebook.db",
    "gradebook.db-wal",
    "gradebook.db.2027-03-01-120000",
    "submitted/1/04-first-function/04-exercises.ipynb",
    "downloaded/04-first-function/refused/1/work.pdf",
    "variants/04-first-function-2027/1/04-exercises.ipynb",
    "reports/04-first-function/students.csv",
    "solutions/04-first-function-2027/04-exercises.ipynb",
    "exercises/04-first-function-2027/04-exercises.ipynb",
    "solutions/midterm/midterm.ipynb",
    "exercises/midterm/midterm.ipynb",
]


def test_git_knows_the_files_of_a_class_and_no_file_of_the_course(tmp_path):
    shutil.copy(ROOT / ".gitignore", tmp_path)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    own = [
        f"{path.relative_to(ROOT)}"
        for path in ROOT.glob("*/[0-9]*/*.ipynb")
        if (ROOT / "course" / f"{path.parent.name}.ipynb").exists()
    ]
    public = [
        *own,
        *(f"{path.relative_to(ROOT)}" for path in ROOT.glob("course/*.ipynb")),
        "site/wild/trials.csv",
    ]
    asked = subprocess.run(
        ["git", "check-ignore", "--stdin"],
        cwd=tmp_path,
        input="\n".join([*PRIVATE, *public]),
        capture_output=True,
        text=True,
    )
    assert asked.stdout.split() == PRIVATE
