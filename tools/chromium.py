"""Finds a Chromium for the browser tests and `make screenshots`, and installs one where there is none.

Like setup.py, which calls it, it must be readable by any Python 3.
"""

import os
import re
import shutil
import subprocess
import sys

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
MISSING = (
    "there is no Chromium or Chrome, so the tests that need a browser are skipped; "
    "install one (Debian: `sudo apt install chromium`, macOS: `brew install --cask google-chrome`)."
)
NO_DRIVER = (
    "Playwright does not start, so the tests that need a browser are skipped; "
    "install what it lacks (Debian: `sudo apt install libatomic1`)."
)
ASK_PLAYWRIGHT = (
    "from playwright.sync_api import sync_playwright\n"
    "with sync_playwright() as playwright: print(playwright.chromium.executable_path)"
)
PACKAGES = ["libatomic1", "chromium"]  # the first one for Playwright, whose wheel does not have it
# offline it must not take minutes to say so
APT = ["apt-get", "-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"]


def find(python: str = sys.executable) -> "str | None":
    """Return the path of a Chromium or Chrome: one that is installed here, else the one of Playwright.

    Playwright is asked through `python`, the interpreter that has it.
    """
    installed = next(filter(None, map(shutil.which, NAMES)), None)
    if installed:
        return installed
    asked = subprocess.run([python, "-c", ASK_PLAYWRIGHT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return shutil.which(asked.stdout.decode().strip() or "nothing")


def why_none(python: str = sys.executable) -> str:
    """Return why tests cannot use a browser, in a sentence, or nothing if they can."""
    if not _playwright_starts(python):
        return NO_DRIVER
    return "" if find(python) else MISSING


def install(python: str) -> None:
    """Make sure that there is a Chromium: Debian's if it may be installed here, else Playwright's own.

    If neither is available, say so in one sentence: the tests that need it are skipped.
    """
    if not why_none(python) or (_may_use_apt() and _install_by_apt() and not why_none(python)):
        return
    if _playwright_starts(python):
        print("installing Playwright's Chromium, for the tests in a browser", flush=True)
        subprocess.call([python, "-m", "playwright", "install", "chromium"])
    missing = why_none(python)
    if missing:
        print("write-your-own-backward: " + missing, flush=True)


def _playwright_starts(python: str) -> bool:
    """Return whether Playwright's Node.js finds its libraries: a minimal Debian 12 lacks one."""
    command = [python, "-m", "playwright", "--version"]
    return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def _may_use_apt() -> bool:
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def _install_by_apt() -> bool:
    """Install Debian's package, with a dot for each tenth of the download and each tenth of the unpacking."""
    print("installing Debian's Chromium, for the tests in a browser ", end="", flush=True)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    subprocess.call([*APT, "update"], env=environment, stderr=subprocess.DEVNULL)
    command = [*APT, "-o", "APT::Status-Fd=1", "install", "--yes", "--no-install-recommends", *PACKAGES]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True
    )
    seen = set()
    for line in process.stdout or ():
        tenth = re.match(
            r"(dl|pm)status:\S*?:(\d*)\d(\.\d+)?:", line
        )  # dlstatus:1:42.0:Retrieving file 1 of 90
        if tenth and tenth.group(1, 2) not in seen:
            seen.add(tenth.group(1, 2))
            print(".", end="", flush=True)
    installed = process.wait() == 0
    print(" done" if installed else " failed", flush=True)
    return installed


if __name__ == "__main__":
    install(sys.executable)
