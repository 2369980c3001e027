"""Draws the samples of a diagnosis: the user's inputs, others near them, and others of other shapes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from vjpcheck.arguments import Arguments, differentiable, floating
from vjpcheck.ask import requests
from vjpcheck.diagnosis.options import DTYPES, TOLERANCES, Options
from vjpcheck.diagnosis.refusals import at_a_kink, refuse_reference
from vjpcheck.diagnosis.variants import in_other_shapes, moved, rolled_on, variant
from vjpcheck.diagnosis.work import KnownSample, OpenProbe, Work, subject_of
from vjpcheck.numbers import SINGLE_PRECISION, precision
from vjpcheck.result import CannotRun
from vjpcheck.truth.differences import TruthByDifferences

NO_KINK = "Your inputs are at or near a kink of forward, so they were moved away from it by up to 0.2."
FEW_DIGITS = "forward computes with the digits of float32, so the gradient is compared to three digits."
VARIANTS = 2  # samples in addition to the user's inputs
MOVES = 4  # tries to leave a kink
FEW = 1e-3  # the tolerance for differences of a forward that computes with the digits of float32
BY_LIKE, MEASURED = 150, 40  # entries of inputs of other shapes, at most


def samples(
    work: Work, arguments: Arguments, first: Any, generator: np.random.Generator
) -> list[KnownSample]:
    """Return samples, each with its truth and other arguments of its shapes; the last is the user's."""
    if work.reference is not None:
        truth = work.reference(arguments)
        refuse_reference(work.name, truth, first, work.chosen)
        work.returns_more = len(first["outputs"]) > len(truth.outputs)
    else:
        arguments, truth = _measured(work, arguments, first, generator)
    drawn = [variant(arguments, generator) for _ in range(VARIANTS)]
    at_most = MEASURED if work.reference is None else BY_LIKE
    drawn += [variant(each, generator) for each in in_other_shapes(arguments) if entries(each) <= at_most]
    if work.options.domain is not None:
        domain = work.options.domain
        drawn += [domain.draw(plan, generator) for plan in domain.small()]
    dtype = work.options.dtype
    known_samples = []
    for accepted in work.accepted([rounded(each, dtype) for each in drawn]):
        known = work.truth(accepted)
        if known is not None:
            known_samples.append((accepted, known, _other(work, accepted, generator)))
    return [*known_samples, (arguments, truth, _other(work, arguments, generator))]


def _other(work: Work, arguments: Arguments, generator: np.random.Generator) -> Arguments:
    """Return other arguments of the same shapes."""
    other = rounded(rolled_on(variant(arguments, generator)), work.options.dtype)
    return (work.accepted([other]) or [arguments])[0]


def _measured(
    work: Work, arguments: Arguments, first: Any, generator: np.random.Generator
) -> tuple[Arguments, TruthByDifferences]:
    """Return the truth from central differences, at the arguments or, if they are at a kink, near them.

    Raises CannotRun if the differences can be trusted nowhere. If forward returns floats that are not
    float64, only that is reported.
    """
    dtypes = {*first["dtypes"]}
    for tolerance in dict.fromkeys(max(work.tolerance, least) for least in (0.0, SINGLE_PRECISION, FEW)):
        with precision(tolerance):
            truth = work.differences.at(arguments)
            if "error" in first:
                return arguments, truth
            if not any(truth.flows):
                raise CannotRun("No output of forward is a float tensor, so there is no gradient to check.")
            if truth.doubt is None:
                work.notes += [FEW_DIGITS] if tolerance > work.tolerance else []
                work.tolerance = tolerance
                return arguments, truth
    if "float32" in dtypes and work.options.dtype == "float64":
        return arguments, truth
    for _ in range(MOVES):
        for near in work.accepted([moved(arguments, generator)]):
            with precision(work.tolerance):
                elsewhere = work.differences.at(near)
                if elsewhere.doubt is None:
                    work.notes.append(NO_KINK)
                    return near, elsewhere
    with precision(work.tolerance):
        why = "the central differences of forward do not converge"
        if truth.raised:
            where = "where one number of the inputs is a little larger or smaller"
            text = f"forward raises {truth.raised} {where}, so there are no central differences"
            raise CannotRun(f"{text}. Pass a reference (like).")
        assert truth.doubt is not None
        raise CannotRun(at_a_kink(arguments, work.parameters, truth.doubt, why))


def narrower(open_probe: OpenProbe, name: str, arguments: Arguments, options: Options) -> Options | None:
    """Return the options with the first dtype that forward takes, as a kernel takes one alone."""
    for dtype in DTYPES[1:]:
        narrow = replace(options, dtype=dtype)
        probe = open_probe(subject_of(name, (), narrow))
        if "error" not in probe.ask_one(requests.forward(rounded(arguments, dtype))):
            return narrow
    return None


def rounded(arguments: Arguments, dtype: str) -> Arguments:
    """Return the arguments with numbers that the dtype can hold."""
    if dtype not in TOLERANCES:
        return arguments
    import torch

    def held(array: np.ndarray) -> np.ndarray:
        values = torch.from_numpy(np.array(array)).to(getattr(torch, dtype)).double().numpy()
        return values.view(type(array))

    return tuple(held(a) if isinstance(a, np.ndarray) and floating(a) else a for a in arguments)


def entries(arguments: Arguments) -> int:
    """Return the number of entries that have a gradient."""
    return sum(a.size for a in arguments if isinstance(a, np.ndarray) and differentiable(a))
