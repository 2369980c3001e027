"""Writes the minutes of each lesson into its Time line and the tables of lessons; part of `make exercises`.

The tables stand in README.md and on the site's first page, between two marks.

They are estimated from the text: readers who worked through the first seven lessons in earnest took 50 to 75
minutes, and a minute for 95 words with a minute and a half for each code cell (read it, run it, read what it
shows) fits their times to 7 minutes on average. A cell that the reader writes is counted with 4 minutes.
Formulas, addresses, folded asides and folded code are not counted, folded answers are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
import stills
from nbformat import NotebookNode
from rewriting import rewrite

ROOT = Path(__file__).resolve().parent.parent
WORDS_A_MINUTE = 95
A_CELL = 1.5  # minutes
A_NOW_YOU = 4.0  # minutes
QUICK_WORDS, A_LINE = 200, 4 / 60  # words a minute and minutes a line of code, for somebody who only looks
STEP = 5  # minutes: the estimate is no more exact than that
NOT_READ = re.compile(
    r"<details><summary>If you want to know more.*?</details>|\$\$.*?\$\$|\$[^$\n]*\$|\]\([^)]*\)|<[^>]+>",
    re.DOTALL,
)
SOURCES = "## Further reading"
BEGIN, END = "<!-- lessons: written by make exercises -->", "<!-- end of lessons -->"
TABLES = ("README.md", "site/index.md")
TIME = re.compile(r"(?<=\*\*Time\.\*\* )\d+(?= minutes)")


@dataclass(frozen=True)
class Reading:
    """What a lesson asks of its reader.

    `before_first_line` are the minutes before a line of the reader's own. `stretch` is the longest time
    without one, for a quick reader.
    """

    words: int
    lines: int
    minutes: float
    before_first_line: float
    stretch: float

    @property
    def claimed(self) -> int:
        """The minutes of the Time line: rounded to five."""
        return STEP * round(self.minutes / STEP)


def reading(lesson: NotebookNode) -> Reading:
    """Estimate what a lesson asks of its reader."""
    words, lines, minutes, first = 0, 0, 0.0, None
    stretches = [0.0]
    for cell in lesson.cells:
        if cell.cell_type == "code":
            folded = cell.metadata.get("jupyter", {}).get("source_hidden", False)
            written = 0 if folded else sum(bool(line.strip()) for line in cell.source.splitlines())
            lines += written
            own = is_now_you(cell)
            first = minutes if own and first is None else first
            minutes += A_NOW_YOU if own else 0 if folded and not stills.moves(cell) else A_CELL
            stretches = [*stretches, 0.0] if own else [*stretches[:-1], stretches[-1] + written * A_LINE]
        else:
            read = len(re.findall(r"\w[\w'’-]*", NOT_READ.sub(" ", cell.source.partition(SOURCES)[0])))
            words += read
            minutes += read / WORDS_A_MINUTE
            stretches[-1] += read / QUICK_WORDS
    return Reading(words, lines, minutes, minutes if first is None else first, max(stretches))


def is_now_you(cell: NotebookNode) -> bool:
    """Tell whether the reader is to write this cell."""
    return cell.cell_type == "code" and "now-you" in cell.metadata.get("tags", [])


def with_minutes(lesson: NotebookNode) -> NotebookNode:
    """Return a lesson whose Time line says what is estimated."""
    claimed = str(reading(lesson).claimed)
    for cell in lesson.cells:
        cell.source = TIME.sub(claimed, cell.source, count=1)
    return lesson


def table() -> str:
    """Return the table of all lessons and assignments with their minutes."""
    rows = ["| Lesson | Minutes | Assignment, minutes |", "| :--- | ---: | ---: |"]
    for path in sorted(ROOT.glob("course/*.ipynb")):
        lesson = nbformat.read(path, as_version=4)
        title = lesson.cells[0].source.splitlines()[0].removeprefix("# ")
        link = f"[{title}]({path.relative_to(ROOT).as_posix()})"
        rows.append(f"| {link} | {reading(lesson).claimed} | {_assignment(path.stem)} |")
    return "\n".join(rows)


def _assignment(lesson: str) -> str:
    path = _assignment_path(lesson)
    return f"[{assignment_minutes(lesson)}]({path.relative_to(ROOT).as_posix()})"


def _assignment_path(lesson: str) -> Path:
    return ROOT / "exercises" / lesson / f"{lesson[:2]}-exercises.ipynb"


def assignment_minutes(lesson: str) -> int:
    """Return the minutes that a lesson's assignment says it takes; raises ValueError if it says none."""
    path = _assignment_path(lesson)
    minutes = re.search(r"about (\d+) minutes", nbformat.read(path, as_version=4).cells[0].source)
    if minutes is None:
        raise ValueError(f"{path} does not say how many minutes it takes")
    return int(minutes[1])


def with_table(text: str) -> str:
    """Return a text with the table between the marks as it is now."""
    begin, _, rest = text.partition(BEGIN)
    _, _, end = rest.partition(END)
    return f"{begin}{BEGIN}\n\n{table()}\n\n{END}{end}"


def main() -> None:
    """Write the minutes into all lessons and tables, and print what each lesson asks of its reader."""
    print("lesson                          words   code lines   minutes   first own line   longest stretch")
    for path in sorted(ROOT.glob("course/*.ipynb")):
        lesson = nbformat.read(path, as_version=4)
        asked = reading(lesson)
        rewrite(path, with_minutes)
        print(
            f"{path.stem:30} {asked.words:6,}   {asked.lines:10}   {asked.minutes:7.0f}   "
            f"{asked.before_first_line:6.0f}   {asked.stretch:6.1f}"
        )
    for name in TABLES:
        path = ROOT / name
        path.write_text(with_table(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
