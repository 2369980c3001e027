"""Seeing a computation: one model, one picture, one player.

`record` reads a tape, the engine's or PyTorch's, into a plain Graph; `draw` makes a picture of it, `play` one
that is stepped through, and `explore` one that follows sliders.
Read `model` first; then `tape`, `walk` and `record`; then `collapse`, which makes large graphs small; then
`words`, `cards`, `layout`, `paint` and `draw`; then `script_data` and `play`, with the scripts they serve.
"""

from course.graph.draw import Picture, draw
from course.graph.explore import Explorer, explore
from course.graph.layout import NoDotError
from course.graph.model import Edge, Graph, Node, Saved, Step, Value
from course.graph.play import Player, play
from course.graph.record import record
from course.graph.words import describe

__all__ = [
    "Edge",
    "Explorer",
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
