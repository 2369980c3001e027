"""Writes what the site's own search reads: the text of each section, without menus, pictures and cards.

Sphinx's search finds a page only if it has every word that is asked for, so that a pasted message with names
of its own finds nothing. It is switched off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

INDEX = "search-index.js"
OWN = (nodes.section, addnodes.desc)  # each has an entry of its own
UNREAD = (*OWN, nodes.title, nodes.raw, nodes.image, nodes.math_block, nodes.comment, addnodes.index)
UNREAD += (addnodes.desc_signature, addnodes.toctree)
NAME = re.compile(r"[^\W\d]\w+")  # of code its names suffice
REPEATS = "overview"  # class of a table of what stands in other sections
# by folder or page
KINDS = {"course": "Lesson", "exercises": "Exercises", "reference": "Reference", "mistakes": "Mistake"}
KINDS |= {"glossary": "Glossary", "index": "First page", "gallery": "Gallery", "wild": "Gallery"}


def switch_off(app: Sphinx) -> None:
    """Have Sphinx write neither an index nor the page of its own search."""
    app.builder.search = False


def write_index(app: Sphinx, failed: Exception | None) -> None:
    """Write the index as a script, which a browser loads from a folder too."""
    if failed is None and app.builder.format == "html":
        sections = [each for page in sorted(app.env.found_docs) for each in _sections(app.env, page)]
        data = json.dumps(sections, ensure_ascii=False, separators=(",", ":"))
        path = Path(app.outdir) / "_static" / INDEX
        path.write_text(f"globalThis.searchIndex = {data};\n", encoding="utf-8")


def _sections(env: BuildEnvironment, page: str) -> Iterator[dict[str, str]]:
    """Yield what the index has of each section of a page; `opening` is the first paragraph of the page."""
    document = env.get_doctree(page)
    title = env.titles[page].astext()
    for node in document.findall(lambda n: isinstance(n, OWN)):
        first = isinstance(node.parent, nodes.document)
        yield {
            "address": f"{page}.html" + ("" if first else f"#{_anchor(node)}"),
            "kind": KINDS.get(page.partition("/")[0], ""),
            "page": title,
            "title": title if first else _heading(node),
            **_text(node, first),
        }


def _anchor(node: nodes.Element) -> str:
    return str(node["ids"][0] if isinstance(node, nodes.section) else node[0]["ids"][0])


def _heading(node: nodes.Element) -> str:
    return node[0].astext() if isinstance(node, nodes.section) else str(node[0]["fullname"])


def _text(node: nodes.Element, first: bool) -> dict[str, str]:
    """Return a section's words in fields: its text, the names in code and outputs, PyTorch's messages.

    The first section of a page has an opening besides, which is its first paragraph.
    """
    parts: dict[str, list[str]] = {"text": [], "code": [], "message": []}

    def read(node: nodes.Node) -> None:
        if isinstance(node, UNREAD) or (isinstance(node, nodes.Element) and REPEATS in node["classes"]):
            return
        if isinstance(node, nodes.literal_block):
            parts["message" if "pytorch" in node["classes"] else "code"].append(node.astext())
        elif isinstance(node, nodes.TextElement):
            parts["text"].append(_line(node))
        else:
            for child in node.children:
                read(child)

    for child in node.children:
        read(child)
    if first:
        parts["opening"] = [parts["text"].pop(0)]
    joined = {name: " ".join(" ".join(texts).split()) for name, texts in parts.items()}
    joined["code"] = " ".join(dict.fromkeys(NAME.findall(joined["code"])))
    return {name: text for name, text in joined.items() if text}


def _line(node: nodes.TextElement) -> str:
    """Return the text of a paragraph; a formula that is more than a letter or two is left out."""
    texts = (child for child in node.findall(nodes.Text))
    return "".join("…" if _is_formula(text) and "\\" in text else text for text in texts)


def _is_formula(text: nodes.Text) -> bool:
    return isinstance(text.parent, nodes.math)


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the index written at the end of a build, in place of Sphinx's own."""
    app.connect("builder-inited", switch_off)
    app.connect("build-finished", write_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
