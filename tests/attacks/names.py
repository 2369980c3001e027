"""Submissions whose files have odd names: each builder writes one, and says what it tries."""

from __future__ import annotations

import json
import os
import zipfile

from structure import SCRIPT, Submission, attack


def _named(to: Submission, name: bytes) -> None:
    with open(os.fsencode(to.folder) + b"/" + name, "w") as file:
        json.dump(to.notebook, file)


@attack
def name_that_is_no_text(to: Submission) -> None:
    """The notebook's name is bytes that are not UTF-8."""
    _named(to, b"\xff\xfe 04.ipynb")


@attack
def name_beside_that_is_no_text(to: Submission) -> None:
    """A file and a folder beside the notebook have names that are not UTF-8."""
    to.write()
    _named(to, b"\xe9t\xe9.ipynb")
    os.mkdir(os.fsencode(to.folder) + b"/\xff")


@attack
def name_with_a_script(to: Submission) -> None:
    """The notebook's name is an element of HTML that runs a script."""
    _named(to, b"<img src=x onerror=\"document.title='wyob-attack'\">.ipynb")


@attack
def name_with_controls(to: Submission) -> None:
    """The notebook's name clears a terminal, goes back to the beginning of the line and begins a formula."""
    _named(to, b'=1+1\x1b[2J\r\n\x9b31m,";.ipynb')


@attack
def name_of_255_bytes(to: Submission) -> None:
    """The notebook's name is as long as a file system allows."""
    _named(to, b"x" * 249 + b".ipynb")


@attack
def archive_of_another(to: Submission) -> None:
    """An archive beside the notebook has entries that claim to be another student's, and paths upwards."""
    to.write()
    with zipfile.ZipFile(to.folder / "04-exercises.zip", "w") as archive:
        for name in (
            f"another_{to.path.name}",
            f"another/{to.folder.name}/{to.path.name}",
            f"../../another/{to.folder.name}/{to.path.name}",
            f"{SCRIPT}/x.ipynb",
        ):
            archive.writestr(name, json.dumps(to.notebook))
