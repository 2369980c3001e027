"""A newcomer types the commands of README, CONTRIBUTING.md and the site into a plain shell, word for word."""

import csv
import re
import shlex
import shutil

import nbformat
import pytest
import repository
from isolation import ALLOW_IN_CONFIG, LEVEL
from made_class import Member, OnCanvas, OnMoodle
from made_course import ASSIGNMENT, NOTEBOOK
from shipped import ROOT, clone, in_a_plain_shell

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "site/index.md", "site/instructors.md")
PROGRAMS = r"(make|pip|uv|conda|jupyter|nbgrader|autograder|git|cd|sudo|\.|\.venv/bin/\S+) \S|make$"
# what a reader puts in the place of a word; a folder that is a clone already stands for another one
OWN = {"FILE": f"course/{ASSIGNMENT}.ipynb", "ADDRESS": shlex.quote(str(ROOT))}
OWN[f"git clone {repository.address()}"] = "ln -s . write-your-own-backward"
ELSEWHERE = {
    "make": "the name of a program",
    "make lab": "test_setup.py",
    "make test": "this is part of it",
    "make lint": "CI, beside the tests",
    "make types": "CI, beside the tests",
    "make test SHIPPED=0": "this may be part of it",
    "autograder grade midterm": "an example",
    ".venv/bin/autograder new ID --lesson N": "test_skeleton.py",
    "make test-all": "this may be part of it",
    "make test-all SEED=17": "this may be part of it",
    "make test-torch TORCH=2.15.0": "a workflow of its own",
    "make site": "tests/site",
    "make site SOLUTIONS=0": "tests/site/test_unsolved.py",
    "make site ALSO=midterm": "tests/site/test_unsolved.py",
    "make demo": "test_demo.py",
    "make exercises": "test_release.py",
    "make pictures": "test_notebooks.py",
    "make screenshots": "test_student.py, test_instructor.py, test_reader.py",
    '.venv/bin/vjpcheck site/gallery/02_softmax_across_rows.py:Softmax --inputs "randn(1, 3)"': (
        "test_diagnose.py"
    ),
    'vjpcheck demo/my_ops.py:RmsNorm --inputs "randn(3, 4), rand(4)" --like demo/my_ops.py:rms_norm': (
        "test_diagnose.py, test_alone.py"
    ),
    "jupyter lab": "test_setup.py",
    "autograder decide 04-first-function GROUP --points full": "test_report.py",
    "autograder decide": "the name of a command",
    "jupyter labextension disable @write-your-own-backward/student-view": "test_instructor.py",
    "autograder grade": "the name of a command",
    "nbgrader generate_feedback": "the name of a command",
    "nbgrader autograde": "the name of a command",
    "git tag v0.1.0": "a release, which is for those who may publish one",
    "git push origin main v0.1.0": "the same",
}
INSTALLS = r"(\.venv/bin/)?pip install|uv pip|conda |sudo apt install"


def commands(document):
    """Return what a text says is to be typed, in its order."""
    text = (ROOT / document).read_text()
    found = []
    parts = re.findall(r"^```(\w*).*?\n(.*?)^```|`([^`\n]+)`", text, re.DOTALL | re.MULTILINE)
    for language, block, span in parts:
        if language == "sh":
            found += [re.split(r"\s{2,}#", line)[0] for line in block.splitlines() if line]
        elif re.match(PROGRAMS, span):
            found.append(span)
    return list(dict.fromkeys(found))


def is_tried(command):
    example = "ID" in command  # an id to be put in its place
    return command not in ELSEWHERE and not re.match(INSTALLS, command) and not example


def typed(document):
    """Return a script of the commands that can be tried here."""
    script = "\n".join(filter(is_tried, commands(document)))
    for word, own in OWN.items():
        script = re.sub(rf"\b{re.escape(word)}\b", own, script)
    if LEVEL.weak:  # as the texts say
        script = re.sub(
            r"^\S*autograder (grade|export).*", r"\g<0> --allow-weak-isolation", script, flags=re.M
        )
    return script


@pytest.fixture
def folder(tmp_path):
    """A clone; work has come from three learning platforms, and a reader has written my_work.py."""
    folder = clone(tmp_path / "clone")
    with (folder / "nbgrader_config.py").open("a") as config:
        config.write(ALLOW_IN_CONFIG)
    archive = folder / "downloaded" / ASSIGNMENT / "archive"
    archive.mkdir(parents=True)
    shutil.copy(folder / "solutions" / ASSIGNMENT / NOTEBOOK, archive / f"ada_1234_5678_{NOTEBOOK}")
    shutil.copy(folder / "exercises" / ASSIGNMENT / NOTEBOOK, archive / f"bea_1234_5678_{NOTEBOOK}")
    right = (folder / "solutions" / ASSIGNMENT / NOTEBOOK).read_bytes()
    for platform in (OnCanvas, OnMoodle):
        students = [Member(31, "Alpha", "Opal", files=[(NOTEBOOK, right, False)])]
        there = platform(students)
        (folder / f"{there.name}-{there.called}.csv").write_bytes(there.table())
        (folder / "downloaded" / f"{there.name}-submissions.zip").write_bytes(there.download())
    (folder / "groups.csv").write_text("canvas_user_id,group_name\n31,Team 1\n")
    notebook = nbformat.read(folder / "solutions" / ASSIGNMENT / NOTEBOOK, as_version=4)
    work = (c.source for c in notebook.cells if c.id in ("imports", "kill_head"))
    (folder / "my_work.py").write_text("\n\n".join(work))
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def scores(folder):
    done = in_a_plain_shell(folder, ".venv/bin/nbgrader export --to=scores.csv")
    assert done.returncode == 0, done.stderr
    with (folder / "scores.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["assignment"] == ASSIGNMENT]
        return {row["student_id"]: float(row["score"]) for row in rows}


def test_a_student_types_what_the_readme_says(folder):
    script = typed("README.md")
    assert "autograder check kill_head my_work.py" in script
    done = in_a_plain_shell(folder, script)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "kill_head: all right" in done.stdout


@pytest.mark.long
def test_an_instructor_types_what_the_guide_says(folder):
    script = typed("site/instructors.md")
    assert "autograder grade" in script
    done = in_a_plain_shell(folder, script)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert scores(folder) == {"ada": 20, "bea": 0, "31": 20, "s31@example.org": 20}
    for made in folder.glob("exercises/*-2027"):  # variants, which are not shipped
        shutil.rmtree(made)
    assert contents(folder / "exercises") == contents(ROOT / "exercises")
    for platform in ("canvas", "moodle"):
        (row,) = re.findall(
            r"^.*\b31\b.*$", (folder / f"{ASSIGNMENT}-{platform}.csv").read_text(), re.MULTILINE
        )
        assert row.count("20.00") == (2 if platform == "moodle" else 1)
        assert (folder / f"{ASSIGNMENT}-{platform}-feedback.zip").exists()
    assert (folder / "feedback" / "ada" / ASSIGNMENT / NOTEBOOK).with_suffix(".html").exists()
    assert (folder / "reports" / ASSIGNMENT / "index.html").exists()


def test_a_contributor_types_what_the_text_says(folder):
    done = in_a_plain_shell(folder, "git init --quiet .\n" + typed("CONTRIBUTING.md"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / ".git" / "hooks" / "pre-commit").exists()


def test_a_reader_clones_what_is_shipped(tmp_path):
    done = in_a_plain_shell(tmp_path, typed("site/index.md") + "\nls")
    assert done.returncode == 0, done.stderr
    assert {"exercises", "solutions", "Makefile"} <= set(done.stdout.split())
    assert "gradebook.db" not in done.stdout


def test_what_is_tried_elsewhere_is_in_the_texts():
    assert set(ELSEWHERE) <= {command for document in DOCUMENTS for command in commands(document)}


def test_an_installation_names_the_requirements_that_there_are():
    from tomllib import loads

    extras = loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {extra for d in DOCUMENTS for c in commands(d) for extra in re.findall(r"-e '\.\[(\w+)\]'", c)}
    assert named == {"cluster", "grading", "postgresql"}
    assert named <= set(extras)


@pytest.mark.long
def test_nbgraders_autograde_comes_first_in_a_clone(folder):
    """It finds the assignment in the gradebook, which it could not if `grade` alone registered it there."""
    first = ".venv/bin/nbgrader zip_collect 04-first-function\n.venv/bin/nbgrader autograde 04-first-function"
    done = in_a_plain_shell(folder, first)
    assert done.returncode == 0, done.stderr
    assert scores(folder) == {"ada": 20, "bea": 0}
