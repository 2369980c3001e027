"""Checks outputs and gradient for inputs and cotangents with other memory layouts.

PyTorch passes tensors as they are: a transposed weight, every second row, or the expanded cotangent behind a
`sum()`. What works in place may change a copy of such an input. Part of the gradient's points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from vjpcheck.ask import requests
from vjpcheck.ask.protocol import Request
from vjpcheck.case import Arrays, Case, Look, Sample
from vjpcheck.checks.state import wrong_positions
from vjpcheck.errors import tell
from vjpcheck.mistakes import named
from vjpcheck.numbers import close
from vjpcheck.result import Finding
from vjpcheck.samples import constant_along_first_axis, equal_rows
from vjpcheck.truth.native import NativeTruth

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Forward, Layout, Pullback

CHECK = "gradient"
MISTAKE = "assumes-contiguous"
IN_PLACE = (
    "Which call makes a copy of an input that is not contiguous? What is written then is not the input."
)
_WHAT: dict[Layout, str] = {
    "strided": "non-contiguous inputs and cotangents, as after transposing or slicing",
    "expanded": "expanded inputs and cotangents, as behind sum()",
}


def look(case: Case) -> Look:
    """Try each drawn sample with other strides, and once with rows that share the memory of one row."""
    *drawn, _ = case.samples
    tried: list[tuple[Layout, Sample, Arrays]] = [
        ("strided", sample, case.random_cotangents(sample)) for sample in drawn
    ]
    tried += [("expanded", sample, _equal_rows(case.random_cotangents(sample))) for sample in _expanded(case)]
    questions: list[Request[Any]] = [requests.forward(sample.arguments, "strided") for sample in drawn]
    questions += [
        requests.vjp(sample.arguments, sample.all_required, given, layout=layout)
        for layout, sample, given in tried
    ]

    def read(answers: Sequence[Any]) -> Iterator[Finding]:
        forwards, pullbacks = answers[: len(drawn)], answers[len(drawn) :]
        asked = [case.spec.parameters.index(name) for name in case.spec.modifies]
        for position in asked:
            if any("error" not in a and position not in a["changed"] for a in forwards):
                told = f"forward does not change {case.name(position)} itself for {_WHAT['strided']}."
                yield Finding(CHECK, told, MISTAKE, case.name(position), IN_PLACE)
                return
        looks = [*zip(drawn, case.first_look.forwards, forwards, strict=False)]
        if any(_right(case, s, dense) and not _right(case, s, strided) for s, dense, strided in looks):
            yield named(MISTAKE, CHECK, None, f"The output is wrong for {_WHAT['strided']}.")
            return
        yield from _wrong_gradients(case, tried, pullbacks)

    return Look(questions, read)


def _right(case: Case, sample: Sample, answer: Forward) -> bool:
    """Return whether no output is wrong; an error is told of the gradient too."""
    if "error" in answer:
        return True
    outputs = answer["outputs"]
    truths = _observed(case, sample, outputs).truth.outputs
    return all(
        output.shape == truth.shape and close(output, truth, case.spec.tolerance)
        for truth, output in zip(truths, outputs, strict=False)
    )


def _observed(case: Case, sample: Sample, arrays: Sequence[np.ndarray | None]) -> Sample:
    """Return the sample with the random numbers that show in these arrays, of outputs or gradients.

    What is drawn in forward may depend on the memory layout. That all is 0 says nothing of it: the first
    sample stands for itself, as it has more entries than could be dropped by chance.
    """
    if case.spec.observe is None or (sample is case.samples[0] and not _any(arrays)):
        return sample
    arguments = case.spec.observe(sample.arguments, [a for a in arrays if a is not None])
    return Sample(arguments, NativeTruth(case.spec.library, case.spec.forward, arguments), arguments)


def _any(arrays: Sequence[np.ndarray | None]) -> bool:
    return any(array is not None and array.any() for array in arrays)


def _wrong_gradients(
    case: Case, tried: Sequence[tuple[Layout, Sample, Arrays]], answers: Sequence[Pullback]
) -> Iterator[Finding]:
    for (layout, sample, given), answer in zip(tried, answers, strict=True):
        if "error" in answer:
            yield named(MISTAKE, CHECK, None, tell(answer["error"], f"For {_WHAT[layout]}: "))
            return
        observed = _observed(case, sample, answer["gradients"])
        truths = observed.truth.vjp(sample.all_required, given)
        for position in wrong_positions(case, answer["gradients"], truths):
            told = f"The gradient for {case.name(position)} is wrong for {_WHAT[layout]}."
            yield named(MISTAKE, CHECK, case.name(position), told)
            return


def _expanded(case: Case) -> Iterator[Sample]:
    """Yield a sample with equal rows; if entries must differ, only the cotangents have equal rows."""
    first = case.samples[0]
    if case.spec.observe is not None:
        return  # the truth is read off the outputs
    if any(array.distinct for array in case.spec.domain.arrays):
        yield first
        return
    arguments = tuple(constant_along_first_axis(first.arguments))
    yield Sample(arguments, first.truth.at(arguments), first.others)


def _equal_rows(cotangents: Arrays) -> Arrays:
    return [c if c is None or c.ndim == 0 else equal_rows(c) for c in cotangents]
