"""Where things stand in a picture: nothing is cut off or covered."""

import xml.etree.ElementTree as ElementTree
from itertools import combinations

import pytest
from graph_pictures import SVG, boxes, find, number, parse, seed_graph
from graph_programs import programs
from hypothesis import given, settings

from course.graph import cards, draw, record
from course.graph.player_picture import SUM_ROOM, player_picture
from course.graph.words import width


def tip(root, edge):
    """Return where an edge's arrow points."""
    corners = find(root, edge.id).find(f"{SVG}polygon").get("points")
    return tuple(map(float, corners.split()[0].split(",")))


def test_both_edges_of_a_square_are_drawn_apart():
    x = number(3.0)
    graph = record(x * x)
    root = parse(draw(graph))
    paths = {find(root, edge.id).find(f"{SVG}path").get("d") for edge in graph.edges}
    assert len(paths) == 2


@pytest.mark.parametrize("swap", [False, True])
def test_operands_arrive_in_order_from_the_top(swap):
    x = number(3.0)
    y = x.exp()
    graph = record((y - x) if swap else (x - y))
    edges = graph.operands(graph.output)
    root = parse(draw(graph))
    heights = [tip(root, edge)[1] for edge in edges]
    assert heights == sorted(heights)
    assert graph.node(edges[0].source).name == ("y" if swap else "x")


@settings(deadline=None, max_examples=15)
@given(program=programs())
def test_inputs_stand_left_and_nothing_overlaps(program):
    graph = record(program.run("engine")[-1])
    root = parse(draw(graph))
    outlines = boxes(root)
    assert len(outlines) == len(graph.nodes)
    for one, other in combinations(outlines, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart
    x, y, wide, high = map(float, root.get("viewBox").split())
    for left, top, right, bottom in outlines:
        assert x <= left < right <= x + wide
        assert y <= top < bottom <= y + high
    left_of = {node.id: outline[0] for node, outline in zip(graph.nodes, outlines, strict=True)}
    assert all(left_of[edge.source] < left_of[edge.target] for edge in graph.edges)


def test_text_fits_into_its_box():
    root = parse(draw(seed_graph()))
    groups = [group for group in root.iter(f"{SVG}g") if "node" in group.get("class").split()]
    for group, (left, _, right, _) in zip(groups, boxes(root), strict=True):
        for text in group.iter(f"{SVG}text"):
            size = text.get("font-size", root.get("font-size"))
            half = width("".join(text.itertext()), float(size)) / 2
            if text.get("text-anchor", root.get("text-anchor")) == "middle":
                assert left + 5 < float(text.get("x")) - half < float(text.get("x")) + half < right - 5


def test_a_long_chain_runs_level_and_its_arrows_reach_their_cards():
    leaves = [number(0.5 + place / 100) for place in range(61)]
    total = leaves[0]
    for leaf in leaves[1:]:
        total = total + leaf
    graph = record(total, leaves)
    root = parse(draw(graph))
    outlines = dict(zip((node.id for node in graph.nodes), boxes(root), strict=True))
    assert float(root.get("height")) < 300
    for edge in graph.edges:
        left, top, _, bottom = outlines[edge.target]
        x, y = tip(root, edge)
        assert left - 6 <= x <= left
        assert top <= y <= bottom


def test_a_player_has_room_for_a_total_in_bold_and_for_a_sum_below_the_card():
    x, c = number(2.0), number(3.0)
    graph = record(7 * c + 3 * (x * c))
    root = ElementTree.fromstring(player_picture(graph).svg)
    (card,) = root.findall(f".//{SVG}g[@data-id='{graph.node('c').id}']")
    (body,) = (rect for rect in card.iter(f"{SVG}rect") if rect.get("class") == "body")
    assert float(body.get("width")) >= width("c = 13", cards.FACT, bold=True) + 2 * cards.PAD
    bottom = float(body.get("y")) + float(body.get("height")) + SUM_ROOM
    assert bottom <= float(root.get("height")) + float(root.get("viewBox").split()[1])
