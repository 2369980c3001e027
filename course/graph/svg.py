"""The picture itself: cards and arrows as SVG, legible on light and on dark pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from course.graph import words
from course.graph.cards import Card, Word, card
from course.graph.copies import drawn_as
from course.graph.layout import LARGE, MOST, Layout, Point, Route, lay_out
from course.graph.legend import LINE, legend
from course.graph.metrics import width
from course.graph.model import Edge, Graph, Node
from course.graph.paint import DEFAULTS, GREY, px, row, text
from course.graph.shapes import outline

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
LABEL = 11.0  # font size of what is written on edges
MARGIN = 6.0
THEMES = "<style>:root{color:#1b1b1b}@media (prefers-color-scheme:dark){:root{color:#eee}}</style>"


@dataclass(frozen=True)
class Label:
    """What is written on an edge, line by line; `later` is what else it will say in one that moves."""

    lines: tuple[str, ...]
    later: tuple[str, ...] = ()

    @property
    def size(self) -> tuple[float, float]:
        """The room that the label needs."""
        return max(width(line, LABEL) for line in self.lines + self.later) + 6, (LABEL + 5) * len(self.lines)


@dataclass(frozen=True)
class Plan:
    """What a picture says, and where it goes."""

    cards: Mapping[str, Card]
    labels: Mapping[str, Label]
    layout: Layout


def svg(graph: Graph, standalone: bool = False) -> str:
    """Draw a graph as SVG. A standalone one chooses its text colour itself; else the page around does."""
    cards = {node.id: card(graph, node) for node in graph.nodes}
    labels = {edge.id: Label((label,)) for edge in graph.edges if (label := edge_label(graph, edge))}
    return paint(graph, plan(graph, cards, labels), standalone)


def plan(graph: Graph, cards: Mapping[str, Card], labels: Mapping[str, Label]) -> Plan:
    """Find a place for cards and labels.

    In a large graph that stands still labels are written at the arrows' tips, where there is room enough.
    """
    sizes = {
        key: (each.width + _frame(graph, key), each.height + _frame(graph, key))
        for key, each in cards.items()
    }
    rooms = {key: label.size for key, label in labels.items()}
    if len(graph.nodes) <= LARGE or any(label.later for label in labels.values()):
        return Plan(cards, labels, lay_out(graph, sizes, rooms))
    widest = max((width for width, _ in rooms.values()), default=0.0)
    return Plan(cards, labels, lay_out(graph, sizes, {}, widest))


def paint(graph: Graph, plan: Plan, standalone: bool = False) -> str:
    """Draw a graph as planned."""
    layout, copies = plan.layout, drawn_as(graph)
    below = legend(graph)
    wide = max(layout.width, *(line.width for line in below), 0) + 2 * MARGIN
    high = layout.height + 2 * MARGIN + LINE * len(below)
    said = escape(words.describe(graph), quote=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="course-graph" role="img" aria-label="{said}" '
        f'width="{wide:.0f}" height="{high:.0f}" viewBox="{-MARGIN} {-MARGIN} {px(wide)} {px(high)}" '
        f'font-family="{FONT}" {DEFAULTS} fill="currentColor">',
        f"<title>{said}</title>",
        THEMES if standalone else "",
        *(_edge(graph, edge, layout.edges[edge.id], plan.labels.get(edge.id)) for edge in graph.edges),
        *(
            _node(graph, each, place, layout.nodes[place])
            for key, each in plan.cards.items()
            for place in copies.get(key, {}).values() or [key]
        ),
        *(line.draw(layout.height + LINE * place + 4) for place, line in enumerate(below)),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def edge_label(graph: Graph, edge: Edge) -> str:
    """Write the local derivative on an edge: its number, or the sizes of the Jacobian.

    In a large graph the number stands alone: its names can be read at both ends, sizes on the cards. In one
    of more than `MOST` nodes nothing is written, for labels would cost more time and room than the nodes.
    """
    source, target = graph.node(edge.source), graph.node(edge.target)
    if source.name is None or len(graph.nodes) > MOST:
        return ""
    if graph.swept and edge.product is None:
        return "None"
    large = len(graph.nodes) > LARGE
    if edge.local is not None and large:
        return words.number(edge.local)
    if edge.local is not None:
        return f"{partial(target.name or '', source.name)} = {words.number(edge.local)}"
    if large or (not target.shape and not source.shape) or target.kind not in ("operation", "group"):
        return ""
    if target.shape is None or source.shape is None:
        return ""
    return f"{words.size(target.shape)} × {words.size(source.shape)} Jacobian"


def partial(of: str, by: str) -> str:
    """Write a partial derivative by its names, as long as they are names of mathematics."""
    if words.mathematical(of) and words.mathematical(by):
        return f"∂{words.pretty(of)}/∂{words.pretty(by)}"
    return "∂"


def _frame(graph: Graph, key: str) -> float:
    return 8.0 if key == graph.output or graph.node(key).group else 0.0


def _edge(graph: Graph, edge: Edge, route: Route, label: Label | None) -> str:
    curves = [[f"{px(x)},{px(y)}" for x, y in part] for part in route.parts]
    path = "".join(f"M{first} C{' '.join(rest)}" for first, *rest in curves)
    silent = graph.swept and edge.product is None
    dash = ' stroke-dasharray="4 3"' if silent else ""
    parts = [
        f'<g class="edge{" silent" if silent else ""}" id="{edge.id}">',
        f"<title>{escape(_edge_title(graph, edge))}</title>",
        f'<path d="{path}" fill="none" stroke="{GREY}"{dash}/>',
        _arrow(route),
    ]
    if label and route.label:
        x, y = route.label
        y -= (LABEL + 5) * (len(label.lines) - 1) / 2
        for role, line in zip(("local", "product"), label.lines, strict=False):
            parts.append(text([Word(line)], x, y, LABEL, role))
            y += LABEL + 5
    elif label:
        (_, start), (x, y) = route.parts[0][0], route.tip
        side = 8 if start < y - 1 else -8  # where the edge does not come from
        parts.append(text([Word(label.lines[0])], x - 9, y + side, LABEL, "local", "end"))
    return "".join(parts) + "</g>"


def _arrow(route: Route) -> str:
    (x, y), (tx, ty) = route.parts[-1][-1], route.tip
    dx, dy = (tx - x) * 0.34, (ty - y) * 0.34
    corners = [(tx, ty), (x - dy, y + dx), (x + dy, y - dx)]
    return f'<polygon points="{" ".join(f"{px(a)},{px(b)}" for a, b in corners)}" fill="{GREY}"/>'


def _edge_title(graph: Graph, edge: Edge) -> str:
    source, target = graph.node(edge.source), graph.node(edge.target)
    ends = f"{source.name or source.operation} → {target.name or target.operation}"
    alone = len(graph.operands(target.id)) == 1
    return ends if alone else f"{ends}, operand {edge.position + 1}"


def _node(graph: Graph, each: Card, place: str, middle: Point) -> str:
    node = each.node
    x, y = middle
    left, top = x - each.width / 2, y - each.height / 2
    marks = [
        "custom" if node.custom else node.kind,
        *(["output"] if node.id == graph.output else []),
        *(["copy"] if place != node.id else []),
    ]
    parts = [
        f'<g class="node {" ".join(marks)}" id="{place}">',
        f"<title>{escape(_node_title(graph, node))}</title>",
        outline(node, left, top, each.width, each.height, node.id == graph.output, place != node.id),
    ]
    y = top + 5
    for line in each.rows:
        parts.append(row(line, x, y))
        y += line.height
    return "".join(parts) + "</g>"


def _node_title(graph: Graph, node: Node) -> str:
    if node.group:
        return f"{node.operation}: {words.count(node.group.nodes, 'node')}"
    return words.formula(graph, node) if node.kind == "operation" else f"{node.kind} {node.name}"
