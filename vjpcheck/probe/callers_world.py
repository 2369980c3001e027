"""What a call of a student's function must leave as it was: the caller's arguments, and torch's settings.

`watched` is put around one call. It notes what is different afterwards, and puts torch's settings back, so
that the next call begins where this one did. torch itself is looked at only where something has imported it:
the first three lessons do without.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial, singledispatch
from typing import Any, cast

import numpy as np

from vjpcheck import torch_internals
from vjpcheck.usual_settings import Setting, default_device, of_torch

# how a thing may be changed, and how a message says so of it
ASPECTS = {
    "values": "{} has different values after the call",
    "layout": "{} has a different shape, dtype or memory layout after the call",
    "requires_grad": "requires_grad of {} is different after the call",
    "grad": "{}.grad is different after the call",
    "version": "{} is written to in place, and its old values are put back: its version counter has risen, "
    "so backward raises an error in every graph that saved {} before the call",
    "saved": "{} holds other saved values after the call",
    "graph": "{} has other edges or hooks after the call",
    "adjoint": "{} has another adjoint after the call",
    "mode": "{} is in a different mode (train() or eval()) after the call",
    "setting": "{} is different after the call",
}
DEFAULT_DEVICE = "torch's default device"
GENERATOR = "the state of torch's random number generator"
GRAD_MODE = "torch's grad mode"
NUMPYS_ERRORS = "the setting of numpy.seterr"

# place, a name such as `x` or `critic.weight`, and aspect → a value that is equal as long as nothing changes
Facts = dict[tuple[str, str], Any]
Changes = dict[str, list[str]]


@contextmanager
def watched(changes: Changes, **things: Any) -> Iterator[None]:
    """Add to `changes`, for each thing that the block has changed, its name and the aspects in which it has.

    A thing is a tensor, an array, a module (all its parameters and buffers), a generator, a list, tuple or
    dict of such things, or anything else, which must stay equal to itself. An exception of the block passes
    through. torch's settings are put back to what they were before it, and so is Python's recursion limit,
    which it is no fault to raise.
    """
    drawn_from = _move_generator()
    settings, limit = _settings(sys.modules.get("torch")), sys.getrecursionlimit()
    before, values = _facts(things), [setting.get() for setting in settings]
    held = [*_places(things)]  # what is freed in the block could give its id to something else
    try:
        yield
    finally:
        after = _facts(things)
        sys.setrecursionlimit(limit)
        for setting, value in zip(settings, values, strict=True):
            if setting.get() != value:
                setting.put(value)
                changes.setdefault(setting.name, []).append("setting")
        for place, aspect in _different(before, after):
            changes.setdefault(place, []).append(aspect)
        held.clear()
        if drawn_from is not None:
            sys.modules["torch"].random.set_rng_state(drawn_from)


def _move_generator() -> Any:
    """Draw from torch's generator and return its state before; None where nothing has imported torch.

    What is seeded at each call has been left in that state by the call before.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return None
    state = torch.random.get_rng_state()
    torch.rand(())
    return state


def _different(before: Facts, after: Facts) -> Iterator[tuple[str, str]]:
    """Yield what differs; a risen version counter says nothing more where the values differ too."""
    missing = object()
    differing = [key for key in before | after if before.get(key, missing) != after.get(key, missing)]
    for place, aspect in differing:
        if aspect != "version" or (place, "values") not in differing:
            yield place, aspect


def _facts(things: Mapping[str, Any]) -> Facts:
    return {(place, aspect): fact for place, thing in _places(things) for aspect, fact in _of(thing).items()}


def _places(things: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield every thing by its name, and what is in it by names of their own."""
    for name, thing in things.items():
        yield name, thing
        if isinstance(thing, (list, tuple)):
            yield from _places({f"{name}[{i}]": part for i, part in enumerate(thing)})
        elif isinstance(thing, dict):
            yield from _places({f"{name}[{key!r}]": part for key, part in thing.items()})
        elif _is_torch("nn.Module", thing):
            state = [*thing.named_parameters(), *thing.named_buffers()]
            yield from _places({f"{name}.{key}": part for key, part in state})


def _of(thing: Any) -> dict[str, Any]:
    """Return what must stay equal, by aspect."""
    if _is_torch("Tensor", thing):
        return _of_tensor(thing)
    if _is_torch("Generator", thing):
        return {"setting": bytes(thing.get_state().tolist())}
    if _is_torch("nn.Module", thing):
        return {"mode": [module.training for module in thing.modules()], "values": [*thing.state_dict()]}
    return facts_of(thing)


@singledispatch
def facts_of(thing: object) -> dict[str, Any]:
    """Return what must stay equal of a thing, by aspect; other libraries register their classes."""
    return {"values": thing}


@facts_of.register
def _of_array(thing: np.ndarray) -> dict[str, Any]:
    return {"values": thing.tobytes(), "layout": (thing.shape, thing.strides, str(thing.dtype))}


@facts_of.register
def _of_sequence(thing: list | tuple) -> dict[str, Any]:  # type: ignore[type-arg]
    return {"values": [id(part) for part in thing]}


@facts_of.register
def _of_dict(thing: dict) -> dict[str, Any]:  # type: ignore[type-arg]
    return {"values": [id(part) for part in thing.values()]}


def _of_tensor(tensor: Any) -> dict[str, Any]:
    with torch_internals.as_plain_tensors():
        return {
            "values": _bytes(tensor),
            "layout": (tuple(tensor.shape), tensor.dtype, _strides(tensor)),
            "requires_grad": tensor.requires_grad,
            "grad": _grad(tensor.grad, _bytes) if tensor.is_leaf else None,
            "version": None if tensor.is_inference() else torch_internals.version(tensor),
        }


def _strides(tensor: Any) -> Sequence[int]:
    import torch

    return tuple(tensor.stride()) if tensor.layout == torch.strided else ()


def _bytes(tensor: Any) -> bytes:
    import torch

    plain = tensor.detach()
    plain = plain.to_dense() if plain.layout != torch.strided else plain
    try:
        return cast(bytes, plain.numpy(force=True).tobytes())
    except TypeError:  # bfloat16 and the like, which NumPy does not have
        # contiguous() would leave a single entry its odd stride, and so it could not be viewed as bytes
        flat = plain.clone(memory_format=torch.contiguous_format).reshape(-1)
        return flat.view(torch.uint8).numpy(force=True).tobytes() if flat.numel() else b""


def _bits(data: Any) -> bytes:
    return np.asarray(data).tobytes()


def _grad(grad: Any, bits: Callable[[Any], bytes]) -> Any:
    """Return the bits of a gradient: a copy that has been put back says the same."""
    return None if grad is None else bits(getattr(grad, "data", grad))


def _is_torch(name: str, thing: Any) -> bool:
    """Return whether a thing is of a class of torch's; no, where nothing has imported torch."""
    kind: Any = sys.modules.get("torch")
    for part in name.split("."):
        kind = getattr(kind, part, None)
    return kind is not None and isinstance(thing, kind)


@cache
def _settings(torch: Any) -> tuple[Setting, ...]:
    """Return the settings that a call must leave as they are."""
    numpys = Setting(np.geterr, lambda errors: np.seterr(**errors), name=NUMPYS_ERRORS)
    if torch is None:
        return (numpys,)
    random = torch.random
    return (
        numpys,
        *(setting for setting in of_torch(torch) if setting.name),
        Setting(
            lambda: random.get_rng_state().numpy().tobytes(),
            lambda state: random.set_rng_state(torch.frombuffer(bytearray(state), dtype=torch.uint8)),
            name=GENERATOR,
        ),
        Setting(partial(default_device, torch), torch.set_default_device, name=DEFAULT_DEVICE),
        Setting(torch.is_grad_enabled, torch.set_grad_enabled, name=GRAD_MODE),
    )


@contextmanager
def generators_watched(changed: list[str]) -> Iterator[None]:
    """Add to `changed` whose global generator the block moves, Python's or NumPy's, and put them back.

    To look at them takes longer than most calls, so `watched` does not.
    """
    states = random.getstate(), np.random.get_state()
    random.random(), np.random.rand()  # what is seeded at each call has been left in that state by the last
    before = random.getstate(), _bits(cast(Any, np.random.get_state())[1])
    try:
        yield
    finally:
        after = random.getstate(), _bits(cast(Any, np.random.get_state())[1])
        pairs = zip(("Python", "NumPy"), before, after, strict=True)
        changed += [owner for owner, one, other in pairs if one != other]
        random.setstate(states[0])
        np.random.set_state(states[1])
