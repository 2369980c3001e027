"""The picture: what it says, and to whom."""

import re
import shutil
import xml.etree.ElementTree as ElementTree

import graphviz
import pytest
import torch
from graph_pictures import SVG, boxes, find, lines, number, parse, said, seed_graph

from course.engine import Function
from course.graph import Graph, Node, describe, draw, record
from course.graph.words import number as written


def test_a_node_says_its_operation_value_adjoint_and_what_was_saved():
    assert said(seed_graph(), "w4") == ["sin", "w₄ = 0.9093", "w̄₄ = 1", "saved ", "w₁"]
    assert said(seed_graph(), "w1") == ["w₁ = 2", "w̄₁ = 2.584"]


def test_an_edge_says_its_local_derivative():
    graph = seed_graph()
    root = parse(draw(graph))
    said = [line for edge in graph.edges for line in lines(find(root, edge.id))]
    assert said == ["∂w₃/∂w₁ = 3", "∂w₃/∂w₂ = 2", "∂w₄/∂w₁ = −0.4161", "∂w₅/∂w₃ = 1", "∂w₅/∂w₄ = 1"]


def test_a_text_alternative_tells_the_graph():
    picture = draw(seed_graph())
    root = parse(picture)
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.find(f"{SVG}title").text == picture.description
    assert "w3 = w1 × w2 = 6" in picture.description
    assert "w1 2.584" in picture.description
    assert picture.description.count(".\n") == 0
    assert picture.description.endswith(".")


def test_a_large_graph_is_told_by_its_size():
    x = y = number(0.5)
    for _ in range(50):
        y = y * x
    text = describe(record(y))
    assert text == "Graph of y, computed from 1 leaf by 50 operations, with a backward pass of 151 steps."


def test_small_arrays_are_written_out_and_large_ones_told_by_shape():
    matrix = torch.tensor([[1.0, 2.0], [3.0, -4.5]], requires_grad=True)
    weight = torch.zeros(64, 128, requires_grad=True)
    graph = record(matrix.sum() * weight.sum())
    assert said(graph, "matrix")[:5] == ["matrix = ", "1", "3", "2", "−4.5"]
    assert said(graph, "weight") == ["weight  shape (64, 128)"] * 2
    root = parse(draw(graph))
    (edge,) = graph.uses(graph.node("weight").id)
    assert lines(find(root, edge.id)) == ["1 × 8192 Jacobian"]


def test_a_saved_array_is_written_out_or_told_by_its_shape():
    x = torch.ones(3, requires_grad=True)
    mask, weight = torch.tensor([1.0, 0.0, 1.0]), torch.zeros(64, 3)
    graph = record(((x * mask) * weight).sum())
    assert [said(graph, node.id)[-1] for node in graph.nodes if node.saved] == [
        "mask = [1 0 1]",
        "weight  shape (64, 3)",
    ]


def test_a_none_gradient_is_shown_and_its_edge_is_dashed():
    class Half(Function):
        @staticmethod
        def forward(ctx, a, b):
            return a * 1.0

        @staticmethod
        def backward(ctx, grad):
            return grad, None

    a, b = number(1.0), number(2.0)
    graph = record(Half.apply(a, b))
    root = parse(draw(graph))
    assert lines(find(root, graph.node("b").id))[1] == "b\N{COMBINING MACRON} = None"
    assert lines(find(root, graph.output))[-2:] == ["a\N{COMBINING MACRON}", "nothing"]
    dashes = [find(root, edge.id).find(f"{SVG}path").get("stroke-dasharray") for edge in graph.edges]
    assert dashes == [None, "4 3"]


def test_a_gradient_that_the_tape_drops_is_told_as_returned_and_dropped():
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, grad):
            a, b = ctx.saved_tensors
            return grad * b, grad * a

    a, mask = torch.tensor(1.0, requires_grad=True), torch.tensor(2.0)
    graph = record(Product.apply(a, mask))
    root = parse(draw(graph))
    assert "None" not in lines(find(root, graph.output))
    assert lines(find(root, graph.output))[-1] == "returned, dropped"
    assert isinstance(vars(Product)["backward"], staticmethod)
    assert Product.backward.__qualname__.endswith("Product.backward")
    assert not hasattr(Product.backward, "__wrapped__")


def test_long_names_lose_their_middle():
    x = number(2.0)
    name = "encoder.layers.11.self_attention.output.weight"
    graph = record(x * x, names={name: x})
    (line, *_) = said(graph, name)
    assert line.startswith("encoder.")
    assert "…" in line
    assert line.endswith("weight = 2")
    assert len(line) < 30


def test_names_that_would_be_markup():
    x = number(2.0)
    name = '<b>&"\\n'
    graph = record(x * x, names={name: x})
    assert said(graph, name)[0] == f"{name} = 2"
    assert name in parse(draw(graph)).get("aria-label")
    assert draw(graph).pipe("png")[:4] == b"\x89PNG"


def test_what_is_stored_on_ctx_may_be_markup():
    class Apply(Function):
        @staticmethod
        def forward(ctx, x, rule):
            ctx.rule = rule
            return x * 1.0

        @staticmethod
        def backward(ctx, grad):
            return grad, None

    x = number(2.0)
    y = Apply.apply(x, "<&>")
    assert "rule = '<&>'" in said(record(y), "y")


def test_text_takes_the_pages_colour():
    root = parse(draw(seed_graph()))
    assert root.get("fill") == "currentColor"
    assert {text.get("fill") for text in root.iter(f"{SVG}text")} == {None}
    assert not any(":root" in (style.text or "") for style in root.iter(f"{SVG}style"))


def test_what_a_notebook_gets():
    picture = draw(seed_graph())
    assert isinstance(picture, graphviz.Digraph)
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "image/svg+xml"}
    assert "<svg " in bundle["text/html"]
    # An SVG that stands alone cannot ask the page for its colour.
    assert "prefers-color-scheme" in bundle["image/svg+xml"]
    assert set(picture._repr_mimebundle_(include={"text/html"})) == {"text/html"}
    assert set(picture._repr_mimebundle_(exclude={"text/html"})) == {"text/plain", "image/svg+xml"}


def test_a_tensor_can_be_drawn_at_once():
    x = number(2.0)
    assert draw(x * x).graph.node("x").value.number == 2
    with pytest.raises(TypeError, match="can be recorded"):
        draw("a graph")


def test_files(tmp_path, capfd):
    picture = draw(seed_graph())
    svg = picture.render(tmp_path / "seed", cleanup=True)
    assert ElementTree.parse(svg).getroot().get("role") == "img"
    png = picture.render(tmp_path / "seed", format="png")
    with open(png, "rb") as file:
        assert file.read(4) == b"\x89PNG"
    assert ElementTree.fromstring(picture.pipe()).get("role") == "img"
    # nbgrader gives no points to a cell that writes to stderr.
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(shutil.which("dot") is None, reason="there is no system Graphviz")
def test_pdf_by_a_system_graphviz(tmp_path):
    with open(draw(seed_graph()).render(tmp_path / "seed", format="pdf"), "rb") as file:
        assert file.read(5) == b"%PDF-"


def test_local_derivatives_stand_in_large_pictures_too():
    leaves = [number(0.5 + place / 100) for place in range(60)]
    total = leaves[0]
    for leaf in leaves[1:]:
        total = total * leaf
    graph = record(total, leaves)
    root = parse(draw(graph))
    for edge in graph.edges:
        assert lines(find(root, edge.id)) == [written(edge.local)]


def test_a_missing_sweep_is_explained_below():
    x = number(2.0)
    y = x * x
    y.backward()
    assert "retain_graph=True" in lines(parse(draw(y)))[-1]


def test_a_graph_of_one_node():
    x = number(2.0)
    assert len(boxes(parse(draw(x)))) == 1


def test_a_picture_can_be_drawn_from_plain_data_alone():
    graph = Graph((Node("n0", "leaf", "x"),), (), (), "n0", "torch")
    assert lines(parse(draw(graph))) == ["x"]


def test_the_standalone_width_is_the_natural_one():
    root = parse(draw(seed_graph()))
    assert re.fullmatch(r"\d+", root.get("width"))
    assert float(root.get("width")) == pytest.approx(float(root.get("viewBox").split()[2]), abs=1)
