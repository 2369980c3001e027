"""Judges LoggingTensor: what stands in its log, the type that comes out, and the values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import torch

from autograder.result import Finding
from autograder.tasks.findings import difference, raised, wrong
from autograder.tasks.logging_tensor.calls import CALLS
from autograder.tasks.logging_tensor.probe import Probe

SUPER = "super().__torch_function__ makes the call, and gives its results the type of the class."
PLACE = "Each call of a torch function on a LoggingTensor arrives at its __torch_function__."
NAME = "func, the first argument after cls, has a __name__."
KWARGS = "Which of the arguments of __torch_function__ holds dim=0?"
ONE = ["torch.add(x, x)", "torch.exp(x)", "x.sin()", "x * x"]
MIXED = ["torch.add(x, t)", "torch.mul(t, x)", "torch.cat([t, x])", "torch.split(x, 1)[0]"]
KEYWORDS = ["torch.sum(x, dim=0)", "torch.add(x, t, alpha=2)"]
CHAIN = ["torch.exp(x).sin().sum()"]


def _log(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    for name in ONE:
        yield from _findings(probe, generator, name, "log")


def _type(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
    for name in ONE:
        yield from _findings(probe, generator, name, "type")
    yield from _of(CHAIN)(probe, generator)


def _of(names: list[str]) -> Callable[[Probe, np.random.Generator], Iterator[Finding]]:
    def findings(probe: Probe, generator: np.random.Generator) -> Iterator[Finding]:
        for name in names:
            for of in ("log", "type"):
                yield from _findings(probe, generator, name, of)

    return findings


def _findings(probe: Probe, generator: np.random.Generator, name: str, of: str) -> Iterator[Finding]:
    x, t = generator.standard_normal((2, 3)), generator.standard_normal((2, 3))
    answer = probe.run(name, x, t)
    if "error" in answer or answer["values"] is None:
        yield raised(answer["error"], hint=KWARGS if "=" in name else "")
        return
    truth = CALLS[name].call(torch.tensor(x), torch.tensor(t)).numpy()
    found = answer["values"]
    if of == "log":
        yield from _entries(name, answer["entries"])
    elif not answer["kept"]:
        message = f"{name} gives a {answer['type']}: the type is lost, and what follows is not logged."
        yield wrong(message, None, "x", SUPER)
    if found.shape != truth.shape:
        yield wrong(f"{name} has shape {found.shape}, and it should be {truth.shape}.", None, "x", KWARGS)
    elif not np.allclose(found, truth):
        yield wrong(f"{name} has other values than for a Tensor: {difference(found, truth)}", None, "x")


def _entries(name: str, logs: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Find calls that no log names, in their order; what else a log holds is free."""
    asked = CALLS[name].name.split()
    if any(all_named(asked, entries) for entries in logs.values()):
        return
    place, entries = max(logs.items(), key=lambda item: bool(item[1]), default=("", []))
    if not entries:
        yield wrong(
            f"{name} adds nothing to LoggingTensor.calls, which is there for its log.", None, "x", PLACE
        )
        return
    shown = ", ".join(repr(entry) for entry in entries[:4])
    listing = " and ".join(repr(called) for called in asked)
    yield wrong(f"{name} adds {shown} to {place}; the log should name {listing}.", None, "x", NAME)


def all_named(asked: Sequence[str], entries: Sequence[str]) -> bool:
    """Return whether the entries name these functions, one entry each, in this order."""
    remaining = iter(entries)
    return all(
        any(called in re.findall(r"[A-Za-z0-9]+", entry.lower()) for entry in remaining) for called in asked
    )


CHECKS = {"log": _log, "type": _type, "mixed operands": _of(MIXED), "keyword arguments": _of(KEYWORDS)}
