"""Records the platform's file of each collected notebook: feedback goes back under that file's name."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder import records


@dataclass(frozen=True)
class Origin:
    """A notebook in submitted/, and the platform's own part of its file's name."""

    student: str
    platform: str
    number: str
    part: str
    notebook: str


def place(assignment: str) -> Path:
    """Return the path of the table of an assignment."""
    return Path("downloaded") / assignment / "collected.csv"


def load(assignment: str) -> list[Origin]:
    """Return the table of an assignment; an empty list if nothing was collected."""
    return records.read(place(assignment), Origin)


def add(assignment: str, origins: Iterable[Origin]) -> None:
    """Add rows to the table; a row of the same student and notebook is replaced."""
    records.add(place(assignment), Origin, origins, "student", "notebook")
