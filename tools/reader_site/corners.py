"""Writes an empty heading of a table, such as the corner above its first column, as a plain cell."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

EMPTY = re.compile(r"<th\b[^>]*>\s*(?:<p>\s*</p>\s*)?</th>")


def fill(
    app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None
) -> None:
    """Replace the empty headings of a page: to a screen reader they announce nothing."""
    if "body" in context:
        context["body"] = EMPTY.sub("<td></td>", context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the headings replaced when a page is written."""
    app.connect("html-page-context", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
