"""Code, node, formula: the expression that made a node is found, and one of them lights up the others."""

import math
import types

import pytest
import torch
from browser import needs_browser
from graph_pictures import number
from playwright.sync_api import expect

from course.engine import Function, Tensor, cos, exp, log, sigmoid, sin, sqrt, tanh
from course.graph import play, record
from course.graph.script_data import script_data


def code_of_nodes(graph):
    """Return the expression of each node by its name."""
    return {graph.node(key).name: graph.code.text[begin:end] for key, begin, end in graph.code.spans}


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2.0

    @staticmethod
    def backward(ctx, g):
        return g * 2.0


def test_each_operation_has_its_expression():
    w1, w2 = Tensor(2.0, requires_grad=True), Tensor(3.0, requires_grad=True)
    w3, w4 = w1 * w2, sin(w1)
    if True:
        w5 = -w3 + w4  # a block, and ä comment
    y = 2 * Double.apply(w5) / (w1**2 + w2.exp())
    graph = record(y)
    assert graph.code.text.splitlines() == [
        "w1, w2 = Tensor(2.0, requires_grad=True), Tensor(3.0, requires_grad=True)",
        "w3, w4 = w1 * w2, sin(w1)",
        "w5 = -w3 + w4",
        "y = 2 * Double.apply(w5) / (w1**2 + w2.exp())",
    ]
    found = code_of_nodes(graph)
    assert (found["w1"], found["w3"], found["w4"], found["w5"]) == (
        "Tensor(2.0, requires_grad=True)", "w1 * w2", "sin(w1)", "-w3 + w4",
    )  # fmt: skip
    inner = {"-w3", "2 * Double.apply(w5)", "Double.apply(w5)", "w1**2 + w2.exp()", "w1**2", "w2.exp()"}
    assert {text for name, text in found.items() if name.startswith("v")} == inner


def test_the_code_of_pytorch_is_found_too():
    x = torch.tensor(2.0, requires_grad=True)
    y = 3 * torch.sin(x) + x.exp()
    found = code_of_nodes(record(y))
    assert set(found.values()) >= {
        "3 * torch.sin(x) + x.exp()",
        "3 * torch.sin(x)",
        "torch.sin(x)",
        "x.exp()",
    }


def test_an_expression_that_computes_something_else_is_not_taken_for_the_code():
    x = number(2.0)
    y = sin(x)
    graph = record(y * y, names={"z": y})
    assert graph.code is None
    # the name says cos, the node is a sine
    z = cos(x)
    assert record(y, names={"z": y}).code is None
    assert z is not y


def test_in_a_notebook_the_last_cell_that_assigned_a_name_counts():
    cells = ["", "%magic", "x = Tensor(2.0, True)\ny = exp(x)", "y = sin(x)", "graph = record(y)"]
    space = {"Tensor": Tensor, "sin": sin, "exp": exp, "record": record, "In": cells}
    for cell in cells[2:]:
        exec(types.CodeType.replace(compile(cell, "<cell>", "exec")), space)
    assert code_of_nodes(space["graph"]) == {"x": "Tensor(2.0, True)", "y": "sin(x)"}


SYMBOLS = [
    (lambda a: -a, "−1", lambda a, y: -1.0),
    (exp, "y", lambda a, y: y),
    (log, "1/a", lambda a, y: 1 / a),
    (sin, "cos a", lambda a, y: math.cos(a)),
    (cos, "−sin a", lambda a, y: -math.sin(a)),
    (tanh, "1 − y²", lambda a, y: 1 - y**2),
    (sqrt, "1/(2y)", lambda a, y: 1 / (2 * y)),
    (sigmoid, "y(1 − y)", lambda a, y: y * (1 - y)),
    (lambda a: a**3, "3a²", lambda a, y: 3 * a**2),
    (lambda a: a**2, "2a", lambda a, y: 2 * a),
    (lambda a: a**1, "1", lambda a, y: 1.0),
    (lambda a: a * 5, "5", lambda a, y: 5.0),
    (lambda a: 3 - a, "−1", lambda a, y: -1.0),
    (lambda a: a / 4, "1/4", lambda a, y: 0.25),
    (lambda a: 6 / a, "−6/a²", lambda a, y: -6 / a**2),
]


@pytest.mark.parametrize(("function", "symbols", "truth"), SYMBOLS, ids=[each[1] for each in SYMBOLS])
def test_the_local_derivative_in_symbols_has_the_number_of_the_edge(function, symbols, truth):
    a = number(1.25)
    y = function(a)
    graph = record(y)
    (edge,) = script_data(graph)["edges"]
    assert edge["symbols"] == symbols
    assert graph.edges[0].local == pytest.approx(truth(1.25, y.item()))


def five_nodes():
    w1, w2 = number(2.0), number(3.0)
    w3, w4 = w1 * w2, sin(w1)
    w5 = w3 + w4
    return record(w5)


@needs_browser
def test_one_lights_up_the_others(page):
    page.set_content(play(five_nodes()).html())
    player = page.locator(".backward-player")
    player.get_by_role("slider", name="Step").fill("7")
    assert "w̄₄ · cos w₁ = 1 · (−0.4161)" in " ".join(player.locator(".equation").inner_text().split())
    lit = player.locator(".lit")
    for start in (
        player.locator('g[data-id="n3"]'),
        player.get_by_role("group", name="Code").get_by_text("sin(w1)", exact=True),
        player.locator("tbody tr").nth(3),
        player.locator(".equation .term").first,
    ):
        page.mouse.move(0, 0)
        expect(lit).to_have_count(0)
        start.hover()
        expect(player.locator('g.node.lit[data-id="n3"]')).to_have_count(1)
        expect(player.locator("pre .term.lit")).to_have_text("sin(w1)")
        expect(player.locator("tr.lit th")).to_have_text("w₄")
        expect(player.locator(".edge.lit")).to_have_count(1)
        expect(player.locator(".equation .term.lit").first).to_have_text("w̄₄")
    page.mouse.move(0, 0)
    player.get_by_role("button", name="Jump to w₃").focus()
    expect(player.locator("pre .term.lit")).to_have_text("w1 * w2")
    expect(player.locator(".edge.lit")).to_have_count(2)


@needs_browser
def test_a_click_on_code_leads_to_the_node_and_its_chain_rule(page):
    page.set_content(play(five_nodes()).html())
    player = page.locator(".backward-player")
    player.get_by_role("group", name="Code").get_by_text("number(2.0)").click()
    expect(player.locator(".caption")).to_contain_text(
        "The chain rule: w̄₁ = w̄₃ · w₂ + w̄₄ · cos w₁ = 1 · 3 + 1 · (−0.4161)."
    )


@needs_browser
def test_a_local_derivative_is_shown_with_its_node_and_not_before(page):
    page.set_content(play(five_nodes()).html())
    player = page.locator(".backward-player")
    seen = player.locator(".edge .local").locator("visible=true")
    for step, many in ((0, 0), (1, 2), (2, 3), (3, 5)):
        player.get_by_role("slider", name="Step").fill(str(step))
        expect(seen).to_have_count(many)
