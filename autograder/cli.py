"""The command line: `autograder list` and `autograder check`; other commands have their own modules."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from pathlib import Path

from autograder.check import NOTEBOOK_SEED, judge
from autograder.exercise import Exercise
from autograder.exercises import EXERCISES, find
from autograder.feedback import cli as feedback
from autograder.grading import cli as grading
from autograder.platforms import cli as platforms
from autograder.refusal import Refusal
from autograder.report import cli as report
from autograder.report import decide
from autograder.skeleton import cli as skeleton
from autograder.variants import cli as variants
from autograder.worker import open_probe
from vjpcheck.broken_pipe import discard_output
from vjpcheck.escaping import visible
from vjpcheck.render.terminal import print_error, print_result
from vjpcheck.result import CannotRun, Result


class Status(IntEnum):
    """The exit status; for several files, the worst one."""

    RIGHT = 0
    WRONG = 1
    NOT_RUN = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    try:
        status = _run(_parser().parse_args(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output(sys.stdout)
        return Status.NOT_RUN
    return status


def _run(options: argparse.Namespace) -> int:
    try:
        return int(options.run(options))
    except Refusal as refusal:
        grading.say(f"autograder: {refusal}", sys.stderr)
        return Status.NOT_RUN


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograder", description="Checks a backward, and says what is wrong with it."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    grading.add_command(commands, "list", _list, "show the exercises")
    check = grading.add_command(commands, "check", _check, "check work in Python files or notebooks")
    check.add_argument("exercise", metavar="ID", help="an id from `autograder list`, such as kill_head")
    check.add_argument("files", metavar="FILE", nargs="+", type=Path, help="a .py file or a notebook")
    check.add_argument(
        "--json",
        dest="how",
        action="store_const",
        const="json",
        help="print one JSON object per file, each on one line",
    )
    grading.add_parser(commands)
    feedback.add_parser(commands)
    report.add_parser(commands)
    decide.add_parser(commands)
    platforms.add_parsers(commands)
    variants.add_parsers(commands)
    skeleton.add_parser(commands)
    return parser


def _list(_: argparse.Namespace) -> int:
    """Show the exercises, by lesson."""
    lesson = 0
    for exercise in EXERCISES.values():
        if exercise.lesson != lesson:
            lesson = exercise.lesson
            assignments = ", ".join(path.name for path in sorted(Path("exercises").glob(f"{lesson:02}-*")))
            named = f": assignment {assignments}" if assignments else ""
            first = exercise is next(iter(EXERCISES.values()))
            print(f"{'' if first else chr(10)}Lesson {lesson}{visible(named)}")
        print(
            f"  {exercise.id:<22} {exercise.max_score:>3g} points   "
            f"{exercise.object_name} {exercise.signature}"
        )
        print(f"  {'':<22}              {exercise.summary}")
    return Status.RIGHT


def _check(options: argparse.Namespace) -> int:
    """Check work. Exit status: 0 everything is right, 1 something is wrong, 2 some work could not be run."""
    try:
        exercise = find(options.exercise)
    except ValueError as error:
        raise Refusal(str(error)) from None
    return max(_check_file(exercise, path, options.how) for path in options.files)


def _check_file(exercise: Exercise, path: Path, how: str | None) -> Status:
    try:
        with open_probe(exercise.subject, path) as probe:
            result = replace(judge(exercise, probe, NOTEBOOK_SEED), printed=probe.printed())
    except CannotRun as refusal:
        print_error(Result(exercise.id, exercise.points, (), 0.0), str(path), str(refusal), how)
        return Status.NOT_RUN
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # an unchanged probe never makes the verdict raise: treat the error as tampering
        reason = f"The answers of {path} to the autograder are invalid ({type(error).__name__}: {error})."
        print_error(Result(exercise.id, exercise.points, (), 0.0), str(path), reason, how)
        return Status.NOT_RUN
    print_result(result, str(path), how)
    return Status.RIGHT if result.passed else Status.WRONG
