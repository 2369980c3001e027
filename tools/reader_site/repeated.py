"""Writes into a page once what each of its players and cards brings along: one style, one script."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
SCRIPT = re.compile(r"<script>\((\(\) => \{\n.*?\n\})\)\(\);</script>", re.DOTALL)


def write_once(app: Sphinx, document: nodes.document, page: str) -> None:
    """Drop a style that stands above already; call a script that does by the name that it gets there."""
    seen: dict[str, int] = {}

    def style(found: re.Match[str]) -> str:
        again = found[0] in seen
        seen.setdefault(found[0], len(seen))
        return "" if again else found[0]

    def script(found: re.Match[str]) -> str:
        again = found[0] in seen
        name = f"window.repeated{seen.setdefault(found[0], len(seen))}"
        return f"<script>{name}();</script>" if again else f"<script>({name} = {found[1]})();</script>"

    for raw in document.findall(nodes.raw):
        text = SCRIPT.sub(script, STYLE.sub(style, raw.astext()))
        if text != raw.astext():
            raw.children = [nodes.Text(text)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Have every page shortened when it is written."""
    app.connect("doctree-resolved", write_once)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
