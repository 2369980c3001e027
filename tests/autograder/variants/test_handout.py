"""What `autograder handout` packs: all that students need, and nothing that gives an answer away."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile

import nbformat
import pytest
from made_course import ASSIGNMENT, NOTEBOOK, MadeCourse, cell, run
from shipped import ROOT

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


def cell_by_id(notebook, name):
    return next(one for one in notebook.cells if one.id == name)


def test_what_is_not_there_is_refused_in_a_sentence(course):
    done = run(course.folder, "autograder", "handout", "05-nothing", expect=2)
    assert "There is no assignment 05-nothing" in done.stderr
