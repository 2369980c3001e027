"""Canvas: the work of groups, anonymous work, typed texts, other files, and the Test Student."""

import csv
import io

import nbformat
import pytest
from made_class import unzip, zipped
from made_course import ASSIGNMENT, NOTEBOOK, MadeCourse, run

PEOPLE = {11: ("Opal", "Alpha"), 12: ("Jade", "Beta"), 13: ("Onyx", "Gamma"), 14: ("Agate", "Delta")}
TITLE = "Exercises 4 (44)"


def gradebook(**columns: dict[int, str]) -> bytes:
    """Return a gradebook as Canvas exports it, with columns of notes between Section and the assignments."""
    file = io.StringIO()
    table = csv.writer(file)
    notes = [title.replace("_", " ") for title in columns]
    table.writerow(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *notes, TITLE])
    table.writerow(["    Points Possible", "", "", "", "", *("" for _ in notes), "20.00"])
    for number, (last, first) in PEOPLE.items():
        own = [column.get(number, "") for column in columns.values()]
        table.writerow([f"{last}, {first}", number, f"u{number}", f"login{number}", "1", *own, ""])
    table.writerow(["Student, Test", 99, "", "5f" * 20, "1", *("" for _ in notes), ""])
    return file.getvalue().encode()


GROUPS = b"""name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id
"Alpha Opal",11,u11,login11,1,Team 3,7,
"Beta Jade",,u12,,1,Team 3,7,
"Gamma Onyx",,,login13,1,Onyx_12_Jade,8,
"Delta Agate",14,u14,login14,1,,,
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    made = MadeCourse(tmp_path_factory.mktemp("made"))
    (made.folder / "canvas.csv").write_bytes(gradebook())
    said = run(made.folder, "autograder", "roster", "canvas.csv").stdout
    assert said == "canvas.csv: 4 students\n4 students enrolled, 4 of them new.\n"
    return made


def roster(course, tables, expect=0):
    for name, content in tables.items():
        (course.folder / name).write_bytes(content)
    return run(course.folder, "autograder", "roster", *tables, expect=expect)


def collect(course, files, *options, expect=0):
    (course.folder / "download.zip").write_bytes(zipped(files))
    return run(
        course.folder, "autograder", "collect", ASSIGNMENT, "download.zip", *options, expect=expect
    ).stdout


def submitted(course):
    return {
        path.parts[-3]: path.read_bytes() for path in course.folder.glob(f"submitted/*/{ASSIGNMENT}/*.ipynb")
    }


def work(course, name="released"):
    """Return a file of a name's own; it is collected, and not graded."""
    return nbformat.writes(course.released).encode() + name.encode().join((b"\n\n", b"\n"))


@pytest.mark.parametrize(
    "order", [("canvas.csv", "groups.csv"), ("groups.csv", "canvas.csv"), ("groups.csv",)]
)
def test_the_file_of_a_group_is_that_of_each_member(course, order):
    tables = {"canvas.csv": gradebook(), "groups.csv": GROUPS}
    said = roster(course, {name: tables[name] for name in order}).stdout
    assert "groups.csv: 2 groups" in said
    files = {
        f"team3_12_501_{NOTEBOOK}": work(course, "a team"),
        f"onyx12jade_13_502_{NOTEBOOK}": work(course, "one alone"),
        f"agatedelta_14_503_{NOTEBOOK}": work(course, "without a group"),
    }
    said = collect(course, files)
    assert "Remarks" not in said
    assert submitted(course) == {
        student: work(course, name)
        for student, name in {
            "11": "a team",
            "12": "a team",
            "13": "one alone",
            "14": "without a group",
        }.items()
    }
    origins = (course.folder / "downloaded" / ASSIGNMENT / "collected.csv").read_text()
    assert origins.count("team3_12_501_") == 1  # feedback goes back once


@pytest.mark.long
def test_each_member_of_a_group_gets_its_grade_and_the_feedback_goes_back_once(course):
    roster(course, {"groups.csv": GROUPS})
    right, none = (course.notebook(answers).encode() for answers in ({"affine": course.right["affine"]}, {}))
    collect(course, {f"team3_12_501_{NOTEBOOK}": right, f"agatedelta_14_503_{NOTEBOOK}": none})
    course.grade()
    run(course.folder, "autograder", "feedback", ASSIGNMENT)
    export = ("--canvas", "canvas.csv", ASSIGNMENT, "--column", "44")
    said = run(course.folder, "autograder", "export", *export, expect=1).stdout
    assert "Without a grade:\n  13 (Gamma Onyx)\n" in said
    table = csv.DictReader(io.StringIO((course.folder / f"{ASSIGNMENT}-canvas.csv").read_text()))
    posted = {row["ID"]: row[TITLE] for row in table if row["ID"]}
    assert posted == {"11": "3.00", "12": "3.00", "13": "", "14": "0.00", "99": ""}
    pages = [name for name, _ in unzip(course.folder / f"{ASSIGNMENT}-canvas-feedback.zip")]
    assert sorted(page.partition("_04")[0] for page in pages) == ["agatedelta_14_503", "team3_12_501"]


def test_groups_may_stand_in_the_gradebook_and_stay_when_it_is_read_without(course):
    roster(course, {"canvas.csv": gradebook(Group={11: "Team 3", 12: "Team 3"})})
    roster(course, {"canvas.csv": gradebook()})
    collect(course, {f"team3_LATE_11_501_{NOTEBOOK}": work(course)})
    assert set(submitted(course)) == {"11", "12"}


def test_a_student_who_hands_in_alone_is_not_given_the_work_of_the_group(course):
    """Where members are graded one by one, each has a file under the own name."""
    roster(course, {"groups.csv": GROUPS})
    collect(course, {f"opalalpha_11_501_{NOTEBOOK}": work(course)})
    assert set(submitted(course)) == {"11"}


def test_the_file_of_an_unknown_group_is_told(course):
    said = collect(course, {f"team3_11_501_{NOTEBOOK}": work(course)})
    assert f"  11 (Alpha Opal): team3_11_501_{NOTEBOOK} bears another name; if it is a group's, read" in said


def test_who_is_in_no_roster_or_in_two_groups_is_told(course):
    said = roster(course, {"groups.csv": GROUPS + b"Nobody,98,,,1,Team 4,9,\n"}, expect=1).stdout
    assert "In a group, and not on the roster:\n  98\n" in said
    before = (course.folder / "roster.csv").read_bytes()
    done = roster(course, {"groups.csv": GROUPS + b"Alpha,11,,,1,Team 4,9,\n"}, expect=2)
    assert "11 is in two groups, Team 3 and Team 4" in done.stderr
    assert (course.folder / "roster.csv").read_bytes() == before


ANONYMOUS = ("anon_aB3dE_501_{}", "LATE_anon_48213_502_{}", "anon_xYz12_text.html")


def test_anonymous_work_is_listed_and_never_enrolled(course):
    files = {name.format(NOTEBOOK): work(course) for name in ANONYMOUS}
    for options in ((), ("--create",)):
        said = collect(course, files, *options, expect=1)
        for name in files:
            assert f"  {name}\n" in said
        assert "Enrolled" not in said
        assert submitted(course) == {}
    students = run(course.folder, "nbgrader", "db", "student", "list").stderr
    assert "anon" not in students


def test_anonymous_work_finds_its_student_by_a_column_of_the_gradebook(course):
    ids = {11: "aB3dE", 12: "anon_48213", 13: "xYz12"}
    said = roster(course, {"canvas.csv": gradebook(Anonymous_ID=ids)}).stdout
    assert "canvas.csv: 4 students" in said
    said = collect(course, {name.format(NOTEBOOK): work(course, name) for name in ANONYMOUS}, expect=1)
    assert submitted(course) == {
        "11": work(course, ANONYMOUS[0]),
        "12": work(course, ANONYMOUS[1]),
    }
    assert "13 (Gamma Onyx): anon_xYz12_text.html is a text that was typed into Canvas" in said


def test_the_test_student_gets_no_grade_and_is_missed_by_nobody(course):
    files = {f"studenttest_99_501_{NOTEBOOK}": work(course), f"opalalpha_11_502_{NOTEBOOK}": work(course)}
    said = collect(course, files, "--create")
    assert f"studenttest_99_501_{NOTEBOOK} is of Canvas's Test Student" in said
    assert set(submitted(course)) == {"11"}
    said = run(
        course.folder,
        "autograder",
        "export",
        "--canvas",
        "canvas.csv",
        ASSIGNMENT,
        "--column",
        "44",
        expect=1,
    ).stdout
    assert "  11 (Alpha Opal)\n" in said
    assert "99" not in said


REFUSED = {
    "opalalpha_11_501_homework.pdf": (
        b"%PDF-1.7",
        "11 (Alpha Opal): opalalpha_11_501_homework.pdf is not a notebook.",
    ),
    "jadebeta_LATE_12_text.html": (
        b"<p>x = 1",
        "12 (Beta Jade): jadebeta_LATE_12_text.html is a text that was typed",
    ),
    "onyxgamma_13_link.html": (b"<a>", "13 (Gamma Onyx): onyxgamma_13_link.html is a web address"),
    "agatedelta_14_502_work.zip": (
        zipped({"work.py": b"x = 1"}),
        "14 (Delta Agate): agatedelta_14_502_work.zip contains",
    ),
}


def test_what_is_no_notebook_is_kept_and_told_until_there_is_one(course):
    files = {name: content for name, (content, _) in REFUSED.items()}
    said = collect(course, files, expect=1)
    for _, sentence in REFUSED.values():
        assert f"  {sentence}" in said
    assert "4 files were not copied" in said
    top = course.folder / "downloaded" / ASSIGNMENT / "refused"
    assert {path.name: path.read_bytes() for path in top.glob("*/*")} == files
    said = course.grade().stdout
    assert "Nothing was handed in" not in said
    for number, name in zip((11, 12, 13, 14), files, strict=True):
        (line,) = [line for line in said.splitlines() if line.startswith(f"  {number} (")]
        assert ": No notebook was handed in: " in line
        assert name in line
        assert f"Kept in downloaded/{ASSIGNMENT}/refused/{number}." in line
    run(course.folder, "autograder", "report", ASSIGNMENT)
    page = (course.folder / "reports" / ASSIGNMENT / "index.html").read_text()
    assert "Handed in nothing" not in page
    assert "No notebook was handed in: opalalpha_11_501_homework.pdf is not a notebook." in page

    collect(course, {f"opalalpha_11_503_{NOTEBOOK}": work(course)})
    assert set(submitted(course)) == {"11"}
