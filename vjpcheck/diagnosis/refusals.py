"""Says why work cannot be judged: what forward returns, or inputs at which there are no derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from vjpcheck.arguments import Arguments
from vjpcheck.numbers import close
from vjpcheck.result import CannotRun
from vjpcheck.truth.differences import Doubt
from vjpcheck.truth.native import Truth

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Forward, Signature

# numbers that one round trip sends to a probe, or that return from it
PULLED_AT_MOST = 1_000_000  # by a backward pass for each entry of the outputs
MEASURED_AT_MOST = 100_000  # by 16 calls of forward for each entry of the inputs


def parameters_of(name: str, signature: Signature, count: int, further: Sequence[str]) -> list[str]:
    """Return the names of `count` arguments, `further` last; raises CannotRun for a wrong number."""
    own, count = signature["names"], count - len(further)
    if own[:1] == ["ctx"] and count == len(own) - 1:  # beside a setup_context: the call of forward says so
        own = own[1:]
        return [*own, *further]
    if signature["required"] > count or (count > len(own) and not signature["further"]):
        takes = f"{len(own)} input{'s' * (len(own) != 1)} ({', '.join(own)})"
        raise CannotRun(f"{name} takes {takes}, but you passed {count}.")
    listed = [*own, *(f"{signature['further']}[{place}]" for place in range(count - len(own)))][:count]
    return [*listed, *further]


def refuse_outputs(first: Forward, again: Forward) -> None:
    """Raise CannotRun for outputs that are complex, not finite, or different in each call."""
    if "error" in first or "error" in again:
        return  # the forward check reports the error
    for output, other in zip(first["outputs"], again["outputs"], strict=False):
        if output.dtype.kind == "c":
            raise CannotRun("An output is complex, but only real derivatives can be checked.")
        if not np.isfinite(output).all():
            raise CannotRun("An output of forward is infinite or NaN for these inputs: use other inputs.")
        if output.shape != other.shape or not close(output, other):
            message = "forward gives different outputs for the same inputs"
            raise CannotRun(f"{message}: pass seed=0, which seeds PyTorch's generators before each call.")


def refuse_size(entries: int, outputs: int, by_reference: bool) -> None:
    """Raise CannotRun for more numbers than can be tested one by one."""
    numbers = (outputs if by_reference else entries) * max(entries, outputs)
    if numbers > (PULLED_AT_MOST if by_reference else MEASURED_AT_MOST):
        text = f"The inputs have {entries} entries and the outputs {outputs}, too many to test each of them"
        raise CannotRun(f"{text}: use smaller inputs, which show the same mistakes.")


def refuse_reference(name: str, truth: Truth, first: Forward, chosen: bool) -> None:
    """Raise CannotRun if a reference does not fit this Function, which may return further outputs.

    With `chosen` it gives the gradient alone.
    """
    if "error" not in first:
        own, like = ([output.shape for output in outputs] for outputs in (first["outputs"], truth.outputs))
        if own[: len(like)] != like:
            text = f"{name} returns {_listing(own)}, but like returns {_listing(like)}"
            raise CannotRun(f"{text}: like must compute the same function.")
    for output in truth.outputs:
        if output.dtype.kind == "c":
            raise CannotRun("like returns a complex tensor, but only real derivatives can be checked.")
        if output.dtype.kind == "f" and output.dtype != np.float64 and not chosen:
            raise CannotRun(f"like returns {output.dtype} for float64 inputs; it must return float64.")
    if not any(truth.flows):
        raise CannotRun("No output of like requires grad, so there is no gradient to compare with.")


def _listing(shapes: Sequence[tuple[int, ...]]) -> str:
    return " and ".join(f"a tensor of shape {shape}" for shape in shapes) or "nothing"


def at_a_kink(arguments: Arguments, parameters: Sequence[str], place: Doubt, why: str) -> str:
    """Return the sentence about the entry of the inputs at which there is no one derivative."""
    value = np.asarray(arguments[place.position])[place.entry]
    where = f"{parameters[place.position]}{list(place.entry) if place.entry else ''} = {value:.6g}"
    otherwise = "" if "like" in why else ", or pass a reference (like)"
    return (
        f"At {where} {why}: forward has a kink or a jump at or near this point, or it computes with too few "
        f"digits. Use inputs away from this point{otherwise}."
    )


def shapes_of(arguments: Arguments) -> list[tuple[int, ...]]:
    """Return the shapes of the arrays among the arguments."""
    return [argument.shape for argument in arguments if isinstance(argument, np.ndarray)]
