"""exercises/ is what nbgrader makes of solutions/, and nothing else."""

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
