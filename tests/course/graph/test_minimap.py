"""The map of a picture that does not fit its frame."""

import hard_cases
import pytest
from browser import needs_browser
from graph_pictures import seed_graph
from playwright.sync_api import expect

from course.graph import play

pytestmark = needs_browser
# which part of the picture's width the map says is seen, and which part is
SEEN = """player => {
  const seen = player.querySelector('.map .seen'), map = player.querySelector('.map').viewBox.baseVal;
  const frame = player.querySelector('.picture'), whole = frame.scrollWidth;
  return [
    [seen.x.baseVal.value / map.width, seen.width.baseVal.value / map.width],
    [frame.scrollLeft / whole, frame.clientWidth / whole],
  ];
}"""
SCROLLED = "player => player.querySelector('.picture').scrollLeft"


def opened(page, folder, graph):
    path = folder / "page.html"
    text = f"<!doctype html><meta charset=utf-8><title>p</title>{play(graph).html()}"
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())
    return page.locator(".backward-player")


def assert_true_to_the_picture(player):
    told, true = player.evaluate(SEEN)
    assert told == pytest.approx(true, abs=0.01)


def test_the_map_shows_what_is_seen_and_leads_where_it_is_clicked_or_dragged(page, tmp_path):
    player = opened(page, tmp_path, hard_cases.mlp())
    seen = player.locator(".map")
    box = seen.bounding_box()
    assert_true_to_the_picture(player)
    seen.click(position={"x": box["width"] / 2, "y": 5})
    middle = player.evaluate(SCROLLED)
    (left, width), _ = player.evaluate(SEEN)
    assert left + width / 2 == pytest.approx(0.5, abs=0.02)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 40)  # a drag goes on outside of the map
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('.picture').matches('.before:not(.after)')")
    assert player.evaluate(SCROLLED) > middle
    assert_true_to_the_picture(player)
    page.emulate_media(media="print")
    expect(seen).to_be_hidden()


def test_the_map_is_there_only_for_a_picture_that_does_not_fit(page, tmp_path):
    player = opened(page, tmp_path, seed_graph())
    expect(player.locator(".map")).to_be_hidden()
    for _ in range(4):
        player.get_by_role("button", name="Zoom in").click()
    expect(player.locator(".map")).to_be_visible()
    player.get_by_role("button", name="Fit").click()
    expect(player.locator(".map")).to_be_hidden()
