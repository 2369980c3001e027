"""What is drawn as one unfolds in the player, and the rest of the picture makes room."""

import re

import pytest
from browser import needs_browser
from graph_browser import place
from playwright.sync_api import expect
from test_collapse import blocks_of_blocks, chain, network

from course.graph import play
from course.graph.collapse import collapse

GEOMETRY = """player => [...player.querySelectorAll('svg :is(.node, .edge)')]
  .filter(each => each.closest('.inside') === null)
  .map(each => [each.getBBox(), each.getBoundingClientRect()].flatMap(
    box => ['x', 'y', 'width', 'height'].map(side => Math.round(box[side]))))"""
# the outlines that are seen outside of all frames, and the ends of the edges there
OUTLINES = """player => {
  const box = shape => {
    const {left, top, right, bottom} = shape.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const top = each => !each.closest('.inside') && each.getClientRects().length;
  const bodies = [...player.querySelectorAll('svg .body')].filter(top);
  const ends = [...player.querySelectorAll('svg .edge > polygon:not(.back)')]
    .filter(top).map(head => {
    const at = head.points[0], to = head.getScreenCTM();
    return [at.x * to.a + to.e, at.y * to.d + to.f];
  });
  return { svg: box(player.querySelector('svg')), bodies: bodies.map(box), ends };
}"""


def opened(page, folder, player, state=""):
    path = folder / "page.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><title>p</title>{player.html()}", encoding="utf-8")
    page.goto(path.as_uri() + state)
    return page.locator(".backward-player")


def fold(player, name):
    return player.get_by_role("button", name=name)


@pytest.mark.parametrize("make", [lambda: chain(1000), lambda: network(80)[0], blocks_of_blocks])
def test_what_a_group_holds_is_a_part_of_the_graph(make):
    graph = make()
    for group in (node.group for node in collapse(graph).nodes if node.group):
        kinds = {node.id: node.kind for node in group.inside.nodes}
        for node in group.inside.nodes:
            if node.kind in ("leaf", "operation"):
                whole = graph.node(node.id)
                assert (node.value, node.adjoint, node.saved) == (whole.value, whole.adjoint, whole.saved)
            elif node.kind == "input":
                assert node.value == graph.node(node.id).value
        assert all({edge.source, edge.target} <= kinds.keys() for edge in group.inside.edges)
        operations = sum(kind == "operation" for kind in kinds.values())
        assert operations + sum(kind == "group" for kind in kinds.values()) == len(group.titles)


@needs_browser
def test_a_click_unfolds_and_folds_and_the_rest_makes_room(page, tmp_path):
    player = opened(page, tmp_path, play(network(80)[0]))
    before = player.evaluate(GEOMETRY)
    fold(player, "net.0: 3 operations, folded").click()
    inside = player.locator("svg").get_by_role("group", name=re.compile("^Graph of"))
    expect(inside).to_have_count(1)
    expect(inside).to_contain_text("addmm")
    fold(player, "net.2: 3 operations, folded").click()
    expect(inside).to_have_count(2)
    seen = player.evaluate(OUTLINES)
    left, top, right, bottom = seen["svg"]
    boxes = seen["bodies"]
    for at, (x, y, u, v) in enumerate(boxes):
        assert (left <= x, top <= y, u <= right, v <= bottom) == (True,) * 4
        assert all(u <= x2 or u2 <= x or v <= y2 or v2 <= y for x2, y2, u2, v2 in boxes[:at])
    for x, y in seen["ends"]:  # at the left side of an outline
        assert any(abs(x - left) < 9 and top - 9 < y < bottom + 9 for left, top, _, bottom in boxes)
    fold(player, "net.2: 3 operations, unfolded").click(position={"x": 20, "y": 15})
    fold(player, "net.0: 3 operations, unfolded").click(position={"x": 20, "y": 15})
    expect(inside).to_have_count(0)
    player.locator(".picture").evaluate("picture => picture.scrollTo(0, 0)")
    assert player.evaluate(GEOMETRY) == before


@needs_browser
def test_keys_unfold_and_the_step_and_a_link_stay(page, tmp_path):
    player = opened(page, tmp_path, play(chain(1000)), "#step=4")
    value, adjoint = (player.locator(f".inside .{role} .fact").last for role in ("value", "adjoint"))
    player.get_by_role("button", name="Jump to start").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(fold(player, "block × 499: 998 operations, unfolded")).to_be_focused()
    assert place(player) == 4
    expect(player.locator(".inside")).to_contain_text("×")
    expect(player.locator("text.unfolded")).to_contain_text("the first of 499")
    expect(value).to_be_visible()
    expect(adjoint).to_be_hidden()
    page.keyboard.press("Home")
    expect(value).to_be_hidden()
    page.keyboard.press("End")
    expect(adjoint).to_be_visible()
    fold(player, "unfolded").focus()
    page.keyboard.press("Space")
    expect(fold(player, "block × 499: 998 operations, folded")).to_be_focused()
    expect(value).to_be_hidden()


def copied_link(player):
    """Return what the link to the state of a player says."""
    page = player.page
    page.evaluate(
        """() => Object.defineProperty(navigator, 'clipboard', {
          value: { writeText: async text => { window.copied = text } }, configurable: true,
        })"""
    )
    player.get_by_role("button", name="Copy a link to this state").click()
    expect(player.locator(".copied")).to_have_text("Link copied")
    return page.evaluate("copied").partition("#")[2]


@needs_browser
def test_a_link_opens_the_groups_that_were_unfolded(page, tmp_path):
    shown = play(network(80)[0])
    player = opened(page, tmp_path, shown)
    player.get_by_role("slider", name="Step").fill("5")
    fold(player, "net.2: 3 operations, folded").click()
    expect(player.locator(".inside")).to_be_visible()
    link = copied_link(player)
    assert re.fullmatch(r"step=5&unfolded=g\d+", link)
    player = opened(page, tmp_path, shown)
    page.evaluate("hash => { location.hash = hash }", link)
    expect(fold(player, "net.2: 3 operations, unfolded")).to_have_count(1)
    expect(player.locator(".inside")).to_be_visible()
    assert (place(player), copied_link(player)) == (5, link)
    page.evaluate("location.hash = 'step=6&unfolded=none'")
    expect(fold(player, "net.2: 3 operations, folded")).to_have_count(1)
    expect(player.locator(".inside")).to_be_hidden()


@pytest.mark.long
@needs_browser
def test_a_group_in_a_group_unfolds(page, tmp_path):
    player = opened(page, tmp_path, play(blocks_of_blocks()))
    fold(player, re.compile("^block × 39:")).click()
    inner = player.locator(".inside").get_by_role("button", name=re.compile("300 operations, folded")).first
    height = player.locator("svg").first.evaluate("svg => svg.viewBox.baseVal.height")
    inner.focus()
    page.keyboard.press("Enter")
    expect(player.locator(".inside .inside")).to_be_visible()
    page.wait_for_function(
        "before => document.querySelector('.picture svg').viewBox.baseVal.height > before", arg=height
    )
    link = copied_link(player)
    assert re.fullmatch(r"step=0&unfolded=(g\d+),\1/g\d+", link)
    page.reload()
    page.evaluate("hash => { location.hash = hash }", link)
    expect(player.locator(".inside .inside")).to_be_visible()
