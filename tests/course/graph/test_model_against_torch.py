"""What is recorded, from either tape, is what torch's own gradients say."""

import json
import math

import numpy as np
import pytest
from graph_programs import leaf, programs, truth, vectors
from hypothesis import given, settings

from course.graph import record

KINDS = pytest.mark.parametrize("kind", ["engine", "torch"])
RANDOM = settings(deadline=None, max_examples=40)


def recorded(program, kind):
    """Run a program and record it with a name for every tensor."""
    tensors = program.run(kind)
    return record(tensors[-1], names={f"t{at}": tensor for at, tensor in enumerate(tensors)})


def reached(program):
    """Return the places of the tensors that the output was computed from, the output included."""
    places, start = set(), len(program.leaves)
    stack = [start + len(program.instructions) - 1]
    while stack:
        place = stack.pop()
        places.add(place)
        if place >= start:
            stack += program.instructions[place - start][1:]
    return places


@KINDS
@RANDOM
@given(program=programs())
def test_values_and_adjoints(kind, program):
    graph = recorded(program, kind)
    expected = truth(program)
    assert {node.name for node in graph.nodes} == {f"t{place}" for place in reached(program)}
    for node in graph.nodes:
        value, adjoint = expected[int(node.name[1:])]
        assert node.value.number == pytest.approx(value, abs=1e-12)
        assert node.adjoint.number == pytest.approx(adjoint, abs=1e-12)
        assert node.shape == ()


@KINDS
@RANDOM
@given(program=programs(values=vectors(3), longest=6))
def test_values_and_adjoints_of_arrays(kind, program):
    for node in recorded(program, kind).nodes:
        value, adjoint = truth(program)[int(node.name[1:])]
        np.testing.assert_allclose(node.value.entries, value, atol=1e-12)
        np.testing.assert_allclose(node.adjoint.entries, adjoint, atol=1e-12)
        assert node.shape == node.value.shape == node.adjoint.shape == (3,)


@KINDS
@RANDOM
@given(program=programs())
def test_an_adjoint_is_the_sum_over_uses_of_local_derivative_times_adjoint(kind, program):
    graph = recorded(program, kind)
    for node in graph.nodes:
        parts = [edge.local * graph.node(edge.target).adjoint.number for edge in graph.uses(node.id)]
        seed = 1.0 if node.id == graph.output else 0.0
        assert node.adjoint.number == pytest.approx(seed + math.fsum(parts), abs=1e-9)


@KINDS
@RANDOM
@given(program=programs())
def test_local_derivatives_are_those_of_the_operation_alone(kind, program):
    """Also where the adjoint is 0, from which no product could tell them."""
    graph = recorded(program, kind)
    for node in graph.nodes:
        edges = graph.operands(node.id)
        a, *rest = [graph.node(edge.source).value.number for edge in edges] or [0.0]
        expected = {
            "add": (1.0, 1.0),
            "sub": (1.0, -1.0),
            "mul": (*rest, a),
            "sin": (math.cos(a),),
            "cos": (-math.sin(a),),
            "tanh": (1 - math.tanh(a) ** 2,),
            None: (),
        }[node.operation]
        assert [edge.local for edge in edges] == pytest.approx(expected, abs=1e-9)


@KINDS
@RANDOM
@given(program=programs())
def test_the_steps_lead_to_the_adjoints(kind, program):
    graph = recorded(program, kind)
    totals, contributions = {}, {}
    for step in graph.steps:
        if step.kind == "travel":
            edge = graph.edge(step.edge)
            assert step.node == edge.source
            # An adjoint is passed on only when it is complete.
            assert totals[edge.target] == graph.node(edge.target).adjoint.number
            contributions[step.node] = contributions.get(step.node, 0) + 1
            if step.node in totals:
                assert step.total.number == totals[step.node]
                continue
        if step.kind == "sum":
            assert step.total.number == pytest.approx(totals[step.node] + step.product.number, abs=1e-12)
        totals[step.node] = step.total.number
    assert [step.kind for step in graph.steps].count("seed") == 1
    assert sorted(s.edge for s in graph.steps if s.kind == "travel") == sorted(e.id for e in graph.edges)
    sums = [step.node for step in graph.steps if step.kind == "sum"]
    for node in graph.nodes:
        assert totals[node.id] == pytest.approx(node.adjoint.number, abs=1e-12)
        assert sums.count(node.id) == max(contributions.get(node.id, 0) - 1, 0)


@RANDOM
@given(program=programs())
def test_engine_and_torch_give_the_same_graph(program):
    """The same operations, names and edges; what a native operation saves differs."""
    one, other = (recorded(program, kind) for kind in ("engine", "torch"))
    assert [(n.id, n.kind, n.name, n.operation) for n in one.nodes] == [
        (n.id, n.kind, n.name, n.operation) for n in other.nodes
    ]
    assert [(e.id, e.source, e.target, e.position) for e in one.edges] == [
        (e.id, e.source, e.target, e.position) for e in other.edges
    ]


@KINDS
@RANDOM
@given(program=programs())
def test_nodes_come_in_forward_order(kind, program):
    graph = recorded(program, kind)
    place = {node.id: at for at, node in enumerate(graph.nodes)}
    assert all(place[edge.source] < place[edge.target] for edge in graph.edges)
    assert graph.nodes[-1].id == graph.output


@KINDS
@pytest.mark.parametrize("value", [math.inf, math.nan, -0.0, 1e300])
def test_json_is_strict(kind, value):
    x = leaf(kind, value)
    graph = record(x * x)

    def refuse(constant):
        raise AssertionError(constant)

    data = json.loads(graph.to_json(), parse_constant=refuse)
    assert data["output"] == graph.output
    assert [node["name"] for node in data["nodes"]] == [node.name for node in graph.nodes]
    assert float(data["nodes"][0]["value"]["entries"]) == pytest.approx(value, nan_ok=True)


@KINDS
def test_a_long_chain_needs_no_recursion(kind):
    x = y = leaf(kind, 0.5)
    for _ in range(3000):
        y = y * 1.0001
    graph = record(y, names={"x": x})
    assert len(graph.nodes) == 3001
    assert graph.node("x").adjoint.number == pytest.approx(1.0001**3000)
