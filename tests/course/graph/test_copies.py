"""Leaves with many uses: drawn beside each of them, and only then."""

import pytest
from browser import needs_browser, open_browser
from graph_pictures import SVG, number, parse

from course.graph import draw, play, record
from course.graph.layout import MANY


def powers(uses):
    """Return a graph in which as many operations take x."""
    x = number(0.5)
    y = x.exp()
    for _ in range(uses - 1):
        y = y * x
    return record(y, names={"x": x})


def shapes(graph, key):
    root = parse(draw(graph))
    names = [group.get("id") for group in root.iter(f"{SVG}g") if "leaf" in (group.get("class") or "")]
    return [name for name in names if name.split("_")[0] == graph.node(key).id], root


def test_a_leaf_with_few_uses_is_drawn_once():
    found, root = shapes(powers(MANY), "x")
    assert len(found) == 1
    assert "many uses" not in "".join(root.itertext())


def test_a_leaf_with_many_uses_is_drawn_beside_each_operation_that_takes_it():
    found, root = shapes(powers(MANY + 1), "x")
    assert len(found) == len(set(found)) == MANY + 1
    assert "many uses" in "".join(root.itertext())
    outlines = [rect for rect in root.iter(f"{SVG}rect") if rect.get("stroke-dasharray")]
    assert len(outlines) == MANY + 1 + 1  # and one in the legend


def test_an_operation_that_takes_a_leaf_twice_has_one_copy_of_it():
    x = number(0.5)
    total = x * x
    for _ in range(MANY):
        total = total + x
    graph = record(total, names={"x": x})
    assert len(shapes(graph, "x")[0]) == MANY + 1
    assert len(graph.uses(graph.node("x").id)) == MANY + 2


@needs_browser
@pytest.mark.parametrize("step", ["start", "end"])
def test_all_copies_say_the_same_in_a_player(step):
    graph = powers(MANY + 1)
    with open_browser() as browser:
        page = browser.new_page()
        page.set_content(play(graph).html())
        slider = page.get_by_role("slider", name="Step")
        slider.fill(slider.get_attribute("max") if step == "end" else "0")
        copies = page.locator(f'[data-id="{graph.node("x").id}"]').all()
        assert len(copies) == MANY + 1
        assert len({copy.get_attribute("class") for copy in copies}) == 1
        assert len({copy.locator(".adjoint").text_content() for copy in copies}) == 1
        assert ("reached" in copies[-1].get_attribute("class")) == (step == "end")
