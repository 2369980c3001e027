"""Pages on paper: light, whole, unfolded, and nothing of them cut off."""

import re

import pytest
from site_pages import ASSIGNMENTS, LESSONS, exercises_of
from site_server import reading, visit
from tiers import first_now

PAPER = {"width": 672, "height": 1000}  # A4 within its margins, in pixels
PAGES = [
    f"course/{LESSONS[0]}",
    f"course/{LESSONS[8]}",
    exercises_of(ASSIGNMENTS[3]),
    "mistakes",
    "gallery",
    "index",
]
CUT_OFF = """() => [...document.querySelectorAll('.bd-article, .bd-article *')].filter((e) => {
  if (!e.checkVisibility() || e.closest('svg, span.math, mjx-container, .katex')) return false
  const { overflowX, overflowY, display } = getComputedStyle(e), { right, width } = e.getBoundingClientRect()
  if (display === 'inline' || width < 2) return false
  return right > innerWidth + 1
    || overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1
    || overflowY !== 'visible' && e.scrollHeight > e.clientHeight + 1
}).map((e) => e.outerHTML.slice(0, 150))"""
INVISIBLE = """() => [...document.querySelectorAll('.bd-article details *, .bd-article .cell_output *')]
  .filter((e) => !e.closest('svg') && e.checkVisibility() && !e.checkVisibility({ opacityProperty: true }))
  .map((e) => e.outerHTML.slice(0, 150))"""
SHOWN = "all => all.filter((e) => e.checkVisibility()).map((e) => e.outerHTML.slice(0, 150))"
FOR_THE_SCREEN = (
    ".bd-header, .bd-sidebar, .bd-header-article, .prev-next-footer, .copybtn, .headerlink, .bd-footer"
)


@pytest.fixture
def printed(browser, address, request):
    """A page as it is printed from a dark screen."""
    with reading(browser, address, "dark") as page:
        visit(page, f"{address}{request.param}.html")
        page.keyboard.press("Control")  # the first of Ctrl+P
        page.set_viewport_size(PAPER)
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        yield page
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator("html").get_attribute("data-theme") == "dark"
        assert page.locator(".bd-article details[open]").count() == 0


@pytest.mark.parametrize("printed", first_now(PAGES, 1), indirect=True)
def test_a_page_is_printed_whole(printed):
    assert printed.locator("html").get_attribute("data-theme") == "light"
    assert printed.locator(".bd-article details:not([open])").count() == 0
    assert printed.evaluate(CUT_OFF) == []
    assert printed.evaluate(INVISIBLE) == []
    assert printed.locator(FOR_THE_SCREEN).evaluate_all(SHOWN) == []
    assert printed.locator("h1:visible").count() == 1
    printed.wait_for_function("[...document.images].every((e) => e.complete)")
    names = printed.locator(".backward-player tbody th")
    assert names.evaluate_all("all => all.every((e) => e.innerText.trim())")


@pytest.mark.long
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_leaves_little_paper_empty(page, address, lesson):
    """A page of paper that stays empty for the most part is one of few: pictures are kept whole."""
    visit(page, f"{address}course/{lesson}.html")
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    long = page.evaluate("document.querySelector('.bd-article').getBoundingClientRect().height") / 1017
    assert pages < 1.4 * long + 1
