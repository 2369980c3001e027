"""The lines below a picture: what its less usual shapes mean, and why adjoints are missing."""

from dataclasses import dataclass

from course.graph.cards import Word
from course.graph.copies import drawn_as
from course.graph.metrics import width
from course.graph.model import Graph, Group, Node
from course.graph.paint import text
from course.graph.shapes import outline

SIZE = 11.0  # font size
LINE = 18.0  # height of a line
SAMPLE = 34.0  # room for a shape before its meaning

COPY = "a leaf with many uses, drawn beside each of them; its adjoint is that of all uses"
SECOND = "second order: made by the backward pass, or computed from what it gave"
HIGHER = "of an order above the second: one more bar for each"
GROUP = "several nodes in one"


@dataclass(frozen=True)
class Line:
    """A line of a legend: its words, and perhaps a shape that they explain."""

    words: str
    sample: Node | None = None
    copy: bool = False

    @property
    def width(self) -> float:
        """How wide the line is."""
        return width(self.words, SIZE) + (SAMPLE if self.sample else 0)

    def draw(self, top: float) -> str:
        """Draw the line at a height."""
        middle = top + LINE / 2
        if self.sample is None:
            return text([Word(self.words)], 0, middle, SIZE, "note", "start")
        shape = outline(self.sample, 1, middle - 6, SAMPLE - 10, 12, copy=self.copy)
        return (
            f'<g class="legend">{shape}{text([Word(self.words)], SAMPLE, middle, SIZE, "note", "start")}</g>'
        )


def legend(graph: Graph) -> list[Line]:
    """List what must be said about a picture; nothing about most."""
    highest = max((node.order for node in graph.nodes), default=1)
    lines = []
    if drawn_as(graph):
        lines.append(Line(COPY, Node("", "leaf", None), copy=True))
    if any(node.group for node in graph.nodes):
        lines.append(Line(GROUP, Node("", "group", None, group=Group())))
    if any(node.order == 2 for node in graph.nodes):
        lines.append(Line(SECOND, Node("", "operation", None, order=2)))
    if highest > 2:
        lines.append(Line(HIGHER, Node("", "operation", None, order=3)))
    if graph.note:
        lines.append(Line(f"Adjoints are missing: {graph.note}."))
    return lines
