"""Detects changes that a call makes outside itself: to the caller's arguments, and to torch's settings.

`watched` surrounds one call. It records the differences afterwards and restores torch's settings, so that
the next call starts from the same state. torch is inspected only if it has been imported: the first three
lessons do not need it.
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

# the aspects of a change, and their messages
ASPECTS = {
    "values": "{} has different values after the call",
    "layout": "{} has a different shape, dtype or memory layout after the call",
    "requires_grad": "requires_grad of {} is different after the call",
    "grad": "{}.grad is different after the call",
    "version": "{} is written to in place and its old values are restored: its version counter has risen, "
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

# (place, a name such as `x` or `critic.weight`; aspect) → a value that stays equal if nothing changes
Facts = dict[tuple[str, str], Any]
Changes = dict[str, list[str]]


@contextmanager
def watched(changes: Changes, **things: Any) -> Iterator[None]:
    """Add to `changes` the name of each thing that the block changed, and the aspects of the change.

    A thing is a tensor, an array, a module (all its parameters and buffers), a generator, a list, tuple or
    dict of things, or another object, which must stay equal to itself. An exception of the block passes
    through. torch's settings are restored to their values before the block. So is Python's recursion limit,
    but raising it is not reported.
    """
    drawn_from = _move_generator()
    settings, limit = _settings(sys.modules.get("torch")), sys.getrecursionlimit()
    before, values = _facts(things), [setting.get() for setting in settings]
    held = [*_places(things)]  # keeps the things alive, so that no new object gets one of their ids
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
    """Draw from torch's generator and return its earlier state; None if torch has not been imported.

    Without the draw, a call that always sets the same seed would find and leave the same state.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return None
    state = torch.random.get_rng_state()
    torch.rand(())
    return state


def _different(before: Facts, after: Facts) -> Iterator[tuple[str, str]]:
    """Yield the differences, without a risen version counter if the values differ too."""
    missing = object()
    differing = [key for key in before | after if before.get(key, missing) != after.get(key, missing)]
    for place, aspect in differing:
        if aspect != "version" or (place, "values") not in differing:
            yield place, aspect


def _facts(things: Mapping[str, Any]) -> Facts:
    return {(place, aspect): fact for place, thing in _places(things) for aspect, fact in _of(thing).items()}


def _places(things: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield every thing with its name, and the things inside it with longer names."""
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
    """Return the values that must stay equal, by aspect."""
    if _is_torch("Tensor", thing):
        return _of_tensor(thing)
    if _is_torch("Generator", thing):
        return {"setting": bytes(thing.get_state().tolist())}
    if _is_torch("nn.Module", thing):
        return {"mode": [module.training for module in thing.modules()], "values": [*thing.state_dict()]}
    return facts_of(thing)


@singledispatch
def facts_of(thing: object) -> dict[str, Any]:
    """Return the values of a thing that must stay equal, by aspect; libraries register their classes."""
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
    except TypeError:  # bfloat16 and other dtypes that NumPy lacks
        # contiguous() would keep the odd stride of a single entry, which then cannot be viewed as bytes
        flat = plain.clone(memory_format=torch.contiguous_format).reshape(-1)
        return flat.view(torch.uint8).numpy(force=True).tobytes() if flat.numel() else b""


def _bits(data: Any) -> bytes:
    return np.asarray(data).tobytes()


def _grad(grad: Any, bits: Callable[[Any], bytes]) -> Any:
    """Return the bits of a gradient; an equal copy has the same bits."""
    return None if grad is None else bits(getattr(grad, "data", grad))


def _is_torch(name: str, thing: Any) -> bool:
    """Return whether a thing is an instance of a class of torch; False if torch has not been imported."""
    kind: Any = sys.modules.get("torch")
    for part in name.split("."):
        kind = getattr(kind, part, None)
    return kind is not None and isinstance(thing, kind)


@cache
def _settings(torch: Any) -> tuple[Setting, ...]:
    """Return the settings that a call must not change."""
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
    """Add to `changed` the owner of each global generator that the block moves, and restore the states.

    The owners are Python and NumPy. This takes longer than most calls, so `watched` does not do it.
    """
    states = random.getstate(), np.random.get_state()
    random.random(), np.random.rand()  # otherwise a call that always sets one seed would go unnoticed
    before = random.getstate(), _bits(cast(Any, np.random.get_state())[1])
    try:
        yield
    finally:
        after = random.getstate(), _bits(cast(Any, np.random.get_state())[1])
        pairs = zip(("Python", "NumPy"), before, after, strict=True)
        changed += [owner for owner, one, other in pairs if one != other]
        random.setstate(states[0])
        np.random.set_state(states[1])
