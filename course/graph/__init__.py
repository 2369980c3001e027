"""Pictures of a computation: one model, one picture, one player.

`record` reads a tape of the engine or of PyTorch into a plain Graph. `draw` makes a picture of it, `play` a
player that shows it step by step, and `explore` a picture with sliders.
Read `model` first; then `tape` and `record`, with `engine_tape`, `torch_tape` and `value_tape`, which say how
a node was computed, and `code`, which finds the line that did; then `collapse`, which shrinks large graphs;
then `words`, `cards`, `layout`, `paint` and `draw`; then `script_data`, `player_picture`, `overwriting`,
`play` and `explore`.

`play` joins the scripts. `types.d.ts` has the types of their data, `constants.json` the constants that they
share with Python. Scripts that touch no page: `quantities.js` writes numbers and completes the data,
`steps.js` lists the steps of a sweep, `describe.js` describes them, `compute.js` computes a graph again, and
`retell.js` writes its new numbers. Scripts that show a step: `picture.js`, `table.js`, `texts.js`, and
`token.js`, the product on its way. Scripts that follow the reader: `controls.js`, `handles.js` (values of the
leaves), `timer.js`, `keyboard.js`, `zoom.js`, `folds.js` (groups that unfold), `code.js` (the lines of code)
and `link.js`. `arrange.js`, `turn.js` (operands left of results or above them), `squeeze.js` and `minimap.js`
divide the room, `elements.js` makes elements, and `play.js` starts a player.
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
