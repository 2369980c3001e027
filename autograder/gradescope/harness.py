"""Grades the submission that lies in Gradescope's container: `python -m autograder.gradescope.harness`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from autograder.exercises import find
from autograder.gradescope.bundle import Bundle
from autograder.gradescope.results import results
from autograder.grading.grade import grade_one
from autograder.grading.sandbox.levels import TooWeak
from autograder.grading.sandbox.sandbox import Sandbox, SandboxFailed, allowed_level
from autograder.grading.submission import hand_in


def main() -> int:
    """Grade ROOT/submission and write ROOT/results/results.json.

    Where the fault is ours there is no such file: Gradescope then tells the instructor what is printed here.
    """
    root = Path(sys.argv[1])
    bundle = Bundle.loads((root / "source" / "assignment.json").read_text(encoding="utf-8"))
    tasks = [task for assignment in bundle.assignments.values() for task in assignment.tasks]
    exercises = [find(id_) for id_ in dict.fromkeys(task.exercise for task in tasks)]
    submission = root / "submission"
    try:
        level = allowed_level(bundle.allow_weak_isolation)
        with Sandbox(exercises, level) as sandbox:
            graded = [
                grade_one(assignment, hand_in(submission / f"{name}.ipynb", submission), sandbox)
                for name, assignment in bundle.assignments.items()
            ]
    except (SandboxFailed, TooWeak) as failure:
        print(f"Not graded. {failure}")
        return 1
    into = root / "results"
    into.mkdir(exist_ok=True)
    part = into / "results.json.part"
    part.write_text(json.dumps(results(graded), indent=1), encoding="utf-8")
    part.replace(into / "results.json")
    print(f"Graded, isolation: {level}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
