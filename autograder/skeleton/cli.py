"""The command `autograder new ID --lesson N`."""

import argparse
import sys
from pathlib import Path
from typing import Any

NEXT = """
Next:
1. autograder/exercises/lesson_{lesson:02}.py: the true forward, sample inputs, the points of each check.
2. solutions/…: the text, a small case with numbers, the solution, three hints.
3. tests/submissions/{id}.py: at least three right cells and five wrong ones: each mistake that fits.
4. make exercises"""


def add_parser(commands: Any) -> None:
    """Add the command to the parser of `autograder`."""
    parser = commands.add_parser(
        "new",
        help="create the files of a new exercise",
        description="Works in a clone of the project. Existing files are not changed.",
    )
    parser.add_argument("id", metavar="ID", help="lower-case letters and underscores, such as kill_head")
    parser.add_argument("--lesson", type=int, required=True, metavar="N", help="the lesson, 4 to 12")
    parser.set_defaults(run=new)


def new(options: argparse.Namespace) -> int:
    """Write the skeleton, print its files, and return the exit status: 0, or 2 if it cannot be written."""
    from autograder.skeleton.write import CannotWrite, write  # with nbformat: a second

    root = Path(__file__).resolve().parents[2]
    try:
        paths = write(root, options.id, options.lesson)
    except CannotWrite as refusal:
        print(f"autograder: {refusal}", file=sys.stderr)
        return 2
    for path in paths:
        print(path.relative_to(root))
    print(NEXT.format(lesson=options.lesson, id=options.id))
    return 0
