"""The repository's address stands in one place, and all links to it come from there."""

import re
import shutil
import subprocess
from pathlib import Path

import repository

ROOT = Path(__file__).resolve().parent.parent
LAUNCH = re.compile(r"https://mybinder\.org/v2/[^)\s\"]*")


def test_binder_opens_a_page_of_the_course_in_jupyterlab():
    start = f"https://mybinder.org/v2/gh/{repository.owner_and_name()}/HEAD?urlpath="
    assert repository.launch() == start + "lab/tree/course/01-reverse-accumulation.ipynb"
    assert (ROOT / repository.FIRST_PAGE).is_file()


def test_the_readme_has_the_badge():
    readme = (ROOT / "README.md").read_text()
    assert repository.badge() in readme
    assert set(LAUNCH.findall(readme)) == {repository.launch()}


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
