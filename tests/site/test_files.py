"""The files of the built site: valid as far as a browser forgives, and none that is not for readers."""

from collections import Counter
from html.parser import HTMLParser

from site_pages import PAGES


class Ids(HTMLParser):
    """Counts the ids of a page's elements."""

    def __init__(self, text):
        super().__init__()
        self.found = Counter()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.update(value for name, value in attributes if name == "id")


def test_an_id_is_unique_in_its_page(html):
    for path in PAGES:
        ids = Ids((html / f"{path}.html").read_text()).found
        assert [name for name, count in ids.items() if count > 1] == [], path


def test_no_template_is_published(html):
    assert [path for path in html.rglob("*.html") if "{%" in path.read_text().partition("<body")[0]] == []
