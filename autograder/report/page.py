"""The report as one self-contained page."""

from __future__ import annotations

from datetime import date
from importlib import resources
from statistics import mean, median

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder.report import charts
from autograder.report.classroom import Classroom, Verdict, Work
from autograder.report.help_needed import who_needs_help
from autograder.report.item_analysis import Item
from autograder.report.mistakes import Ranked, teach_again
from autograder.report.tables import TABLES


def page(classroom: Classroom, items: list[Item], ranked: list[Ranked]) -> str:
    """Return the page; it asks for nothing from elsewhere, and all that comes from a student is escaped."""
    environment = Environment(
        loader=PackageLoader("autograder.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    scores = [classroom.score(student.id) for student in classroom.handed_in()]
    return environment.get_template("page.html.j2").render(
        room=classroom,
        date=date.today().isoformat(),
        css=Markup(resources.files("autograder.report").joinpath("page.css").read_text(encoding="utf-8")),
        numbers=_numbers(classroom, scores),
        scores=scores,
        histogram=Markup(charts.histogram(scores, classroom.max_score)),
        verdicts=Markup(charts.verdicts(items)),
        key=[v for v in charts.SHOWN if any(item.verdicts[v] for item in items)],
        items=items,
        signed=lambda number: f"{number:.2f}".replace("-", "−"),
        teach=teach_again(ranked),
        ranked=ranked,
        help=who_needs_help(classroom),
        undecided=[work for work in classroom.works if work.verdict is Verdict.UNDECIDED],
        names={student.id: student.name or student.id for student in classroom.students},
        why=_why,
        tables=TABLES,
    )


def _numbers(classroom: Classroom, scores: list[float]) -> list[tuple[str, str]]:
    numbers = [("students", str(len(classroom.students))), ("handed in, graded", str(len(scores)))]
    if scores:
        numbers += [("mean points", f"{mean(scores):.1f}"), ("median points", f"{median(scores):g}")]
    return [*numbers, ("points to be had", f"{classroom.max_score:g}")]


def _why(work: Work) -> str:
    """Return what was told beside the points, else the first finding."""
    return work.note or next((finding.message for finding in work.findings), "")
