"""Opens the probe of a piece of work; the probe has no access to the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from vjpcheck.probe.lines import NotingProbe
from vjpcheck.usual_settings import usual_settings

FUNCTION = "vjpcheck.probe.function_probe"


@dataclass(frozen=True)
class Subject:
    """The data for a probe besides the work: plain data without the truth.

    `name` is the name of the work, and `probe` the module whose class `Probe` answers requests about it.
    `modifies` are the positions of the arguments that a Function must modify in place. `world` has fields of
    `vjpcheck.probe.torch_backend.World`, if they differ from the usual ones.
    """

    name: str
    probe: str = FUNCTION
    modifies: Sequence[int] = ()
    world: Mapping[str, Any] = field(default_factory=dict)


def probe_of(subject: Subject, work: Any) -> Any:
    """Return the probe of a piece of work, made with the usual settings; it records the lines that run.

    Raises `vjpcheck.result.CannotRun` if the work is not of the required kind.
    """
    with usual_settings():
        further: dict[str, Any] = {"modifies": subject.modifies} if subject.modifies else {}
        further |= {"world": subject.world} if subject.world else {}
        probe = import_module(subject.probe).Probe(work, subject.name, **further)
    return NotingProbe(probe, work)
