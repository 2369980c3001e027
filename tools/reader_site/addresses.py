"""Tells crawlers which pages there are, and makes the page for an unknown address work at any depth."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

ABSENT = "404"  # hosts show this page, as GitHub Pages does, whatever address was asked for
NOT_LISTED = {ABSENT, "search"}
RELATIVE = re.compile(r'(\s(?:href|src|action)=")(?![a-z]+:|#|/)([^"]*)"')


def keep_out(
    app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None
) -> None:
    """Name no canonical address for a page that is nobody's destination."""
    if page in NOT_LISTED:
        context["pageurl"] = None


def write(app: Sphinx, failed: Exception | None) -> None:
    """Write sitemap.xml and robots.txt, and make the links of the page for an unknown address absolute."""
    if failed is not None or app.builder.format != "html":
        return
    base, folder = app.config.html_baseurl, Path(app.outdir)
    pages = sorted(app.env.found_docs - {app.config.root_doc})
    addresses = [base, *(f"{base}{app.builder.get_target_uri(page)}" for page in pages)]
    listed = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in addresses)
    (folder / "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{listed}</urlset>\n',
        encoding="utf-8",
    )
    (folder / "robots.txt").write_text(f"User-agent: *\nAllow: /\n\nSitemap: {base}sitemap.xml\n")
    absent = folder / f"{ABSENT}.html"
    absent.write_text(RELATIVE.sub(rf'\1{base}\2"', absent.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the files written at the end of a build."""
    app.connect("html-page-context", keep_out)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
