"""Checks that the node holds no more memory until backward than the specification allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vjpcheck.arguments import Argument
from vjpcheck.ask import requests
from vjpcheck.case import Case
from vjpcheck.mistakes import named
from vjpcheck.result import Finding

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Inspection

CHECK = "memory"
MISTAKE = "saves-too-much"
_CONSTANTS = 64  # bytes for constants: a count, a scale as a 0-d tensor


def findings(case: Case) -> Iterator[Finding]:
    """Compare the bytes that the node holds, each piece of memory counted once, with the specification.

    float32 inputs come last: a float64 copy of them needs more bytes.
    """
    for sample, inspection in zip(case.samples, case.inspections, strict=True):
        faults = [*_findings(case, sample.arguments, inspection)]
        if faults:
            yield from faults
            return
    for sample in case.single_precision[:1]:
        arguments = sample.in_single_precision()
        cotangents = [None if c is None else c.astype(np.float32) for c in case.random_cotangents(sample)]
        inspection = case.ask_one(requests.inspect(arguments, cotangents))
        for finding in _findings(case, arguments, inspection):
            yield replace(finding, message=f"For float32 inputs, {finding.message}")


def _findings(case: Case, arguments: Sequence[Argument], inspection: Inspection) -> Iterator[Finding]:
    keeps = case.spec.keeps
    if keeps is None:
        return
    for place, kind in inspection["objects_on_ctx"].items():
        message = f"{place} holds a {kind}; ctx may hold saved tensors and a few constants."
        yield named(MISTAKE, CHECK, None, message)
    at_most = case.spec.saves_at_most
    allowed = max(at_most(arguments) if at_most else 0, _CONSTANTS)
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
