"""The command `autograder new ID --lesson N`."""

import argparse
from pathlib import Path

from autograder.grading.cli import Commands, add_command

NEXT = """
Next:
1. autograder/exercises/lesson_{lesson:02}.py: the true forward, sample inputs, the points of each check.
2. solutions/…: the text, a small case with numbers, the solution, three hints.
3. tests/submissions/{id}.py: at least three right cells and five wrong ones: each mistake that fits.
4. make exercises"""


def add_parser(commands: Commands) -> None:
    """Add the command to the others."""
    parser = add_command(commands, "new", new, "create the files of a new exercise")
    parser.add_argument("id", metavar="ID", help="lower-case letters and underscores, such as kill_head")
    parser.add_argument("--lesson", type=int, required=True, metavar="N", help="the lesson, 4 to 12")


def new(options: argparse.Namespace) -> int:
    """Write the files of a new exercise in a clone of the project; existing files are not changed."""
    from autograder.skeleton.write import write  # with nbformat: a second

    root = Path(__file__).resolve().parents[2]
    for path in write(root, options.id, options.lesson):
        print(path.relative_to(root))
    print(NEXT.format(lesson=options.lesson, id=options.id))
    return 0
