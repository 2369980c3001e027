"""What is told of a download that does not go as it should, and what is left as it is."""

import os
import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_class import zipped
from made_course import ASSIGNMENT, NOTEBOOK, MadeCourse, run
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from odd_zips import ODD
from shipped import ROOT
from tiers import first_now

from autograder.platforms import canvas, moodle
from autograder.platforms.people import Person
from autograder.platforms.roster import Roster

COURSE = "write-your-own-backward"
GRADEBOOK = """Student,ID,SIS User ID,SIS Login ID,Section,Exercises 4 (44)
    Points Possible,,,,,20.00
"Opal, Alpha",11,,a@example.org,1,
"Jade, Beta",12,,b@example.org,1,
"""
NAMES = st.text(
    st.characters(categories=["L", "N", "Zs"], include_characters="_-'."), min_size=1, max_size=20
)
OWN = st.text(st.characters(categories=["L", "N"], include_characters="_- ."), max_size=20)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    made = MadeCourse(tmp_path_factory.mktemp("made"))
    (made.folder / "canvas.csv").write_text(GRADEBOOK)
    run(made.folder, "autograder", "roster", "canvas.csv")
    return made


def collect(course, files, *options, expect=0):
    (course.folder / "download.zip").write_bytes(zipped(files))
    done = run(course.folder, "autograder", "collect", ASSIGNMENT, "download.zip", *options, expect=expect)
    return done.stdout + done.stderr


def submitted(course):
    return {path.parts[-3]: path.name for path in course.folder.glob(f"submitted/*/{ASSIGNMENT}/*.ipynb")}


@given(
    name=NAMES, number=st.integers(1, 10**6), attachment=st.integers(1, 10**6), own=OWN, late=st.booleans()
)
def test_on_canvas_no_file_name_claims_another_student(name, number, attachment, own, late):
    """Read a path as Canvas writes it, whatever the student calls the file and themselves."""
    everybody = {("canvas", str(n)): Person("canvas", str(n), str(n), f"Other, Number {n}") for n in range(9)}
    everybody["canvas", str(number)] = Person("canvas", str(number), str(number), name)
    roster = Roster.__new__(Roster)
    roster.people = everybody
    joined = canvas.in_paths(name)
    path = f"{joined}{'_LATE' if late else ''}_{number}_{attachment}_{own}.ipynb"
    found = roster.find(canvas.claims(path))
    if found is not None:  # where nothing is certain, nobody is meant
        assert found[1].number == str(number)
    elif joined:
        assert len(canvas.claims(path)) > 1


@given(name=NAMES, number=st.integers(1, 10**6), own=OWN, between=st.sampled_from(["_", "_/", "/"]))
def test_on_moodle_what_follows_the_number_is_the_students(name, number, own, between):
    who, form = name.replace("_", " "), "assignsubmission_file"
    path = f"{who}_{number}_{form}{between}{own}_1_{form}_x.ipynb"
    (claim,) = moodle.claims(path)
    assert claim.number == str(number)


def test_a_stranger_is_listed_and_enrolled_only_when_asked(course):
    notebook = nbformat.writes(course.released).encode()
    files = {f"opalalpha_11_501_{NOTEBOOK}": notebook, f"nobody_99_502_{NOTEBOOK}": notebook}
    told = collect(course, files, expect=1)
    assert "nobody_99" in told
    assert submitted(course) == {"11": NOTEBOOK}
    assert "Enrolled" in collect(course, files, "--create")
    assert submitted(course) == {"11": NOTEBOOK, "99": NOTEBOOK}


def test_a_number_of_another_student_in_a_name_is_nobodys(course):
    """A student renames themselves so that their file could be read as that of number 12."""
    notebook = nbformat.writes(course.released).encode()
    told = collect(course, {f"opal_12_11_501_{NOTEBOOK}": notebook}, expect=1)
    assert "opal_12_11_501" in told
    assert submitted(course) == {}


def test_of_archives_that_cannot_be_read_each_is_told_and_the_others_are_collected(course):
    work = nbformat.writes(course.released).encode()
    people = "".join(f'"Onyx, N{n}",{100 + n},,n{n}@example.org,1,\n' for n in range(len(ODD)))
    (course.folder / "canvas.csv").write_text(GRADEBOOK + people)
    run(course.folder, "autograder", "roster", "canvas.csv")
    files = {f"onyxn{n}_{100 + n}_{600 + n}_{name}": make(work) for n, (name, make, _) in enumerate(ODD)}
    (course.folder / "cut.zip").write_bytes(zipped(files)[:-30])
    folder = course.folder / "unpacked"
    folder.mkdir()
    (folder / f"jadebeta_12_502_{NOTEBOOK}").symlink_to(course.folder / "nbgrader_config.py")
    with open(os.fsencode(folder) + b"/opalalpha_11_503_w\xf6rk.ipynb", "wb") as file:
        file.write(work)
    (course.folder / "download.zip").write_bytes(zipped({f"opalalpha_11_501_{NOTEBOOK}": work} | files))
    downloads = ("missing.zip", "cut.zip", "unpacked", "download.zip")
    done = run(course.folder, "autograder", "collect", ASSIGNMENT, *downloads, expect=1)
    assert done.stderr == ""
    for number, (name, _, told) in enumerate(ODD):
        (line,) = [
            line
            for line in done.stdout.splitlines()
            if line.startswith(f"  {100 + number} (N{number} Onyx): ")
        ]
        assert name in line
        assert told in line
    assert "  There is no missing.zip.\n" in done.stdout
    assert "  cut.zip is not a readable zip file. Was it downloaded to the end?\n" in done.stdout
    assert f"  12 (Beta Jade): jadebeta_12_502_{NOTEBOOK} is a symbolic link.\n" in done.stdout
    assert "1 students have handed in work" in done.stdout
    copied = {path.parts[-3:] for path in course.folder.glob("submitted/*/*/*")}
    assert copied == {("11", ASSIGNMENT, NOTEBOOK), ("11", ASSIGNMENT, "w\N{REPLACEMENT CHARACTER}rk.ipynb")}


@pytest.mark.parametrize("content", first_now([zipped({"notes.txt": b"x"}), b"PK not a zip"]))
def test_an_archive_without_a_notebook_is_told_and_not_passed_over(course, content):
    told = collect(course, {"opalalpha_11_501_homework.zip": content}, expect=1)
    assert "11 (Alpha Opal): " in told
    assert "homework.zip" in told
    assert submitted(course) == {}


def test_lateness_is_kept_as_a_timestamp(course):
    notebook = nbformat.writes(course.released).encode()
    set_due = "from nbgrader.api import Gradebook; b = Gradebook('sqlite:///gradebook.db');"
    set_due += f"b.update_or_create_assignment('{ASSIGNMENT}', duedate='2026-03-01 12:00:00 UTC')"
    run(course.folder, "autograder", "collect", ASSIGNMENT, "canvas.csv", expect=1)
    (course.folder / "due.py").write_text(set_due)
    run(course.folder, "due")
    collect(course, {f"opalalpha_LATE_11_501_{NOTEBOOK}": notebook, f"jadebeta_12_502_{NOTEBOOK}": notebook})
    folder = course.folder / "submitted"
    assert (folder / "11" / ASSIGNMENT / "timestamp.txt").read_text() == "2026-03-01 12:00:01 UTC\n"
    assert not (folder / "12" / ASSIGNMENT / "timestamp.txt").exists()


WORKSHEET = """Identifier,Full name,Email address,Grade,Last modified (submission)
Participant 21,Alpha Opal,a@example.org,,"Thursday, 7 November 2024, 8:16 PM"
Participant 22,Beta Jade,b@example.org,,"Donnerstag, 7. November 2024, 20:16"
"""
DUE = re.findall(
    r'nbgrader db assignment add .* --duedate="(.+)"', (ROOT / "site/instructors.md").read_text()
)


def on_moodle(course, *options):
    """Collect the two notebooks of the worksheet; return what was said, and the time that nbgrader reads."""
    (course.folder / "moodle.csv").write_text(WORKSHEET)
    run(course.folder, "autograder", "roster", "moodle.csv")
    notebook = nbformat.writes(course.released).encode()
    names = ("Alpha Opal_21", "Beta Jade_22")
    told = collect(
        course, {f"{name}_assignsubmission_file_/{NOTEBOOK}": notebook for name in names}, *options
    )
    folder = course.folder / "submitted" / "a@example.org" / ASSIGNMENT
    return told, CourseDirectory().get_existing_timestamp(str(folder))


def test_a_time_of_moodle_is_that_of_the_zone_named(course, monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    told, when = on_moodle(course, "--timezone", "Asia/Hong_Kong")
    assert when == datetime(2024, 11, 7, 12, 16)
    assert "Moodle's times are read in the zone Asia/Hong_Kong.\n" in told
    assert "b@example.org (Beta Jade): the time Donnerstag, 7. November 2024, 20:16 cannot be read" in told


def test_without_a_zone_the_machines_counts_and_is_said(course, monkeypatch):
    monkeypatch.setenv("TZ", "America/New_York")
    told, when = on_moodle(course)
    assert when == datetime(2024, 11, 8, 1, 16)
    assert re.search(r"in the zone of this machine, E[SD]T \(UTC-0[45]00\); --timezone names another", told)


def test_nbgrader_reads_the_due_date_of_the_guide_in_its_zone(course):
    (due,) = DUE
    date, time, zone = due.split()
    meant = datetime.fromisoformat(f"{date} {time}").replace(tzinfo=ZoneInfo(zone))
    assert meant.utcoffset()
    right = meant.astimezone(UTC).replace(tzinfo=None)
    for said, as_meant in {zone: True, f"{meant:%z}": False, "Asia/Nowhere": False}.items():
        run(
            course.folder,
            "nbgrader",
            "db",
            "assignment",
            "add",
            ASSIGNMENT,
            f"--duedate={date} {time} {said}",
        )
        with Gradebook(f"sqlite:///{course.folder / 'gradebook.db'}", COURSE) as book:
            assert (book.find_assignment(ASSIGNMENT).duedate == right) is as_meant  # as the guide warns


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["roster", "missing.csv"], "missing.csv cannot be read"),
        (["roster", "nbgrader_config.py"], "neither a gradebook of Canvas"),
        (["collect", "05-unknown", "canvas.csv"], "There is no assignment 05-unknown"),
        (["collect", ASSIGNMENT, "missing.zip"], "There is no missing.zip."),
        (
            ["collect", ASSIGNMENT, "canvas.csv", "--timezone", "Asia/Nowhere"],
            "There is no time zone Asia/Nowhere: name",
        ),
        (["export", "--canvas", "canvas.csv", ASSIGNMENT], "Choose a column with --column"),
        (["export", "--moodle", "canvas.csv", ASSIGNMENT], "is a table of canvas"),
        (["export", "--canvas", "groups.csv", ASSIGNMENT], "is a table of canvas groups"),
        (["grade", ASSIGNMENT], "refused.csv was not written by `autograder`: remove it"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(course, arguments, sentence):
    (course.folder / "groups.csv").write_text("canvas_user_id,group_name\n11,Team 3\n")
    (course.folder / "submitted").mkdir()
    (course.folder / "downloaded" / ASSIGNMENT).mkdir(parents=True)
    (course.folder / "downloaded" / ASSIGNMENT / "refused.csv").write_text("student,file\n11,x\n")
    done = run(course.folder, "autograder", *arguments, expect=2)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
