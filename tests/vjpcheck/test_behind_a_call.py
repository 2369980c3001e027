"""What stands behind a call: facts that no submission's first finding shows."""

from __future__ import annotations

import cProfile
import gc
from typing import Any

import numpy as np
import pytest
import submissions
import torch
from torch.autograd import Function
from verdicts import verdict_apart

from autograder import check
from autograder.exercises import find
from vjpcheck.probe.function_probe import Probe
from vjpcheck.source_file import load


def submission(exercise_id: str, name: str) -> Any:
    return load(submissions.named(f"{exercise_id}/{name}").file(), find(exercise_id).object_name)


def inspected(work: Any, x: np.ndarray) -> Any:
    return Probe(work, "Work").inspect((x,), (np.ones_like(x),))


def test_native_autograd_costs_the_gradient_and_is_left_to_a_person() -> None:
    result = check("exp_saving_output", submission("exp_saving_output", "bad_autograd_grad"))
    assert result.for_a_person
    assert [o.check for o in result.outcomes if o.passed] == ["forward", "contract"]
    assert result.score == result.points["forward"] + result.points["contract"]
    assert not check("exp_saving_output", submission("exp_saving_output", "plain")).for_a_person


def test_what_is_found_travels_from_another_process() -> None:
    for name, mistake in (("plain", None), ("bad_kept_on_ctx", "output-kept-on-ctx")):
        result = verdict_apart(submissions.named(f"relu_inplace/{name}"), 0)
        assert [finding.mistake for finding in result.findings[:1]] == ([mistake] if mistake else [])


class Keeps(Function):
    """Keeps the input, the output, what is neither, a mask and a number."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.twice, ctx.mask, ctx.scale = 2 * y, x > 0, 3.0
        ctx.norm = float(x.norm())
        ctx.save_for_backward(x, y, y + 1)
        return y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.saved_tensors[1]


def test_everything_a_node_keeps_is_sorted_and_weighed() -> None:
    x = np.linspace(-1, 1, 8)
    seen = inspected(Keeps, x)
    assert seen["bytes_of_inputs"] == {"0": x.nbytes}
    assert seen["bytes_of_outputs"] == {"0": x.nbytes}
    assert seen["other_bytes"] == 2 * x.nbytes + x.size  # two of float64, and the mask of bool
    found = Probe(Keeps, "Keeps").intermediates((x,), (x * (1 + 1e-6),))
    assert sorted(found) == ["ctx.norm", "ctx.saved_tensors[2]", "ctx.twice"]
    assert seen["saved_inputs"] == [0]
    assert not seen["inputs_on_ctx"]
    assert not seen["outputs_on_ctx"]
    assert not seen["leaks"]


class Cycle(Function):
    """Hides its output where nobody looks: in the cell of a generator that never ran."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.hidden = (value for value in [y])
        return y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g


@pytest.mark.parametrize("collecting", [True, False])
def test_a_cycle_is_found_wherever_it_hides_and_the_collector_left_as_it_was(collecting: bool) -> None:
    before = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        seen = inspected(Cycle, np.ones(3))
        assert seen["leaks"]
        assert not seen["outputs_on_ctx"]
        assert not inspected(Keeps, np.ones(3))["leaks"]
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if before else gc.disable)()


def test_a_profiled_check_says_the_same() -> None:
    profile = cProfile.Profile()
    profile.enable()
    try:
        result = check("exp_saving_output", submission("exp_saving_output", "bad_autograd_grad"))
    finally:
        profile.disable()
    assert result.for_a_person


def test_reading_grad_fn_is_not_calling_it() -> None:
    class Reads(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            assert x.grad_fn is None
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    assert inspected(Reads, np.ones(3))["autograd"] == []


def test_an_inspection_leaves_no_trace_in_torch() -> None:
    with torch.no_grad():
        inspected(Keeps, np.ones(3))
        assert not torch.is_grad_enabled()
