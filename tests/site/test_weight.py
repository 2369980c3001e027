"""A page is small on a first visit, and its styles are those that its pages need."""

import gzip
import re

import pytest
from playwright.sync_api import expect
from reader_site.unused import used
from site_pages import ASSIGNMENTS, LESSONS, exercises_of
from site_server import visit
from tiers import for_test_all

# bytes, as a server sends them, of all that a browser fetches before the reader scrolls or does anything
FRONT, LESSON, EXERCISES = 130_000, 180_000, 130_000
PACKED = (".woff", ".woff2", ".png", ".webp")  # what a server does not compress again
NOW = {"index", f"course/{LESSONS[8]}", exercises_of(ASSIGNMENTS[8])}  # of each kind one, with many formulas
BOUNDS = {
    "index": FRONT,
    **{f"course/{name}": LESSON for name in LESSONS},
    **{exercises_of(name): EXERCISES for name in ASSIGNMENTS},
}


def weighed(page, address):
    """Visit a page and return the sizes of what it fetches, by address."""
    found = {}
    page.on("response", lambda response: found.update({response.url: response.body()}))
    visit(page, address)
    page.wait_for_load_state("networkidle")
    return {
        url: len(body) if url.partition("?")[0].endswith(PACKED) else len(gzip.compress(body))
        for url, body in found.items()
    }


@pytest.mark.parametrize("path", [*sorted(NOW), *for_test_all(sorted(BOUNDS.keys() - NOW))])
def test_a_page_is_small_on_a_first_visit(page, address, path):
    sizes = weighed(page, f"{address}{path}.html")
    assert sum(sizes.values()) < BOUNDS[path], sorted(sizes.items(), key=lambda item: -item[1])[:8]


def test_the_frames_of_an_animation_come_when_the_reader_turns_to_it(page, address):
    sizes = weighed(page, f"{address}course/{LESSONS[8]}.html")
    assert len([url for url in sizes if url.endswith(".webp")]) <= 2  # what the page has, and the first frame
    animation = page.locator(".frame-animation").first
    frame = animation.locator("img")
    animation.scroll_into_view_if_needed()
    expect(frame).to_have_js_property("complete", True)
    first = frame.get_attribute("src")
    assert re.match(r"\.\./_images/\w+\.webp$", first)
    with page.expect_response(
        lambda response: response.url.endswith(".webp") and first[3:] not in response.url
    ):
        animation.get_by_role("slider").focus()


def test_a_rule_stays_where_a_page_may_need_it():
    styles = """
    .seen, .unseen { color: red } .seen .unseen { color: blue } a:not(.unseen) { color: green }
    @media print { .unseen { color: red } } @media (width > 3px) { .seen { margin: 0 } }
    @font-face { font-family: f } .a\\/b { color: red }
    """
    kept = "".join(used(styles, {"seen"}).split())
    assert kept == (
        ".seen{color:red}a:not(.unseen){color:green}@media(width>3px){.seen{margin:0}}"
        "@font-face{font-family:f}.a\\/b{color:red}"
    )
