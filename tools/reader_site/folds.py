"""Folds each entry of the table of mistakes under its name."""

from __future__ import annotations

from html import escape

from docutils import nodes
from sphinx.application import Sphinx

TABLE = "mistakes"


def fold(app: Sphinx, document: nodes.document, page: str) -> None:
    """Put a fold around each section of the third level; its title and its message are the summary."""
    if page != TABLE:
        return
    for section in list(document.findall(nodes.section)):
        if _level(section) == 3:
            title, *content = section.children
            section.children = []
            section.append(_html("<details><summary>"))
            section.append(title)
            section.append(_html(f"{_says(content)}</summary>"))
            section.extend(content)
            section.append(_html("</details>"))


def _says(content: list[nodes.Node]) -> str:
    """Return PyTorch's message, which tells an entry from others while it is folded, or nothing."""
    blocks = (node for node in content if isinstance(node, nodes.literal_block))
    texts = [block.astext() for block in blocks if "pytorch" in block["classes"]]
    return f'<span class="says">{escape(texts[0])}</span>' if texts else ""


def _html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def _level(node: nodes.Node) -> int:
    """Return how many sections a node is in, itself counted."""
    above = 0 if node.parent is None else _level(node.parent)
    return above + isinstance(node, nodes.section)


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the entries folded when the page is written."""
    app.connect("doctree-resolved", fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
