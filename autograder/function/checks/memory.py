"""Does the node hold no more until backward than the exercise allows?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from autograder.function.case import Case, Sample
from autograder.mistakes import named
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import Inspection

CHECK = "memory"
MISTAKE = "saves-too-much"
_CONSTANTS = 64  # bytes for what is no data: a count, a scale as a 0-d tensor


def findings(case: Case) -> Iterator[Finding]:
    """Compare the bytes held, each piece of memory counted once, with what the exercise names."""
    for sample, inspection in zip(case.samples, case.inspections, strict=True):
        yield from _findings(case, sample, inspection)


def _findings(case: Case, sample: Sample, inspection: Inspection) -> Iterator[Finding]:
    keeps = case.exercise.keeps
    if keeps is None:
        return
    for place, kind in inspection["objects_on_ctx"].items():
        message = f"{place} holds a {kind}; ctx may hold saved tensors and a few constants."
        yield named(MISTAKE, CHECK, None, message)
    at_most = case.exercise.saves_at_most
    allowed = max(at_most(sample.arguments) if at_most else 0, _CONSTANTS)
    others, where = inspection["other_bytes"], ", ".join(inspection["others"])
    for position, held in inspection["bytes_of_inputs"].items():
        name = case.name(int(position))
        if name not in keeps:
            others, where = others + held, ", ".join(filter(None, [where, name]))
    if "output" not in keeps and inspection["bytes_of_outputs"]:
        others += sum(inspection["bytes_of_outputs"].values())
        where = ", ".join(filter(None, [where, "the output"]))
    if others > allowed:
        kept = " and ".join(keeps) or "nothing"
        message = f"{others} bytes are kept for backward beside {kept}: {where}."
        yield named(MISTAKE, CHECK, None, message)
