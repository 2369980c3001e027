"""A slider for each argument, and a picture that stands still while its numbers change."""

import math
import re
import xml.etree.ElementTree as ElementTree

import pytest
from graph_pictures import SVG, boxes, find, lines
from hypothesis import given
from hypothesis import strategies as st

from course.engine import log, sin
from course.graph import explore, words
from course.graph.cards import FACT, PAD
from course.graph.explore import WIDEST


def product_and_sine(x, y):
    return x * y + sin(x)


def picture(widget):
    return ElementTree.fromstring(re.search(r"<svg.*</svg>", widget.box.children[-1].value, re.DOTALL)[0])


def test_sliders_start_where_they_are_told_and_else_in_the_middle():
    first, second, _ = explore(product_and_sine, x=(-1, 4, 2), y=(0, 6)).box.children
    assert (first.min, first.max, first.value) == (-1, 4, 2)
    assert (second.min, second.max, second.value) == (0, 6, 3)


def test_the_picture_follows_and_nothing_in_it_moves():
    widget = explore(product_and_sine, x=(-1, 4, 2), y=(0, 6, 3))
    before = picture(widget)
    assert lines(find(before, "n0"))[:2] == ["x = 2", "x̄ = 2.584"]
    widget.box.children[0].value = 0.55
    after = picture(widget)
    assert lines(find(after, "n0"))[:2] == ["x = 0.55", f"x̄ = {3 + math.cos(0.55):.4g}"]
    assert boxes(after) == boxes(before)
    assert after.get("viewBox") == before.get("viewBox")
    changed = 0
    for one, other in zip(before.iter(f"{SVG}text"), after.iter(f"{SVG}text"), strict=True):
        assert one.attrib == other.attrib
        if "".join(one.itertext()) != "".join(other.itertext()):
            changed += 1
            assert other.get("text-anchor") == "start", "".join(other.itertext())
    assert changed > len(boxes(after))


@given(st.floats())
def test_there_is_room_for_any_number(x):
    assert words.width(words.number(x), FACT) <= words.width(WIDEST, FACT) + PAD


def test_another_branch_is_another_picture():
    widget = explore(lambda x: sin(x) if x.item() > 0 else sin(x) * x, x=(-1, 1, 0.5))
    assert len(boxes(picture(widget))) == 2
    widget.box.children[0].value = -0.5
    assert len(boxes(picture(widget))) == 3


def test_an_error_stands_in_the_place_of_the_picture_until_it_is_over():
    def careful(x):
        if x.item() > 1:
            raise ValueError("too <large>")
        return sin(x)

    widget = explore(careful, x=(0, 2, 0.5))
    before = picture(widget).get("viewBox")
    widget.box.children[0].value = 1.5
    text = widget.box.children[-1].value
    assert "ValueError: too &lt;large&gt;" in text
    # The picture keeps its room, unseen.
    unseen = re.search(r'<div style="visibility:hidden"[^>]*>(.*?)</div>', text, re.DOTALL)[1]
    assert ElementTree.fromstring(unseen).get("viewBox") == before
    widget.box.children[0].value = 0.25
    assert lines(find(picture(widget), "n0"))[0] == "x = 0.25"


def test_infinities_are_shown():
    widget = explore(lambda x: log(x), x=(0, 2, 1))
    widget.box.children[0].value = 0
    assert lines(find(picture(widget), "n1"))[1] == "v₁ = −inf"


@pytest.mark.parametrize("bounds", [(1, 1), (2, 1), (1,), (0, 1, 2), (0, 1, 0.5, 3)])
def test_what_is_no_range(bounds):
    with pytest.raises(ValueError, match=r"^x: "):
        explore(sin, x=bounds)


def test_a_page_without_a_kernel_shows_a_player_of_the_moment():
    widget = explore(product_and_sine, x=(-1, 4, 2), y=(0, 6, 3))
    widget.box.children[0].value = 0.55
    bundle = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "backward-player" in bundle["text/html"]
    assert "Graph of v3: x = 0.55, y = 3," in bundle["text/html"]
