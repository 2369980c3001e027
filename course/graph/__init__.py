"""Seeing a computation: one model, one picture, one player.

`record` reads a tape, the engine's or PyTorch's, into a plain Graph; `draw` makes a picture of it, `play` one
that is stepped through, and `explore` one that follows sliders.
Read `model` first; then `tape`, `walk`, `build`, `orders` and `steps`; then `collapse` and `quotient`, which
make large graphs small; then `words`, `cards`, `copies`, `layout`, `shapes` and `svg`; then `story` and
`stage`, which `play` puts together.
"""

from course.graph.dot import NoDotError
from course.graph.draw import Picture, draw
from course.graph.explore import explore
from course.graph.model import Edge, Graph, Node, Saved, Step, Value
from course.graph.play import Player, play
from course.graph.record import record
from course.graph.words import describe

__all__ = [
    "Edge",
    "Graph",
    "NoDotError",
    "Node",
    "Picture",
    "Player",
    "Saved",
    "Step",
    "Value",
    "describe",
    "draw",
    "explore",
    "play",
    "record",
]
