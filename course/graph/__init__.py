"""Pictures of a computation: one model, one picture, one player.

`record` reads a tape of the engine or of PyTorch into a plain Graph. `draw` makes a picture of it, `play` a
player that shows it step by step, and `explore` a picture with sliders.
Read `model` first; then `tape` and `record`, with `engine_tape` and `torch_tape`, which say how a node was
computed, and `code`, which finds the line that did; then `collapse`, which shrinks large graphs; then
`words`, `cards`, `layout`, `paint` and `draw`; then `script_data`, `play` and `explore`. Of the scripts,
`compute.js` computes a graph again, `retell.js` and `steps.js` tell it in words, and the others are what a
reader sees.
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
