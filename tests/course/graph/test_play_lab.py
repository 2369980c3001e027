"""The player in JupyterLab, with a kernel: run a cell, step, and the notebook keeps its own keys."""

import subprocess
import sys

import nbformat
import pytest
from browser import needs_browser, open_browser
from graph_browser import place, row
from graph_pictures import seed_graph
from lab_server import serve, settings
from playwright.sync_api import expect

from course.graph import play

pytestmark = needs_browser
CELLS = (
    "from course.engine import Tensor, sin\n"
    "from course.graph import explore, play\n"
    "w1, w2 = Tensor(2.0, requires_grad=True), Tensor(3.0, requires_grad=True)\n"
    "w3, w4 = w1 * w2, sin(w1)\n"
    "w5 = w3 + w4\n"
    "play(w5)",
    "explore(lambda x: sin(x) * x, x=(0, 3, 2))",
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Serve a notebook with a player, and two in which outputs are stored."""
    folder = tmp_path_factory.mktemp("lab")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, folder / "player.ipynb")
    output = nbformat.v4.new_output(
        "execute_result", play(seed_graph())._repr_mimebundle_(), execution_count=1
    )
    for name in ("stranger", "trusted"):
        notebook.cells = [
            nbformat.v4.new_code_cell(f"{name} = play(w5)", outputs=[output], execution_count=1)
        ]
        nbformat.write(notebook, folder / f"{name}.ipynb")
    trust = [sys.executable, "-m", "jupyter", "trust", str(folder / "trusted.ipynb")]
    subprocess.run(trust, env=settings(folder), check=True, capture_output=True)
    with serve(folder) as server:
        yield server.address("player.ipynb")


@pytest.fixture(scope="module")
def page(address):
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.goto(address)
        page.locator(".jp-CodeCell").first.click(timeout=90_000)
        idle = page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
        idle.wait_for(state="attached", timeout=90_000)
        for entry in ("Run", "Run All Cells"):  # two Shift+Enter in a row may both run the first cell
            page.get_by_role("menuitem", name=entry, exact=True).click()
        page.locator(".backward-player.live").wait_for(timeout=90_000)
        for number in range(1, len(CELLS) + 1):
            page.locator(".jp-InputPrompt", has_text=f"[{number}]:").wait_for(timeout=90_000)
        yield page


def cells(page):
    """Return how many cells there are and which one is active; call it while no cell runs."""
    return page.locator(".jp-CodeCell").count(), page.locator(".jp-mod-active .jp-InputPrompt").inner_text()


def test_it_steps_by_click_and_by_key(page):
    player = page.locator(".backward-player")
    player.get_by_role("button", name="Step", exact=True).click()
    assert place(player) == 1
    before = cells(page)
    for key, expected in (("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0), ("End", 11), ("ArrowLeft", 10)):
        page.keyboard.press(key)
        assert place(player) == expected
    page.keyboard.press("ArrowLeft")
    assert row(player, "w₁") == ("2", "2.584")
    assert cells(page) == before


def test_a_node_that_is_clicked_leaves_the_keys_with_the_player(page):
    player = page.locator(".backward-player")
    player.locator('g[data-id="n3"]').click()
    assert row(player, "w₄") == ("0.9093", "1")
    before, shown = cells(page), place(player)
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    assert place(player) == shown - 1
    assert cells(page) == before


def test_a_leaf_is_changed_by_keys_that_have_a_meaning_for_the_notebook(page):
    player = page.locator(".backward-player")
    field, before, shown = player.get_by_role("spinbutton", name="w₁ ="), cells(page), place(player)
    field.click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("1e0")
    page.keyboard.press("ArrowLeft")
    assert row(player, "w₃")[0] == "3"
    player.get_by_role("slider", name="Value of w₁").focus()
    page.keyboard.press("ArrowRight")
    assert row(player, "w₁")[0] == "1.1"
    player.get_by_role("button", name="Reset").click()
    assert row(player, "w₃")[0] == "6"
    assert (cells(page), place(player)) == (before, shown)


def test_the_code_of_the_cell_stands_beside_the_picture(page):
    code = page.locator(".backward-player").get_by_role("group", name="Code")
    assert code.inner_text().splitlines()[1:] == ["w3, w4 = w1 * w2, sin(w1)", "w5 = w3 + w4"]


def test_it_follows_the_theme_of_jupyterlab(page):
    player = page.locator(".backward-player")
    brightness = (
        "e => getComputedStyle(e).color.match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b)"
    )
    for theme, light_text in (("JupyterLab Dark", True), ("JupyterLab Light", False)):
        page.get_by_role("menuitem", name="Settings").click()
        page.get_by_text("Theme", exact=True).hover()
        page.get_by_text(theme, exact=True).click()
        page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
        for part in (player, player.locator("text.value").first, player.locator("tbody td").first):
            assert (part.evaluate(brightness) > 380) == light_text


def test_the_notebook_has_its_keys_when_the_player_has_not_the_focus(page):
    player = page.locator(".backward-player")
    shown, (count, _) = place(player), cells(page)
    page.locator(".jp-InputPrompt").first.click()
    page.keyboard.press("b")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".jp-CodeCell")).to_have_count(count + 1)
    assert place(player) == shown


def test_explore_follows_its_slider(page):
    picture = page.locator(".widget-html-content svg")
    picture.wait_for(timeout=60_000)
    boxes = "[...document.querySelectorAll('.widget-html-content .body')].map(e => e.getAttribute('x'))"
    before = page.evaluate(boxes)
    assert "x = 2" in picture.get_attribute("aria-label")
    scroller = page.locator(".widget-html")
    scroller.evaluate("element => { element.style.width = '200px'; element.scrollLeft = 60; }")
    page.locator(".widget-slider .noUi-handle").focus()
    page.keyboard.press("ArrowRight")
    page.locator(".widget-html-content svg[aria-label*='x = 2.01']").wait_for(timeout=30_000)
    assert page.evaluate(boxes) == before
    assert scroller.evaluate("element => element.scrollLeft") == 60


@pytest.fixture
def reopened(page, address):
    """Open a notebook whose outputs were stored, in a window of its own; nothing in it is run."""
    window = page.context.browser.new_page(viewport={"width": 1400, "height": 1000})

    def show(name):
        window.goto(address.replace("player.ipynb", f"{name}.ipynb") + "&reset")
        player = window.locator(".backward-player")
        player.wait_for(timeout=60_000)
        return player

    yield show
    window.close()


def test_a_trusted_notebook_that_is_opened_again_needs_no_kernel(reopened):
    player = reopened("trusted")
    player.get_by_role("button", name="Jump to w₁").click()
    assert row(player, "w₁") == ("2", "2.584")
    player.page.keyboard.press("ArrowLeft")
    assert row(player, "w₁") == ("2", "−0.4161 + 3")


def test_an_output_that_is_not_trusted_is_a_picture_and_a_table(reopened):
    player = reopened("stranger")
    assert row(player, "w₁") == ("2", "2.584")
    assert player.get_by_text("run the cell or trust the notebook").is_visible()
    picture = player.get_by_role("img", name="Graph of w5")
    assert picture.is_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 500
    assert player.locator("button, input, select").count() == 0
