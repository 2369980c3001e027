"""Does the Function keep for backward what it may, where it may, and take nothing from elsewhere?

Part of the contract: constants may sit on ctx; inputs and outputs go through save_for_backward.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from autograder.function.case import Case
from autograder.mistakes import named
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import Inspection

CHECK = "contract"


def findings(case: Case) -> Iterator[Finding]:
    """Look behind one call of each sample."""
    for inspection in case.inspections:
        for place in inspection["captured"]:
            message = f"forward uses {place}, which requires grad and is no argument of apply."
            yield named("captured-tensor", CHECK, None, message)
        for position in inspection["inputs_returned"]:
            name = case.name(position)
            yield named("returns-input-unchanged", CHECK, name, f"forward returns {name} itself.")
        # whoever hands a graph of native autograd to backward keeps all sorts of things: one cause
        if not case.native_autograd:
            yield from _on_ctx(case, inspection)


def _on_ctx(case: Case, inspection: Inspection) -> Iterator[Finding]:
    for place, position in inspection["inputs_on_ctx"].items():
        name = case.name(position)
        message = f"{place} keeps {name}, which save_for_backward should keep."
        yield named("input-kept-on-ctx", CHECK, name, message)
    for place in inspection["outputs_on_ctx"]:
        message = f"{place} keeps an output, which save_for_backward should keep."
        yield named("output-kept-on-ctx", CHECK, None, message)
    if inspection["leaks"] and not inspection["outputs_on_ctx"]:
        message = "An output stays in memory after its last use, held by its own node."
        yield named("output-kept-on-ctx", CHECK, None, message)
