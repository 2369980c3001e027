"""`explore`: a function of a few numbers, its graph, and a slider for each of them."""

import math
from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from course.engine import Tensor
from course.graph import words
from course.graph.cards import Card, Row, Word, card
from course.graph.dot import NoDotError
from course.graph.draw import fluid
from course.graph.model import Graph
from course.graph.record import record_from
from course.graph.svg import Label, Plan, edge_label, paint, plan

WIDEST = "−0.0008888"  # of what words.number writes
STEPS = 50  # at least, from one end of a slider to the other; each a round number


def explore(fn: Callable[..., Tensor], **ranges: tuple[float, ...]) -> Any:
    """Show the graph of `fn` with a slider for each of its arguments; the picture follows the sliders.

    `fn` takes engine Tensors, numbers that require a gradient, under the names of `ranges` and returns one.
    A range is (lowest, highest) or (lowest, highest, start); without a start the slider stands in the middle.
    Returns an ipywidgets VBox, of which a page without a kernel shows the picture. Raises ValueError for a
    range that is not one, and what `fn` raises at the start; what it raises later stands in the place of
    the picture.
    """
    import ipywidgets

    from course.graph.sliders import Sliders  # here, so that only who explores imports ipywidgets

    sliders = {name: _slider(ipywidgets, name, *bounds) for name, bounds in ranges.items()}
    still = Still()
    # The widget scrolls, not what is in it: a new picture stands where the reader has scrolled to.
    scrolling = {"overflow": "auto", "max_width": "100%"}
    picture = ipywidgets.HTML(still.draw(_graph(fn, sliders)), layout=scrolling)

    def follow(_: object) -> None:
        try:
            picture.value = still.draw(_graph(fn, sliders))
        except Exception as error:  # what fn raises belongs to the reader, and to no log
            picture.value = f"<p>{escape(type(error).__name__)}: {escape(str(error))}</p>"

    for slider in sliders.values():
        slider.observe(follow, names="value")
    return Sliders(list(sliders.values()), picture)


class Still:
    """A picture that stands still while its numbers change: planned once, with room for any number."""

    def __init__(self) -> None:
        self.shape: object = None
        self.plan: Plan | None = None

    def draw(self, graph: Graph) -> str:
        """Draw a graph where the one before stood; plan anew if it has other nodes or edges."""
        cards = {node.id: roomy(card(graph, node)) for node in graph.nodes}
        labels = {
            edge.id: Label((label,), (_wide(label),))
            for edge in graph.edges
            if (label := edge_label(graph, edge))
        }
        shape = [(node.id, node.name, node.operation, node.shape) for node in graph.nodes], sorted(labels)
        try:
            if self.plan is None or shape != self.shape:
                self.shape, self.plan = shape, plan(graph, cards, labels)
        except NoDotError as error:
            return f"<p>{escape(str(error))}</p>"
        self.plan = replace(self.plan, cards=cards, labels=labels)
        return fluid(paint(graph, self.plan))


def roomy(each: Card) -> Card:
    """Make a card wide enough for any number in its rows."""
    return replace(each, rows=tuple(replace(row, later=_later(row)) for row in each.rows))


def _later(row: Row) -> tuple[Row, ...]:
    if row.role not in ("value", "adjoint") or row.grid:
        return ()
    return (Row(row.role, (row.words[0], Word(f" = {WIDEST}"))),)


def _wide(label: str) -> str:
    name, equals, _ = label.partition(" = ")
    return name + equals + WIDEST if equals else label


def _graph(fn: Callable[..., Tensor], sliders: dict[str, Any]) -> Graph:
    leaves = {name: Tensor(float(slider.value), requires_grad=True) for name, slider in sliders.items()}
    with np.errstate(all="ignore"):  # nan and inf are shown in the picture
        return record_from(None, fn(**leaves), leaves.values(), leaves)


def _slider(ipywidgets: Any, name: str, *bounds: float) -> Any:
    if len(bounds) not in (2, 3) or not bounds[0] < bounds[1]:
        raise ValueError(f"{name}: a range is (lowest, highest) or (lowest, highest, start), not {bounds}")
    lowest, highest = map(float, bounds[:2])
    start = float(bounds[2]) if len(bounds) == 3 else (lowest + highest) / 2
    if not lowest <= start <= highest:
        raise ValueError(f"{name}: the start, {words.number(start)}, lies outside the range")
    return ipywidgets.FloatSlider(
        value=start,
        min=lowest,
        max=highest,
        step=10.0 ** math.floor(math.log10((highest - lowest) / STEPS)),
        description=words.pretty(name),
        readout_format=".4g",
    )
