"""The settings of a Python process that a notebook may leave changed, as they are when one starts.

A mode that was entered and never left (`inference_mode`, `set_default_device("meta")`, …) is no fault of the
work that is tried afterwards. That happens without anybody's doing where code is stopped because it takes too
long: the exception may hit the first line of the `__exit__` that would have put the mode back. torch, NumPy
and the course's engine are looked at only where something has imported them.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

_FILTER = ("default", None, Warning, None, 0)  # that of `captured_output`
_threads: list[int] = []  # how many torch had when this was first asked


@contextmanager
def usual_settings() -> Iterator[None]:
    """Run the block with the settings of a new process, and put those back that were found.

    The warnings are those of `captured_output`: under an "error" filter honest code would count as wrong.
    """
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    engine = sys.modules.get("course.engine.recording")
    with ExitStack() as stack:
        if warnings.filters[:1] != [_FILTER]:  # a new filter makes a warning that was shown be shown again
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("default")
        if numpy is not None:
            usual = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
            stack.enter_context(numpy.errstate(**usual, call=None))
        if torch is not None:
            _torch_as_usual(torch, stack)
        if engine is not None:
            stack.callback(setattr, engine.mode, "recording", engine.mode.recording)
            engine.mode.recording = True
        yield


def _torch_as_usual(torch: Any, stack: ExitStack) -> None:
    """Set torch's settings, and have the stack put back what they were."""
    if not _threads:
        _threads.append(torch.get_num_threads())
    cpu_autocast, set_cpu_autocast = torch.is_autocast_enabled, torch.set_autocast_enabled
    settings: tuple[tuple[Callable[[], Any], Any, Callable[[Any], Any]], ...] = (
        (torch.get_default_dtype, torch.float32, torch.set_default_dtype),
        (torch.is_anomaly_enabled, False, torch.autograd.set_detect_anomaly),
        (torch.are_deterministic_algorithms_enabled, False, torch.use_deterministic_algorithms),
        (torch.get_num_threads, _threads[0], torch.set_num_threads),
        (partial(cpu_autocast, "cpu"), False, partial(set_cpu_autocast, "cpu")),
    )
    for get, usual, put in settings:
        found = get()
        # also what the block itself leaves changed: the truth is computed between two of its calls
        stack.callback(_put, get, put, found)
        _put(get, put, usual)
    stack.callback(_put, partial(_default_device, torch), torch.set_default_device, _default_device(torch))
    if _default_device(torch) != "cpu":
        stack.enter_context(torch.device("cpu"))
    stack.enter_context(torch.inference_mode(False))
    stack.enter_context(torch.set_grad_enabled(True))


def _put(get: Callable[[], Any], put: Callable[[Any], Any], value: Any) -> None:
    if get() != value:  # some of them cost more to set than to ask for
        put(value)


def _default_device(torch: Any) -> str:
    return str(torch.empty(0).device)  # what get_default_device says, sooner
