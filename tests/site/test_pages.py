"""Every page in a browser that is cut off from the network: nothing is missing, blank or out of reach."""

import re

import pytest
from site_pages import PAGES, code_of
from site_server import PHONE, WIDE, reading, violations, visit

UNRENDERED = re.compile(r"\\\(|\\\[|\\begin\{|\$[^$\n]+\$|\{[a-z-]+\}`|:::|^```", re.MULTILINE)
TEXT_OF_ARTICLE = """() => {
  const article = document.querySelector('main').cloneNode(true)
  article.querySelectorAll('pre, code, script, style, mjx-container, .backward-player')
    .forEach((e) => e.remove())
  return article.textContent
}"""
BLANK = """() => [...document.querySelectorAll('.cell_output, .cell_output img')]
  .filter((e) => !e.closest('details:not([open])') && e.getBoundingClientRect().height < 5)
  .map((e) => e.outerHTML)"""
OUT_OF_PAGE = """() => {
  const boxed = (e) => e && e !== document.body
    && (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX) || boxed(e.parentElement))
  return [...document.querySelectorAll('.bd-article *')].filter((e) => {
    const { right, width } = e.getBoundingClientRect()
    return width && right > innerWidth + 1 && !boxed(e.parentElement)
  }).map((e) => e.outerHTML.slice(0, 120))
}"""
IMAGES_UNTOLD = """() => [...document.querySelectorAll('.bd-article img')]
  .filter((e) => !e.alt || /\\.(png|svg)$/.test(e.alt)).map((e) => e.src)"""


each_page = pytest.mark.parametrize("loaded", PAGES, indirect=True)


def with_code(call):
    """Parametrise by the pages whose notebook has this in a cell."""
    pages = [path for path in PAGES if any(call in code for code in code_of(path))]
    return pytest.mark.parametrize("loaded", pages, indirect=True)


@each_page
def test_a_page_is_whole_without_a_network(loaded):
    assert loaded.locator("mjx-merror").count() == 0
    assert loaded.locator(".math").count() == loaded.locator(".math:has(mjx-container)").count()
    assert UNRENDERED.findall(loaded.evaluate(TEXT_OF_ARTICLE)) == []
    assert loaded.evaluate(BLANK) == []


@with_code("plt.show")
def test_a_picture_has_a_text_alternative(loaded):
    assert loaded.evaluate(IMAGES_UNTOLD) == []


@with_code("explore(")
def test_in_place_of_sliders_stands_their_picture(loaded):
    cell = loaded.locator(".cell", has=loaded.locator(".cell_input", has_text="explore(")).last
    assert cell.locator(".cell_output svg").is_visible()


@with_code("play(")
def test_every_player_plays_without_a_kernel(loaded):
    players = loaded.locator(".backward-player")
    assert players.count() >= sum(
        bool(re.search(r"^play\(", code, re.MULTILINE)) for code in code_of(loaded.path)
    )
    for player in players.all():
        assert player.locator("svg .node").count() > 1
        slider = player.get_by_role("slider")
        slider.fill(slider.get_attribute("max"))
        last = player.locator(".place").inner_text()
        assert last.split(" / ")[0] == last.split(" / ")[1]


@each_page
def test_on_a_phone_nothing_moves_the_page_sideways(loaded):
    loaded.set_viewport_size({"width": PHONE, "height": 900})
    try:
        assert loaded.evaluate(OUT_OF_PAGE) == []
        assert loaded.evaluate("document.documentElement.scrollWidth") <= PHONE
    finally:
        loaded.set_viewport_size({"width": WIDE, "height": 900})


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(browser, address, path, theme):
    with reading(browser, address, theme) as page:
        visit(page, f"{address}{path}.html")
        assert page.locator("html").get_attribute("data-theme") == theme
        assert violations(page) == []
