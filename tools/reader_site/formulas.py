"""Sets the formulas of all pages with KaTeX when the site is built, so that a page needs no script for them.

A formula is HTML for the eye and MathML for a screen reader. KaTeX's fonts are cut to the characters in use.
"""

from __future__ import annotations

import json
import logging as logging_of_fonts
import re
from collections import defaultdict
from html import unescape
from pathlib import Path
from typing import Any

from docutils import nodes
from fontTools import subset
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from reader_site import npm

KATEX = npm.PACKAGES / "katex" / "dist"
USUAL = ("KaTeX_Main-Regular", "KaTeX_Math-Italic")  # the fonts of nearly every formula
SOURCES = re.compile(r"src:url\(fonts/([\w-]+)\.woff2\)[^}]*")
FOR_THE_EYE = '<span class="katex-html"'  # after the MathML
CLOSING = re.compile(r"[,.;:!?)\]’”]+")
SHORT = 20  # letters of a formula that fits into a line of a phone
LETTERS = re.compile(r'<span(?: class="([^"]*)")?[^>]*>([^<]+)')
# fonts that one of these classes asks for, and no other; all other fonts have the letters of all others
FONT_OF_CLASS = {
    "mathnormal": "KaTeX_Math-Italic",
    "mathtt": "KaTeX_Typewriter-Regular",
    "texttt": "KaTeX_Typewriter-Regular",
    "mathbb": "KaTeX_AMS-Regular",
    "textbb": "KaTeX_AMS-Regular",
    "amsrm": "KaTeX_AMS-Regular",
}

Formula = tuple[str, bool]  # the TeX, and whether it is displayed
_html: dict[Formula, str] = {}  # set once, before Sphinx forks the processes that write the pages

logger = logging.getLogger(__name__)


def set_all(app: Sphinx, env: BuildEnvironment) -> None:
    """Set each formula of the site and cut the fonts to them; a formula with an error is a warning."""
    found: dict[Formula, str] = {}
    for page in sorted(env.found_docs):
        for node in env.get_doctree(page).findall(_is_formula):
            found.setdefault(_formula(node), page)
    for (formula, page), answer in zip(found.items(), _by_katex(list(found)), strict=True):
        if "wrong" in answer:
            logger.warning("formula %r: %s", formula[0], answer["wrong"], location=page)
        _html[formula] = answer.get("html", "")
    shown = "".join(html.partition(FOR_THE_EYE)[2] for html in _html.values())
    _cut_fonts(shown, app.outdir / "_static" / "fonts")


def _is_formula(node: nodes.Node) -> bool:
    return isinstance(node, nodes.math | nodes.math_block)


def _formula(node: nodes.Node) -> Formula:
    return node.astext(), isinstance(node, nodes.math_block)


def _by_katex(formulas: list[Formula]) -> list[dict[str, str]]:
    """Return for each formula its HTML, or what is wrong with it; raises CalledProcessError without KaTeX."""
    script = Path(__file__).with_suffix(".mjs")
    return list(json.loads(npm.run(script, KATEX / "katex.mjs", given=json.dumps(formulas))))


def _cut_fonts(html: str, folder: Path) -> None:
    """Write KaTeX's fonts, each with those of its letters that this HTML shows."""
    letters: defaultdict[str, set[str]] = defaultdict(set)
    for classes, text in LETTERS.findall(html):
        fonts = (FONT_OF_CLASS[name] for name in classes.split() if name in FONT_OF_CLASS)
        letters[next(fonts, "")].update(unescape(text))
    folder.mkdir(parents=True, exist_ok=True)
    # WOFF2 would need a package for its compression, and is little smaller for so few letters
    options = subset.Options(flavor="woff", hinting=False, name_IDs=[])
    for path in (KATEX / "fonts").glob("*.ttf"):
        font = subset.load_font(path, options)
        cut = subset.Subsetter(options)
        cut.populate(text="".join(letters[path.stem if path.stem in FONT_OF_CLASS.values() else ""]))
        cut.subset(font)
        subset.save_font(font, folder / f"{path.stem}.woff", options)


def styles() -> str:
    """Return KaTeX's styles, with the one format of its fonts that the site has."""
    source = (KATEX / "katex.min.css").read_text(encoding="utf-8")
    return SOURCES.sub(r'src:url(fonts/\1.woff) format("woff")', source)


def add_styles(app: Sphinx, page: str, template: str, context: dict[str, Any], document: object) -> None:
    """Have a page with formulas load the styles, and the usual fonts together with them."""
    if not context.get("has_maths_elements"):
        return
    app.add_css_file("katex.css")
    for font in USUAL:
        address = context["pathto"](f"_static/fonts/{font}.woff", resource=True)
        context["metatags"] += (
            f'<link rel="preload" as="font" type="font/woff" href="{address}" crossorigin />\n'
        )


def keep_marks(app: Sphinx, document: nodes.document, page: str) -> None:
    """Keep a comma in the line of the short formula before it: browsers may break a line between the two."""
    for formula in list(document.findall(nodes.math)):
        after = formula.next_node(descend=False, siblings=True)
        letters = sum(len(unescape(text)) for _, text in LETTERS.findall(_html[_formula(formula)]))
        if isinstance(after, nodes.Text) and letters <= SHORT and (mark := CLOSING.match(after)):
            kept = nodes.inline(classes=["closed"])
            after.parent.replace(after, nodes.Text(after[mark.end() :]))
            formula.parent.replace(formula, kept)
            kept += [formula, nodes.Text(mark[0])]


def set_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    _write(translator, node, "span")


def set_displayed(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on lines of its own."""
    _write(translator, node, "div")


def _write(translator: HTML5Translator, node: nodes.Element, tag: str) -> None:
    begun = translator.starttag(node, tag, "", CLASS="math notranslate nohighlight")
    translator.body.append(f"{begun}{_html[_formula(node)]}</{tag}>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Set formulas in place of Sphinx's own renderers."""
    logging_of_fonts.getLogger("fontTools").setLevel(logging_of_fonts.ERROR)  # KaTeX's fonts have no date
    app.connect("env-updated", set_all)
    app.connect("doctree-resolved", keep_marks)
    app.connect("html-page-context", add_styles)
    app.add_html_math_renderer("katex", (set_inline, None), (set_displayed, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
