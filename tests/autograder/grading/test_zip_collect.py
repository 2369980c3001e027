"""`nbgrader zip_collect`: whose an archive is, and what becomes of one that cannot be read."""

import zipfile

import nbformat
import pytest
from made_class import zipped
from made_course import ASSIGNMENT, run
from odd_zips import ODD

from .conftest import NOTEBOOK


@pytest.mark.long
def test_a_name_in_an_archive_claims_nobody(new_course):
    text = new_course.submit("zoe", new_course.right("affine")).read_text()
    archive = new_course.path / "downloaded" / ASSIGNMENT / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "eve_77_homework.zip", "w") as packed:
        packed.writestr("ana_1_04-exercises.ipynb", text)
        packed.writestr("more/ben_2/04-exercises.ipynb", text)
        packed.writestr("again/04-exercises.ipynb", text)
    (archive / "ana_1_2_04-exercises.ipynb").write_text(text)
    (archive / "<b>_1_2_04-exercises.ipynb").write_text(text)
    done = run(new_course.path, "nbgrader", "zip_collect", ASSIGNMENT)
    found = {path.parent.parent.name: [] for path in new_course.path.glob("submitted/*/*/*.ipynb")}
    for path in sorted(new_course.path.glob("submitted/*/*/*.ipynb")):
        found[path.parent.parent.name].append(path.name)
    assert found == {
        "zoe": ["04-exercises.ipynb"],
        "ana": ["04-exercises.ipynb"],
        "eve": ["04-exercises (2).ipynb", "04-exercises.ipynb", "ana_1_04-exercises.ipynb"],
    }
    assert "<b>_1_2_04-exercises.ipynb does not begin with a student id" in done.stderr


def test_zip_collect_tells_what_it_cannot_read_and_takes_the_others(new_course):
    work = nbformat.writes(new_course.notebook({})).encode()
    archive = new_course.path / "downloaded" / ASSIGNMENT / "archive"
    archive.mkdir(parents=True)
    for number, (name, make, _) in enumerate(ODD):
        (archive / f"s{number}_{name}").write_bytes(make(work))
    (archive / "opal_1_homework.zip").write_bytes(
        zipped({f"../../{NOTEBOOK}.ipynb": work, "x/notes.txt": b""})
    )
    (archive / f"jade_1_{NOTEBOOK}.ipynb").write_bytes(work)
    (archive / "onyx_1_homework.pdf").write_bytes(b"%PDF")
    (archive / f"link_1_{NOTEBOOK}.ipynb").symlink_to(new_course.path / "nbgrader_config.py")
    done = run(new_course.path, "nbgrader", "zip_collect", ASSIGNMENT)
    found = sorted(path.parts[-3:] for path in new_course.path.glob("submitted/*/*/*"))
    assert found == [(student, ASSIGNMENT, f"{NOTEBOOK}.ipynb") for student in ("jade", "opal")]
    told = [line for line in done.stderr.splitlines() if "Not collected: " in line]
    assert len(told) == len(ODD) + 2
    for number, (name, _, why) in enumerate(ODD):
        assert any(f"s{number}_{name}" in line and why in line for line in told)
    assert any(f"link_1_{NOTEBOOK}.ipynb is a symbolic link" in line for line in told)
    assert "Traceback" not in done.stderr
    said = run(new_course.path, "autograder", "grade", ASSIGNMENT, "--jobs", "1").stdout
    kept = f"Kept in downloaded/{ASSIGNMENT}/archive."
    assert f"  onyx: No notebook was handed in: onyx_1_homework.pdf is not a notebook. {kept}" in said
