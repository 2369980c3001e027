"""Opens the probe of a piece of work, which runs beside it and knows no truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from vjpcheck.probe.lines import NotingProbe
from vjpcheck.usual_settings import usual_settings

FUNCTION = "vjpcheck.probe.function_probe"


@dataclass(frozen=True)
class Subject:
    """All that a probe is made from besides the work: plain data, and no truth.

    `name` is the name under which the work is defined, and `probe` the module whose class `Probe` answers
    about it. `modifies` are the positions of the arguments that a Function must change in place.
    """

    name: str
    probe: str = FUNCTION
    modifies: Sequence[int] = ()


def probe_of(subject: Subject, work: Any) -> Any:
    """Return the probe of a piece of work, made with the usual settings; it notes which lines of it run.

    Raises `vjpcheck.result.CannotRun` if the work is not of the kind that is asked for.
    """
    with usual_settings():
        further = {"modifies": subject.modifies} if subject.modifies else {}
        probe = import_module(subject.probe).Probe(work, subject.name, **further)
    return NotingProbe(probe, work)
