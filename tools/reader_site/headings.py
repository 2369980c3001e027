"""Lets long names in headings break where their parts meet, and nowhere else."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

HEADING = re.compile(r"<(h[1-6])\b.*?</\1>", re.DOTALL)
TEXT = re.compile(r">[^<]+<")
JOINT = re.compile(r"(?<=\w[_.])(?=\w)|(?<=\w)(?=\()")  # after _ and ., before a bracket


def let_break(
    app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None
) -> None:
    """Mark the places in a page's headings where a line may end."""
    if "body" in context:
        context["body"] = HEADING.sub(_marked, context["body"])


def _marked(heading: re.Match[str]) -> str:
    return TEXT.sub(lambda text: JOINT.sub("<wbr>", text[0]), heading[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the headings marked when a page is written."""
    app.connect("html-page-context", let_break)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
