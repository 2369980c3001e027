"""The steps of both modes give torch's own derivatives, and the story tells them as they are read."""

import pytest
import torch
from graph_pictures import number, seed_graph
from graph_programs import leaf, programs
from hypothesis import given, settings

from course.engine import Tensor, sin
from course.graph import record
from course.graph.script_data import INPUTS, forward_steps, forward_sweeps, script_data
from course.graph.words import number as written

RANDOM = settings(deadline=None, max_examples=40)


def recorded(program):
    tensors = program.run("engine")
    return record(tensors[-1], names={f"t{at}": tensor for at, tensor in enumerate(tensors)})


@RANDOM
@given(program=programs())
def test_a_forward_sweep_for_each_input_gives_the_gradient(program):
    graph = recorded(program)
    tensors = program.run("torch")
    sweeps = forward_sweeps(graph)
    for node in graph.nodes:
        place = int(node.name[1:])
        if place < len(program.leaves):
            (expected,) = torch.autograd.grad(tensors[-1], tensors[place], retain_graph=True)
            last = {step.node: step.total.number for step in sweeps[node.id]}
            assert last[graph.output] == pytest.approx(expected.item(), abs=1e-9)


@RANDOM
@given(program=programs())
def test_a_forward_sweep_gives_each_nodes_tangent(program):
    graph = recorded(program)
    moved = graph.nodes[0]
    place = int(moved.name[1:])
    values = [leaf("torch", value).detach() for value in program.leaves]
    tangent = [torch.ones_like(v) if at == place else torch.zeros_like(v) for at, v in enumerate(values)]

    def run(*leaves):
        return tuple(program.on(leaves, "torch"))

    _, expected = torch.func.jvp(run, tuple(values), tuple(tangent))
    last = {step.node: step.total.number for step in forward_steps(graph, moved.id)}
    for node in graph.nodes:
        assert last[node.id] == pytest.approx(expected[int(node.name[1:])].item(), abs=1e-9)


@RANDOM
@given(program=programs())
def test_each_edge_is_travelled_once_in_either_mode(program):
    graph = recorded(program)
    for steps in (graph.steps, *forward_sweeps(graph).values()):
        travelled = [step.edge for step in steps if step.kind == "travel"]
        assert sorted(travelled) == sorted(edge.id for edge in graph.edges)


@RANDOM
@given(program=programs())
def test_the_last_total_that_is_told_of_a_node_is_its_adjoint(program):
    graph = recorded(program)
    told = script_data(graph)
    totals = {
        step[1]: step[-1] for step in told["reverse"]
    }  # what arrives first is the total until there is a sum
    for place, node in enumerate(graph.nodes):
        assert totals[place] == written(node.adjoint.number)


def test_the_story_of_the_five_nodes():
    told = script_data(seed_graph())
    assert [entry.get("formula") for entry in told["nodes"]] == [
        None,
        None,
        "w₁ × w₂ = 2 × 3",
        "sin(w₁) = sin(2)",
        "w₃ + w₄ = 6 + 0.9093",
    ]
    assert told["reverse"][-2] == ["sum", 0, 0, "3", "2.584"]
    assert told["forward"]["inputs"] == [{"leaf": 0}, {"leaf": 1}]  # a page computes the rest


def test_forward_mode_is_left_out_where_a_derivative_is_no_number():
    x = Tensor([1.0, 2.0], requires_grad=True)
    assert script_data(record((x * x).sum()))["forward"] is None


def test_forward_mode_is_left_out_where_a_page_has_no_room_for_it():
    leaves = [number(1.0) for _ in range(INPUTS + 1)]
    total = leaves[0]
    for each in leaves[1:]:
        total = total + each
    assert script_data(record(total))["forward"] is None


def test_a_graph_that_was_not_swept_tells_values_alone():
    x = number(2.0)
    y = sin(x) * x
    y.backward()
    told = script_data(record(y))
    assert told["reverse"] == []
    assert told["forward"] is None
    assert told["note"].startswith("Adjoints are missing: an earlier backward() freed this graph")
