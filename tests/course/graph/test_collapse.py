"""Large graphs: by module, by what repeats, or refused in one sentence."""

import random

import pytest
import torch
from graph_pictures import number, parse

from course.graph import draw, play, record
from course.graph.collapse import LIMIT, ROOM, collapse
from course.graph.words import COLLAPSE_ABOVE


def chain(operations):
    """Alternate products and sums with leaves of their own."""
    leaves = [number(0.9 + place % 7 * 0.03) for place in range(operations + 1)]
    y = leaves[0]
    for place, leaf in enumerate(leaves[1:]):
        y = y * leaf if place % 2 else y + leaf
    return record(y, leaves, {"y": y, "start": leaves[0]})


def network(layers):
    torch.manual_seed(0)
    parts = [part for _ in range(layers) for part in (torch.nn.Linear(4, 4), torch.nn.ReLU())]
    net = torch.nn.Sequential(*parts)
    x = torch.randn(2, 4, requires_grad=True)
    loss = net(x).square().mean()
    return record(loss), net


def test_a_graph_that_is_not_large_stays():
    graph = chain((COLLAPSE_ABOVE - 1) // 2)
    assert collapse(graph) is graph


def test_a_chain_of_equal_blocks_is_drawn_once():
    graph = chain(1000)
    small = collapse(graph)
    (node,) = [node for node in small.nodes if node.group]
    assert node.operation == "block × 499"
    assert node.group.titles == ("×", "+")
    assert node.group.nodes + len(small.nodes) - 1 == len(graph.nodes)
    assert node.group.leaves == 2 * 499
    assert "block × 499" in "".join(parse(draw(graph)).itertext())
    assert "1,996 nodes" in "".join(parse(draw(graph)).itertext())


@pytest.mark.parametrize("make", [lambda: chain(1000), lambda: network(80)[0]])
def test_what_is_left_has_the_values_and_adjoints_that_it_had(make):
    graph = make()
    small = collapse(graph)
    assert len(small.nodes) <= ROOM
    place = {node.id: at for at, node in enumerate(small.nodes)}
    for node in small.nodes:
        if node.name:
            assert (node.value, node.adjoint) == (
                graph.node(node.name).value,
                graph.node(node.name).adjoint,
            )
    assert all(place[edge.source] < place[edge.target] for edge in small.edges)
    totals = {step.node: step.total for step in small.steps}
    for node in small.nodes:
        if node.name and node.adjoint and node.adjoint.number is not None:
            assert totals[node.id].number == pytest.approx(node.adjoint.number)


def test_an_edge_into_a_block_has_the_derivative_of_the_block():
    small = collapse(chain(1000))
    (node,) = [node for node in small.nodes if node.group]
    (edge,) = small.operands(node.id)
    assert edge.local * node.adjoint.number == pytest.approx(small.node(edge.source).adjoint.number)


def test_modules_are_drawn_by_their_names():
    graph, net = network(80)
    small = collapse(graph)
    titles = [node.operation for node in small.nodes if node.group]
    assert titles == [f"net.{place}" for place, part in enumerate(net) if isinstance(part, torch.nn.Linear)]
    first = next(node for node in small.nodes if node.group)
    assert first.group.titles == ("t", "addmm", "relu")
    assert (first.group.nodes, first.group.leaves) == (5, 2)
    assert (first.group.inputs, first.group.outputs) == (((2, 4),), ((2, 4),))
    assert "loss" in [node.name for node in small.nodes if node.kind == "operation"]
    assert "x" in [node.name for node in small.nodes if node.kind == "leaf"]


def test_bytes_saved_are_those_of_distinct_tensors():
    graph, _ = network(80)
    inside = [node.saved for node in graph.nodes if node.operation in ("addmm", "relu")][:2]
    distinct = {saved.node: saved.value.nbytes for kept in inside for saved in kept}
    assert collapse(graph).nodes[1].group.nbytes == sum(distinct.values())


def blocks_of_blocks():
    x = y = number(0.5)
    for _ in range(40):
        for _ in range(300):
            y = y * 0.999
        y = y.sin() + x
    return record(y, names={"x": x})


def test_blocks_of_blocks():
    small = collapse(blocks_of_blocks())
    assert len(small.nodes) < 10
    assert any("(×) × 300" in node.group.titles for node in small.nodes if node.group)


def scattered(nodes):
    generator = random.Random(0)
    leaves = [number(0.1 + place / 50) for place in range(10)]
    results = list(leaves)
    while len(results) < nodes:
        a, b = generator.choice(results[-40:]), generator.choice(results[-40:])
        results.append(generator.choice([a * b, a + b, a - b, a.sin(), a.exp() * 0.01]))
    total = results[0]
    for each in results[1:]:
        total = total + each
    return record(total, leaves)


def test_what_does_not_repeat_is_drawn_in_full_or_refused_in_a_sentence():
    graph = scattered(400)
    assert COLLAPSE_ABOVE < len(collapse(graph).nodes) <= LIMIT
    with pytest.raises(ValueError, match=r"record\(output, inputs=") as caught:
        draw(scattered(2 * LIMIT))
    assert "\n" not in str(caught.value)


def test_a_player_of_a_large_graph():
    page = play(chain(1000))
    assert len(page.graph.nodes) < 10
    assert "1,000 operations, drawn as 6 nodes" in page.description
    assert "block × 499" in page.html()
