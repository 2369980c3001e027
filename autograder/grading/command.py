"""The command `autograder grade`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.grading.run import ClassRun

DONE, SOME_LEFT, NOT_RUN = 0, 1, 2


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "grade",
        help="grade a class",
        description=(
            "Grades what was handed in, into nbgrader's gradebook and autograded/. Run it in the course's "
            "folder, as often as you like: what is done is not done again. Exit status: 0 everybody has a "
            "grade, 1 some could not be graded, 2 nothing could be run."
        ),
    )
    parser.add_argument(
        "assignment", metavar="ASSIGNMENT", help="its folder's name, such as 04-first-function"
    )
    parser.add_argument(
        "--from",
        dest="folder",
        metavar="FOLDER",
        type=Path,
        help="notebooks named by student, or folders like those of submitted/, which it is if left out",
    )
    parser.add_argument(
        "--student",
        metavar="ID",
        action="append",
        default=[],
        help="grade this student only; may be repeated",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        metavar="N",
        type=_positive,
        default=os.cpu_count() or 1,
        help="processes; as many as there are processors if left out",
    )
    where.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="grade on the workers of the Dask scheduler at ADDRESS, such as tcp://10.0.0.1:8786",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a student, a line each")
    parser.add_argument(
        "--allow-weak-isolation",
        action="store_true",
        help="grade where submissions cannot be shut in; each grade's comment says so",
    )


def _positive(given: str) -> int:
    number = int(given)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def grade(options: argparse.Namespace) -> int:
    """Grade a class and return the exit status."""
    from autograder.grading.assignment import WrongAssignment
    from autograder.grading.cluster import Cluster, NoCluster
    from autograder.grading.levels import TooWeak
    from autograder.grading.pool import Pool
    from autograder.grading.sandbox import SandboxFailed, allowed_level

    with ExitStack() as stack:
        try:
            cluster = stack.enter_context(Cluster(options.cluster)) if options.cluster else None
            level = (cluster.allowed_level if cluster else allowed_level)(options.allow_weak_isolation)
            folder = None if options.folder is None else options.folder.resolve()
            pool = cluster.pool(level) if cluster else Pool(level, options.jobs)
            stack.enter_context(pool)
            # nbgrader takes two seconds to import, in which the pool gets ready
            from autograder.grading.course import Course
            from autograder.grading.run import ClassRun

            run = ClassRun(Course.here(), options.assignment, pool, options.student, folder)
        except (NoCluster, TooWeak, WrongAssignment, SandboxFailed) as refusal:
            print(f"autograder: {refusal}", file=sys.stderr)
            return NOT_RUN
        if run.unknown:
            print(f"autograder: there is no student {', '.join(run.unknown)}.", file=sys.stderr)
            return NOT_RUN
        return _go_through(run, options.json)


def _go_through(run: ClassRun, as_json: bool) -> int:
    from autograder.grading.progress import Progress, lines, say

    progress = Progress(len(run.students))
    try:
        for row in run.rows():
            if as_json:
                say(json.dumps(row.to_json()), sys.stdout)
            progress.add(row)
    except KeyboardInterrupt:
        print("\nStopped; the same command goes on from here.", file=sys.stderr)
        return NOT_RUN
    for line in lines(run.summary):
        say(line, sys.stderr if as_json else sys.stdout)
    return SOME_LEFT if any(row.fault for row in run.summary.rows) else DONE
