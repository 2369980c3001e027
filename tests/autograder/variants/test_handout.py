"""What `autograder handout` packs: all that students need, and nothing that gives an answer away."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import zipfile

import nbformat
import pytest
from made_class import OnCanvas, OnMoodle, members
from made_course import ASSIGNMENT, NOTEBOOK, MadeCourse, cell, run
from shipped import ROOT

OWN = f"{ASSIGNMENT}-7"
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return MadeCourse(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def pack(course, tmp_path_factory):
    run(course.folder, "autograder", "handout", ASSIGNMENT)
    folder = tmp_path_factory.mktemp("pack")
    with zipfile.ZipFile(course.folder / f"{ASSIGNMENT}.zip") as archive:
        archive.extractall(folder)
    return folder / ASSIGNMENT


def texts(folder):
    for path in folder.rglob("*"):
        if path.is_file():
            try:
                yield path, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def solutions():
    for path in ROOT.glob("solutions/*/*.ipynb"):
        for one in nbformat.read(path, as_version=4).cells:
            for body in SOLUTION.findall(one.source):
                lines = [line.strip() for line in body.splitlines() if line.strip()]
                if len(lines) > 2:  # a line or two may stand in a lesson too
                    yield one.id, lines


def test_no_solution_is_in_it(pack):
    found = [(path, "\n".join(line.strip() for line in text.splitlines())) for path, text in texts(pack)]
    # a notebook keeps its lines as JSON strings
    flat = [(path, text.replace('\\n",', "").replace('"', "")) for path, text in found]
    for name, lines in solutions():
        whole = "\n".join(lines)
        bare = whole.replace('"', "")
        for (path, text), (_, notebook) in zip(found, flat, strict=True):
            assert whole not in text, (name, path)
            assert bare not in "\n".join(line.strip() for line in notebook.splitlines()), (name, path)


def test_no_folder_with_answers_is_in_it(pack):
    assert {path.name for path in pack.iterdir()} >= {"autograder", "course", "exercises", "README.md"}
    assert not {path.name for path in pack.iterdir()} & {"solutions", "tests", "site", "demo", "submitted"}
    assert not (pack / "autograder" / "variants" / "templates").exists()
    second = json.loads((ROOT / "autograder" / "exercises" / "second_ways.json").read_text())
    for path, text in texts(pack):
        assert not any(way in text for way in second.values()), path


def test_a_student_can_check_work_with_it(pack, course):
    work = course.right["kill_head"]
    imports = cell_by_id(course.released, "imports").source
    (pack / "my_work.py").write_text(f"{imports}\n\n{work}")
    command = [sys.executable, "-m", "autograder", "check", "kill_head", "my_work.py"]
    done = subprocess.run(command, cwd=pack, capture_output=True, text=True, env={"PATH": ""})
    assert done.returncode == 0, done.stdout + done.stderr
    assert [path.name for path in (pack / "exercises").iterdir()] == [ASSIGNMENT]
    released = nbformat.read(pack / "exercises" / ASSIGNMENT / NOTEBOOK, as_version=4)
    assert all("NotImplementedError" in cell(released, exercise).source for exercise in course.right)


def test_it_installs_what_jupyterlab_shows_students(pack, tmp_path):
    copy = shutil.copytree(pack, tmp_path / "copy")
    build = "from setuptools import build_meta; build_meta.build_wheel('.')"  # with what is here
    subprocess.run([sys.executable, "-c", build], cwd=copy, capture_output=True, check=True)
    (wheel,) = copy.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        installed = {name.partition("/labextensions/")[2] for name in archive.namelist()}
    assert "@write-your-own-backward/student-view/static/student_view.js" in installed


def cell_by_id(notebook, name):
    return next(one for one in notebook.cells if one.id == name)


def test_what_is_not_there_is_refused_in_a_sentence(course):
    done = run(course.folder, "autograder", "handout", "05-nothing", expect=2)
    assert "There is no assignment 05-nothing" in done.stderr


@pytest.fixture(scope="module", params=[OnCanvas, OnMoodle], ids=lambda kind: kind.name)
def own(request, tmp_path_factory):
    """A class of six on a platform, each with a variant; with the platform, and the table or the download."""
    made = MadeCourse(tmp_path_factory.mktemp("own"))
    platform = request.param(members(6, lambda right: b"{}"))
    (made.folder / "table.csv").write_bytes(platform.table())
    run(made.folder, "autograder", "roster", "table.csv")
    run(made.folder, "autograder", "variant", ASSIGNMENT, "--seed", "7", "--per-student", "roster.csv")
    file = "table.csv" if platform.name == "moodle" else "download.zip"
    (made.folder / "download.zip").write_bytes(platform.download())
    run(made.folder, "autograder", "handout", OWN, f"--{platform.name}", file)
    return made, platform


def test_each_student_gets_the_own_variant_under_the_name_that_the_platform_wants(own):
    made, platform = own
    expected = {
        m.number: platform.student(m) for m in platform.members if m.files or platform.name == "moodle"
    }
    received = {}
    with zipfile.ZipFile(made.folder / f"{OWN}-{platform.name}-handout.zip") as archive:
        for name in archive.namelist():
            number = platform.receiver(name)
            assert number not in received
            received[number] = name
            with zipfile.ZipFile(io.BytesIO(archive.read(name))) as inner:
                (path,) = inner.namelist()
                assert path == f"{OWN}/exercises/{OWN}/{NOTEBOOK}"  # unpacks beside the course
                own_notebook = made.folder / "variants" / OWN / expected[number] / NOTEBOOK
                assert inner.read(path) == own_notebook.read_bytes()
    assert received.keys() == expected.keys()


def test_a_folder_for_each_student_is_named_as_nbgrader_names_it(own):
    made, platform = own
    run(made.folder, "autograder", "handout", OWN, "--exchange", "shared")
    for member in platform.members:
        student = platform.student(member)
        copied = made.folder / "shared" / student / OWN / NOTEBOOK
        assert copied.read_bytes() == (made.folder / "variants" / OWN / student / NOTEBOOK).read_bytes()
        assert (made.folder / f"{OWN}-students" / student / f"{OWN}.zip").is_file()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([ASSIGNMENT, "--per-student"], "run `autograder variant` with --per-student first"),
        (["own", "--moodle", "canvas.csv"], "canvas.csv is no grading worksheet of Moodle"),
        (["own", "--moodle", "nothing.csv"], "nothing.csv cannot be read"),
        (["own", "--canvas", "canvas.csv"], "canvas.csv is not a zip"),
    ],
)
def test_what_cannot_be_packed_for_each_student_gets_one_sentence(course, options, said):
    (course.folder / "canvas.csv").write_bytes(OnCanvas(members(4, lambda right: b"{}")).table())
    notebook = course.folder / "variants" / "own" / "ada" / NOTEBOOK
    notebook.parent.mkdir(parents=True, exist_ok=True)
    notebook.write_text("{}")
    done = run(course.folder, "autograder", "handout", *options, expect=2)
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
