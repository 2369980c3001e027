"""nbgrader's formgrader, in its tab of JupyterLab."""

from __future__ import annotations

from lab import Lab
from playwright.sync_api import FrameLocator, Locator, expect


class Formgrader:
    """The pages on which an instructor manages assignments and submissions."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        lab.page.goto(lab.server.address())
        lab.menu("Nbgrader", "Formgrader")
        self.wait_for_the_table()

    @property
    def page(self) -> FrameLocator:
        """The page that it shows now."""
        return self.lab.page.frame_locator("iframe:visible")

    def wait_for_the_table(self) -> None:
        """Wait until the page in front has filled its table."""
        expect(self.page.locator("#main-table")).not_to_contain_text("Loading, please wait")

    def row(self, text: str) -> Locator:
        """The row of the table with this text."""
        return self.page.locator("#main-table tr", has_text=text)

    def go_to(self, link: Locator) -> None:
        """Go on to another of its pages."""
        link.click()
        self.page.locator(".breadcrumb .active").wait_for()
        self.wait_for_the_table()

    def press(self, row: Locator, button: str, picture: str) -> str:
        """Press one of a row's buttons, close the dialog that answers and return what it says."""
        row.locator(f".{button} a").click()
        dialog = self.page.locator(".modal.in")
        dialog.locator(".modal-title").wait_for()
        self.lab.see(picture)
        said = dialog.inner_text()
        dialog.get_by_role("button", name="OK").click()
        expect(self.page.locator(".modal-backdrop")).to_have_count(0)
        return said
