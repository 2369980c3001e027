"""Where everything goes: dot lays out boxes whose sizes are known, and says so in JSON."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from course.graph.dot import choose
from course.graph.model import Graph

Point = tuple[float, float]
INCH = 72.0  # pixels
LARGE, HUGE = 50, 100  # nodes from which dot must be told not to try too hard


@dataclass(frozen=True)
class Route:
    """An edge's way: Bézier curves (two if a label stands between), the arrow's tip, the label's middle."""

    parts: tuple[tuple[Point, ...], ...]
    tip: Point
    label: Point | None


@dataclass(frozen=True)
class Layout:
    """The size of the whole, the middle of each node, the way of each edge; y grows downwards."""

    width: float
    height: float
    nodes: Mapping[str, Point]
    edges: Mapping[str, Route]


def attributes(count: int) -> dict[str, str]:
    """Give dot's graph attributes for so many nodes: its best work costs minutes where there are many."""
    common = {"rankdir": "LR", "bgcolor": "transparent", "nodesep": "0.28", "ranksep": "0.42"}
    if count > LARGE:
        common |= {"nslimit": "0.1", "nslimit1": "0.1", "mclimit": "0.1"}
    if count > HUGE:
        common["splines"] = "line"
    return common


def lay_out(graph: Graph, sizes: Mapping[str, Point], labels: Mapping[str, Point]) -> Layout:
    """Lay out a graph, operands left and results right, given the sizes of nodes and edge labels in pixels.

    Raises NoDotError where there is no program to do it.
    """
    lines = [f"{name}={value};" for name, value in attributes(len(graph.nodes)).items()]
    lines.append('node [shape=box fixedsize=true label=""];')
    lines.append("edge [arrowsize=0.7];")
    entries = {node.id: [edge.id for edge in graph.operands(node.id)] for node in graph.nodes}
    for key, size in sizes.items():
        lines.append(f"{key} [{_box(size, entries[key])}];")
    for edge in graph.edges:
        start = f"{edge.source}:e"
        end = f'{edge.target}:"{edge.id}":w' if len(entries[edge.target]) > 1 else f"{edge.target}:w"
        if edge.id in labels:
            # A label is a box in the middle of its edge: no line crosses it, no other edge can claim it.
            box = f'"{edge.id}-label"'
            lines.append(f"{box} [{_box(labels[edge.id], [])}];")
            lines.append(f'{start} -> {box}:w [id="{edge.id}" arrowhead=none];')
            start = f"{box}:e"
        lines.append(f'{start} -> {end} [id="{edge.id}"];')
    if len(graph.nodes) <= LARGE:
        lines += [f"{{rank=same; {above} -> {below} [style=invis];}}" for above, below in _beside(graph)]
    source = "digraph {\n" + "\n".join(lines) + "\n}\n"
    command = [str(choose("json0")), "-Tjson0"]
    done = subprocess.run(command, input=source, capture_output=True, encoding="utf-8", check=True)
    return _read(json.loads(done.stdout))


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


def _read(found: dict[str, object]) -> Layout:
    _, _, width, height = map(float, str(found["bb"]).split(","))

    def point(text: str) -> Point:
        x, y = map(float, text.split(","))
        return x, height - y

    boxes = {item["name"]: point(item["pos"]) for item in found.get("objects", ()) if "pos" in item}  # type: ignore[attr-defined]
    parts: dict[str, list[tuple[Point, ...]]] = {}
    tips: dict[str, Point] = {}
    for item in found.get("edges", ()):  # type: ignore[attr-defined]
        if item.get("style") == "invis":
            continue
        ends, *rest = item["pos"].split(" ")
        if ends.startswith("e,"):
            tips[item["id"]] = point(ends.removeprefix("e,"))
        else:
            rest.insert(0, ends)
        parts.setdefault(item["id"], []).append(tuple(map(point, rest)))
    edges = {key: Route(tuple(parts[key]), tips[key], boxes.get(f"{key}-label")) for key in parts}
    return Layout(width, height, boxes, edges)
