"""What the groups of a graph hold, drawn for a player that unfolds them."""

import base64
import json
import math
import re
import zlib
from collections.abc import Iterator
from typing import Any

from course.graph import words
from course.graph.draw import plan_of, shapes
from course.graph.layout import drawn_once
from course.graph.model import Graph, Group

IDS = re.compile(r'(<g class="[\w ]+") id="([^"]+)"')


def folds(graph: Graph) -> str:
    """Write a picture of what each group holds, and in it of what its groups hold; empty without groups.

    The text is base64 of deflated JSON: many such pictures are alike. They go by the ids of the groups on the
    way, as in g3/g0. Each has its `shapes`, `width` and `height`, the `title` of its frame, what it `shows`
    in words, and how much each of its groups `holds`.
    """
    found = dict(_pictures(graph, ""))
    if not found:
        return ""
    return base64.b64encode(zlib.compress(json.dumps(found, ensure_ascii=False).encode(), 9)).decode()


def marked(picture: str, mark: str) -> str:
    """Write the ids of the shapes in a picture as marks, the same for all copies of a leaf.

    An id may stand only once in a page, and players many times.
    """
    return IDS.sub(lambda found: f'{found[1]} {mark}="{drawn_once(found[2])}"', picture)


def held(group: Group) -> str:
    """Say how much a group holds: 3 operations."""
    return words.count(group.nodes - group.leaves, "operation")


def _pictures(graph: Graph, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for node in graph.nodes:
        inside = node.group.inside if node.group else None
        if node.group is None or inside is None:
            continue
        plan = plan_of(inside)
        times = f": the first of {node.group.times:,}" if node.group.times > 1 else ""
        yield (
            f"{path}{node.id}",
            {
                "shapes": marked(shapes(inside, plan), "data-inner"),
                "width": math.ceil(plan.layout.width),
                "height": math.ceil(plan.layout.height),
                "title": f"{words.symbol(node)}{times}",
                "shows": words.describe(inside),
                "holds": {each.id: held(each.group) for each in inside.nodes if each.group},
            },
        )
        yield from _pictures(inside, f"{path}{node.id}/")
