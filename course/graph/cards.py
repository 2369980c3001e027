"""What a node's card says, row by row, and how large it must be: no drawing yet."""

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from course.graph import words
from course.graph.constants import SHARED
from course.graph.model import Graph, Group, Node, Saved, Value
from course.graph.words import width

TITLE, FACT = 15.0, 13.0  # font sizes
SMALL: float = SHARED["SMALL"]  # the smallest one
CELL_GAP: float = SHARED["CELL_GAP"]  # between the columns of an array
PAD = 10.0
CHIPS = 4  # saved tensors that are named one by one


@dataclass(frozen=True)
class Word:
    """A piece of text; `name` is set in the manner of names, `bar` makes it an adjoint's.

    `fact` marks what a player hides until it is known.
    """

    text: str
    name: bool = False
    bar: bool = False
    fact: bool = False

    def width(self, size: float) -> float:
        """Return how wide the word is."""
        return width(words.pretty(self.text) if self.name else self.text, size)


@dataclass(frozen=True)
class Row:
    """A row of a card: a title; a fact (words, then perhaps a grid of entries); or chips after a label.

    `later` is what else the row will say in a picture that moves: there is room for the widest, in bold.
    """

    role: Literal["title", "value", "adjoint", "saved", "context", "passes"]
    words: tuple[Word, ...] = ()
    grid: tuple[tuple[str, ...], ...] = ()
    chips: tuple[tuple[Word, ...], ...] = ()
    later: tuple["Row", ...] = ()
    bold: bool = False  # an adjoint is, in a player, at the steps of its node

    @property
    def height(self) -> float:
        """How high the row is, with the space around it."""
        if self.grid:
            return 15.0 * len(self.grid) + 7
        return {"title": 22.0, "value": 20.0, "adjoint": 22.0}.get(self.role, 21.0)

    @property
    def wider(self) -> float:
        """How much wider the row is than in a font that is not bold."""
        return words.BOLD if self.bold or self.role == "title" else 1.0

    @cached_property
    def columns(self) -> list[float]:
        """How wide each column of the grid is."""
        own = [
            self.wider * max(width(cell, SMALL) for cell in column) for column in zip(*self.grid, strict=True)
        ]
        others = [row.columns for row in self.later if row.grid]
        return [max(widths) for widths in zip(own, *others, strict=True)]

    @cached_property
    def lead(self) -> float:
        """How wide the words are."""
        size = {"title": TITLE, "value": FACT, "adjoint": FACT}.get(self.role, SMALL)
        return sum(word.width(size) for word in self.words) * self.wider

    @cached_property
    def width(self) -> float:
        """How wide the row is."""
        grid = sum(self.columns) + CELL_GAP * len(self.columns) + 8 if self.grid else 0
        own = self.lead + grid + sum(chip_width(chip) + 4 for chip in self.chips)
        return max(own, *(row.width for row in self.later)) if self.later else own


@dataclass(frozen=True)
class Card:
    """A node's rows, and the room that they need."""

    node: Node
    rows: tuple[Row, ...]

    @cached_property
    def width(self) -> float:
        """The width of the outline."""
        bars = 10.0 * (self.node.order - 1)
        return whole(max(44.0, max(row.width for row in self.rows) + 2 * PAD + bars))

    @cached_property
    def height(self) -> float:
        """The height of the outline."""
        return whole(sum(row.height for row in self.rows) + 10)


def whole(size: float) -> float:
    """Round a size up to an even number of pixels: a card around a whole pixel then has whole edges."""
    return 2.0 * math.ceil(size / 2)


def chip_width(chip: tuple[Word, ...]) -> float:
    """Return how wide a chip is, outline included."""
    return sum(word.width(SMALL) for word in chip) + 9


def card(graph: Graph, node: Node) -> Card:
    """Lay out what there is to say about a node."""
    rows = []
    if node.kind in ("operation", "group"):
        rows.append(Row("title", (Word(words.symbol(node)),)))
    if node.group:
        rows += _contents(node.group)
    if node.context:
        chips = tuple((Word(f"{words.short(name)} = {words.short(text)}"),) for name, text in node.context)
        rows.append(Row("context", chips=chips))
    if node.name:
        rows.append(fact("value", Word(node.name, True), node.value, node.shape))
        if node.kind == "input":
            pass
        elif graph.swept and node.adjoint is None:
            rows.append(Row("adjoint", (Word(node.name, True, True), Word(" = None", fact=True))))
        elif graph.swept:
            rows.append(fact("adjoint", Word(node.name, True, True), node.adjoint, node.shape))
    if node.saved:
        large = len(graph.nodes) > words.LARGE
        kept = tuple(_chip(saved, large) for saved in node.saved[:CHIPS])
        rows.append(Row("saved", (Word("saved "),), chips=kept + _more(node)))
    if node.needs_grad is not None:
        rows.append(Row("passes", (Word("passes on "),), chips=_passes_on(graph, node)))
    return Card(node, tuple(rows))


def fact(
    role: Literal["value", "adjoint"], name: Word, value: Value | None, shape: tuple[int, ...] | None
) -> Row:
    """Lay out a name and what it is: a number, a grid of few entries, or the shape of many."""
    grid = words.entries(value) if value is not None else None
    if grid and value is not None and value.shape == ():
        return Row(role, (name, Word(f" = {grid[0][0]}", fact=True)))
    if grid:
        return Row(role, (name, Word(" = ", fact=True)), tuple(map(tuple, grid)))
    return Row(role, (name, Word(f"  {words.told_shape(shape)}", fact=True)) if shape else (name,))


def _contents(group: Group) -> list[Row]:
    """Say what a group stands for: its operations, how many nodes, what goes in and out, what is saved."""
    titles = [(Word(words.short(title)),) for title in group.titles[:CHIPS]]
    rest = [(Word(f"+{len(group.titles) - CHIPS}"),)] if len(group.titles) > CHIPS else []
    saved = f", {words.size_in_bytes(group.nbytes)} saved" if group.nbytes else ""
    rows = [
        Row("context", chips=(*titles, *rest)),
        Row("context", (Word(words.count(group.nodes, "node") + saved),)),
    ]
    if any((*group.inputs, *group.outputs)):
        flow = (
            f"{_shapes(group.inputs)} → {_shapes(group.outputs)}"
            if group.inputs
            else f"out {_shapes(group.outputs)}"
        )
        rows.append(Row("context", (Word(flow),)))
    return rows


def _shapes(shapes: tuple[tuple[int, ...] | None, ...]) -> str:
    """Write shapes with how many there are of each: 8 × 16, 2 of 64."""
    counts = Counter("a number" if not shape else words.shape(shape) for shape in shapes)
    told = [text if many == 1 else f"{many} of {text}" for text, many in counts.items()]
    return ", ".join(told[:CHIPS] + (["…"] if len(told) > CHIPS else []))


def _chip(saved: Saved, large: bool) -> tuple[Word, ...]:
    if saved.node is not None:
        return (Word(saved.name, True),)
    shape = words.told_shape(saved.value.shape)
    what = shape if large and saved.value.number is None else words.brief(saved.value)
    if not saved.name:
        return (Word(what),)
    return Word(saved.name, True), Word(f"  {what}" if what == shape else f" = {what}")


def _more(node: Node) -> tuple[tuple[Word, ...], ...]:
    return ((Word(f"+{len(node.saved) - CHIPS}"),),) if len(node.saved) > CHIPS else ()


def _passes_on(graph: Graph, node: Node) -> tuple[tuple[Word, ...], ...]:
    """One chip for each argument of apply: what reaches it of what backward returned.

    The tape drops what backward returned for an argument without an edge.
    """
    edges = {edge.position: edge for edge in graph.operands(node.id)}
    chips = []
    for position in range(len(node.needs_grad or ())):
        edge = edges.get(position)
        flows = edge is not None and (edge.product is not None or not graph.swept)
        name = graph.node(edge.source).name if edge is not None else None
        dropped = position < len(node.returned) and node.returned[position]
        nothing = "returned, dropped" if dropped and not flows else "nothing"
        chips.append((Word(name, True, True),) if flows and name else (Word(nothing),))
    return tuple(chips)
