"""Offers `diagnose` for a notebook, a script or a prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from vjpcheck.ask.protocol import LocalProbe
from vjpcheck.capture import captured_output
from vjpcheck.probes import Subject
from vjpcheck.render.display import ShownResult
from vjpcheck.result import CannotRun, Result


def diagnose(function: Any, *inputs: Any, like: Callable[..., Any] | None = None) -> Result:
    """Check a Function on inputs for its `apply`.

    The inputs are tensors of any shapes, numbers, strings, None, tuples and lists. They are not modified;
    floats are converted to float64. If some tensors require grad, the others are constants. `like` computes
    the same function in PyTorch's own operations, and autograd through `like` is the truth. Without it the
    truth is measured by central differences of forward. Returns a result that a notebook shows as HTML; if
    the Function cannot be judged, the result says why in one sentence. Raises nothing for wrong work or
    inputs.
    """
    owner = getattr(function, "__self__", None)  # of F.apply
    named = owner if isinstance(owner, type) else function
    name = getattr(named, "__name__", type(function).__name__)
    with captured_output() as printed:
        try:
            result = _judged(name, function, inputs, like)
        except CannotRun as refusal:
            result = ShownResult(name, {}, (), 0.0, refusal=str(refusal))
    return replace(result, printed=printed.getvalue())


def _judged(name: str, function: Any, inputs: tuple[Any, ...], like: Callable[..., Any] | None) -> Result:
    # these import torch, which `import vjpcheck` must not
    from vjpcheck.diagnosis.inputs import as_arguments
    from vjpcheck.diagnosis.judge import judged, subject_of
    from vjpcheck.diagnosis.reference import checked, native
    from vjpcheck.probes import probe_of
    from vjpcheck.usual_settings import usual_settings

    _refuse_instance(name, function)
    probe_of(subject_of(name), function)  # raises first if it is not a Function
    reference = None if like is None else partial(native, checked(like, "like"))

    def open_probe(subject: Subject) -> LocalProbe:
        return LocalProbe(probe_of(subject, function))

    with usual_settings():  # the caller may have changed settings
        return judged(name, as_arguments(inputs), open_probe, reference)


def _refuse_instance(name: str, function: Any) -> None:
    import torch

    if isinstance(function, torch.autograd.Function):
        raise CannotRun(f"Pass the class {name} itself, not an instance of it.")
    if isinstance(function, torch.nn.Module):
        raise CannotRun(f"diagnose takes a subclass of torch.autograd.Function, but {name} is a module.")
