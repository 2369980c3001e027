"""What crawlers read: the sitemap, robots.txt, canonical addresses, the course in the words of schema.org.

The page for an unknown address works at any depth.
"""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import repository
from playwright.sync_api import expect
from site_pages import LESSONS, PAGES

BASE = repository.site()
DATA = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)"')
DURATION = re.compile(r"PT\d+[HM]")


def data_of(html, page):
    found = DATA.findall((html / f"{page}.html").read_text(encoding="utf-8"))
    return [json.loads(text) for text in found]


def file_of(html: Path, address: str) -> Path:
    assert address.startswith(BASE)
    return html / (address.removeprefix(BASE) or "index.html")


def test_the_sitemap_lists_every_page_once(html):
    root = ElementTree.parse(html / "sitemap.xml").getroot()
    assert root.tag == "{http://www.sitemaps.org/schemas/sitemap/0.9}urlset"
    listed = [element.text for element in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    expected = {html / f"{page}.html" for page in PAGES if page not in ("search", "genindex")}
    assert {file_of(html, address) for address in listed} == expected
    assert len(listed) == len(expected)
    assert f"Sitemap: {BASE}sitemap.xml" in (html / "robots.txt").read_text().splitlines()


def test_a_page_has_one_canonical_address_and_that_is_in_the_sitemap(html):
    sitemap = (html / "sitemap.xml").read_text()
    for page in PAGES:
        if page not in ("search", "genindex"):
            (address,) = CANONICAL.findall((html / f"{page}.html").read_text(encoding="utf-8"))
            assert file_of(html, address) == html / f"{page}.html"
            assert f"<loc>{address}</loc>" in sitemap
    for page in ("search", "404"):
        text = (html / f"{page}.html").read_text(encoding="utf-8")
        assert CANONICAL.findall(text) == []
        assert '<meta name="robots" content="noindex"' in text


def test_the_first_page_says_that_it_is_a_course(html):
    (course,) = data_of(html, "index")
    assert course["@context"] == "https://schema.org"
    assert course["@type"] == "Course"
    assert course["provider"]["@type"] == "Organization"
    assert course["isAccessibleForFree"] is True
    assert course["offers"] == {"@type": "Offer", "category": "Free", "price": 0, "priceCurrency": "USD"}
    assert DURATION.fullmatch(course["hasCourseInstance"]["courseWorkload"])
    assert course["name"]
    assert course["description"]
    sections = course["syllabusSections"]
    assert [file_of(html, section["url"]) for section in sections] == [
        html / f"course/{name}.html" for name in LESSONS
    ]
    assert all(DURATION.fullmatch(section["timeRequired"]) for section in sections)


def test_a_lesson_says_that_it_is_a_part_of_the_course(html):
    (course,) = data_of(html, "index")
    for number, name in enumerate(LESSONS, start=1):
        (lesson,) = data_of(html, f"course/{name}")
        assert lesson["@type"] == "LearningResource"
        assert lesson["isPartOf"]["@id"] == course["@id"]
        assert lesson["position"] == number
        assert file_of(html, lesson["url"]) == html / f"course/{name}.html"


def test_the_page_for_an_unknown_address_works_at_any_depth(browser, html):
    """Serve the site as its host does, under its own address; what is not there gets the page."""

    def answer(route):
        file = html / urlsplit(route.request.url).path.removeprefix(urlsplit(BASE).path)
        route.fulfill(path=file) if file.is_file() else route.fulfill(path=html / "404.html", status=404)

    with browser.new_context() as context:
        context.route(f"{BASE.lower()}**", answer)
        page = context.new_page()
        missing = []
        page.on("response", lambda r: missing.append(r.url) if r.status == 404 else None)
        asked = f"{BASE.lower()}course/a/lesson/that/was/renamed.html"
        page.goto(asked)
        assert missing == [asked]
        expect(page.get_by_role("heading", name="No such page")).to_be_visible()
        page.locator("#main-content input[type=search]").fill("double backward")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html?q=double+backward")
        expect(page.locator(".search-results li").first).to_be_visible()
        page.goto(asked)
        page.locator("#main-content").get_by_role("link", name="1. Reverse accumulation").click()
        page.wait_for_url(f"**/course/{LESSONS[0]}.html")
