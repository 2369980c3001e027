"""Draws a backward pass that runs by itself: an SVG whose styles move it, without a script.

Values appear forward, each product travels back along its edge, and where paths meet they are added. Who asks
for reduced motion sees the end of the pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from curves import Point, points_along
from loop_plan import planned

from course.graph import Graph, words
from course.graph.draw import paint
from course.graph.model import Step

Shown = list[tuple[float, str]]  # what stands in a place, and from which second on
SVG = "http://www.w3.org/2000/svg"
FLOW = "#d55e00"
SEED_AT, VALUE, TRAVEL, SUM, HOLD = 0.6, 0.8, 1.3, 1.5, 3.0  # seconds
POINTS = 12  # at which a product is on its way
LINE = 34  # pixels below the graph, for a line of the sentence
SAID = 15.0  # its font size
GROUND = """
svg { color: #1b1b1b; }
.paper { fill: #ffffff; } .loop.course-graph .edge text { stroke: #ffffff; }
@media (prefers-color-scheme: dark) {
  svg { color: #eeeeee; }
  .paper { fill: #161616; } .loop.course-graph .edge text { stroke: #161616; }
}"""
STYLE = """
.loop .later, .loop .token, .loop .said, .loop .flow { animation-duration: %(whole)gs;
  animation-iteration-count: infinite; animation-timing-function: linear; }
.loop .token, .loop .said, .loop .flow, .loop .partial { opacity: 0; }
.loop .said.last { opacity: 1; }
.loop .flow { stroke: %(flow)s; stroke-width: 2.6; fill: none; }
.loop .token rect { fill: #b84f00; }
.loop .token text { fill: #ffffff; font-weight: bold; }
@media (prefers-reduced-motion: reduce) { .loop * { animation: none !important; } }"""


@dataclass(frozen=True)
class Moment:
    """When a step begins and ends, in seconds, and the sentence that stands below it."""

    begin: float
    end: float
    said: str


def loop(graph: Graph, narrow: bool = False) -> str:
    """Return the picture as SVG, on a ground that is light or dark as the browser has it.

    A `narrow` one goes down the page, for telephones. Every operation of the graph must have a number as its
    result.
    """
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(paint(graph, planned(graph, narrow)))
    return _Loop(graph, root, narrow).svg()


class _Loop:
    def __init__(self, graph: Graph, root: ElementTree.Element, narrow: bool) -> None:
        self.graph, self.root, self.narrow = graph, root, narrow
        self.below = (2 if narrow else 1) * LINE
        self.groups = {group.get("id", ""): group for group in root.iter(f"{{{SVG}}}g")}
        self.rules: list[str] = []
        self.names = 0
        self.values = list(self._values())
        self.steps = list(self._steps())
        self.whole = self.steps[-1][1].end + HOLD

    @property
    def arrangement(self) -> str:
        return "narrow" if self.narrow else "wide"

    def _values(self) -> Iterator[tuple[str, Moment]]:
        at = SEED_AT
        for node in self.graph.nodes:
            if node.kind != "leaf":
                yield node.id, Moment(at, at + VALUE, _pretty(words.formula(self.graph, node)))
                at += VALUE

    def _steps(self) -> Iterator[tuple[Step, Moment]]:
        at = self.values[-1][1].end + VALUE / 2
        for step in self.graph.steps:
            end = at + {"seed": VALUE, "travel": TRAVEL, "sum": SUM}[step.kind]
            yield step, Moment(at, end, self._sentence(step))
            at = end

    def _sentence(self, step: Step) -> str:
        node = self.graph.node(step.node)
        adjoint, total = words.barred(node.name or ""), words.quantity(step.total)
        if step.edge is None:
            return f"backward begins: {adjoint} = {total}"
        edge = self.graph.edge(step.edge)
        product = words.quantity(step.product)
        if step.kind == "sum":
            assert step.total is not None
            assert step.product is not None
            before = (step.total.number or 0.0) - (step.product.number or 0.0)
            added = f"({product})" if product.startswith("−") else product
            return f"two paths meet, and are added: {adjoint} = {words.number(before)} + {added} = {total}"
        target = self.graph.node(edge.target)
        names = (
            words.barred(target.name or ""),
            words.pretty(target.name or ""),
            words.pretty(node.name or ""),
        )
        numbers = f"{words.quantity(target.adjoint)} · {_bracketed(words.number(edge.local or 0.0))}"
        return f"{names[0]} · ∂{names[1]}/∂{names[2]} = {numbers} = {product}"

    def svg(self) -> str:
        self.root.set("class", f"{self.root.get('class')} loop {self.arrangement}")
        self._show_values()
        self._show_adjoints()
        self._say()
        for step, moment in self.steps:
            if step.kind == "travel":
                self._send(step, moment)
        left, top, width, height = (float(part) for part in self.root.get("viewBox", "").split())
        self.root.set("viewBox", f"{left:g} {top:g} {width:g} {height + self.below:g}")
        self.root.set("height", f"{height + self.below:g}")
        style = ElementTree.Element("style")
        styles = STYLE % {"whole": self.whole, "flow": FLOW} + "\n" + "\n".join(self.rules)
        style.text = GROUND + styles
        self.root.insert(1, style)
        size = {"width": f"{width:g}", "height": f"{height + self.below:g}"}
        paper = {"class": "paper", "rx": "10", "x": f"{left:g}", "y": f"{top:g}", **size}
        self.root.insert(2, ElementTree.Element("rect", paper))
        return ElementTree.tostring(self.root, encoding="unicode").replace("ns0:", "") + "\n"

    def _animate(self, element: ElementTree.Element, kind: str, frames: list[tuple[float, str]]) -> None:
        """Give an element a class of its own and the keyframes (second, declarations) that move it."""
        self.names += 1
        name = f"{self.arrangement}-{self.names}"
        element.set("class", f"{element.get('class', '')} {kind} {name}".strip())
        keys = "".join(f"{100 * max(0.0, at) / self.whole:.2f}%{{{what}}}" for at, what in frames)
        self.rules.append(f"@keyframes {name}{{{keys}}} .loop .{name}{{animation-name:{name}}}")

    def _appear(self, element: ElementTree.Element, at: float, faint: float = 0.0) -> None:
        frames = [(0.0, f"opacity:{faint:g}"), (at, f"opacity:{faint:g}"), (at + 0.25, "opacity:1")]
        self._animate(element, "later", [*frames, (self.whole, "opacity:1")])

    def _during(self, element: ElementTree.Element, kind: str, begin: float, end: float) -> None:
        out, on = "opacity:0", "opacity:1"
        frames = [
            (0.0, out),
            (begin, out),
            (begin + 0.12, on),
            (end - 0.12, on),
            (end, out),
            (self.whole, out),
        ]
        self._animate(element, kind, frames)

    def _show_values(self) -> None:
        at = {name: moment.begin for name, moment in self.values}
        for name, begin in at.items():
            for text in self._of(self.groups[name], "value"):
                self._appear(next(t for t in text if t.get("class") == "fact"), begin)
        for edge in self.graph.edges:
            for text in self._of(self.groups[edge.id], "local"):  # the name fills the gap in the edge at once
                text.text, number = (text.text or "").split(" = ")
                fact = ElementTree.SubElement(text, "tspan")
                fact.text = f" = {number}"
                self._appear(fact, at[edge.target])

    def _show_adjoints(self) -> None:
        reached: dict[str, Shown] = {}
        for step, moment in self.steps:
            when = moment.end - 0.25 if step.kind == "travel" else moment.begin + 0.3
            shown = reached.setdefault(step.node, [])
            told = words.quantity(step.total)
            if not shown or shown[-1][1] != told:
                shown.append((when, told))
        for name, shown in reached.items():
            group = self.groups[name]
            for part in self._of(group, "pill"):
                self._appear(part, shown[0][0], 0.35)
            (text,) = self._of(group, "adjoint")
            fact = next(t for t in text if t.get("class") == "fact")
            self._appear(fact, shown[-1][0])
            if len(shown) > 1:
                early = ElementTree.SubElement(group, "text", {**text.attrib, "class": "partial"})
                for part in text:  # the name is there already, and takes its room here
                    is_fact = (part.get("class") or "").startswith("fact")
                    own = {} if is_fact else part.attrib | {"opacity": "0"}
                    copy = ElementTree.SubElement(early, "tspan", own)
                    copy.text = f" = {shown[0][1]}" if is_fact else part.text
                    copy.tail = part.tail
                self._during(early, "later", shown[0][0], shown[-1][0] + 0.1)

    def _say(self) -> None:
        left, top, width, height = (float(part) for part in self.root.get("viewBox", "").split())
        x, y = f"{left + width / 2:g}", top + height + LINE / 2
        moments = [Moment(0.0, SEED_AT, "the leaves are given"), *(moment for _, moment in self.values)]
        moments += [moment for _, moment in self.steps]
        ends = [*(moment.begin for moment in moments[1:]), self.whole]
        for moment, end in zip(moments, ends, strict=True):
            said = ElementTree.SubElement(self.root, "g", {"aria-hidden": "true"})
            for line, words_of_line in enumerate(self._lines(moment.said)):
                place = {"x": x, "y": f"{y + line * SAID * 1.3:g}", "font-size": f"{SAID:g}"}
                ElementTree.SubElement(said, "text", place).text = words_of_line
            self._during(said, "said last" if moment is moments[-1] else "said", moment.begin, end)

    def _lines(self, said: str) -> list[str]:
        """Break a sentence after its colon where there is no room for all of it."""
        return re.split("(?<=:) ", said) if self.narrow else [said]

    def _send(self, step: Step, moment: Moment) -> None:
        """Colour an edge and send its product along it, from the result to the operand."""
        group = self.groups[step.edge or ""]
        path = next(iter(group.iter(f"{{{SVG}}}path")))
        points = list(points_along(path.get("d", ""), POINTS))[::-1]
        flow = ElementTree.Element("path", {"d": path.get("d", "")})
        group.insert(2, flow)
        self._during(flow, "flow", moment.begin, moment.end + 0.2)
        told = words.quantity(step.product)
        token = ElementTree.SubElement(self.root, "g", {"aria-hidden": "true"})
        wide = 8 * len(told) + 12
        box = {"x": f"{-wide / 2:g}", "y": "-10", "width": f"{wide:g}", "height": "20", "rx": "10"}
        ElementTree.SubElement(token, "rect", box)
        ElementTree.SubElement(token, "text", {"y": "4.5", "font-size": "12"}).text = told
        last = len(points) - 1
        spread = [points[round(place * last / POINTS)] for place in range(POINTS + 1)]
        way = moment.end - moment.begin
        frames = [(0.0, "opacity:0"), (moment.begin, f"opacity:0;{_at(spread[0])}")]
        frames += [
            (moment.begin + 0.1 + place * (way - 0.3) / POINTS, f"opacity:1;{_at(point)}")
            for place, point in enumerate(spread)
        ]
        frames += [(moment.end, f"opacity:0;{_at(spread[-1])}"), (self.whole, "opacity:0")]
        self._animate(token, "token", frames)

    @staticmethod
    def _of(group: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
        return [element for element in group if element.get("class") == kind]


def _pretty(formula: str) -> str:
    return re.sub(r"\b[a-z]\d+\b", lambda name: words.pretty(name[0]), formula)


def _bracketed(number: str) -> str:
    return f"({number})" if number.startswith("−") else number


def _at(point: Point) -> str:
    return f"transform:translate({point[0]:.1f}px,{point[1]:.1f}px)"
