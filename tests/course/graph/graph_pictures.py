"""Reading a picture back: its groups, its lines of text, its boxes."""

import xml.etree.ElementTree as ElementTree

from course.engine import Tensor, sin
from course.graph import draw, record

SVG = "{http://www.w3.org/2000/svg}"


def number(value):
    return Tensor(value, requires_grad=True)


def seed_graph():
    w1, w2 = number(2.0), number(3.0)
    w3, w4 = w1 * w2, sin(w1)
    w5 = w3 + w4
    return record(w5)


def parse(picture):
    return ElementTree.fromstring(picture.svg())


def find(root, key):
    (found,) = [group for group in root.iter(f"{SVG}g") if group.get("id") == key]
    return found


def lines(group):
    """Return what each line of text in a group says."""
    return ["".join(text.itertext()) for text in group.iter(f"{SVG}text")]


def said(graph, name):
    return lines(find(parse(draw(graph)), graph.node(name).id))


def boxes(root):
    """Return (left, top, right, bottom) of each node's outline."""
    rectangles = [rect for rect in root.iter(f"{SVG}rect") if rect.get("class") == "body"]
    sides = [[float(rect.get(side)) for side in ("x", "y", "width", "height")] for rect in rectangles]
    return [(x, y, x + wide, y + high) for x, y, wide, high in sides]
