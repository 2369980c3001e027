"""Lets graphs that are wider than a page's column leave it, with the theme's own class for wide things.

The theme folds the page's contents away while such a thing is beside them.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

from course.graph.draw import SHRINK

COLUMN = 686  # pixels on a screen of 1,280
FRAME = 26  # pixels on both sides of a player's picture
PICTURE = re.compile(r'<svg [^>]*class="course-graph"[^>]*? width="(\d+)"')


def widen(app: Sphinx, document: nodes.document, page: str) -> None:
    """Mark the outputs with a picture that cannot be shrunk to the column."""
    for output in document.findall(nodes.container):
        if "cell_output" in output["classes"]:
            shown = [raw.astext() for raw in output.findall(nodes.raw)]
            frame = FRAME * any("backward-player" in text for text in shown)
            widths = [SHRINK * int(width) for text in shown for width in PICTURE.findall(text)]
            if widths and max(widths) + frame > COLUMN:
                output["classes"].append("full-width")


def setup(app: Sphinx) -> dict[str, bool]:
    """Have every page looked through when it is written."""
    app.connect("doctree-resolved", widen)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
