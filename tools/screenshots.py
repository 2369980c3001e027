"""Takes pictures of the players in a browser: `make screenshots` writes them into screenshots/.

Names after the command choose some of the hard cases: `python tools/screenshots.py cube mlp`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import chromium
from playwright.sync_api import Browser, sync_playwright

from course.graph import play

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "support"))
import hard_cases  # noqa: E402

SCREENSHOTS = ROOT / "screenshots"
THEMES = {"light": "#ffffff; color: #1b1b1b", "dark": "#111111; color: #eeeeee"}
WIDTHS = {"wide": 1100, "lab": 900, "narrow": 390}  # a rendered page, an output in JupyterLab, a telephone


def shoot(browser: Browser, name: str, body: str) -> None:
    """Take a player at its start, in the middle and at its end, in each theme and width."""
    for theme, colours in THEMES.items():
        for width, pixels in WIDTHS.items():
            page = browser.new_page(viewport={"width": pixels, "height": 300}, reduced_motion="reduce")
            page.set_content(f'<body style="margin: 12px; background: {colours}">{body}')
            last = int(page.get_by_role("slider", name="Step").get_attribute("max") or 0)
            for moment, step in (("start", 0), ("middle", 3 * last // 4), ("end", last)):
                page.get_by_role("slider", name="Step").fill(str(step))
                page.evaluate("document.activeElement.blur()")
                path = SCREENSHOTS / f"{name}-{moment}-{theme}-{width}.png"
                page.screenshot(path=path, full_page=True)
            page.close()


def main() -> None:
    """Take all pictures, or those of the cases that are named."""
    program = chromium.find()
    if program is None:
        sys.exit(chromium.MISSING)
    cases = {case.__name__: case for case in hard_cases.ALL}
    SCREENSHOTS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        for name in sys.argv[1:] or cases:
            shoot(browser, name.replace("_", "-"), play(cases[name]()).html())
        browser.close()
    print(f"{len(list(SCREENSHOTS.glob('*.png')))} pictures in {SCREENSHOTS.name}/")


if __name__ == "__main__":
    main()
