"""Makes one page of feedback: points, the student's code, the autograder's verdict, and comments."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from autograder.feedback.marks import Marks
from autograder.grading.notebook_grade import FOR_INSTRUCTOR, METADATA
from autograder.page_template import template
from vjpcheck.escaping import for_markdown, from_markdown, visible

_PACKAGE = resources.files("autograder.feedback")
_HEADING = re.compile(r"^#{1,6}\s+(.+)$", re.MULTILINE)
_LIGHT, _DARK = "default", "github-dark"


@dataclass
class Code:
    """A cell of the student: its source and its output."""

    source: Markup
    printed: str


@dataclass
class Section:
    """One exercise: its heading, the student's code, the verdict, comments, points and maximum points."""

    heading: str
    grade_id: str
    points: float
    at_most: float
    codes: list[Code] = field(default_factory=list)
    verdict: Markup = field(default_factory=Markup)
    comments: list[Markup] = field(default_factory=list)


def page(notebook: Mapping[str, Any], marks: Marks, title: str, key: str = "") -> str:
    """Return the page of a notebook from autograded/.

    The page loads nothing from elsewhere. Outputs for the instructor are left out, and all text from students
    is escaped.
    """
    sections = list(_sections(notebook["cells"], marks))
    return template("autograder.feedback").render(
        title=title, key=key, marks=marks, sections=sections, css=_style()
    )


def key_of(autograded: bytes, marks: Marks) -> str:
    """Return the hash of everything that a page depends on."""
    digest = hashlib.sha256(autograded)
    digest.update(json.dumps(asdict(marks), sort_keys=True).encode())
    for name in ("page.py", "page.html.j2", "page.css"):
        digest.update(_PACKAGE.joinpath(name).read_bytes())
    return digest.hexdigest()


def _sections(cells: list[dict[str, Any]], marks: Marks) -> Iterator[Section]:
    """Yield the exercises: the cells before a graded cell belong to it."""
    heading, codes, comments = "", list[Code](), list[Markup]()
    for cell in cells:
        source = "".join(cell["source"])
        marked = cell["metadata"].get("nbgrader", {})
        grade_id = marked.get("grade_id", "")
        if cell["cell_type"] == "markdown":
            match = _HEADING.search(source)
            heading = match[1].replace("`", "") if match and not codes else heading
        elif marked.get("grade"):
            points, at_most = marks.points.get(grade_id, (0.0, float(marked.get("points", 0))))
            verdict = _verdict(cell.get("outputs", []))
            yield Section(visible(heading or grade_id), grade_id, points, at_most, codes, verdict, comments)
            heading, codes, comments = "", [], []
        elif marked.get("solution") or str(cell.get("id", "")).startswith("added-"):
            codes.append(Code(_coloured(source), _printed(cell.get("outputs", []))))
            if comment := marks.comments.get(grade_id):
                comments.append(_comment(comment))


def _comment(comment: str) -> Markup:
    """Return a comment in Markdown as HTML; the autograder's comments are one plain paragraph."""
    plain = from_markdown(comment)
    if for_markdown(plain) == comment:
        return Markup("<p>{}</p>").format(plain)
    # imported here: the import takes longer than writing a hundred pages
    from nbconvert.filters.markdown import markdown2html

    return Markup(markdown2html(comment))


def _verdict(outputs: list[dict[str, Any]]) -> Markup:
    for output in outputs:
        if "text/html" in output.get("data", {}) and not is_for_instructor(output):
            return Markup("".join(output["data"]["text/html"]))
    return Markup()


def is_for_instructor(output: Mapping[str, Any]) -> bool:
    """Return whether an output of an autograded notebook is for the instructor alone."""
    return bool(output.get("metadata", {}).get(METADATA) == FOR_INSTRUCTOR)


def _printed(outputs: list[dict[str, Any]]) -> str:
    return visible("".join("".join(o["text"]) for o in outputs if o.get("output_type") == "stream"))


def _coloured(source: str) -> Markup:
    return Markup(highlight(visible(source), PythonLexer(), HtmlFormatter(nowrap=True)))


@cache
def _style() -> Markup:
    page_style = _PACKAGE.joinpath("page.css").read_text(encoding="utf-8")
    light, dark = (HtmlFormatter(style=name).get_style_defs("pre.code") for name in (_LIGHT, _DARK))
    in_the_dark = f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}"
    return Markup("\n".join([page_style, light, in_the_dark, "pre.code { background: none; }"]))
