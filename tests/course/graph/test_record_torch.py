"""What is read from PyTorch's tape."""

import pytest
import torch

from course.graph import record


def number(value):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


def test_results_of_a_native_operation_with_several():
    x = torch.arange(6.0, requires_grad=True)
    first, second = x.split(3)
    graph = record((second * second).sum())
    assert graph.node("second").kind == "result"
    assert graph.node("x").adjoint.entries == [0, 0, 0, 6, 8, 10]
    with pytest.raises(KeyError):
        graph.node("first")
    assert first.requires_grad


def test_both_edges_of_a_square():
    x = number(3.0)
    graph = record(x * x)
    assert [(edge.position, edge.local) for edge in graph.edges] == [(0, 3.0), (1, 3.0)]
    assert [step.kind for step in graph.steps] == ["seed", "travel", "travel", "sum"]


def test_an_exponent_is_told():
    x = number(3.0)
    assert record(x**2).nodes[-1].context == (("exponent", "2"),)


def test_a_graph_that_was_freed_is_still_shown_and_says_why_adjoints_are_missing():
    x = number(2.0)
    y = x * x
    y.backward()
    graph = record(y)
    assert "retain_graph=True" in graph.note
    assert not graph.swept
    assert [node.adjoint for node in graph.nodes] == [None, None]
    assert [node.name for node in graph.nodes] == ["x", "y"]
    assert x.grad == 4


def test_a_change_in_place_is_said_to_be_in_the_way():
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    z = y * y
    y += 1
    assert "in place" in record(z).note


def test_the_picture_begins_at_the_inputs():
    x, other = number(2.0), number(7.0)
    middle = x.exp()
    graph = record(middle * middle, inputs=[middle, other])
    assert [node.name for node in graph.nodes] == ["middle", "v1", "other"]
    assert graph.node("middle").kind == "leaf"
    assert graph.node("middle").adjoint.number == pytest.approx(2 * middle.item())
    assert graph.node("other").adjoint is None


def test_an_output_that_is_a_leaf():
    x = number(2.0)
    graph = record(x)
    assert [(node.kind, node.adjoint.number) for node in graph.nodes] == [("leaf", 1.0)]


def test_an_array_as_output_is_seeded_with_ones():
    x = torch.ones(2, 3, requires_grad=True)
    graph = record(x * 2)
    assert graph.steps[0].product.entries == [[1.0] * 3] * 2
    assert graph.node("x").adjoint.entries == [[2.0] * 3] * 2


def test_large_arrays_keep_their_shape_alone():
    weight = torch.zeros(64, 128, requires_grad=True)
    node = record((weight * 2).sum()).node("weight")
    assert (node.value.shape, node.value.dtype, node.value.nbytes) == ((64, 128), "float32", 64 * 128 * 4)
    assert node.value.entries is node.adjoint.entries is None


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_sums_where_paths_meet_are_those_of_the_dtype(dtype):
    x = torch.tensor([0.1, 0.7], dtype=dtype, requires_grad=True)
    graph = record((x * x + x.sin()).sum())
    assert graph.node("x").adjoint.dtype == str(dtype).removeprefix("torch.")
    total = [step for step in graph.steps if graph.node(step.node).name == "x"][-1].total
    assert total.entries == pytest.approx(graph.node("x").adjoint.entries, rel=1e-2)


def test_values_that_only_a_list_holds():
    x = number(0.5)
    layers = [x]
    for _ in range(3):
        layers.append(layers[-1].sin())
    graph = record(layers[-1])
    assert [node.value.number for node in graph.nodes] == [layer.item() for layer in layers]


def test_a_value_that_nobody_holds_is_left_out():
    x = number(0.5)
    graph = record(-(x + 1) * 2)
    assert [node.value is None for node in graph.nodes] == [False, True, True, False]


@pytest.mark.parametrize("thing", [3.0, "w5", None, [torch.ones(1)]])
def test_only_tensors_can_be_recorded(thing):
    with pytest.raises(TypeError, match="can be recorded"):
        record(thing)


def test_a_tensor_without_a_graph():
    with pytest.raises(ValueError, match="requires_grad=True"):
        record(torch.ones(3))
    with pytest.raises(ValueError, match="inputs"):
        record(number(1.0) * 2, inputs=[torch.ones(3)])


def test_views_are_operations_and_their_base_gets_the_gradient():
    base = torch.arange(6.0, requires_grad=True)
    view = base.view(2, 3)
    row = view[1]
    graph = record((row * row).sum())
    assert [node.operation for node in graph.nodes] == [None, "view", "select", "mul", "sum"]
    assert graph.node("view").value.shape == (2, 3)
    assert graph.node("view").adjoint.entries == [[0, 0, 0], [6, 8, 10]]
    assert graph.node("base").adjoint.entries == [0, 0, 0, 6, 8, 10]


def test_a_change_in_place_is_an_operation_of_its_own():
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    y = x * 3
    y.add_(1)
    graph = record((y * y).sum())
    assert [node.operation for node in graph.nodes] == [None, "mul", "add", "mul", "sum"]
    assert graph.node("y").value.entries == [4, -5]
    # The product's own value was overwritten, and nothing else is shown for it.
    assert graph.nodes[1].value is None
    assert graph.node("x").adjoint.entries == [24, -30]


def test_a_part_that_was_overwritten_gets_no_gradient():
    x = torch.arange(3.0, requires_grad=True)
    y = x * 1
    y[0] = 5.0
    graph = record(y.sum())
    assert graph.node("y").operation == "copy_slices"
    assert graph.node("x").adjoint.entries == [0, 1, 1]


def test_what_native_operations_save_has_shapes_and_bytes():
    x, weight = torch.ones(5, 3), torch.ones(3, 2, dtype=torch.float32, requires_grad=True)
    y = x @ weight
    (saved,) = record(y.sum()).node("y").saved
    assert (saved.name, saved.value.shape, saved.value.nbytes, saved.node) == ("x", (5, 3), 60, None)


def test_values_and_retained_gradients_without_a_name_in_sight():
    """All that is alive is looked through only where a result is not known by name."""
    x = number(2.0)
    held = [x.exp()]
    held[0].retain_grad()
    graph = record(held[0] * held[0])
    assert graph.nodes[1].value.number == held[0].item()
    assert held[0].grad is None
