"""What a call may leave different: each way is seen, named, and nothing else is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import autograder.engine  # noqa: F401 - vjpcheck learns of the values that the engine has
from course.engine import Tensor as EngineTensor
from vjpcheck.probe.callers_world import (
    ASPECTS,
    DEFAULT_DEVICE,
    GENERATOR,
    GRAD_MODE,
    NUMPYS_ERRORS,
    Changes,
    watched,
)
from vjpcheck.usual_settings import DEFAULT_DTYPE, DETERMINISTIC


def changes_of(action: Callable[[], Any], **things: Any) -> Changes:
    changes: Changes = {}
    with watched(changes, **things):
        action()
    return changes


def test_reading_changes_nothing() -> None:
    x = torch.arange(6.0).reshape(2, 3).T.requires_grad_()
    linear, list_of = nn.Linear(3, 2), [torch.ones(2), np.ones(3), "text", 3]

    def read() -> None:
        torch.autograd.grad(linear(x.reshape(2, 3)).sum(), [x, *linear.parameters()])
        torch.no_grad()(lambda: x * 2)()
        x.data.clone().mul_(2)

    assert changes_of(read, x=x, linear=linear, parts=list_of) == {}


def test_nan_expanded_empty_and_sparse_tensors_are_equal_to_themselves() -> None:
    things = [
        torch.tensor([np.nan]),
        torch.ones(1, 3).expand(4, 3),
        torch.zeros(0, 2),
        torch.eye(2).to_sparse(),
    ]
    assert (
        changes_of(lambda: None, things=things, z=torch.tensor(1j).conj(), b=torch.ones(2).bfloat16()) == {}
    )


WRITES: dict[str, Callable[[torch.Tensor], Any]] = {
    "values": lambda x: x.data.mul_(2),
    "layout": lambda x: x.t_(),
    "requires_grad": lambda x: x.requires_grad_(False),
    "grad": lambda x: (x * 2).sum().backward(),
}


@pytest.mark.parametrize("aspect", WRITES)
def test_each_way_to_change_a_tensor_has_its_name(aspect: str) -> None:
    x = torch.rand(2, 3) + 1
    x = x if aspect == "layout" else x.requires_grad_()
    assert aspect in changes_of(lambda: WRITES[aspect](x), x=x)["x"]


def test_a_value_of_another_sign_of_zero_is_another_value() -> None:
    x = torch.zeros(2)
    assert changes_of(lambda: x.neg_(), x=x) == {"x": ["values"]}


def test_a_value_that_is_put_back_leaves_its_version() -> None:
    x = torch.ones(2, requires_grad=True)

    def there_and_back() -> None:
        with torch.no_grad():
            x[0] += 1
            x[0] = 1

    squares = (x * x).sum()
    assert changes_of(there_and_back, x=x) == {"x": ["version"]}
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        squares.backward()


def test_a_grad_that_was_there_is_not_added_to_and_may_be_put_back() -> None:
    x = torch.ones(2, requires_grad=True)
    x.grad = torch.ones(2)
    assert changes_of(lambda: (x * 2).sum().backward(), x=x) == {"x": ["grad"]}
    assert changes_of(lambda: setattr(x, "grad", x.grad.clone()), x=x) == {}
    assert changes_of(lambda: setattr(x, "grad", None), x=x) == {"x": ["grad"]}


def test_a_modules_parameters_buffers_and_mode() -> None:
    critic = nn.Sequential(nn.Linear(2, 1), nn.BatchNorm1d(1))
    x = torch.rand(4, 2)
    assert changes_of(lambda: critic.eval(), critic=critic) == {"critic": ["mode"]}
    critic.train()
    changes = changes_of(lambda: critic(x).sum().backward(), critic=critic)
    assert changes["critic.0.weight"] == ["grad"]
    assert changes["critic.1.running_mean"] == ["values"]


SETTINGS: dict[str, Callable[[], Any]] = {
    GENERATOR: lambda: torch.rand(1),
    DEFAULT_DTYPE: lambda: torch.set_default_dtype(torch.float64),
    DEFAULT_DEVICE: lambda: torch.set_default_device("meta"),
    DETERMINISTIC: lambda: torch.use_deterministic_algorithms(True),
    GRAD_MODE: lambda: torch.set_grad_enabled(False),
    NUMPYS_ERRORS: lambda: np.seterr(all="ignore"),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_torchs_settings_are_noticed_and_put_back(setting: str) -> None:
    before = torch.get_rng_state(), torch.get_default_dtype(), torch.is_grad_enabled(), np.geterr()
    assert changes_of(SETTINGS[setting]) == {setting: ["setting"]}
    after = torch.get_rng_state(), torch.get_default_dtype(), torch.is_grad_enabled(), np.geterr()
    assert torch.equal(before[0], after[0])
    assert before[1:] == after[1:]


def test_an_exception_gets_through_and_what_came_before_it_is_noticed() -> None:
    x, changes = torch.ones(2), Changes()

    def fail() -> None:
        x.mul_(2)
        torch.set_default_dtype(torch.float64)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), watched(changes, x=x):
        fail()
    assert changes == {"x": ["values"], DEFAULT_DTYPE: ["setting"]}
    assert torch.get_default_dtype() is torch.float32


def test_arrays_lists_and_the_engines_tensors() -> None:
    array, parts, x = np.zeros(2), [1.0, 2.0], EngineTensor(2.0, requires_grad=True)
    assert changes_of(lambda: array.fill(1), array=array) == {"array": ["values"]}
    assert "values" in changes_of(lambda: parts.reverse(), parts=parts)["parts"]
    assert changes_of(lambda: (x * x).backward(), x=x) == {"x": ["grad"]}
    assert changes_of(lambda: setattr(x, "data", 3.0), x=x) == {"x": ["values"]}
    node = (x * x).node
    assert changes_of(lambda: node(EngineTensor(1.0)), node=node) == {}
    for name, value, aspect in (("adjoint", 1.0, "adjoint"), ("left", None, "graph")):
        assert changes_of(partial(setattr, node, name, value), node=node) == {"node": [aspect]}
    assert "saved" in changes_of(node.free, node=node)["node"]


def test_every_aspect_has_a_sentence() -> None:
    assert all("{}" in sentence for sentence in ASPECTS.values())


def test_without_torch_it_needs_none() -> None:
    program = (
        "import sys, numpy as np\n"
        "from vjpcheck.probe.callers_world import watched\n"
        "changes, x = {}, np.zeros(2)\n"
        "with watched(changes, x=x): x += 1\n"
        "assert changes == {'x': ['values']} and 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
