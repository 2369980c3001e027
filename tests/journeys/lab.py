"""JupyterLab as its user sees it: notebooks that open, cells that run, dialogs that answer."""

from __future__ import annotations

import re
from pathlib import Path

from lab_server import Server
from playwright.sync_api import Locator, Page, expect

PATIENCE = 180_000  # milliseconds; a machine that runs other tests is slow
ALL_HAVE_RUN = """count => {
  const notebook = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)');
  const prompts = [...notebook.querySelectorAll('.jp-CodeCell .jp-InputPrompt')];
  const said = prompts.map(prompt => prompt.textContent);
  const numbered = said.filter(text => /\\[\\d+\\]/.test(text));
  return numbered.length >= count && !said.some(text => text.includes('*'));
}"""


class Lab:
    """One window with JupyterLab in it; `see` keeps a picture of what it shows."""

    def __init__(self, page: Page, server: Server, pictures: Path) -> None:
        self.page = page
        self.server = server
        self.pictures = pictures
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        page.set_viewport_size({"width": 1280, "height": 900})

    def open(self, path: str) -> None:
        """Open a file by its address, as Binder's badge and `make lab` do."""
        self.page.goto(self.server.address(path))
        self._wait_for_a_kernel()

    def follow(self, link: Locator, title: str) -> None:
        """Follow a link of one notebook to another, which has this title."""
        link.click()
        self.notebook.get_by_role("heading", name=title, level=1).wait_for()
        self._wait_for_a_kernel()

    def run_all(self, cells: int) -> None:
        """Run all cells and wait until so many code cells, those that are not folded, have a number."""
        self.menu("Run", "Run All Cells")
        self.page.wait_for_function(ALL_HAVE_RUN, arg=cells)
        self._wait_for_a_kernel()

    def menu(self, name: str, *entries: str) -> None:
        """Choose an entry of a menu."""
        for entry in (name, *entries):
            self.page.get_by_role("menuitem", name=entry, exact=True).click()

    @property
    def notebook(self) -> Locator:
        """The notebook in front."""
        return self.page.locator(".jp-NotebookPanel:visible")

    def cell(self, text: str) -> Locator:
        """The code cell of the notebook in front with this in its source."""
        editor = self.page.locator(".jp-InputArea-editor", has_text=text)
        return self.notebook.locator(".jp-CodeCell", has=editor).first

    def write(self, cell: Locator, source: str) -> None:
        """Replace what a cell says."""
        cell.scroll_into_view_if_needed()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(source)

    def run(self, cell: Locator) -> Locator:
        """Run a cell and return what it shows when it is done."""
        cell.scroll_into_view_if_needed()
        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+Enter")
        cell.locator(".jp-InputPrompt", has_text=re.compile(r"\[\d+\]")).and_(
            cell.locator(f".jp-InputPrompt:not(:text-is({before!r}))")
        ).wait_for()
        return cell.locator(".jp-OutputArea").first

    def press(self, name: str) -> None:
        """Press a button of the notebook's own toolbar."""
        self.notebook.locator(".jp-Toolbar").get_by_role("button", name=name).click()

    @property
    def dialog(self) -> Locator:
        """The dialog in front."""
        return self.page.locator(".jp-Dialog")

    def complaints(self) -> list[str]:
        """All that the notebook in front shows in red: errors, tracebacks and what went to stderr."""
        red = self.notebook.locator('[data-mime-type$=".stderr"], [data-mime-type$=".error"]')
        return red.all_inner_texts()

    def see(self, name: str, part: Locator | None = None) -> None:
        """Keep a picture of the window, or of a part of it."""
        self.pictures.mkdir(parents=True, exist_ok=True)
        (part or self.page).screenshot(path=self.pictures / f"{name}.png", animations="disabled")

    def _wait_for_a_kernel(self) -> None:
        self.page.get_by_text("| Idle").wait_for()
