"""The two pictures of the report: bars in the page's own colours, readable at any width."""

from collections.abc import Sequence

from autograder.report.classroom import Verdict
from autograder.report.item_analysis import Item
from vjpcheck.escaping import for_html

BINS = 10
ORDER = (
    Verdict.RIGHT,
    Verdict.PARTLY,
    Verdict.WRONG,
    Verdict.UNDECIDED,
    Verdict.UNTOUCHED,
    Verdict.UNREADABLE,
)
PER_DIGIT = 0.04  # of a bar's width on a telephone: a count that does not fit is only in the title


def histogram(scores: Sequence[float], max_score: float) -> str:
    """Return a histogram of the points in ten equal ranges; the last one includes the maximum."""
    width = max_score / BINS
    counts = [0] * BINS
    for score in scores:
        counts[min(int(score / width), BINS - 1) if width else 0] += 1
    edges = [f"{width * edge:g}" for edge in range(BINS + 1)]
    texts = [
        f"{edges[i]} to {'under ' if i < BINS - 1 else ''}{edges[i + 1]}: {n}" for i, n in enumerate(counts)
    ]
    drawn = []
    for title, edge, count in zip(texts, edges, counts, strict=False):
        high = 100 * count / max(1, *counts)
        drawn.append(
            f'<div class="column" title="{title}"><span>{count or ""}</span>'
            f'<i class="bar" style="height:{high:.1f}%"></i><b>{edge}</b></div>'
        )
    text = "Number of students by points. " + "; ".join(texts) + "."
    last = f'<div class="column last"><b>{edges[-1]}</b></div>'
    return f'<div class="histogram" role="img" aria-label="{for_html(text)}">{"".join(drawn)}{last}</div>'


def verdicts(items: Sequence[Item]) -> str:
    """Return one bar per exercise: its students, by verdict."""
    drawn, texts = [], []
    for item in items:
        counts = {verdict: item.verdicts[verdict] for verdict in ORDER if item.verdicts[verdict]}
        total = sum(counts.values())
        parts = []
        for verdict, count in counts.items():
            share = count / total
            label = str(count) if share >= PER_DIGIT * (len(str(count)) + 0.5) else ""
            parts.append(
                f'<i class="{verdict.name.lower()}" style="width:{100 * share:.2f}%" '
                f'title="{verdict}: {count}">{label}</i>'
            )
        drawn.append(
            f'<div class="row"><code>{for_html(item.task.exercise)}</code><div>{"".join(parts)}</div></div>'
        )
        counted = ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "nothing handed in"
        texts.append(f"{item.task.exercise}: {counted}")
    text = "Students by verdict. " + "; ".join(texts) + "."
    return f'<div class="verdicts" role="img" aria-label="{for_html(text)}">{"".join(drawn)}</div>'
