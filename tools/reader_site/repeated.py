"""Writes once what each player and animation brings along: its style into the page, its script into a file.

In JupyterLab an output starts its own script. Here `site/static/start.js` starts them, after the page is
shown and one by one, so that the page answers meanwhile.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

from reader_site.scripts import packed

STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
ID = re.compile(r'(<g class="(?:node|edge)\b[\w ]*") id="[^"]*"')  # unique in its picture alone
SCRIPT = re.compile(r"<script>\(\(\) => (\{\n.*?\n\})\)\(\);</script>", re.DOTALL)


def write_once(app: Sphinx, document: nodes.document, page: str) -> None:
    """Drop ids, and a style that stands above already, and put each script into a file of the site."""
    seen: set[str] = set()

    def style(found: re.Match[str]) -> str:
        again = found[0] in seen
        seen.add(found[0])
        return "" if again else found[0]

    def script(found: re.Match[str]) -> str:
        name = hashlib.sha256(found[1].encode()).hexdigest()[:12]
        _write(found[1], name, app.outdir / "_static" / f"{name}.js")
        place = f'<script type="text/plain" data-start="{name}"></script>'
        if name in seen:
            return place
        seen.add(name)
        source = relative_uri(app.builder.get_target_uri(page), f"_static/{name}.js")
        return f'<script defer src="{source}"></script>{place}'

    for raw in document.findall(nodes.raw):
        text = ID.sub(r"\1", SCRIPT.sub(script, STYLE.sub(style, raw.astext())))
        if text != raw.astext():
            raw.children = [nodes.Text(text)]


def _write(body: str, name: str, path: Path) -> None:
    """Write a script as a function that is called with its place in the page; raises CalledProcessError."""
    if path.exists():
        return
    body = body.replace("document.currentScript", "place")
    path.parent.mkdir(parents=True, exist_ok=True)
    code = packed(f'(window.starts ??= {{}})["{name}"] = (place) => {body};')
    path.write_text(code, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Have every page shortened when it is written."""
    app.connect("doctree-resolved", write_once)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
