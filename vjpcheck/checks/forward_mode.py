"""Compares the tangents of jvp with the Jacobian, for Functions of several inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vjpcheck.ask import requests
from vjpcheck.case import Arrays, Case, Sample
from vjpcheck.checks.transforms import FOR_FORWARD, HINT_JVP
from vjpcheck.errors import tell
from vjpcheck.mistakes import named
from vjpcheck.naming.from_jacobian import Candidate, first_candidate
from vjpcheck.numbers import close, furthest, is_not, ratio
from vjpcheck.result import Finding

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Tangents

CHECK = "forward mode"


def findings(case: Case) -> Iterator[Finding]:
    """Compare the tangents of all outputs with the products of the true Jacobians and random tangents."""
    tried = [(sample, case.random_directions(sample, sample.all_required)) for sample in case.samples]
    answers = case.ask([requests.tangents(sample.arguments, along) for sample, along in tried])
    for (sample, along), answer in zip(tried, answers, strict=True):
        faults = [*_differences(case, sample, along, answer)]
        if faults:
            yield from faults
            return


def _differences(case: Case, sample: Sample, along: Arrays, answer: Tangents) -> Iterator[Finding]:
    if "error" in answer:
        message = tell(answer["error"])
        nothing_saved = "not enough values to unpack" in answer["error"]["message"]
        finding = named("no-jvp" if nothing_saved else None, CHECK, None, message)
        yield replace(finding, hint=FOR_FORWARD) if nothing_saved else finding
        return
    for position in answer["written"]:
        message = f"jvp writes into the tangent of {case.name(position)}, which its caller still holds."
        yield named("mutates-input", CHECK, case.name(position), message)
    flows = sample.truth.flows
    for output, (flow, tangent) in enumerate(zip(flows, answer["outputs"], strict=True)):
        if flow:
            what = f"The tangent of output {output}" if len(flows) > 1 else "The tangent of the output"
            yield from _difference(case, sample, along, output, tangent, what)


def _difference(
    case: Case, sample: Sample, along: Arrays, output: int, tangent: np.ndarray | None, what: str
) -> Iterator[Finding]:
    shape = sample.truth.outputs[output].shape
    terms = {
        position: (sample.truth.jacobian(position, output) @ direction.ravel()).reshape(shape)
        for position, direction in enumerate(along)
        if direction is not None
    }
    true = np.sum([*terms.values()], axis=0)
    observed = np.zeros(shape) if tangent is None else tangent
    if observed.shape != shape:
        yield named("wrong-shape", CHECK, None, f"{what} has shape {observed.shape}; it should be {shape}.")
    elif not close(observed, true, case.spec.tolerance):
        entry = furthest(observed, true)
        detail = f"entry {[*map(int, entry)]} {is_not(observed[entry], true[entry])}."
        candidates = _candidates(case, observed, true, terms)
        mistake, why = first_candidate(observed, true, candidates, case.spec.tolerance) or (None, "is wrong")
        yield replace(named(mistake, CHECK, None, f"{what} {why}: {detail}"), hint=HINT_JVP)


def _candidates(
    case: Case, observed: np.ndarray, true: np.ndarray, terms: dict[int, np.ndarray]
) -> Iterator[Candidate]:
    """Yield tangents with the mistakes that give them; the sentences continue `The tangent …`."""
    yield Candidate("missing-tangent", "is zero everywhere", np.zeros_like(true))
    times = ratio(observed, true) if observed.size > 1 else None
    if times is not None:
        yield Candidate("wrong-sign", f"is {times:.4g} times the true one", -true)
        yield Candidate("wrong-factor", f"is {times:.4g} times the true one", times * true)
    for position, term in terms.items() if len(terms) > 1 else ():
        of_x = f"the term of the tangent of {case.name(position)}"
        yield Candidate("missing-term", f"lacks {of_x}", true - term)
        yield Candidate("wrong-sign-of-a-term", f"has {of_x} with the wrong sign", true - 2 * term)
