"""The settings of a Python process that a notebook may leave changed, as they are when one starts.

A mode that was entered and never left (`inference_mode`, `set_default_device("meta")`, …) is no fault of the
work that is tried afterwards. That happens without anybody's doing where code is stopped because it takes too
long: the exception may hit the first line of the `__exit__` that would have put the mode back. torch and
NumPy are looked at only where something has imported them. Only the number of threads is another one: 1.
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
_FILTER = ("default", None, Warning, None, 0)  # that of `captured_output`
_NUMPYS_ERRORS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
# of other libraries: each gives a setting its usual value for the length of a block
FURTHER: list[Callable[[], AbstractContextManager[None]]] = []


class Setting(NamedTuple):
    """How to ask for a setting, how to change it, what it is in a new process, and its name in a message.

    Without a name it is no fault of work that changes it.
    """

    get: Callable[[], Any]
    put: Callable[[Any], Any]
    usual: Any = None
    name: str = ""


@contextmanager
def usual_settings() -> Iterator[None]:
    """Run the block with the settings of a new process, and put those back that were found.

    The warnings are those of `captured_output`: under an "error" filter honest code would count as wrong.
    """
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    with ExitStack() as stack:
        if warnings.filters[:1] != [_FILTER]:  # a new filter makes a warning that was shown be shown again
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
    """Set torch's settings, and have the stack put back what they were.

    Also what the block itself leaves changed: the truth is computed between two of its calls.
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
    """Return the settings that a call sets."""
    return (
        Setting(torch.get_default_dtype, torch.set_default_dtype, torch.float32, DEFAULT_DTYPE),
        Setting(torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly, False),
        Setting(
            torch.are_deterministic_algorithms_enabled,
            torch.use_deterministic_algorithms,
            False,
            DETERMINISTIC,
        ),
        Setting(
            torch.get_num_threads, torch.set_num_threads, 1
        ),  # on small arrays two take ten times as long
        Setting(partial(torch.is_autocast_enabled, "cpu"), partial(torch.set_autocast_enabled, "cpu"), False),
    )


def _put(settings: Sequence[Setting], values: Sequence[Any]) -> None:
    """Set what is different: some settings cost more to set than to ask for."""
    for setting, value in zip(settings, values, strict=True):
        if setting.get() != value:
            setting.put(value)


def _put_device(torch: Any, device: str) -> None:
    if default_device(torch) != device:
        torch.set_default_device(device)


def default_device(torch: Any) -> str:
    """Return the name of the device on which torch makes tensors unless told otherwise."""
    return str(torch.empty(0).device)  # what get_default_device says, sooner
