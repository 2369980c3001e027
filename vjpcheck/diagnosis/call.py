"""Offers `diagnose` and `assert_backward` for a notebook, a script, a prompt or a test."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from vjpcheck.capture import captured_output
from vjpcheck.render.display import ShownResult
from vjpcheck.result import CannotRun, Result

if TYPE_CHECKING:
    from vjpcheck.domain import Domain


def diagnose(
    function: Any,
    *inputs: Any,
    like: Callable[..., Any] | None = None,
    backward_like: Callable[..., Any] | None = None,
    dtype: Any = "float64",
    device: Any = "cpu",
    seed: int | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    domain: Domain | None = None,
    allow: Collection[str] = (),
    strict: bool = False,
    under: Collection[str] = (),
    **named: Any,
) -> Result:
    """Check the backward of a Function, a module, a custom operator or a function of tensors on inputs.

    The inputs are tensors of any shapes, and constants of any type; `named` are further ones by name. They
    are not modified. If some tensors require grad, the others are constants. Floats are converted to `dtype`
    and moved to `device`.

    `like` computes the same function in PyTorch's own operations, and autograd through `like` is the truth.
    `backward_like(cotangents, inputs)` returns the gradients that backward must return, one for each input or
    None: for a gradient that is no derivative. Without either, the truth is measured by central differences
    of forward. `domain` lists the inputs in their order, with a set on which one must stay, such as
    `Array("n n", on="symmetric")`. `seed` seeds PyTorch's generators before each call of forward. `rtol` and
    `atol` are relative to the largest entry of a gradient, and absolute; their defaults fit `dtype`. `allow`
    has ids of mistakes that are accepted; with `strict`, warnings are errors. `under` may have "compile" and
    "vmap": the work is then called through torch.compile and torch.vmap as well.

    Returns a result that a notebook shows as HTML; if the work cannot be judged, the result says why in one
    sentence. Raises nothing for wrong work or inputs.
    """
    name = _name(function)
    with captured_output() as printed:
        try:
            from vjpcheck.diagnosis.options import Options  # imports torch, which `import vjpcheck` must not

            options = Options(
                dtype=str(dtype).removeprefix("torch."),
                device=str(device),
                seed=seed,
                rtol=rtol,
                atol=atol,
                domain=domain,
                allow=frozenset(allow),
                strict=strict,
                under=tuple(under),
            )
            result = _judged(name, function, inputs, named, like, backward_like, options)
        except CannotRun as refusal:
            result = ShownResult(name, {}, (), 0.0, refusal=str(refusal))
    return replace(result, printed=printed.getvalue())


def assert_backward(function: Any, *inputs: Any, **options: Any) -> None:
    """Raise AssertionError with the card as text if `diagnose`, with the same arguments, finds an error."""
    __tracebackhide__ = True  # pytest then shows the line of the test
    result = diagnose(function, *inputs, **options)
    if not result.passed:
        raise AssertionError(f"{result!r}")


def _name(function: Any) -> str:
    owner = getattr(function, "__self__", None)  # of F.apply
    named = owner if isinstance(owner, type) else function
    return getattr(named, "__name__", type(function).__name__)


def _judged(
    name: str,
    function: Any,
    inputs: tuple[Any, ...],
    named: Mapping[str, Any],
    like: Callable[..., Any] | None,
    backward_like: Callable[..., Any] | None,
    options: Any,
) -> Result:
    import torch

    from vjpcheck.ask.protocol import LocalProbe
    from vjpcheck.diagnosis.inputs import as_arguments
    from vjpcheck.diagnosis.judge import judged
    from vjpcheck.diagnosis.reference import references
    from vjpcheck.diagnosis.work import subject_of
    from vjpcheck.probes import Subject, probe_of
    from vjpcheck.usual_settings import usual_settings

    # the caller may have changed settings, and goes on with the random numbers that were next
    with usual_settings(), torch.random.fork_rng(devices=[]):
        function, inputs = _with_names(function, inputs, named)
        probe_of(subject_of(name, (), options), function)  # raises first if it cannot be called
        arguments, objects = as_arguments(inputs)
        options = replace(options, objects=objects)
        reference = references(like, backward_like, function, options)

        def open_probe(subject: Subject) -> LocalProbe:
            return LocalProbe(probe_of(subject, function))

        return judged(name, arguments, open_probe, reference, options, chosen=backward_like is not None)


def _with_names(
    function: Any, inputs: tuple[Any, ...], named: Mapping[str, Any]
) -> tuple[Any, tuple[Any, ...]]:
    """Return a function and its inputs by position: PyTorch's own apply takes no names."""
    if not named:
        return function, inputs
    import torch

    from vjpcheck.diagnosis.probe import called
    from vjpcheck.probe.function_probe import defines_apply

    owner, forward = function, getattr(function, "forward", function)
    if isinstance(function, type) and defines_apply(function, torch.autograd.Function):
        function = forward = owner.apply
    try:
        signature = inspect.signature(forward)
        first = [object()] if _takes_ctx(function) else []
        bound = signature.bind(*first, *inputs, **named)
    except (TypeError, ValueError) as error:
        raise CannotRun(f"{_name(function)} does not take these inputs: {error}.") from None
    bound.apply_defaults()
    if not bound.kwargs:
        return function, bound.args[len(first) :]
    if any(isinstance(value, torch.Tensor) and value.requires_grad for value in bound.kwargs.values()):
        raise CannotRun("A tensor that requires grad must be an input by position.")
    return called(function, bound.kwargs), bound.args[len(first) :]


def _takes_ctx(function: Any) -> bool:
    from torch.autograd import Function

    return (
        isinstance(function, type)
        and issubclass(function, Function)
        and function.setup_context is Function.setup_context
    )
