"""Links the names of mistakes in all cards of the site to their entries in the table of mistakes."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

TABLE = "mistakes"
NAME = re.compile(r'(<div class="finding"><p>)(?:<a [^>]*>)?(<code>([a-z-]+)</code>)(?:</a>)?')


def link_names(app: Sphinx, document: nodes.document, page: str) -> None:
    """Put a link around the name of each mistake in the cards of a page, in place of one from elsewhere."""
    table = app.builder.get_relative_uri(page, TABLE)
    for raw in document.findall(nodes.raw):
        text = NAME.sub(rf'\1<a href="{table}#\3">\2</a>', raw.astext())
        if text != raw.astext():
            raw.children = [nodes.Text(text)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the names linked when a page is written."""
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
