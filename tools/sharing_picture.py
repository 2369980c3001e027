"""Takes the picture that is shown where somebody shares a link to the course: part of `make screenshots`."""

from __future__ import annotations

import sys
from pathlib import Path

import chromium
from loop_picture import loop
from pictures import five_nodes
from playwright.sync_api import sync_playwright

STATIC = Path(__file__).resolve().parent.parent / "site" / "static"
SIZE = {"width": 1200, "height": 630}  # pixels, of an og:image
MOST = 150_000  # bytes
PAGE = """<body style="margin: 0; padding: 44px 56px; font-family: Helvetica, Arial, sans-serif;
  color: #1b1b1b; background: #fff; box-sizing: border-box; height: 630px; border-bottom: 14px solid #d55e00">
<h1 style="margin: 0; font-size: 62px">Write Your Own Backward</h1>
<p style="margin: 10px 0 18px; font-size: 29px">Backpropagation by hand, and custom gradients in PyTorch:
twelve lessons, and a checker that names the mistake in your <code>backward</code>.</p>
<style>.wide svg { width: 860px; height: auto; display: block; margin: auto; }</style>
<div class="wide">%s</div>"""


def main() -> None:
    """Take the picture of the pass at its end, under the name of the course."""
    program = chromium.find()
    if program is None:
        sys.exit(chromium.MISSING)
    card = STATIC / "card.png"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        page.set_content(PAGE % loop(five_nodes()))
        page.screenshot(path=card)
        browser.close()
    if (size := card.stat().st_size) > MOST:
        sys.exit(f"{card.name} has {size} bytes and may have {MOST}.")
    print("site/static/card.png")


if __name__ == "__main__":
    main()
