"""A result as a page: the picture of two shapes, and where a mistake's name leads."""

from xml.etree import ElementTree

import pytest

from vjpcheck.render import shapes, site
from vjpcheck.render.html import as_html
from vjpcheck.result import Finding, Outcome, Result, Shapes

RESULT = Result(
    "affine", {"gradient": 1}, (Outcome("gradient", (Finding("gradient", "No.", "wrong-sign"),)),), 0
)


@pytest.mark.parametrize("pair", [((12,), (3, 4)), ((), (2,)), ((2, 3, 4), (3, 4)), ((2, 1, 2, 3), (3,))])
def test_each_shape_is_drawn_with_a_square_for_each_entry(pair):
    root = ElementTree.fromstring(shapes.as_svg(Shapes(*pair)))
    drawn = [path.attrib["d"].count("M") for path in root.iter("{http://www.w3.org/2000/svg}path")]
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    for shape, squares, text in zip(pair, drawn, texts, strict=True):
        size = 1
        for length in shape:
            size *= length
        assert squares == size
        assert text.endswith(str(shape))


def test_what_is_too_large_is_not_drawn():
    assert shapes.as_svg(Shapes((1000,), (10, 100))) == ""
    assert shapes.as_svg(Shapes((300,), (1, 300))) == ""


@pytest.mark.parametrize(
    ("published", "leads_to"),
    [
        ("https://example.org/course", "https://example.org/course/mistakes.html#wrong-sign"),
        ("https://example.org/course/", "https://example.org/course/mistakes.html#wrong-sign"),
        ("https://OWNER.github.io/course", None),
        (None, None),
    ],
)
def test_a_name_leads_to_its_entry_once_the_site_is_published(published, leads_to, monkeypatch):
    class Metadata:
        @staticmethod
        def get_all(_):
            return [f"Documentation, {published}"] if published else None

    monkeypatch.setattr(site, "metadata", lambda _: Metadata)
    site.address.cache_clear()
    try:
        page = as_html(RESULT)
    finally:
        site.address.cache_clear()
    assert (f'<a href="{leads_to}"' in page) if leads_to else ("<a " not in page)
    assert "<code>wrong-sign</code>" in page
