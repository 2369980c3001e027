"""Whatever a student writes: a page, a comment, a table and a terminal show it, and do nothing else."""

import csv
import io
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from vjpcheck import escaping

MARKUP = [
    "<b>",
    "</p>",
    "<!--",
    "](x)",
    "![",
    "``",
    "__",
    "**",
    "~~",
    "\\(",
    "\\begin{a}",
    "&lt;",
    "&#36;",
    "://",
]
TEXTS = st.lists(
    st.sampled_from(MARKUP) | st.text("<>&\"'`*_[]()$\\!|#ab:/ \n\x1b\u202e\udcff", max_size=8)
).map("".join)


class Page(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.text = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.add(tag)

    def handle_data(self, data):
        self.text += data


def in_a_line(text: str) -> str:
    return " ".join(escaping.visible(text).split())


@settings(max_examples=300)
@given(TEXTS)
def test_markdown_shows_the_text_and_no_element(text):
    """The reference is nbconvert, by which nbgrader makes feedback of comments."""
    page = Page(markdown2html_mistune(escaping.for_markdown(text)))
    assert page.elements <= {"p"}
    assert page.text.strip() == in_a_line(text)
    assert escaping.from_markdown(escaping.for_markdown(text)) == in_a_line(text)


@given(TEXTS)
def test_html_shows_the_text_and_no_element(text):
    page = Page(f"<p>{escaping.for_html(text)}</p>")
    assert page.elements == {"p"}
    assert page.text == escaping.visible(text)


@given(st.text())
def test_a_terminal_gets_nothing_but_what_can_be_printed(text):
    assert all(one.isprintable() or one in "\n\t" for one in escaping.visible(text))
    assert escaping.name(text).isprintable()
    assert len(escaping.name(text)) <= 10 * (escaping.NAME_AT_MOST + 1)


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "@SUM(1)", "-1+1", "\t=1", "\n=1", "  =1"])
def test_a_table_has_no_formula(text):
    file = io.StringIO()
    csv.writer(file).writerow([escaping.for_csv(text)])
    assert file.getvalue().startswith("'")


@pytest.mark.parametrize("text", ["-1.5", "-", "a=b", "x, y"])
def test_a_table_has_other_texts_as_they_are(text):
    assert escaping.for_csv(text) == (text if text != "-" else "'-")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a\x1b[1m", r"a\x1b[1m"),
        ("\udce7", r"\xe7"),
        ("\ud800", r"\ud800"),
        ("\u2067", r"\u2067"),
        ("é 李", "é 李"),
    ],
)
def test_what_shows_nothing_is_shown_by_its_code(given, shown):
    assert escaping.visible(given) == shown
