"""What a reader does: unfolds a solution, reads in the dark, follows a link."""

import re
import tomllib
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from site_pages import ASSIGNMENTS, LESSONS, PAGES, ROOT, exercises_of
from site_server import reading, visit
from tiers import first_now

from vjpcheck.mistakes import MISTAKES

LIGHTNESS_OF_WORDS = """(e) => {
  const [r, g, b] = getComputedStyle(e).fill.match(/[0-9.]+/g).map(Number)
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255
}"""


def test_the_glass_stands_before_the_words_of_a_search_field(page, address):
    for path in (f"course/{LESSONS[0]}.html", "search.html"):
        visit(page, f"{address}{path}")
        page.keyboard.press("Control+KeyK")
        field, glass = page.locator(".bd-search:visible"), page.locator(".bd-search:visible > i")
        words = field.locator("input").evaluate(
            "e => e.getBoundingClientRect().left + parseFloat(getComputedStyle(e).paddingLeft)"
        )
        box = glass.bounding_box()
        assert box["x"] + box["width"] < words


def test_every_mistake_has_its_anchor(html):
    ids = set(re.findall(r'<section id="([^"]+)"', (html / "mistakes.html").read_text()))
    assert set(MISTAKES) <= ids


@pytest.mark.parametrize("assignment", first_now(ASSIGNMENTS))
def test_hints_and_solutions_are_folded_and_the_solution_is_right(page, address, assignment):
    visit(page, f"{address}{exercises_of(assignment)}.html")
    assert page.locator("main details[open]").count() == 0
    solution = page.locator("details.hide").first
    name = solution.locator("summary").inner_text().strip().removeprefix("Solution of ")
    solution.locator("summary").click()
    assert solution.locator("pre").is_visible()
    assert "SOLUTION" not in solution.inner_text()
    stub = page.locator(f"section#{name.replace('_', '-')}").locator("pre").first
    assert "SOLUTION" not in stub.inner_text()
    verdicts = page.locator(".wyob-result")
    assert verdicts.count() == page.locator(".wyob-result.right").count() > 2


@pytest.mark.parametrize("lesson", first_now(LESSONS))
def test_a_cell_that_the_reader_writes_stands_before_its_folded_answer(page, address, lesson):
    visit(page, f"{address}course/{lesson}.html")
    cells = page.locator(".now-you")
    assert cells.count() >= 2
    for cell in cells.all():
        stub = cell.locator("pre").first
        assert stub.is_visible()
        assert "..." in stub.inner_text() or "NotImplementedError" in stub.inner_text()
        link = cell.get_by_role("link", name=re.compile("in Binder$"))
        assert link.get_attribute("href").endswith(f"urlpath=lab/tree/course/{lesson}.ipynb")
    fold = page.locator(".now-you + details").first
    assert not fold.locator("pre").first.is_visible()
    fold.get_by_text("Answer", exact=True).click()
    assert fold.locator("pre").first.is_visible()
    assert "NotImplementedError" not in fold.locator("pre").first.inner_text()
    assert page.get_by_text("Not started").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_in_pictures_stand_out_from_the_page(browser, address, theme):
    with reading(browser, address, theme) as page:
        visit(page, f"{address}course/{LESSONS[0]}.html")
        for picture in page.locator(".cell_output svg:has(text)").all():
            lightness = picture.locator("text").first.evaluate(LIGHTNESS_OF_WORDS)
            assert lightness > 0.6 if theme == "dark" else lightness < 0.4


@pytest.mark.parametrize("path", [f"course/{LESSONS[3]}", exercises_of(ASSIGNMENTS[3])])
def test_a_labelled_link_opens_the_notebook_of_the_page_on_binder(page, address, path):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    name = project["urls"]["Repository"].removeprefix("https://github.com/")
    visit(page, f"{address}{path}.html")
    link = page.get_by_role("link", name="Open in Binder", exact=True).get_attribute("href")
    assert link == f"https://mybinder.org/v2/gh/{name}/HEAD?urlpath=lab/tree/{path}.ipynb"
    assert (ROOT / f"{path}.ipynb").exists()


class Links(HTMLParser):
    """Gathers where a page leads, and the places in it that others may lead to."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors.add(given.get("id"))
        if tag == "a" and given.get("href"):
            self.targets.add(given["href"])


def test_every_link_within_the_site_leads_somewhere(html):
    pages = {f"/{path}.html": Links((html / f"{path}.html").read_text()) for path in PAGES}
    for path, page in pages.items():
        for target in page.targets:
            there = urlsplit(urljoin(path, target))
            if there.netloc or there.scheme not in ("", "http", "https"):
                continue
            assert there.path in pages, f"{path} leads to {target}"
            assert not there.fragment or there.fragment in pages[there.path].anchors, (
                f"{path} leads to {target}"
            )
