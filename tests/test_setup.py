"""A newcomer's first command: what it says when something is missing, and that a second run does nothing."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run_setup(tmp_path: Path, prelude: str, extras: str = "lab") -> subprocess.CompletedProcess[str]:
    """Run tools/setup.py in a copy of the project, with some of Python taken away first."""
    (tmp_path / "tools").mkdir()
    if extras == "dev":
        shutil.copytree(ROOT / "tools" / "npm", tmp_path / "tools" / "npm")
    for name in ("pyproject.toml", "constraints.txt", "tools/setup.py", "tools/chromium.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    run = "import runpy; runpy.run_path('tools/setup.py', run_name='__main__')"
    script = f"import sys\nsys.argv = ['', '{extras}']\nsys.path.insert(0, 'tools')\n{prelude}\n{run}"
    return subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)


def test_an_old_python_gets_one_sentence_with_the_cure(tmp_path):
    done = run_setup(
        tmp_path, "import sys, shutil\nsys.version_info = (3, 9, 2)\nshutil.which = lambda name: None"
    )
    assert done.returncode == 1
    assert re.fullmatch(
        r"write-your-own-backward: Python 3.11 or newer is needed, but this is Python 3.9; .*\n", done.stderr
    )
    assert not (tmp_path / ".venv").exists()


def test_a_python_without_venv_gets_one_sentence_with_the_cure(tmp_path):
    done = run_setup(tmp_path, "import sys\nsys.modules['ensurepip'] = None")
    assert done.returncode == 1
    assert re.fullmatch(
        r"write-your-own-backward: Python's venv module is missing; .*python3-venv.*\n", done.stderr
    )


def test_an_npm_that_fails_gets_one_sentence_and_is_called_again(tmp_path):
    """Nothing says that the installation is complete; all other programs succeed here."""
    prelude = "import subprocess\nsubprocess.call = lambda command, **_: int('ci' in command)"
    done = run_setup(tmp_path, prelude, "dev")
    assert done.returncode == 1
    assert re.fullmatch(
        r"write-your-own-backward: What npm installs is missing: .*network.*\n",
        done.stderr,
    )
    assert [path.name for path in (tmp_path / ".venv").iterdir()] == ["npm"]


def test_no_python_at_all_gets_one_sentence_with_the_cure():
    done = subprocess.run(
        ["make", "setup-lab", "PYTHON=python-that-is-not-there"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "there is no python-that-is-not-there; install Python 3.11 or newer" in done.stdout


def test_the_lockfile_names_no_registry():
    """npm asks the registry that is configured where it runs."""
    packages = json.loads((ROOT / "tools" / "npm" / "package-lock.json").read_text())["packages"]
    assert all({"integrity", "version"} <= {*each} for name, each in packages.items() if name)
    assert not any("resolved" in each for each in packages.values())


def test_a_second_set_up_starts_no_installer(tmp_path):
    """It must work offline, so nothing but Python's own files may be touched."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "setup.py", "lab"],
        env={**os.environ, "PIP_NO_INDEX": "1", "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture
def lab(tmp_path):
    """Run `make lab` as a user without a browser would; give what it has printed so far."""
    log = tmp_path / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            ["make", "lab"],
            cwd=ROOT,
            env={**os.environ, "BROWSER": "true"},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    yield log.read_text
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(timeout=30)


def wait_for(pattern: str, text: Callable[[], str], seconds: float = 60) -> re.Match[str]:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = re.search(pattern, text())
        if found:
            return found
        time.sleep(0.2)
    raise TimeoutError(f"nothing like {pattern} in:\n{text()}")


def opened(url: str, seconds: float = 60) -> http.client.HTTPResponse:
    """Open a page of a server that has told its address: it listens only a moment later."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return urllib.request.urlopen(url)
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError) or time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def test_make_lab_serves_lesson_1_behind_a_token(lab):
    address, page, token = wait_for(r"(http://localhost:\d+)/lab/tree/(\S+)\?token=(\w+)", lab).groups()
    assert page == "course/01-reverse-accumulation.ipynb"
    with opened(f"{address}/api/contents/{page}?content=0&token={token}") as answer:
        assert json.load(answer)["type"] == "notebook"
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(f"{address}/api/contents/{page}?content=0")
