"""From a platform's download to its upload: every grade is that of the student who handed the work in."""

import re

import pytest
from isolation import LEVEL
from made_class import OnCanvas, OnMoodle, members, unzip
from made_course import ASSIGNMENT, MadeCourse, run
from shipped import ROOT
from tiers import for_test_all

PLATFORMS = {
    "canvas": OnCanvas,
    "moodle, folders": lambda made: OnMoodle(made, folders=True),
    "moodle, flat": lambda made: OnMoodle(made, folders=False),
}
CLASSES = [
    ("canvas", 14),
    *for_test_all([("moodle, folders", 14), ("moodle, flat", 14)]),
]
NUMBER = re.compile(r"\d+(\.\d+)?")


def lines(text: str) -> set[str]:
    """Return the lines of a text, with every number alike: a class has others each time."""
    return {NUMBER.sub("0", line) for line in text.splitlines()}


def shown_in_the_guide(platform: str) -> set[str]:
    """Return the lines that the guide shows as printed, but for variants, copies and the other platform."""
    guide = (ROOT / "site" / "instructors.md").read_text(encoding="utf-8")
    others = r"^(## A new variant each year|\*\*Copies).*?(?=^## )"
    term = re.sub(others, "", guide, flags=re.DOTALL | re.MULTILINE)
    blocks = re.findall(r"^```text\n(.*?)^```", term, re.DOTALL | re.MULTILINE)
    other = {"canvas": "[Mm]oodle|@example", "moodle": r"canvas|quartz|^  \d+( |:|$)"}[platform]
    return lines(
        "\n".join(line for block in blocks for line in block.splitlines() if not re.search(other, line))
    )


@pytest.mark.parametrize(("platform", "size"), CLASSES)
def test_a_class_goes_through(tmp_path, platform, size):
    course = MadeCourse(tmp_path)

    def notebook(right):
        return course.notebook({name: course.right[name] for name in right}).encode()

    made = members(size, notebook)
    there = PLATFORMS[platform](made)
    table, archive = f"{there.name}-{there.called}.csv", course.folder / "submissions.zip"
    (course.folder / table).write_bytes(there.table())
    archive.write_bytes(there.download())

    said = [run(course.folder, "autograder", "roster", table).stdout]
    collect = ("autograder", "collect", ASSIGNMENT, "submissions.zip", "--timezone", "Asia/Hong_Kong")
    said.append(run(course.folder, *collect, expect=1).stdout)
    assert "1 files were not copied" in said[-1]  # a PDF
    assert "was handed in 2 times; the newest (" in said[-1]
    said.append(course.grade().stdout)
    said.append(run(course.folder, "autograder", "feedback", ASSIGNMENT).stdout)
    column = ["--column", "44"] if there.name == "canvas" else []
    to = [f"--{there.name}", table, ASSIGNMENT, *column]
    said.append(run(course.folder, "autograder", "export", *to, expect=1).stdout)  # some handed nothing in
    said.append(run(course.folder, "autograder", "report", ASSIGNMENT).stdout)
    printed = "\n".join(said).replace(f"isolation: {LEVEL}", "isolation: sandbox")
    assert shown_in_the_guide(there.name) <= lines(printed)

    filled = there.grades((course.folder / f"{ASSIGNMENT}-{there.name}.csv").read_bytes())
    assert filled == {m.number: f"{m.score:.2f}" if m.graded else "" for m in made}
    pages = list(unzip(course.folder / f"{ASSIGNMENT}-{there.name}-feedback.zip"))
    assert {there.receiver(name) for name, _ in pages} == {m.number for m in made if m.graded}
    scores = {m.number: m.score for m in made}
    for name, page in pages:
        assert f">{scores[there.receiver(name)]:g} of 20 points<" in page
