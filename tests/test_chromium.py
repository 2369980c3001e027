"""Where the browser for tests comes from: what is there, Debian's, Playwright's, or one sentence why none."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from browser import PROGRAM, needs_browser
from scripts import python_script

TOOLS = Path(__file__).resolve().parent.parent / "tools"
BROWSER = "def write(path):\n    path.write_text('#!/bin/sh\\n'); path.chmod(0o755)\n"
# In place of the environment's Python: it has a playwright that works where this machine has a network.
PYTHON = f"""{BROWSER}
own = here / "playwright" / "chrome"
if "--version" in sys.argv:
    sys.exit("NO_LIBRARY" in os.environ and not (here / "libatomic1").exists())
elif "-c" in sys.argv:
    print(own)
elif sys.argv[1:] == ["-m", "playwright", "install", "chromium"] and "OFFLINE" not in os.environ:
    own.parent.mkdir()
    write(own)
else:
    sys.exit(1)
"""
APT_GET = f"""{BROWSER}
if "OFFLINE" in os.environ:
    sys.exit(100)
if "install" in sys.argv:
    assert sys.argv[-2:] == ["libatomic1", "chromium"]
    print("Get:1 a line that is no status")
    for percent in (0, 3.5, 12.5, 100):
        print(f"dlstatus:1:{{percent}}:Retrieving file 1 of 2")
        print(f"pmstatus:libc6:amd64:{{percent:.4f}}:Unpacking")
    for package in sys.argv[-2:]:
        write(here / package)
"""
FAILURE = (
    r"write-your-own-backward: there is no Chromium or Chrome, .* skipped; install one \(Debian: .*\).\n"
)


class Machine:
    """A folder of fake commands, each of which writes down how it was called."""

    def __init__(self, folder: Path, **commands: str) -> None:
        self.folder = folder
        for name, body in commands.items():
            self.add(name.replace("_", "-"), body)

    def add(self, name: str, body: str = "") -> None:
        path = self.folder / name
        start = "import os, pathlib, sys\nhere = pathlib.Path(__file__).parent\n"
        log = f"with open(here / 'log', 'a') as log: print('{name}', *map(ascii, sys.argv[1:]), file=log)\n"
        path.write_text(python_script(start + log + body))
        path.chmod(0o755)

    def install(self, *, root: bool = False, offline: bool = False, library: bool = True) -> str:
        """Run the installation and return what it prints."""
        user = f"os.geteuid = lambda: {0 if root else 1000}"
        names = "chromium.NAMES = ('chromium', 'google-chrome')"  # what this machine has elsewhere stays out
        run = f"import os, chromium\n{user}\n{names}\nchromium.install('python')"
        environment = {"PATH": str(self.folder), "PYTHONPATH": str(TOOLS)}
        environment |= {"OFFLINE": "1"} if offline else {}
        environment |= {} if library else {"NO_LIBRARY": "1"}
        done = subprocess.run([sys.executable, "-c", run], env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    @property
    def installers(self) -> list[str]:
        """The calls that could change this machine."""
        log = self.folder / "log"
        lines = log.read_text().splitlines() if log.exists() else []
        return [line.replace("'", "") for line in lines if "'-c'" not in line and "--version" not in line]


def test_a_browser_that_is_there_is_left_alone(tmp_path):
    machine = Machine(tmp_path, chromium="", apt_get=APT_GET, python=PYTHON)
    assert machine.install(root=True) == ""
    assert machine.installers == []


def test_debians_package_where_it_may_be_installed(tmp_path):
    machine = Machine(tmp_path, apt_get=APT_GET, python=PYTHON)
    said = machine.install(root=True)
    assert said == "installing Debian's Chromium, for the tests in a browser ...... done\n"
    assert [line.split()[-1] for line in machine.installers] == ["update", "chromium"]
    assert machine.install(root=True, offline=True) == ""
    assert len(machine.installers) == 2


@pytest.mark.parametrize("root", [False, True], ids=["not root", "no apt-get"])
def test_playwrights_own_elsewhere(tmp_path, root):
    machine = Machine(tmp_path, python=PYTHON, **({} if root else {"apt_get": APT_GET}))
    assert machine.install(root=root) == "installing Playwright's Chromium, for the tests in a browser\n"
    assert machine.installers == ["python -m playwright install chromium"]
    assert machine.install(root=root, offline=True) == ""
    assert len(machine.installers) == 1


def test_offline_one_sentence_and_the_tests_go_on(tmp_path):
    said = Machine(tmp_path, apt_get=APT_GET, python=PYTHON).install(root=True, offline=True)
    debian, playwright, failure = said.splitlines(keepends=True)
    assert debian.endswith(" failed\n")
    assert playwright.startswith("installing Playwright's")
    assert re.fullmatch(FAILURE, failure)


def test_a_library_that_playwright_lacks_is_installed_too(tmp_path):
    machine = Machine(tmp_path, chromium="", apt_get=APT_GET, python=PYTHON)
    assert machine.install(root=True, library=False).endswith(" done\n")
    assert [line.split()[-1] for line in machine.installers] == ["update", "chromium"]


def test_where_playwright_does_not_start_one_sentence_names_the_library(tmp_path):
    machine = Machine(tmp_path, chromium="", python=PYTHON)
    said = machine.install(library=False)
    assert said.startswith(
        "write-your-own-backward: Playwright does not start, so the tests that need a browser"
    )
    assert "libatomic1" in said
    assert machine.installers == []


@needs_browser
def test_the_finder_is_a_program_that_starts():
    told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True)
    assert "Chrom" in told.stdout
