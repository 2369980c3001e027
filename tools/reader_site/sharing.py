"""Tells search engines and those who show a link what a page is about: description, title, picture."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

CARD = "_static/card.png"  # 1,200 × 630; made by `make screenshots`
FRONT = "Write Your Own Backward: backpropagation and custom gradients in PyTorch"
LONGEST = 200  # characters of a description


def add_tags(
    app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None
) -> None:
    """Add a page's tags; the first page has a title of its own, in words that people search for."""
    if document is None:
        return
    told = re.search(
        r'name="description" content="([^"]+)"|content="([^"]+)" name="description"', context["metatags"]
    )
    description = told[1] or told[2] if told else escape(_first_words(document))
    title = FRONT if page == app.config.root_doc else _plain(context["title"])
    base = app.config.html_baseurl
    if page == app.config.root_doc:
        context["pageurl"] = base  # the same page has two addresses; this is the one that others link to
    tags = {
        "og:type": "website",
        "og:site_name": app.config.project,
        "og:title": escape(title),
        "og:description": description,
        "og:url": context["pageurl"],
        "og:image": f"{base}{CARD}",
        "og:image:width": "1200",
        "og:image:height": "630",
    }
    added = [f'<meta property="{name}" content="{content}" />' for name, content in tags.items()]
    added.append('<meta name="twitter:card" content="summary_large_image" />')
    if not told:
        added.append(f'<meta name="description" content="{description}" />')
    context["metatags"] += "\n".join(added)
    if page == app.config.root_doc:
        context["title"], context["docstitle"] = FRONT, ""


def _plain(title: str) -> str:
    return re.sub(r"<[^>]+>", "", title)


def _first_words(document: nodes.document) -> str:
    """Return the beginning of a page's text, up to a whole word."""
    paragraphs = (
        p.astext() for p in document.findall(nodes.paragraph) if isinstance(p.parent, nodes.section)
    )
    text = " ".join(" ".join(paragraphs).split())
    return text if len(text) <= LONGEST else text[:LONGEST].rpartition(" ")[0] + " …"


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the tags added to every page."""
    app.connect("html-page-context", add_tags)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
