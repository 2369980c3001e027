"""A directive for a message that readers search for: quoted, and indexed at the mistake it belongs to."""

from __future__ import annotations

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Message(SphinxDirective):
    """`message` quotes its content; with the anchor of a section as argument, the search leads there."""

    optional_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the quotation, behind an entry of the index if there is an anchor."""
        text = "\n".join(self.content)
        quoted = nodes.literal_block(text, text, language="none", classes=["message"])
        if not self.arguments:
            return [quoted]
        entry = text.partition(": ")[2].replace(";", ",")  # without the type; a semicolon divides entries
        return [addnodes.index(entries=[("single", entry, self.arguments[0], "main", None)]), quoted]


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directive known."""
    app.add_directive("message", Message)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
