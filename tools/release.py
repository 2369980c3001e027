"""Makes exercises/ from solutions/ with nbgrader: `make exercises`. With --into DIR it writes elsewhere."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from nbgrader.apps.api import NbGraderAPI

from autograder.grading.course import Course

ROOT = Path(__file__).resolve().parent.parent


def release(into: Path) -> None:
    """Release every assignment into a folder; the instructor's own gradebook stays as it is.

    One process makes them all, since nbgrader takes longer to start than to make one. Raises SystemExit
    with nbgrader's own message if an assignment cannot be made.
    """
    into = into.absolute()
    assignments = sorted(path.name for path in (ROOT / "solutions").iterdir() if path.is_dir())
    with tempfile.TemporaryDirectory() as scratch, chdir(scratch):
        shutil.copy(ROOT / "nbgrader_config.py", ".")
        shutil.copytree(ROOT / "solutions", "solutions", ignore=shutil.ignore_patterns(".*"))
        nbgrader = NbGraderAPI(config=Course.here().app.config)
        for assignment in assignments:
            print(f"exercises/{assignment}", flush=True)
            done = nbgrader.generate_assignment(assignment)
            if not done["success"]:
                sys.exit(f"nbgrader could not make {assignment}:\n{done.get('error') or done['log']}")
        shutil.rmtree(into, ignore_errors=True)
        shutil.copytree("exercises", into)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT / "exercises", metavar="DIR")
    release(parser.parse_args().into)


if __name__ == "__main__":
    main()
