"""Outlines of cards: what a colour says, a shape or a line says too."""

from course.graph.model import Node
from course.graph.paint import BLUE, GREEN, PURPLE, VERMILION, box, px, tint

DASHES = ' stroke-dasharray="5 3"'
BAR = 4.0  # between the bars of an operation of second order
CUT = 8.0  # of a custom Function's corners
STACK = 4.0  # by how much the cards of a stack stand apart


def outline(
    node: Node, x: float, y: float, w: float, h: float, output: bool = False, copy: bool = False
) -> str:
    """Draw a card's outline.

    Leaves are round, and dashed where they are copies; operations are square, with a bar at either side for
    each order above the first; custom Functions have cut corners; what stands for several nodes is a stack of
    cards; the output has a second line.
    """
    colour = (
        PURPLE if node.custom else VERMILION if node.order > 1 else GREEN if node.kind == "leaf" else BLUE
    )
    line, radius = {"leaf": (1.6, 17.0), "result": (1.0, 12.0)}.get(node.kind, (1.4, 5.0))
    parts = []
    if output:
        thin = f'fill="none" stroke="{colour}" stroke-width="1"'
        parts.append(box("frame", x - 3.5, y - 3.5, w + 7, h + 7, radius + 3, thin))
    if node.group:
        edge = f"M{px(x + w)},{px(y + STACK)}h{STACK:g}v{px(h)}h-{px(w)}v-{STACK:g}"
        parts.append(f'<path class="stack" d="{edge}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
    if node.custom:
        parts.append(f'<path class="body" d="{_cut(x, y, w, h)}" {tint(colour, 0.12, 2.4)}/>')
    else:
        parts.append(box("body", x, y, w, h, radius, tint(colour, 0.09, line) + (DASHES if copy else "")))
    for bar in range(1, node.order):
        left, right = x + BAR * bar, x + w - BAR * bar
        path = f"M{px(left)},{px(y)}v{px(h)}M{px(right)},{px(y)}v{px(h)}"
        parts.append(f'<path class="order" d="{path}" stroke="{VERMILION}" stroke-width="1.4"/>')
    return "".join(parts)


def _cut(x: float, y: float, w: float, h: float) -> str:
    across, down = w - 2 * CUT, h - 2 * CUT
    start = f"M{px(x + CUT)},{px(y)}h{px(across)}l{CUT:g},{CUT:g}v{px(down)}l-{CUT:g},{CUT:g}h-{px(across)}"
    return f"{start}l-{CUT:g},-{CUT:g}v-{px(down)}z"
