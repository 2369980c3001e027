"""Seeing a computation: one model, one picture, one player.

`record` reads a tape, the engine's or PyTorch's, into a plain Graph; `draw` makes a picture of it.
Read `model` first; then `tape`, `walk` and `build`; then `words`, `cards`, `layout` and `svg`.
"""

from course.graph.dot import NoDotError
from course.graph.draw import Picture, draw
from course.graph.model import Edge, Graph, Node, Saved, Step, Value
from course.graph.record import record
from course.graph.words import describe

__all__ = [
    "Edge",
    "Graph",
    "NoDotError",
    "Node",
    "Picture",
    "Saved",
    "Step",
    "Value",
    "describe",
    "draw",
    "record",
]
