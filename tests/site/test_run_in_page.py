"""What a reader writes on a lesson's page, runs there, keeps, and takes along."""

import base64
import json
import re
import zlib
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
from playwright.sync_api import expect
from reader_cells import answer_of, check_of
from site_pages import LESSONS, ROOT
from site_server import visit

FIRST, SECOND = LESSONS[:2]
CHANGE_STUBS = """() => {
  for (const [key, kept] of Object.entries(localStorage).filter(([key]) => key.startsWith('now-you/')))
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(kept), stub: 'of another release' }))
}"""
LOADS = 60_000  # milliseconds: Python starts within, on a machine that runs other tests


def cells_of(lesson):
    """Return the source and the answer with the check of each cell that the reader writes, by its id."""
    cells = nbformat.read(ROOT / "course" / f"{lesson}.ipynb", as_version=4).cells
    return {
        cell.id: (cell.source, f"{answer_of(after)}\n{check_of(cell)}")
        for cell, after in pairwise(cells)
        if "now-you" in cell.metadata.get("tags", [])
    }


def cell_of(page, name):
    return page.locator(f".now-you[data-cell='{name}']")


def type_into(cell, text):
    """Replace a cell's code, in an editor that is opened by the keyboard the first time."""
    edit = cell.get_by_role("button", name="Edit", exact=True)
    if edit.is_visible():
        edit.press("Enter")
    cell.locator(".cm-content").fill(text)


def shown(cell):
    """Wait until a cell has run, and return what it shows."""
    expect(cell.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=LOADS)
    return cell.locator(".result").inner_text()


@pytest.fixture
def fetched(page):
    names = []
    page.on("request", lambda request: names.append(urlsplit(request.url).path.rpartition("/")[2]))
    return names


def test_a_reader_writes_runs_keeps_and_takes_along_a_cell(page, address, fetched):
    stub, answer = cells_of(FIRST)["now-corrected-code"]
    visit(page, f"{address}course/{FIRST}.html")
    cell = cell_of(page, "now-corrected-code")
    page.wait_for_load_state("networkidle")
    assert not {"editor.js", "actions.js", "worker.js", "pyodide.asm.wasm"} & set(fetched)

    type_into(cell, stub.replace("...", "math.cos(X1)"))
    assert "editor.js" in fetched
    assert "pyodide.asm.wasm" not in fetched
    page.keyboard.press("Shift+Enter")
    expect(cell.locator("progress")).to_be_visible(timeout=LOADS)
    assert "This is the sine's contribution alone: the product's is lost." in shown(cell)
    assert "pyodide.asm.wasm" in fetched

    type_into(cell, "corrected = 1 / 0")
    page.keyboard.press("/")  # is a key of the site's search outside an editor
    page.keyboard.press("Control+Enter")
    assert "SyntaxError in line 1" in shown(cell)

    type_into(cell, "while True:\n    pass")
    cell.get_by_role("button", name="Run", exact=True).click()
    cell.get_by_role("button", name="Stop", exact=True).click()
    assert shown(cell) == "Stopped."

    type_into(cell, answer)
    cell.get_by_role("button", name="Run", exact=True).click()
    assert "✓ Right." in shown(cell)
    cell.locator(".cm-content").press("Tab")  # indents
    expect(cell.locator(".cm-content")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(cell.locator(".cm-content")).not_to_be_focused()

    visit(page, page.url)
    typed = cell.locator("pre").first.inner_text()
    assert typed.strip() == answer.strip()
    with page.expect_download() as download:
        cell.get_by_role("button", name="Download", exact=True).click()
    assert download.value.suggested_filename == f"{FIRST}.ipynb"
    notebook = nbformat.read(download.value.path(), as_version=4)
    nbformat.validate(notebook)
    original = nbformat.read(ROOT / "course" / f"{FIRST}.ipynb", as_version=4)
    assert [c.source for c in notebook.cells] == [
        typed if c.id == "now-corrected-code" else c.source for c in original.cells
    ]
    other = cell_of(page, "now-reverse-code").get_by_role("link", name="Continue in Binder")
    expect(other).to_have_attribute("href", re.compile("typed"))
    (urlpath,) = parse_qs(urlsplit(other.get_attribute("href")).query)["urlpath"]
    assert urlpath.startswith(f"lab/tree/course/{FIRST}.ipynb?typed=")
    word = urlpath.partition("?typed=")[2]
    handed_on = zlib.decompress(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)), wbits=-15)
    assert json.loads(handed_on) == [["now-corrected-code", stub, typed]]

    page.evaluate(CHANGE_STUBS)
    visit(page, page.url)
    assert cell.locator(".result").inner_text().startswith("This cell of the lesson has changed")
    assert cell.locator("pre").first.inner_text().strip() == answer.strip()
    cell.get_by_role("button", name="Reset", exact=True).click()
    assert cell.locator("pre").first.inner_text().strip() == stub
    visit(page, page.url)
    assert cell.locator("pre").first.inner_text().strip() == stub


def test_a_cell_runs_after_earlier_ones_that_are_not_solved(page, address):
    cells = cells_of(SECOND)
    visit(page, f"{address}course/{SECOND}.html")
    later = cell_of(page, "step-2-yours")
    type_into(later, cells["step-2-yours"][1])
    page.keyboard.press("Shift+Enter")
    assert "✓ Right" in shown(later)
    assert "This run took Value from the answers." in shown(later)

    first = cell_of(page, "step-1-yours")
    type_into(first, cells["step-1-yours"][1])
    page.keyboard.press("Shift+Enter")
    assert "✓ Right" in shown(first)
    later.get_by_role("button", name="Run", exact=True).click()
    expect(later.locator(".result")).not_to_contain_text("This run took", timeout=LOADS)
    assert "✓ Right" in shown(later)

    type_into(later, "def endless(v):\n    return sorted([v], key=endless)\n\n\nendless(1)")
    page.keyboard.press("Shift+Enter")
    assert shown(later).startswith("The code has ended Python itself")
    page.troubles.clear()  # what Python said in the console at its end

    outside = cell_of(page, "step-3-yours")  # its graph is so deep that Python in the page ends
    assert outside.get_by_role("button").filter(has_text="Run").count() == 0
    expect(outside.get_by_role("link", name="Run this cell in Binder")).to_be_visible()
