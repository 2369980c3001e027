"""Restores the settings of a new Python process, which a notebook may have changed.

A mode that was entered and never left (`inference_mode`, `set_default_device("meta")`, …) is not a mistake of
the work that runs afterwards. It can also come from the time limit: the exception may hit the first line of
the `__exit__` that would have restored the mode. torch and NumPy are inspected only if they have been
imported. Only the number of threads differs from that of a new process: it is 1.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache, partial
from typing import Any, NamedTuple

DEFAULT_DTYPE = "torch's default dtype"
DETERMINISTIC = "the setting of torch.use_deterministic_algorithms"
_FILTER = ("default", None, Warning, None, 0)  # the filter of `captured_output`
_NUMPYS_ERRORS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
# contexts of other libraries: each sets a setting to its usual value during a block
FURTHER: list[Callable[[], AbstractContextManager[None]]] = []


class Setting(NamedTuple):
    """A setting: functions that get and set it, its value in a new process, and its name in a message.

    A change of a setting without a name is not reported.
    """

    get: Callable[[], Any]
    put: Callable[[Any], Any]
    usual: Any = None
    name: str = ""


@contextmanager
def usual_settings() -> Iterator[None]:
    """Run the block with the settings of a new process, and restore the settings afterwards.

    The warning filter is that of `captured_output`: under an "error" filter right code would count as wrong.
    """
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    with ExitStack() as stack:
        if warnings.filters[:1] != [_FILTER]:  # a new filter would show an old warning again
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("default")
        if numpy is not None:
            stack.enter_context(numpy.errstate(**_NUMPYS_ERRORS, call=None))
        if torch is not None:
            _torch_as_usual(torch, stack)
        for setting in FURTHER:
            stack.enter_context(setting())
        yield


def _torch_as_usual(torch: Any, stack: ExitStack) -> None:
    """Set torch's settings to their usual values, and register their restoration on the stack.

    Changes by the block itself are undone too: the truth is computed between two calls of the work.
    """
    settings = of_torch(torch)
    values, device = [setting.get() for setting in settings], default_device(torch)
    stack.callback(_put, settings, values)
    if values != (usual := [setting.usual for setting in settings]):
        _put(settings, usual)
    stack.callback(_put_device, torch, device)
    if device != "cpu":
        stack.enter_context(torch.device("cpu"))
    stack.enter_context(torch.inference_mode(False))
    stack.enter_context(torch.set_grad_enabled(True))


@cache
def of_torch(torch: Any) -> tuple[Setting, ...]:
    """Return the settings of torch that one call can set."""
    return (
        Setting(torch.get_default_dtype, torch.set_default_dtype, torch.float32, DEFAULT_DTYPE),
        Setting(torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly, False),
        Setting(
            torch.are_deterministic_algorithms_enabled,
            torch.use_deterministic_algorithms,
            False,
            DETERMINISTIC,
        ),
        # on small arrays two threads take ten times as long
        Setting(torch.get_num_threads, torch.set_num_threads, 1),
        Setting(partial(torch.is_autocast_enabled, "cpu"), partial(torch.set_autocast_enabled, "cpu"), False),
    )


def _put(settings: Sequence[Setting], values: Sequence[Any]) -> None:
    """Set the settings that differ; for some of them setting takes longer than getting."""
    for setting, value in zip(settings, values, strict=True):
        if setting.get() != value:
            setting.put(value)


def _put_device(torch: Any, device: str) -> None:
    if default_device(torch) != device:
        torch.set_default_device(device)


def default_device(torch: Any) -> str:
    """Return the name of the device on which torch makes tensors by default."""
    return str(torch.empty(0).device)  # faster than get_default_device
