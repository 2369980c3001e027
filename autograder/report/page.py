"""Makes the report as one self-contained page."""

from datetime import date
from importlib import resources
from statistics import mean, median

from markupsafe import Markup

from autograder.page_template import template
from autograder.report import charts
from autograder.report.classroom import Classroom
from autograder.report.groups import group
from autograder.report.help_needed import find_help_needed
from autograder.report.item_analysis import Item
from autograder.report.mistakes import Ranking, lessons_to_repeat
from autograder.report.tables import TABLES


def page(classroom: Classroom, items: list[Item], ranked: list[Ranking], for_class: bool = False) -> str:
    """Return the page. It loads nothing from elsewhere, and all text from students is escaped.

    `for_class` leaves out the sections that name students.
    """
    scores = [classroom.score(student.id) for student in classroom.decided()]
    waiting = len(classroom.graded()) - len(scores)
    return template("autograder.report").render(
        room=classroom,
        date=date.today().isoformat(),
        css=Markup(resources.files("autograder.report").joinpath("page.css").read_text(encoding="utf-8")),
        numbers=_numbers(classroom, scores, waiting),
        scores=scores,
        waiting=waiting,
        histogram=Markup(charts.histogram(scores, classroom.max_score)),
        verdicts=Markup(charts.verdicts(items)),
        key=[v for v in charts.ORDER if any(item.verdicts[v] for item in items)],
        items=items,
        signed=lambda number: f"{number:.2f}".replace("-", "−"),
        teach=lessons_to_repeat(ranked),
        ranked=ranked,
        help=find_help_needed(classroom),
        undecided=group(classroom.works),
        untried=[work for work in classroom.works if work.never_ran],
        for_class=for_class,
        names=classroom.names,
        tables=TABLES,
    )


def _numbers(classroom: Classroom, scores: list[float], waiting: int) -> list[tuple[str, str]]:
    numbers = [("students", str(len(classroom.students))), ("graded", str(len(scores)))]
    if waiting:
        numbers.append(("undecided, left out", str(waiting)))
    if scores:
        numbers += [("mean points", f"{mean(scores):.1f}"), ("median points", f"{median(scores):g}")]
    if classroom.late_penalties:
        numbers.append(("with a late penalty", str(len(classroom.late_penalties))))
    return [*numbers, ("points possible", f"{classroom.max_score:g}")]
