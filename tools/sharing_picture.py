"""Takes the picture that is shown where somebody shares a link to the course: part of `make screenshots`."""

from __future__ import annotations

import sys
import textwrap
from html import escape
from pathlib import Path

import chromium
from playwright.sync_api import sync_playwright
from reader_site import gallery
from reader_site.front import SHOWN

from vjpcheck.render.heat_maps import as_maps

STATIC = Path(__file__).resolve().parent.parent / "site" / "static"
SIZE = {"width": 1200, "height": 630}  # pixels, of an og:image
MOST = 150_000  # bytes
PAGE = """<body style="margin: 0; padding: 44px 56px; font-family: Helvetica, Arial, sans-serif;
  color: #1b1b1b; background: #fff; box-sizing: border-box; height: 630px; border-bottom: 14px solid #d55e00">
<h1 style="margin: 0; font-size: 58px">gradcheck says True. It is wrong.<br>Here is why.</h1>
<div style="display: flex; align-items: center; gap: 40px; margin: 26px 0">
<pre style="margin: 0; font-size: 20px; line-height: 1.5; flex: none">%s</pre>
<div style="zoom: 1.12">%s</div></div>
<p style="margin: 0; font-size: 27px"><b>Write Your Own Backward</b>: a free course on backpropagation and
custom gradients in PyTorch, with a checker for your own Functions and an autograder for your class.</p>"""


def main() -> None:
    """Take the picture of the first page's wrong backward and its two Jacobians, below the headline."""
    path = next(path for path in gallery.FILES if gallery.anchor(path) == SHOWN)
    wrong = gallery.run(path)
    code = textwrap.dedent(wrong.code[wrong.code.index("    def backward") :])
    jacobians = wrong.card.findings[0].jacobians
    assert jacobians is not None
    program = chromium.find()
    if program is None:
        sys.exit(chromium.MISSING)
    card = STATIC / "card.png"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        page.set_content(PAGE % (escape(code), as_maps(jacobians)))
        page.screenshot(path=card)
        browser.close()
    if (size := card.stat().st_size) > MOST:
        sys.exit(f"{card.name} has {size} bytes and may have {MOST}.")
    print("site/static/card.png")


if __name__ == "__main__":
    main()
