"""Checks the Functions of five texts on custom autograd Functions, each rewritten as a student would.

`make demo` prints a line a Function: passed or not, and what the checker says of those with a fault.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import NamedTuple

from more_exercises import CUBE, MUL_CONSTANT, PRODUCT

from autograder.check import judge, local_probe
from autograder.exercise import Exercise
from autograder.exercises import find
from vjpcheck.capture import captured_output
from vjpcheck.result import Result
from vjpcheck.source_file import load

SUBMISSIONS = Path(__file__).parent / "submissions"
SEED = 0

NOTES = "PyTorch notes, 'Extending PyTorch'"
LECTURE = "EE-559, lecture 5.7"
LAYER = "'Replace autograd', lecture notes"
POST = "'Custom PyTorch Autograd', 2021"


class Entry(NamedTuple):
    """One Function: its file, its class, what it should be, and the text that teaches it."""

    file: str
    name: str
    exercise: Exercise
    text: str


ENTRIES = [
    Entry("linear.py", "Linear", find("linear"), NOTES),
    Entry("mul_constant.py", "MulConstant", MUL_CONSTANT, NOTES),
    Entry("mul_constant_unmaterialized.py", "MulConstant", MUL_CONSTANT, NOTES),
    Entry("my_cube.py", "MyCube", CUBE, NOTES),
    Entry("kill_head.py", "KillHead", find("kill_head"), LECTURE),
    Entry("abs_product.py", "AbsProduct", find("abs_product"), LECTURE),
    Entry("functional_linear.py", "FunctionalLinear", find("linear"), LAYER),
    Entry("product.py", "Product", PRODUCT, POST),
]


def run(entry: Entry) -> Result:
    """Check one Function."""
    with captured_output():
        work = load(SUBMISSIONS / entry.file, entry.name)
        return judge(entry.exercise, local_probe(entry.exercise, work), SEED)


def main() -> None:
    """Print the table."""
    print(f"{'submission':<32} {'exercise':<13} {'verdict':<8} {'points':>7} {'ms':>6}   taught in")
    for entry in ENTRIES:
        result = run(entry)
        points = f"{result.score:g}/{result.max_score:g}"
        verdict = "passed" if result.passed else "FAILED"
        print(
            f"{entry.file:<32} {entry.exercise.id:<13} {verdict:<8} {points:>7} "
            f"{result.seconds * 1000:>6.0f}   {entry.text}",
            flush=True,
        )
        for finding in result.findings:
            said = f"{finding.mistake or 'unnamed'} ({finding.check}): {finding.message}"
            print(textwrap.fill(said, 100, initial_indent="    ✗ ", subsequent_indent="      "))


if __name__ == "__main__":
    main()
