"""The first page says at a glance what the course is; every page says it to those who share a link."""

import itertools
import re

import pytest
from PIL import Image
from playwright.sync_api import expect
from site_pages import LESSONS, PAGES, SITE, exercises_of
from site_server import PHONE, reading, visit
from tiers import first_now

from vjpcheck.mistakes import MISTAKES

GLANCE = {"width": 1280, "height": 800}
MOVING = "document.getAnimations().filter((each) => each.playState === 'running').length"
ENDS_OF_MOTION = "document.getAnimations().map((each) => each.effect.getComputedTiming().endTime)"
LOOP = (SITE / "pictures" / "loop.svg").as_uri()


@pytest.fixture
def front(page, address):
    page.set_viewport_size(GLANCE)
    visit(page, f"{address}index.html")
    return page


def test_what_it_is_stands_on_the_first_screen(front):
    for what in (
        front.get_by_role("heading", name="gradcheck says True. It is wrong. Here is why."),
        front.get_by_text("Free and open source"),
        front.get_by_role("link", name="A checker"),
        front.get_by_role("link", name="An autograder"),
        front.get_by_role("link", name="Read lesson 1"),
        front.locator(".backward-player").get_by_role("button", name="Play"),
        front.locator(".proof pre"),
        front.locator(".proof .pytorch-says"),
        front.locator(".proof .wyob-result figure [role=img]"),
    ):
        expect(what).to_be_in_viewport(ratio=1)


def test_the_headline_is_true_of_the_backward_beside_it(front):
    assert "gradcheck True" in front.locator(".proof .pytorch-says").inner_text().replace("\n", " ")
    expect(front.locator(".proof .wyob-result.wrong .finding")).to_contain_text("wrong-axis")


def test_on_a_wide_screen_it_stands_in_the_middle(front):
    front.set_viewport_size({"width": 1600, "height": 900})
    box = front.locator(".bd-article").bounding_box()
    assert abs(box["x"] - (1600 - box["x"] - box["width"])) < 20


def test_nothing_moves_by_itself_for_more_than_five_seconds(browser, address):
    """Longer, it would need a button that stops it: success criterion 2.2.2 of WCAG."""
    with browser.new_context(viewport=GLANCE, reduced_motion="no-preference") as context:
        page = context.new_page()
        visit(page, f"{address}index.html")
        ends = page.evaluate(ENDS_OF_MOTION)
        assert max(ends, default=0) < 5000
        place = page.locator(".backward-player .place")
        before = place.inner_text()
        page.locator(".backward-player").get_by_role("button", name="Play").click()
        expect(place).not_to_have_text(before)


def test_on_a_phone_the_player_is_whole(browser, address):
    with reading(browser, address) as page:
        page.set_viewport_size({"width": PHONE, "height": 800})
        visit(page, f"{address}index.html")
        box = page.locator(".backward-player").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE


def test_the_moving_picture_of_the_readme_begins_with_whole_edges(browser):
    with browser.new_context(reduced_motion="no-preference") as context:
        page = context.new_page()
        page.goto(LOOP)
        page.evaluate("document.getAnimations().forEach((each) => { each.pause(); each.currentTime = 0 })")
        for label in page.locator(".edge text.local").all():  # it stands in a gap of the edge
            expect(label).to_have_css("opacity", "1")


def test_who_wants_no_motion_sees_the_end_of_the_moving_picture(browser):
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(LOOP)
        assert page.evaluate(MOVING) == 0
        adjoints = page.locator(".adjoint .fact")
        shown = [text.strip() for text in adjoints.all_text_contents()]
        assert shown == ["= 2.584", "= 2", "= 1", "= 1", "= 1"]
        for adjoint in adjoints.all():
            expect(adjoint).to_have_css("opacity", "1")


ORDER = [page for name in LESSONS for page in (f"course/{name}", exercises_of(name))]


@pytest.mark.parametrize(("path", "following"), first_now(itertools.pairwise(ORDER[:5])))
def test_after_a_lesson_come_its_exercises_and_then_the_next_lesson(page, address, path, following):
    visit(page, f"{address}{path}.html")
    page.locator("a.right-next").click()
    page.wait_for_url(f"{address}{following}.html")


@pytest.mark.parametrize("path", [path for path in PAGES if path not in ("search", "genindex")])
def test_a_shared_link_has_a_title_a_description_and_a_picture(html, path):
    text = (html / f"{path}.html").read_text()
    for name in ("title", "description", "image"):
        assert re.search(rf'<meta property="og:{name}" content="[^"]+"', text)
    assert (
        len(re.findall(r'<meta [^>]*name="description"|<meta [^>]*content="[^"]+" name="description"', text))
        == 1
    )


def test_the_picture_of_a_shared_link_has_the_size_that_the_page_says():
    with Image.open(SITE / "static" / "card.png") as card:
        assert card.size == (1200, 630)


def test_the_name_in_every_card_leads_to_the_table(html):
    seen = 0
    for path in PAGES:
        text = (html / f"{path}.html").read_text()
        for head in re.findall(r'<div class="finding"><p>(.*?</code>.*?)</p>', text):
            link = re.match(r'<a href="[./]*mistakes\.html#([a-z-]+)"><code>([a-z-]+)</code></a>', head)
            assert link, f"{path}: {head}"
            assert link[1] == link[2]
            assert link[1] in MISTAKES
            seen += 1
    assert seen > 10
