"""The corpus of submissions: one file an exercise in tests/submissions, one cell a submission.

A cell begins with `# %% NAME expected: EXPECTATION` and ends where the next begins. The expectation is
`right`, the id of a mistake, `wrong` (a mistake without a name) or `cannot run`. Work called `hostile_` does
something to its process and needs one of its own.

Where a header ends in `from: BASE`, the cell is an edit of the right cell BASE; cell_edits.py has the form.
"""

from __future__ import annotations

import functools
import re
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from cell_edits import apply_edit

FOLDER = Path(__file__).resolve().parents[1] / "submissions"
HEADER = re.compile(r"# %% (?P<name>\w+) expected: (?P<expected>\S.*?)(?: from: (?P<base>\w+))?\n")


@dataclass(frozen=True)
class Submission:
    """One cell; `source` is a whole Python file, the cell's header its first line."""

    exercise: str
    name: str
    expected: str
    source: str

    @property
    def hostile(self) -> bool:
        return self.name.startswith("hostile_")

    @property
    def seed(self) -> int:
        """Return one of five seeds, by its name; `make report-checks` tries all five."""
        return zlib.crc32(str(self).encode()) % 5

    def file(self) -> Path:
        """Return the cell as a file of its own, in a folder that is removed when this process ends."""
        path = Path(_folder().name) / self.exercise / f"{self.name}.py"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_text(self.source, encoding="utf-8")
        return path

    def __str__(self) -> str:
        return f"{self.exercise}/{self.name}"


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="submissions-")


@functools.cache
def of(exercise: str) -> tuple[Submission, ...]:
    """Return the submissions of an exercise; raises ValueError as `read` does."""
    return read(FOLDER / f"{exercise}.py")


def read(path: Path) -> tuple[Submission, ...]:
    """Return the submissions of a file; raises ValueError for a header or an edit that cannot be read."""
    cells: dict[str, tuple[re.Match[str], str]] = {}
    for cell in re.split(r"^(?=# %%)", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
        header = HEADER.match(cell)
        if header is None:
            if not cell:  # before the first
                continue
            raise ValueError(f"{path}: {cell.splitlines()[0]!r} is not `# %% NAME expected: EXPECTATION`")
        if header["name"] in cells:
            raise ValueError(f"{path}: two cells are called {header['name']}")
        cells[header["name"]] = header, cell[header.end() :].rstrip("\n") + "\n"
    bases = {
        name: text
        for name, (header, text) in cells.items()
        if header["expected"] == "right" and not header["base"]
    }
    found: list[Submission] = []
    for name, (header, text) in cells.items():
        if base := header["base"]:
            if base not in bases:
                raise ValueError(f"{path}: {name}: {base} is not a right cell that is written in full")
            try:
                text = apply_edit(text, bases[base])
            except ValueError as error:
                raise ValueError(f"{path}: {name}: {error}") from None
        found.append(Submission(path.stem, name, header["expected"], header[0] + text))
    return tuple(found)


def right(exercise: str) -> list[Submission]:
    """Return the right submissions of an exercise that leave their process alone."""
    return [s for s in of(exercise) if s.expected == "right" and not s.hostile]


def mistaken(exercise: str) -> list[Submission]:
    """Return the wrong submissions of an exercise that can be run and leave their process alone."""
    return [s for s in of(exercise) if s.expected not in ("right", "cannot run") and not s.hostile]


def each_mistake_in(exercises: int) -> list[Submission]:
    """Return for each mistake one submission of each of so many exercises."""
    by_mistake: dict[str, dict[str, Submission]] = {}
    for submission in (s for path in sorted(FOLDER.glob("*.py")) for s in mistaken(path.stem)):
        by_mistake.setdefault(submission.expected, {}).setdefault(submission.exercise, submission)
    return [found for each in by_mistake.values() for found in [*each.values()][:exercises]]


def named(name: str) -> Submission:
    """Return one submission by its exercise and its name, such as `cube/bad_sign`."""
    return next(s for s in of(name.partition("/")[0]) if str(s) == name)


def every() -> list[Submission]:
    return [s for path in sorted(FOLDER.glob("*.py")) for s in of(path.stem)]
