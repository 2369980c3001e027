"""A tag is released if it is the version and the changelog has a section for it."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
RELEASED = f"## [{VERSION}] - 2027-01-31\n\n### Added\n\n- A lesson.\n\n"


@pytest.mark.parametrize(
    ("tag", "changelog", "says"),
    [
        (f"v{VERSION}", RELEASED + "## [0.0.1] - 2026-01-31\n\n- Older.\n", "### Added\n\n- A lesson.\n"),
        (
            "v9.9.9",
            RELEASED,
            f"No release: the tag is v9.9.9, but pyproject.toml has the version {VERSION}.\n",
        ),
        (
            f"v{VERSION}",
            "## [Unreleased]\n\n- A lesson.\n",
            "No release: CHANGELOG.md says nothing under .*\n",
        ),
        (
            f"v{VERSION}",
            RELEASED[: RELEASED.index("###")],
            "No release: CHANGELOG.md says nothing under .*\n",
        ),
    ],
)
def test_notes_of_a_release_or_why_there_is_none(tag, changelog, says, tmp_path):
    (tmp_path / "tools").mkdir()
    for name in ("pyproject.toml", "tools/release_notes.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{changelog}")
    command = [sys.executable, "tools/release_notes.py", tag]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert re.fullmatch(says, done.stderr if done.returncode else done.stdout)
    assert done.returncode == says.startswith("No release")


def test_jupyterlab_lists_the_extension_with_the_version_of_the_course():
    assert json.loads((ROOT / "student_view" / "package.json").read_text())["version"] == VERSION
