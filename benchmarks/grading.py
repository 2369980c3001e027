"""A class of 200 submissions of assignment 4: stock nbgrader and `autograder grade`; feedback and files.

Also what the guards of a submission cost, on the solutions of all assignments.

`python -m benchmarks.grading [STUDENTS]`; with 2000 it also compares the cost of one and the memory.
"""

from __future__ import annotations

import copy
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest import mock

import submissions

from benchmarks.report import Report, at_least, at_most

ROOT = Path(__file__).resolve().parents[1]
ASSIGNMENT, NOTEBOOK = "04-first-function", "04-exercises.ipynb"
EXERCISES = ("kill_head", "abs_product", "affine", "scale_rows", "linear")
CLASS, SAMPLE, SMALL = 200, 12, 100
REPEATS = 3


def rows(report: Report, students: int = CLASS) -> None:
    """Print the comparison; `students` is the size of the largest class that is graded."""
    with tempfile.TemporaryDirectory() as scratch:
        course = _course(Path(scratch) / "course")
        _hand_in(course, CLASS)
        report.heading(f"grading {CLASS} submissions of {ASSIGNMENT}")
        bare = _bare(course)
        print(f"  the checks alone, one warm process {bare * 1e3:>8.1f} ms a submission", flush=True)
        stock = _stock(course)
        print(f"  nbgrader autograde (stock, {SAMPLE})    {stock * 1e3:>8.1f} ms a submission", flush=True)
        for jobs in (1, 2):
            each, memory = _ours(course, jobs)
            print(
                f"  autograder grade --jobs {jobs}         {each * 1e3:>8.1f} ms a submission, "
                f"{1 / each:.1f} a second, peak {memory:.0f} MB a process",
                flush=True,
            )
            report.check(f"stock / ours, {jobs} process(es)", stock / each, " times", at_least(30))
            if jobs == 1:
                report.check("ours / the checks alone", each / bare, " times", at_most(2))
        _afterwards(course)
        _guards(report)
        if students > CLASS:
            _scale(report, course, students)


def _afterwards(course: Path) -> None:
    """Print what feedback takes, and what a student's part of the files comes to: the guide's numbers."""
    count = len(list((course / "submitted").iterdir()))
    taken = []
    for _ in range(2):  # the second time no page is written: what is left is the start
        start = time.perf_counter()
        _run(course, "autograder", "feedback", ASSIGNMENT, "--jobs", "1")
        taken.append(time.perf_counter() - start)
    each = (taken[0] - taken[1]) / count
    print(f"  autograder feedback --jobs 1      {each * 1e3:>8.1f} ms a page", flush=True)
    for name in ("autograded", "feedback", "gradebook.db"):
        place = course / name
        files = [path for path in place.rglob("*") if path.is_file()] or [place]
        size = sum(path.stat().st_size for path in files) / count
        print(f"  {name:<33} {size / 1e3:>8.1f} kB a submission", flush=True)


def _guards(report: Report) -> None:
    """Print the cost of the guards, with the processes that tasks with other rights have of their own."""
    from autograder.grading.notebook_run import NotebookRun

    names = [
        path.parent.name for path in sorted((ROOT / "solutions").glob("[0-9][0-9]-*/[0-9][0-9]-*.ipynb"))
    ]
    in_one = {"with": NotebookRun._groups, "without": lambda run: {None: dict(run._rebuilt.tasks)}}
    taken: dict[str, list[float]] = {kind: [] for kind in in_one}
    for _ in range(REPEATS):
        for kind, groups in in_one.items():
            with mock.patch.object(NotebookRun, "_groups", groups):
                taken[kind].append(_in_sandbox(names) - _in_sandbox([]))
    seconds = {kind: statistics.median(each) for kind, each in taken.items()}
    for kind, each in seconds.items():
        print(f"  {len(names)} solutions {kind} guards {each:>8.1f} s of processor time", flush=True)
    report.check("with guards / without", seconds["with"] / seconds["without"], " times", at_most(1.1))


def _in_sandbox(names: list[str]) -> float:
    """Return the processor time of grading the solutions of these assignments, and of the sandbox."""
    from autograder.exercises import EXERCISES as ALL
    from autograder.grading.assignment import Source, load
    from autograder.grading.grade import grade_one
    from autograder.grading.sandbox.sandbox import Sandbox
    from autograder.grading.submission import Submission

    def now() -> float:
        used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(each.ru_utime + each.ru_stime for each in used)

    start = now()
    with Sandbox([*ALL.values()]) as sandbox:
        for name in names:
            (source,) = (ROOT / "solutions" / name).glob("*.ipynb")
            cells = json.loads((ROOT / "exercises" / name / source.name).read_text())["cells"]
            released = {_id(cell): Source("".join(cell["source"]), None) for cell in cells if _id(cell)}
            with sandbox.submission():
                grade_one(load(source, name, released), Submission(source.read_bytes()), sandbox)
        if not names:
            sandbox.session().close()
    return now() - start


def _scale(report: Report, course: Path, students: int) -> None:
    report.heading(f"from {SMALL} to {students} submissions, 2 processes")
    found = []
    for size in (SMALL, students):
        _hand_in(course, size)
        each, memory = _ours(course, 2)
        found.append((each, memory))
        print(f"  {size:>5} submissions {each * 1e3:>8.1f} ms each, peak {memory:.0f} MB", flush=True)
    report.check("cost of one, large / small", found[1][0] / found[0][0], " times", at_most(1.2))
    report.check("peak memory, large / small", found[1][1] / found[0][1], " times", at_most(1.2))


def _course(course: Path) -> Path:
    course.mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", course)
    for folder in ("solutions", "exercises"):
        shutil.copytree(ROOT / folder / ASSIGNMENT, course / folder / ASSIGNMENT)
    return course


def _run(course: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=course, env=environment, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stderr[-2000:]}")
    return done


def _hand_in(course: Path, students: int) -> None:
    """Write submissions: a fifth right, a fifth untouched, the others with right and wrong answers mixed."""
    shutil.rmtree(course / "submitted", ignore_errors=True)
    released = json.loads((course / "exercises" / ASSIGNMENT / NOTEBOOK).read_text())
    solved = json.loads((course / "solutions" / ASSIGNMENT / NOTEBOOK).read_text())
    right = {_id(cell): cell["source"] for cell in solved["cells"] if _id(cell) in EXERCISES}
    answers = {name: [_without_imports(source) for source in _sources(name)] for name in EXERCISES}
    for number in range(students):
        chance = random.Random(number)
        notebook = copy.deepcopy(released)
        for cell in notebook["cells"]:
            name = _id(cell)
            if name in EXERCISES and number % 5 != 0:
                cell["source"] = right[name] if number % 5 == 1 else chance.choice(answers[name])
        folder = course / "submitted" / f"s{number:04}" / ASSIGNMENT
        folder.mkdir(parents=True)
        (folder / NOTEBOOK).write_text(json.dumps(notebook))


def _sources(name: str) -> list[str]:
    # those that end or block their process have no bare cost to compare with, nor a score in stock nbgrader
    return [submission.source for submission in submissions.of(name) if not submission.hostile]


def _without_imports(source: str) -> str:
    return re.sub(r"^from __future__.*$", "", source, flags=re.MULTILINE)


def _id(cell: dict[str, Any]) -> str | None:
    return cell["metadata"].get("nbgrader", {}).get("grade_id")


def _bare(course: Path) -> float:
    """Return the seconds that the checks of one submission take, without notebook, sandbox or gradebook."""
    import torch

    from autograder.check import judge, local_probe, refused
    from autograder.exercises import find
    from vjpcheck.capture import captured_output

    torch.set_num_threads(1)
    taken = []
    for path in sorted((course / "submitted").iterdir()):
        cells = json.loads((path / ASSIGNMENT / NOTEBOOK).read_text())["cells"]
        # the instructor's imports, and no call of check, which a sandbox does not answer either
        wanted = [
            c for c in cells if c["cell_type"] == "code" and (c["id"] == "imports" or _id(c) in EXERCISES)
        ]
        names: dict[str, Any] = {}
        with captured_output():
            for cell in wanted:
                try:
                    exec("".join(cell["source"]), names)
                except (Exception, SystemExit):
                    continue
            start = time.perf_counter()
            for name in EXERCISES:
                exercise = find(name)
                try:
                    judge(exercise, local_probe(exercise, names.get(exercise.object_name)), 0)
                except (Exception, SystemExit) as error:
                    refused(exercise, str(error))
        taken.append(time.perf_counter() - start)
    return statistics.mean(taken[3:])  # the first ones import what all others find


def _stock(course: Path) -> float:
    """Return the seconds that nbgrader itself takes for one of a sample, its own start not counted."""
    stock = course.parent / "stock"
    shutil.copytree(course, stock, ignore=shutil.ignore_patterns("submitted", "autograded"))
    config = (stock / "nbgrader_config.py").read_text()
    (stock / "nbgrader_config.py").write_text(
        "\n".join(line for line in config.split("c.Autograde.exporter_class")[0].splitlines())
    )
    _run(stock, "nbgrader", "generate_assignment", ASSIGNMENT, "--force")
    students = sorted((course / "submitted").iterdir())
    seconds = []
    for sample in (1, SAMPLE):
        for path in students[:sample]:
            shutil.copytree(path, stock / "submitted" / path.name, dirs_exist_ok=True)
        shutil.rmtree(stock / "autograded", ignore_errors=True)
        start = time.perf_counter()
        _run(stock, "nbgrader", "autograde", ASSIGNMENT)
        seconds.append(time.perf_counter() - start)
    return (seconds[1] - seconds[0]) / (SAMPLE - 1)


def _ours(course: Path, jobs: int) -> tuple[float, float]:
    """Return the seconds for one submission, gradebook and start included, and the peak memory in MB."""
    shutil.rmtree(course / "autograded", ignore_errors=True)
    count = len(list((course / "submitted").iterdir()))
    watched = [
        "import sys",
        f"sys.argv = ['autograder', 'grade', {ASSIGNMENT!r}, '--jobs', '{jobs}']",
        "from autograder.cli import main",
        "status = main(sys.argv[1:])",
        "from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage",
        "peak = max(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN))",
        "print('peak', peak)",
        "sys.exit(status)",
    ]
    script = course.parent / "watched.py"
    script.write_text(
        "\n".join([watched[0], "if __name__ == '__main__':", *(f"    {line}" for line in watched[1:])])
    )
    start = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=course, env=environment, capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - start
    return seconds / count, int(done.stdout.split("peak ")[1]) / 1024


if __name__ == "__main__":
    made = Report()
    rows(made, int(sys.argv[1]) if len(sys.argv) > 1 else CLASS)
    made.close()
