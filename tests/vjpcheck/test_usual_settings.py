"""The settings of a new process: inside the block whatever was found, and afterwards what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from vjpcheck.usual_settings import usual_settings

_SETTINGS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], Any, Any]] = {
    "dtype": (torch.get_default_dtype, torch.set_default_dtype, torch.float32, torch.float64),
    "device": (lambda: str(torch.get_default_device()), torch.set_default_device, "cpu", "meta"),
    "anomaly": (torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly, False, True),
    "deterministic": (
        torch.are_deterministic_algorithms_enabled,
        torch.use_deterministic_algorithms,
        False,
        True,
    ),
    "threads": (torch.get_num_threads, torch.set_num_threads, 1, 3),
    "autocast": (
        partial(torch.is_autocast_enabled, "cpu"),
        partial(torch.set_autocast_enabled, "cpu"),
        False,
        True,
    ),
    "grad mode": (torch.is_grad_enabled, torch.set_grad_enabled, True, False),
    "NumPy's errors": (lambda: np.geterr()["divide"], lambda how: np.seterr(divide=how), "warn", "raise"),
}


@pytest.fixture(params=_SETTINGS)
def setting(request: pytest.FixtureRequest) -> Iterator[tuple[Any, ...]]:
    get, put, usual, _ = _SETTINGS[request.param]
    before = get()
    put(usual)
    yield _SETTINGS[request.param]
    if get() != before:
        put(before)


def test_inside_the_block_a_setting_is_that_of_a_new_process(setting: tuple[Any, ...]) -> None:
    get, put, usual, other = setting
    put(other)
    with usual_settings():
        assert get() == usual
    assert get() == other


def test_what_the_block_leaves_changed_is_put_back(setting: tuple[Any, ...]) -> None:
    get, put, usual, other = setting
    with usual_settings():
        put(other)
    assert get() == usual
