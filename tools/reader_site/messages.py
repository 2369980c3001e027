"""A directive for a message that readers search for: quoted, and indexed at the mistake it belongs to."""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from reader_site import fingerprint

CLAUSE = re.compile(r",? but |\.\s+|: |, which |, it must ")
SHORTEST = 24  # characters


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
        message = text.partition(": ")[2].replace(";", ",")  # without the type; a semicolon divides entries
        # the search knows an entry by half of it or more, and readers paste a part
        parts = dict.fromkeys([message, *(part for part in CLAUSE.split(message) if len(part) > SHORTEST)])
        entries = [("single", part, self.arguments[0], "main", None) for part in parts]
        return [addnodes.index(entries=entries), quoted]


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directive known, and have all pages read again whenever it or its neighbours change."""
    app.add_directive("message", Message)
    app.add_config_value("made_by", fingerprint.of(Path(__file__).parent.glob("*.py")), "env")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
