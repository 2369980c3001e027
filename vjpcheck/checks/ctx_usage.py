"""Checks what the Function stores for backward and where, and that it captures no tensor.

This is part of the contract: constants may be attributes of ctx; inputs and outputs need save_for_backward.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vjpcheck.case import Case
from vjpcheck.mistakes import named
from vjpcheck.result import Finding

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Inspection

CHECK = "contract"


def findings(case: Case) -> Iterator[Finding]:
    """Check the inspection of one call at each sample."""
    for inspection in case.inspections:
        for place in inspection["captured"]:
            message = f"forward uses {place}, which requires grad but is not an argument of apply."
            yield named("captured-tensor", CHECK, None, message)
        # without a specification this is no mistake: apply returns a new tensor
        for position in inspection["inputs_returned"] if case.spec.samples is None else ():
            name = case.name(position)
            message = f"forward returns {name} itself instead of a new tensor."
            yield named("returns-input-unchanged", CHECK, name, message)
        for node in inspection["foreign_nodes"]:
            message = f"The result was computed by {node}, not by the node of {case.function}."
            yield Finding(CHECK, message)
        # work that uses native autograd in backward stores many objects for this one reason
        if not case.native_autograd:
            yield from _on_ctx(case, inspection)


def _on_ctx(case: Case, inspection: Inspection) -> Iterator[Finding]:
    for place, position in inspection["inputs_on_ctx"].items():
        name = case.name(position)
        message = f"{place} holds {name}; use save_for_backward instead."
        yield named("input-kept-on-ctx", CHECK, name, message)
    for place in inspection["outputs_on_ctx"]:
        message = f"{place} holds an output; use save_for_backward instead."
        yield named("output-kept-on-ctx", CHECK, None, message)
    if inspection["leaks"] and not inspection["outputs_on_ctx"]:
        message = "An output stays in memory after its last use, because its own node refers to it."
        yield named("output-kept-on-ctx", CHECK, None, message)
