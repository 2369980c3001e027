"""Names that are no student's id, and text that is more than text: neither gets anywhere as it is."""

import csv
import json
import os
import re
import sqlite3

import pytest
from browser import needs_browser, open_browser
from made_course import ASSIGNMENT, run

from .conftest import NOTEBOOK

# a byte that is no UTF-8, a terminal's colour, a change of direction, a line, a tag, a very long name
ODD = {
    os.fsdecode(b"fran\xe7ois"): r"fran\xe7ois",
    "red\x1b[31m": r"red\x1b[31m",
    "txt.\u202eexe": r"txt.\u202eexe",
    "two\nlines": r"two\nlines",
    "line\u2028separator": r"line\u2028separator",
    "<img src=x onerror=run()>": "<img src=x onerror=run()>",
    "=1+1": "=1+1",
    "...": "...",
    "n" * 200: "n" * 60 + "…",
}
HONEST = ("ana", "o'brien@example.org", "Grünwald, Max (2)", "李明", "s-01.b")
# a browser that shows one of these as anything but text runs it
SCRIPT = "<img src=x onerror=run(1)><script>run(2)</script>$\\href{javascript:run(3)}{x}$"
QUOTING = """
class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        return torch.autograd.grad(grad_output, ctx.scale, "%s")[0], None, None


print("%s")
eval("1")  # %s
"""
COMMENTS = "select auto_comment from comment where auto_comment is not null"


def _in_gradebook(course) -> list[str]:
    with sqlite3.connect(course.path / "gradebook.db") as book:
        return [name for (name,) in book.execute("select id from student order by id")]


def _hand_in(course) -> None:
    for student in (*ODD, *HONEST):
        course.submit(student, course.right("affine"))


def _is_told_safely(said: str, names) -> None:
    told = said[said.index("Not graded, because the name is not a valid student id") :]
    assert [name for name in names if f"{name}: it " not in told] == []
    assert not set(said) & {"\x1b", "\u202e", "\u2028"}
    assert "Traceback" not in said


@pytest.fixture(scope="module")
def odd(course):
    _hand_in(course)
    course.said = run(course.path, "autograder", "grade", ASSIGNMENT, "--jobs", "1", expect=1).stdout
    return course


def test_who_is_named_oddly_is_told_once_and_all_others_are_graded(odd):
    _is_told_safely(odd.said, ODD.values())
    assert odd.said.startswith(f"{ASSIGNMENT}: {len(HONEST)} of {len(HONEST) + len(ODD)} students graded")
    assert _in_gradebook(odd) == sorted(HONEST)


@pytest.mark.long
def test_nbgraders_own_command_does_the_same(new_course):
    _hand_in(new_course)
    said = run(new_course.path, "nbgrader", "autograde", ASSIGNMENT, expect=1).stderr
    _is_told_safely(said, set(ODD.values()) - {"..."})  # what begins with a dot it does not see
    assert _in_gradebook(new_course) == sorted(HONEST)


def test_the_report_knows_only_the_others(odd):
    run(odd.path, "autograder", "report", ASSIGNMENT)
    with (odd.path / "reports" / ASSIGNMENT / "results.csv").open(encoding="utf-8", newline="") as file:
        assert {row["student"] for row in csv.DictReader(file)} == {*HONEST}


def test_files_named_by_student(new_course, tmp_path):
    text = new_course.submit("ana", new_course.right("affine")).read_bytes()
    for student in ("ben", "...", "<b>", os.fsdecode(b"\xff")):
        (tmp_path / f"{student}.ipynb").write_bytes(text)
    grade = ("autograder", "grade", ASSIGNMENT, "--jobs", "1", "--from", str(tmp_path), "--json")
    done = run(new_course.path, *grade, expect=1)
    assert [json.loads(line)["student"] for line in done.stdout.splitlines()] == ["ben"]
    assert r"  \xff: it has the character \xff" in done.stderr


@pytest.fixture(scope="module")
def scripts(odd):
    """Scripts in the name of a file, in a quoted line, in what is printed and in an error."""
    quoting = odd.notebook({"affine": QUOTING.replace("%s", SCRIPT.replace("\\", r"\\"))})
    odd.submit("ana", quoting)
    (odd.folder("ana") / f"{NOTEBOOK}.ipynb").rename(odd.folder("ana") / f"{SCRIPT.replace('/', '')}.ipynb")
    folder = odd.folder("s-01.b")
    (folder / f"{NOTEBOOK}.ipynb").unlink()
    for name in (SCRIPT.replace("/", "").encode() + b"\xff", b"two\x1b[31m"):
        with open(os.fsencode(folder) + b"/" + name + b".ipynb", "w") as file:
            file.write("{}")
    run(odd.path, "autograder", "grade", ASSIGNMENT, "--jobs", "1", expect=1)
    run(odd.path, "nbgrader", "generate_feedback", ASSIGNMENT)
    run(odd.path, "autograder", "report", ASSIGNMENT)
    return odd


@needs_browser
def test_no_page_runs_what_a_student_wrote(scripts):
    """nbgrader shows comments as Markdown: what is quoted there is text all the same."""
    pages = [
        scripts.path / "feedback" / student / ASSIGNMENT / f"{NOTEBOOK}.html" for student in ("ana", "s-01.b")
    ]
    pages.append(scripts.path / "reports" / ASSIGNMENT / "index.html")
    ran = []
    with open_browser() as browser:
        page = browser.new_context(offline=True).new_page()
        page.expose_function("run", lambda *which: ran.append(which))
        for path in pages:
            page.goto(path.as_uri())
            page.wait_for_load_state("load")
            assert page.get_by_text("<img src=x onerror=run(1)>").count() > 0, path
            assert page.locator("img[src=x], a[href^=javascript]").count() == 0, path
    assert ran == []


def test_comments_are_markdown_that_says_what_was_quoted(scripts):
    from vjpcheck.escaping import from_markdown

    with sqlite3.connect(scripts.path / "gradebook.db") as book:
        comments = [comment for (comment,) in book.execute(COMMENTS)]
    assert not [comment for comment in comments if re.search(r"(?<!\\)[<$\x1b]", comment)]
    assert any("There is no notebook 04-exercises.ipynb, only" in comment for comment in comments)
    assert any(SCRIPT.replace("/", "")[:30] in from_markdown(comment) for comment in comments)


def test_a_file_name_that_is_no_utf8_is_told_and_graded_once(scripts):
    rows = run(scripts.path, "autograder", "grade", ASSIGNMENT, "--jobs", "1", "--json", expect=1).stdout
    row = next(row for row in map(json.loads, rows.splitlines()) if row["student"] == "s-01.b")
    assert (row["score"], row["again"], row["fault"]) == (0, True, "")
