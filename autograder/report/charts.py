"""The two pictures of the report, as inline SVG in the page's own colours, each with a text alternative."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from autograder.report.classroom import Verdict
from autograder.report.item_analysis import Item

BINS = 10
WIDTH, HEIGHT, LEFT, FOOT, HEAD = 860, 230, 40, 46, 24
ROW, LABEL = 30, 190
SHOWN = (
    Verdict.RIGHT,
    Verdict.PARTLY,
    Verdict.WRONG,
    Verdict.UNDECIDED,
    Verdict.UNTOUCHED,
    Verdict.UNREADABLE,
)


def histogram(scores: Sequence[float], max_score: float) -> str:
    """Return how many students have how many points, in ten equal ranges; the last one holds the maximum."""
    width = max_score / BINS
    counts = [0] * BINS
    for score in scores:
        counts[min(int(score / width), BINS - 1) if width else 0] += 1
    edges = [f"{width * edge:g}" for edge in range(BINS + 1)]
    said = [
        f"{edges[i]} to {'under ' if i < BINS - 1 else ''}{edges[i + 1]}: {n}" for i, n in enumerate(counts)
    ]
    tall, step = HEIGHT - FOOT - HEAD, (WIDTH - 2 * LEFT) / BINS
    drawn, floor = [], HEIGHT - FOOT
    for i, count in enumerate(counts):
        high, x = tall * count / max(1, *counts), LEFT + i * step
        drawn.append(f'<rect class="bar" x="{x + 3:.1f}" y="{floor - high:.1f}" width="{step - 6:.1f}" ')
        drawn.append(f'height="{high:.1f}"><title>{said[i]}</title></rect>')
        if count:
            drawn.append(_text(x + step / 2, floor - high - 6, str(count)))
    drawn.append(f'<path class="axis" d="M{LEFT} {floor}H{WIDTH - LEFT}"/>')
    drawn += [_text(LEFT + i * step, floor + 17, edge) for i, edge in enumerate(edges)]
    drawn.append(_text(WIDTH / 2, HEIGHT - 6, "points"))
    return _svg(HEIGHT, "Number of students by points. " + "; ".join(said) + ".", drawn)


def verdicts(items: Sequence[Item]) -> str:
    """Return one bar an exercise: its students, by how their work ended."""
    drawn, said = [], []
    room = WIDTH - LABEL - 10
    for row, item in enumerate(items):
        y = row * ROW + 4
        counts = {verdict: item.verdicts[verdict] for verdict in SHOWN if item.verdicts[verdict]}
        total, x = sum(counts.values()), float(LABEL)
        drawn.append(_text(LABEL - 10, y + 15, item.task.exercise, "end", "code"))
        for verdict, count in counts.items():
            wide = room * count / total
            drawn.append(
                f'<rect class="{verdict.name.lower()}" x="{x:.1f}" y="{y}" width="{wide:.1f}" '
                f'height="{ROW - 8}"><title>{verdict}: {count}</title></rect>'
            )
            drawn.append(_text(x + wide / 2, y + 15.5, str(count), kind=f"on-{verdict.name.lower()}"))
            x += wide
        told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "nothing handed in"
        said.append(f"{item.task.exercise}: {told}")
    return _svg(len(items) * ROW + 4, "Students by verdict. " + "; ".join(said) + ".", drawn)


def _text(x: float, y: float, text: str, anchor: str = "middle", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(text)}</text>'


def _svg(height: float, said: str, drawn: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(said)}">'
    return f"{head}{''.join(drawn)}</svg>"
