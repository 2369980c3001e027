"""What a page computes from other values of the leaves is what the engine computes from them."""

import json

import numpy as np
import pytest
import torch
from browser import needs_browser
from engine_programs import EngineProgram, OutOfRangeError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch_programs import TorchProgram

from course.engine import Function, Tensor, grad, relu, sin, where
from course.graph import record, words
from course.graph.play import script
from course.graph.script_data import forward_sweeps, script_data, why_still

pytestmark = needs_browser
TOLERANCE = 1e-12  # for each size of the largest number in a graph
SINGLE = 1e-4  # in single precision
GRAPHS = 100  # in one example
COMPUTED = """cases => cases.map(({ data, leaves }) => {
  const entered = new Map(leaves.map(([place, shape, entries]) => [place, { shape, entries }]));
  const values = evaluate(data.live, entered), local = derivatives(data, values), sums = [];
  swept(data, values).forEach(({ total }, step) => { sums[data.reverse[step][1]] = total.entries; });
  const tangents = (data.forward?.inputs ?? []).map(({ leaf }) => {
    const found = [];
    pushed(data, local, leaf).forEach(({ total }, step) => { found[data.forward.steps[step][1]] = total; });
    return found;
  });
  const adjoints = data.nodes.map((_, node) => sums[node] ?? null);
  return { values: values.map(({ entries }) => entries), adjoints, tangents };
})"""


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page()
    opened.add_script_tag(content=script(folds=False))
    return opened


def case_of(seed):
    """Record a random program, and again on other leaves; None where rounding errors would be large."""
    program = EngineProgram(seed)
    first = program.leaves()
    second = [
        Tensor(np.sign(x.data) * program.rng.uniform(0.2, 2.0, x.shape), requires_grad=True) for x in first
    ]
    try:
        runs = [program.run(leaves) for leaves in (first, second)]
    except OutOfRangeError:
        return None
    if not program.instructions or len(runs[0]) != len(runs[1]):
        return None
    graphs = [record(run[-1], names={f"t{at}": x for at, x in enumerate(run)}) for run in runs]
    data = script_data(graphs[0])
    return (data, graphs[1]) if data["live"] else None


def torch_case_of(seed, dtype):
    """Record a random program of PyTorch as `case_of` does; None also where the page cannot compute it."""
    program = TorchProgram(seed, dtype)
    first = program.leaves()
    second = program.leaves([x.detach().numpy() for x in first])
    try:
        runs = [program.run(leaves) for leaves in (first, second)]
    except OutOfRangeError:
        return None
    if not program.instructions or len(runs[0]) != len(runs[1]) or runs[0][-1].grad_fn is None:
        return None
    graphs = [record(run[-1], names={f"t{at}": x for at, x in enumerate(run)}) for run in runs]
    data = script_data(graphs[0])
    return (data, graphs[1]) if data["live"] else None


def given_to_the_page(data, graph):
    leaves = [(at, node) for at, node in enumerate(graph.nodes) if node.kind == "leaf"]
    return {
        "data": {key: data[key] for key in ("nodes", "edges", "reverse", "forward", "live")},
        "leaves": [
            [at, list(node.value.shape), np.ravel(node.value.entries).tolist()] for at, node in leaves
        ],
    }


def truth_of(graph):
    """Say what was recorded; PyTorch keeps no value that nobody holds."""
    entries = lambda value: None if value is None else np.ravel(value.entries).tolist()  # noqa: E731
    tangents = []
    for steps in forward_sweeps(graph).values():
        last = {step.node: step.total.number for step in steps}
        tangents.append([last[node.id] for node in graph.nodes])
    return {
        "values": [entries(node.value) for node in graph.nodes],
        "adjoints": [entries(node.adjoint) for node in graph.nodes],
        "tangents": tangents,
    }


def flat(told):
    parts = [np.ravel(each).astype(float) for kind in told.values() for each in kind if each is not None]
    return np.concatenate(parts)


def check_graphs(page, seed, make=case_of, tolerance=TOLERANCE, graphs=GRAPHS):
    found = [case for at in range(graphs) if (case := make([seed, at]))]
    assert len(found) > graphs / 3
    computed = page.evaluate(COMPUTED, [given_to_the_page(data, graph) for data, graph in found])
    for at, (told, (_, graph)) in enumerate(zip(computed, found, strict=True)):
        truth = truth_of(graph)
        told["values"] = [
            mine if true is not None else None
            for mine, true in zip(told["values"], truth["values"], strict=True)
        ]
        assert [each is None for each in told["adjoints"]] == [each is None for each in truth["adjoints"]]
        expected = flat(truth)
        difference = np.abs(flat(told) - expected).max()
        assert difference <= tolerance * (1 + np.abs(expected).max()), f"graph {at}: {words.describe(graph)}"


SEEDS = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture]}


@settings(max_examples=8, **SEEDS)
@given(seed=st.integers(0, 2**32))
def test_the_page_computes_what_the_engine_computes(page, seed):
    check_graphs(page, seed)


@pytest.mark.long
@settings(max_examples=20, **SEEDS)
@given(seed=st.integers(0, 2**32))
def test_the_page_computes_what_the_engine_computes_in_thousands_of_graphs(page, seed):
    check_graphs(page, seed)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, TOLERANCE), (torch.float32, SINGLE)])
def test_the_page_computes_what_pytorch_computes(page, dtype, tolerance):
    # the last of these has a gradient of zeros without storage
    check_graphs(page, 2, lambda seed: torch_case_of(seed, dtype), tolerance, graphs=30)


@pytest.mark.long
@settings(max_examples=12, **SEEDS)
@given(seed=st.integers(0, 2**32), single=st.booleans())
def test_the_page_computes_what_pytorch_computes_in_thousands_of_graphs(page, seed, single):
    dtype, tolerance = (torch.float32, SINGLE) if single else (torch.float64, TOLERANCE)
    check_graphs(page, seed, lambda each: torch_case_of(each, dtype), tolerance)


HALVES = st.integers(0, 10**5).map(lambda x: x / 2) | st.integers(0, 10**6).map(lambda x: (x + 0.5) / 2**6)


@settings(**SEEDS)
@given(numbers=st.lists(st.floats() | HALVES | st.floats(-2, 2), min_size=50, max_size=200))
def test_numbers_are_written_as_in_python(page, numbers):
    # JSON has no nan and no infinity
    given = [json.dumps(x) for x in numbers]
    told = page.evaluate("texts => texts.map(text => numeral(Number(text)))", given)
    assert told == [words.number(x) for x in numbers]


class Identity(Function):
    @staticmethod
    def forward(ctx, x):
        return x + 0

    @staticmethod
    def backward(ctx, g):
        return g


def second_order(function):
    def derivative(x):
        return grad(function(x), x, create_graph=True)[0] * x

    return derivative


@pytest.mark.parametrize(
    "function",
    [
        Identity.apply,
        lambda x: where(x > 0, x, 2 * x),
        second_order(lambda x: relu(x) * x),
        second_order(lambda x: abs(x) * x),
        lambda x: sin(Tensor(np.ones(3, np.float32)) * x.astype("float32")),
    ],
)
def test_a_graph_that_a_page_cannot_compute_is_left_as_it_is(function):
    x = Tensor(2.0, requires_grad=True)
    assert script_data(record(function(x)))["live"] is None


def test_a_constant_that_is_not_kept_is_recovered_as_it_was_typed():
    x = Tensor(3.0, requires_grad=True)
    graph = record(0.7 - (x + 0.1) - 1e-5)
    constants = [
        each.number
        for node in graph.nodes
        if node.rule
        for each in node.rule.operands
        if not isinstance(each, str)
    ]
    assert constants == [0.1, 0.7, 1e-5]


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (Identity.apply, "Identity has code of its own, which the page cannot run"),
        (lambda x: where(x > 0, x, 2 * x), "the page cannot compute where again"),
        (sin, None),
    ],
)
def test_a_still_graph_says_why(function, why):
    x = Tensor(2.0, requires_grad=True)
    sentence = "" if why is None else f"The values cannot be changed here: {why}."
    assert why_still(record(function(x))) == sentence


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * x.detach(),
        lambda x: x[x > 1],
        lambda x: x.relu() * (x > 1.5).to(x.dtype),
        lambda x: x.prod(),
        lambda x: x.double(),
        lambda x: x * 1j,
        lambda x: torch.add(x, x, alpha=2),
        lambda x: x.div(0.3, rounding_mode="floor"),
    ],
)
def test_a_graph_of_pytorch_that_a_page_cannot_compute_is_left_as_it_is(function):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = function(x).abs().sum()
    assert script_data(record(y))["live"] is None
