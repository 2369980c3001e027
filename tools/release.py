"""Makes exercises/ from solutions/ with nbgrader: `make exercises`. With --into DIR it writes elsewhere."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def release(into: Path) -> None:
    """Release every assignment into a folder; the instructor's own gradebook stays as it is.

    Raises SystemExit with nbgrader's own message if an assignment cannot be made.
    """
    assignments = sorted(path.name for path in (ROOT / "solutions").iterdir() if path.is_dir())
    with tempfile.TemporaryDirectory() as scratch:
        course = Path(scratch)
        shutil.copy(ROOT / "nbgrader_config.py", course)
        shutil.copytree(ROOT / "solutions", course / "solutions", ignore=shutil.ignore_patterns(".*"))
        for assignment in assignments:
            print(f"exercises/{assignment}", flush=True)
            command = [sys.executable, "-m", "nbgrader", "generate_assignment", assignment]
            done = subprocess.run(command, cwd=course, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"nbgrader could not make {assignment}:\n{done.stderr}")
        shutil.rmtree(into, ignore_errors=True)
        shutil.copytree(course / "exercises", into)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT / "exercises", metavar="DIR")
    release(parser.parse_args().into)


if __name__ == "__main__":
    main()
