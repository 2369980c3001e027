"""A directive for a message that readers search for: quoted, and marked if PyTorch says it."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from reader_site import fingerprint


class Message(SphinxDirective):
    """`message` quotes its content; its argument says who speaks: `pytorch` or `autograder`."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the quotation, with a class that names the speaker."""
        text = "\n".join(self.content)
        return [nodes.literal_block(text, text, language="none", classes=["message", self.arguments[0]])]


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directive known, and have all pages read again whenever it or its neighbours change."""
    app.add_directive("message", Message)
    app.add_config_value("made_by", fingerprint.of(Path(__file__).parent.glob("*.py")), "env")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
