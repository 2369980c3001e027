"""What `make exercises` writes is what is there."""

import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".ipynb_checkpoints" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_exercises_are_what_make_exercises_writes(tmp_path):
    subprocess.run([sys.executable, ROOT / "tools" / "release.py", "--into", tmp_path / "new"], check=True)
    assert tree(tmp_path / "new") == tree(ROOT / "exercises"), "run `make exercises` and commit the result"


def test_the_second_ways_are_those_of_the_solutions():
    written = ROOT / "autograder" / "exercises" / "second_ways.json"
    tool = runpy.run_path(str(ROOT / "tools" / "second_ways.py"))
    told = tool["as_text"](tool["second_ways"](ROOT / "solutions"))
    assert told == written.read_text(encoding="utf-8"), "run `make exercises` and commit the result"
