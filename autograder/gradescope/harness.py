"""Grades the submission in Gradescope's container: `python -m autograder.gradescope.harness`."""

import json
import sys
from pathlib import Path

from autograder.gradescope.bundle import Bundle
from autograder.gradescope.results import results
from autograder.grading.jobs import Job
from autograder.grading.notebook_search import find_notebook
from autograder.grading.sandbox.levels import TooWeak
from autograder.grading.sandbox.sandbox import SandboxFailed, allowed_level
from autograder.grading.workers import Pool
from autograder.whole_file import replacing


def main() -> int:
    """Grade ROOT/submission and write ROOT/results/results.json.

    If grading fails, there is no such file: Gradescope then shows the printed output to the instructor.
    """
    root = Path(sys.argv[1])
    bundle = Bundle.loads((root / "source" / "assignment.json").read_text(encoding="utf-8"))
    submission, names = root / "submission", bundle.assignments.keys()
    try:
        level = allowed_level(bundle.allow_weak_isolation)
    except (SandboxFailed, TooWeak) as failure:
        print(f"Not graded. {failure}")
        return 1
    submissions = {
        name: find_notebook(submission, submission, assignment, names)
        for name, assignment in bundle.assignments.items()
    }
    with Pool(level, 1) as pool:
        (outcome,) = pool.grade(bundle.assignments, [Job("", submissions)])
    if outcome.fault:
        print(f"Not graded. {outcome.fault}")
        return 1
    into = root / "results"
    into.mkdir(exist_ok=True)
    with replacing(into / "results.json") as part:
        part.write_text(json.dumps(results([*outcome.graded.values()]), indent=1), encoding="utf-8")
    print(f"Graded, isolation: {level}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
