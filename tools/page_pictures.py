"""Takes pictures of the built site's pages: part of `make screenshots`, into screenshots/pages/.

Each page is taken in both themes and four widths, as it is printed, and in Firefox where that is installed.
Names after the command choose some of them: `python tools/page_pictures.py front gallery`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import chromium
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "support"))
from built_site import HTML, served  # noqa: E402

TAKEN = ROOT / "screenshots" / "pages"
WIDTHS = (390, 820, 1280, 1440)  # pixels: a phone, a tablet, a laptop, a screen on a desk
PAPER = 672  # pixels: A4 within its margins
TALLEST = 6000  # pixels: of a long page its beginning
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


def whole(_: Page) -> None:
    """Take a page as it opens."""


def filtered(page: Page) -> None:
    """Type into the field of the page of mistakes, which unfolds the entry that fits best."""
    page.get_by_label("An error message, or words").fill("contiguous")
    expect(page.locator(".filter output")).not_to_be_empty()
    expect(page.locator(".nearest > section details").first).to_be_visible()


def moved(page: Page) -> None:
    """Give a leaf of the first player another value, and go to the last step."""
    player = page.locator(".backward-player").first
    handle = player.locator(".handle input[type=range]").first
    handle.fill("1")
    step = player.get_by_role("slider", name="Step")
    step.fill(step.get_attribute("max") or "0")
    expect(player.locator(".reset.useful")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    player.scroll_into_view_if_needed()


def tried(page: Page) -> None:
    """Write a wrong answer into the lesson's first cell for it, and run it."""
    cell = page.locator(".now-you").first
    cell.get_by_role("button", name="Edit").click()
    cell.locator(".cm-content").fill("corrected = X2\n\ncheck_answer(corrected, measured, wrong=X1_SLIPS)")
    cell.get_by_role("button", name="Run").click()
    cell.locator(".card-of-check").wait_for(timeout=60_000)
    cell.scroll_into_view_if_needed()


def searched(page: Page) -> None:
    """Wait for what the search finds."""
    page.locator(".search-results li").first.wait_for()


def unfolded(page: Page) -> None:
    """Unfold a solution, and what `check` says of it."""
    for fold in page.locator("details.hide").all()[:2]:
        fold.locator(":scope > summary").click()


SHOWN: dict[str, tuple[str, Callable[[Page], None]]] = {
    "front": ("index.html", whole),
    "gallery": ("gallery.html", whole),
    "gallery-entry": ("gallery.html#softmax-across-rows", whole),
    "mistakes": ("mistakes.html", whole),
    "mistakes-filtered": ("mistakes.html", filtered),
    "lesson": ("course/01-reverse-accumulation.html", whole),
    "player-moved": ("course/01-reverse-accumulation.html", moved),
    "cell-tried": ("course/01-reverse-accumulation.html", tried),
    "lesson-of-torch": ("course/04-first-function.html", whole),
    "exercises": ("exercises/04-first-function/04-exercises.html", unfolded),
    "glossary": ("glossary.html", whole),
    "cheat-sheet": ("cheat-sheet.html", whole),
    "search": ("search.html?q=double+backward", searched),
    "not-found": ("404.html", whole),
}
OF_THE_WINDOW = {"gallery-entry", "player-moved", "cell-tried"}  # taken where the page is scrolled to


def shoot(browser: Browser, address: str, name: str) -> None:
    """Take a page in both themes and all widths, and as it is printed."""
    path, prepare = SHOWN[name]
    for theme in ("light", "dark"):
        for width in WIDTHS:
            page = browser.new_page(viewport={"width": width, "height": 900}, reduced_motion="reduce")
            page.add_init_script(f"localStorage.mode = localStorage.theme = '{theme}'")
            page.goto(address + path)
            page.evaluate("document.fonts.ready.then(() => null)")
            prepare(page)
            into = TAKEN / f"{name}-{theme}-{width}.png"
            if name in OF_THE_WINDOW:
                page.screenshot(path=into)
            else:
                _take(page, width, into)
            if prepare is whole and theme == "dark" and width == WIDTHS[0]:  # the furthest from paper
                page.set_viewport_size({"width": PAPER, "height": 900})
                page.emulate_media(media="print")
                page.evaluate("dispatchEvent(new Event('beforeprint'))")
                _take(page, PAPER, TAKEN / f"{name}-print.png")
            page.close()


def _take(page: Page, width: int, into: Path) -> None:
    high = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=into, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": high})


def shoot_in_firefox(address: str, name: str) -> None:
    """Take the first screen of a page in Firefox, in both themes and all widths."""
    for dark, theme in enumerate(("light", "dark")):
        with TemporaryDirectory() as profile:
            choices = {"ui.systemUsesDarkTheme": dark, "ui.prefersReducedMotion": 1}
            lines = (f'user_pref("{choice}", {value});\n' for choice, value in choices.items())
            (Path(profile) / "user.js").write_text("".join(lines), encoding="utf-8")
            for width in WIDTHS:
                into = TAKEN / f"{name}-firefox-{theme}-{width}.png"
                options = ["--screenshot", str(into), f"--window-size={width},900", address + SHOWN[name][0]]
                command = [str(FIREFOX), "--headless", "--profile", profile, *options]
                subprocess.run(command, stderr=subprocess.DEVNULL, check=True, timeout=120)


def main() -> None:
    """Take all pictures, or those that are named."""
    program = chromium.find()
    if program is None:
        sys.exit(chromium.MISSING)
    if not (HTML / "index.html").exists():
        sys.exit("There is no site to take pictures of: run make site first.")
    if unknown := set(sys.argv[1:]) - SHOWN.keys():
        sys.exit(f"No page is called {', '.join(sorted(unknown))}; there are {', '.join(SHOWN)}.")
    TAKEN.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, served(HTML) as address:
        browser = playwright.chromium.launch(executable_path=program)
        for name in sys.argv[1:] or SHOWN:
            shoot(browser, address, name)
            if FIREFOX and SHOWN[name][1] is whole:
                shoot_in_firefox(address, name)
            print(f"screenshots/pages/{name}-*.png", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
