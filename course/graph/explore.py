"""`explore`: a function of a few numbers, its graph, and a slider for each of them."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from course.engine import Tensor
from course.graph import words
from course.graph.cards import Card, Row, Word, card
from course.graph.draw import Label, Plan, fluid, paint, plan
from course.graph.layout import NoDotError
from course.graph.model import Graph, Rule, Value
from course.graph.play import Player
from course.graph.record import record_from
from course.graph.script_data import live_data

WIDEST = "−8.888e−99"  # of what words.number writes; a card's margin has room for a third digit
PARTS = (0.0, 0.19, 0.41, 0.63, 0.87, 1.0)  # of a range, at which the graph is recorded again
ROUNDING = 1e-9  # relative, of a constant that is recovered from other numbers
END = 10**6  # a step beyond the last one
STEPS = 50  # at least, from one end of a slider to the other; each a round number


def explore(fn: Callable[..., Tensor], **ranges: tuple[float, ...]) -> "Explorer":
    """Show the graph of `fn` with a slider for each of its arguments; the picture follows the sliders.

    `fn` takes engine Tensors, numbers that require a gradient, under the names of `ranges` and returns one.
    A range is (lowest, highest) or (lowest, highest, start); without a start the slider begins in the middle.
    Raises ValueError for a range that is not one, and what `fn` raises at the start; what it raises later
    stands in the place of the picture.
    """
    import ipywidgets  # here, so that only who explores imports it

    sliders = {name: _slider(ipywidgets, name, *bounds) for name, bounds in ranges.items()}

    def graph() -> Graph:
        return _graph(fn, {name: slider.value for name, slider in sliders.items()})

    frame = FixedLayout()
    # The widget scrolls, not what is in it: a new picture stands where the reader has scrolled to.
    scrolling = {"overflow": "auto", "max_width": "100%"}
    picture = ipywidgets.HTML(frame.draw(graph()), layout=scrolling)

    def follow(_: object) -> None:
        try:
            picture.value = frame.draw(graph())
        except Exception as error:  # what fn raises belongs to the reader, and to no log
            picture.value = frame.instead(f"{type(error).__name__}: {error}")

    for slider in sliders.values():
        slider.observe(follow, names="value")
    box = ipywidgets.VBox([*sliders.values(), picture])
    return Explorer(box, lambda: _player(fn, sliders))


class Explorer:
    """Sliders with the picture that follows them: the last of the `children` of the ipywidgets `box`.

    A page that has no kernel, be it the rendered course or a feedback page, shows the graph in a player whose
    handles have the ranges of the sliders. If another graph is recorded for other numbers, the page shows the
    picture as it was when the cell ran.
    """

    def __init__(self, box: Any, player: Callable[[], Player | None]) -> None:
        self.box, self.player = box, player

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Show the widget, and beside it the player or the picture for a page that shows no widgets."""
        player = self.player()
        picture = f'<div style="overflow-x:auto">{self.box.children[-1].value}</div>'
        return {**self.box._repr_mimebundle_(**options), "text/html": player.html() if player else picture}


def _player(fn: Callable[..., Tensor], sliders: Mapping[str, Any]) -> Player | None:
    """Make a player of the graph for the page; None if it is not the same graph everywhere in the ranges."""
    now = {name: slider.value for name, slider in sliders.items()}
    try:
        graph = _graph(fn, now)
        others = [_graph(fn, values) for values in _samples(sliders)]
        if live_data(graph) is None or not all(_same(graph, other) for other in others):
            return None
        ranges = {name: (slider.min, slider.max) for name, slider in sliders.items()}
        player = Player(graph, ranges, step=END)
        player.html()
    except Exception:  # what fn raises, and NoDotError, stand in the place of the picture
        return None
    return player


def _samples(sliders: Mapping[str, Any]) -> Iterator[dict[str, float]]:
    """Go through the ranges: all sliders together, and each by itself."""
    now = {name: slider.value for name, slider in sliders.items()}
    for part in PARTS:
        there = {name: slider.min + part * (slider.max - slider.min) for name, slider in sliders.items()}
        yield there
        yield from ({**now, name: x} for name, x in there.items())


def _same(graph: Graph, other: Graph) -> bool:
    """Tell whether two graphs compute the same with the same constants."""
    rules = [[node.rule for node in each.nodes] for each in (graph, other)]
    if len(rules[0]) != len(rules[1]):
        return False
    return all(a == b or (a and b and _alike(a, b)) for a, b in zip(*rules, strict=True))


def _alike(a: Rule, b: Rule) -> bool:
    if (a.name, a.places, len(a.operands)) != (b.name, b.places, len(b.operands)):
        return False
    return all(
        one == other
        or (
            isinstance(one, Value)
            and isinstance(other, Value)
            and one.number is not None
            and other.number is not None
            and math.isclose(one.number, other.number, rel_tol=ROUNDING)
        )
        for one, other in zip(a.operands, b.operands, strict=True)
    )


class FixedLayout:
    """Draws a graph again and again in the same layout, which has room for any number from the start."""

    def __init__(self) -> None:
        self.shape: object = None
        self.plan: Plan | None = None
        self.last = ""

    def draw(self, graph: Graph) -> str:
        """Replace the previous graph; compute a new layout only if the nodes or edges differ."""
        cards = {node.id: _for_any_number(card(graph, node)) for node in graph.nodes}
        labels = {
            edge.id: Label((label,), (_widest(label),), "start")
            for edge in graph.edges
            if (label := words.edge_label(graph, edge))
        }
        shape = [(node.id, node.name, node.operation, node.shape) for node in graph.nodes], sorted(labels)
        try:
            if self.plan is None or shape != self.shape:
                self.shape, self.plan = shape, plan(graph, cards, labels)
        except NoDotError as error:
            return f"<p>{escape(str(error))}</p>"
        self.plan = replace(self.plan, cards=cards, labels=labels)
        self.last = fluid(paint(graph, self.plan))
        return self.last

    def instead(self, message: str) -> str:
        """Show a message in the place of the last picture, which keeps its room."""
        unseen = f'<div style="visibility:hidden" aria-hidden="true">{self.last}</div>'
        cell = '<div style="grid-area:1/1">{}</div>'
        return f'<div style="display:grid">{cell.format(escape(message))}{cell.format(unseen)}</div>'


def _for_any_number(each: Card) -> Card:
    """Make a card wide enough for any number in its rows."""
    return replace(each, rows=tuple(replace(row, later=_later(row)) for row in each.rows))


def _later(row: Row) -> tuple[Row, ...]:
    if row.role not in ("value", "adjoint") or row.grid:
        return ()
    return (Row(row.role, (row.words[0], Word(f" = {WIDEST}"))),)


def _widest(label: str) -> str:
    name, equals, _ = label.partition(" = ")
    return name + equals + WIDEST if equals else label


def _graph(fn: Callable[..., Tensor], values: Mapping[str, float]) -> Graph:
    leaves = {name: Tensor(float(x), requires_grad=True) for name, x in values.items()}
    with np.errstate(all="ignore"):  # nan and inf are shown in the picture
        return record_from(None, fn(**leaves), leaves.values(), leaves)


def _slider(ipywidgets: Any, name: str, *bounds: float) -> Any:
    if len(bounds) not in (2, 3) or not bounds[0] < bounds[1]:
        raise ValueError(f"{name}: a range is (lowest, highest) or (lowest, highest, start), not {bounds}")
    lowest, highest = map(float, bounds[:2])
    start = float(bounds[2]) if len(bounds) == 3 else (lowest + highest) / 2
    if not lowest <= start <= highest:
        raise ValueError(f"{name}: the start {words.number(start)} is outside the range")
    return ipywidgets.FloatSlider(
        value=start,
        min=lowest,
        max=highest,
        step=10.0 ** math.floor(math.log10((highest - lowest) / STEPS)),
        description=words.pretty(name),
        readout_format=".4g",
    )
