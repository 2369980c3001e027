"""Gives the repository its home on GitHub: `python3 tools/set_home.py https://github.com/NAME/REPO`.

pyproject.toml says the address. This writes a new one there, and wherever else a file in git has the former
one: in the lessons' opening cells and in their links to the site. It also writes the badges of README.md.
Without an address it says what is to change. Any Python from 3.11 on runs it, without an installation.
"""

from __future__ import annotations

import re
import subprocess
import sys

import repository

ADDRESS = re.compile(r"https://github\.com/([A-Za-z0-9-]+)/([A-Za-z0-9._-]+)(?<!\.git)")
BADGES = "<!-- badges: written by tools/set_home.py -->\n"
BY_HAND = """\
What remains to be done by hand:
1. Run make test, commit, and push.
2. On GitHub, Settings, Pages: choose GitHub Actions as the source, for the workflow `pages`.
3. Settings, Environments, github-pages: allow tags v*, from which the workflow `release` publishes.
4. Follow Binder's badge once: the first start builds the image."""


def site_of(address: str) -> str:
    """Return where GitHub publishes the site of a repository; raises ValueError for a bad address."""
    found = ADDRESS.fullmatch(address)
    if not found or found[1] == repository.PLACEHOLDER:
        raise ValueError(
            f"{address} is not the address of a repository, such as https://github.com/NAME/REPO."
        )
    return f"https://{found[1]}.github.io/{found[2]}"


def files_with_the_address() -> list[str]:
    """Return the files in git that have the address of the repository or of its site."""
    addresses = ["-e", repository.address(), "-e", repository.site().rstrip("/")]
    command = ["git", "grep", "--files-with-matches", "--fixed-strings", *addresses]
    found = subprocess.run(command, cwd=repository.ROOT, capture_output=True, text=True, check=True)
    return found.stdout.splitlines()


def set_home(address: str) -> list[str]:
    """Write the address of the repository into all files that have it, and return them.

    Raises ValueError for a bad address.
    """
    new = {repository.site().rstrip("/"): site_of(address), repository.address(): address}
    files = files_with_the_address()
    for name in files:
        path = repository.ROOT / name
        text = path.read_text("utf-8")
        for former, own in new.items():
            text = text.replace(former, own)
        path.write_text(text, "utf-8")
    readme = repository.ROOT / "README.md"
    text = readme.read_text("utf-8")
    readme.write_text(re.sub(rf"{BADGES}(\[!\[.*\n)*", BADGES + repository.badges(), text), "utf-8")
    return sorted({*files, "README.md"})


def main(arguments: list[str]) -> None:
    """Set the home, or say what is to change."""
    if arguments:
        try:
            files = set_home(arguments[0])
        except ValueError as error:
            sys.exit(f"{error}")
        print(f"The address {repository.address()} was written into:")
    else:
        files = sorted({*files_with_the_address(), "README.md"})
        print(
            "python3 tools/set_home.py https://github.com/NAME/REPO replaces", f"{repository.address()} in:"
        )
    print(*(f"  {name}" for name in files), "", BY_HAND, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
