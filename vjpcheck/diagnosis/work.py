"""Holds the work under diagnosis: its probe and the source of the truth about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vjpcheck import judge
from vjpcheck.arguments import Arguments
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.diagnosis.options import Options
from vjpcheck.diagnosis.probe import Probe
from vjpcheck.domain import ANY, Array, Domain
from vjpcheck.numbers import precision
from vjpcheck.probes import Subject
from vjpcheck.result import CannotRun, Outcome
from vjpcheck.spec import Spec
from vjpcheck.truth.differences import ACCEPTED, Differences
from vjpcheck.truth.native import Truth

SEED = 0  # every call uses the same numbers
CHECKS = ("forward", "contract", "gradient", "second order", "frozen inputs")
OF_A_CALL = ("forward", "gradient", "second order")  # of work whose backward is not seen

Reference = Callable[[Arguments], Truth]  # raises CannotRun where the reference raises
OpenProbe = Callable[[Subject], ProbeClient]
KnownSample = tuple[Arguments, Truth, Arguments]  # with the truth, and other arguments of the same shapes


@dataclass
class Work:
    """The work under diagnosis: its probe, the names of its arguments, and what was noted about it."""

    name: str
    probe: ProbeClient
    options: Options
    reference: Reference | None
    chosen: bool  # whether the reference chooses the gradient
    differences: Differences
    is_function: bool = True
    has_jvp: bool = False
    returns_more: bool = False  # outputs than the reference
    parameters: list[str] = field(default_factory=list)
    modifies: list[int] = field(default_factory=list)
    tolerance: float = ACCEPTED
    dtypes: tuple[str, ...] = ("float64",)
    notes: list[str] = field(default_factory=list)

    def accepted(self, drawn: Sequence[Arguments]) -> list[Arguments]:
        """Return the arguments for which forward does not raise and returns finite numbers."""
        answers = self.probe.ask([requests.forward(arguments) for arguments in drawn])
        return [
            arguments
            for arguments, answer in zip(drawn, answers, strict=True)
            if "error" not in answer and all(np.isfinite(output).all() for output in answer["outputs"])
        ]

    def truth(self, arguments: Arguments) -> Truth | None:
        """Return the truth about a variant of the inputs; None if the variant is not suitable."""
        if self.reference is None:
            measured = self.differences.at(arguments)
            return measured if measured.doubt is None else None
        try:
            truth = self.reference(arguments)
        except CannotRun:
            return None
        return truth if all(np.isfinite(output).all() for output in truth.outputs) else None

    def checks(self, twice: bool) -> list[str]:
        """Return the names of the checks that apply."""
        checks = [*(CHECKS if self.is_function else OF_A_CALL), *(["forward mode"] if self.has_jvp else [])]
        if not twice or self.chosen:
            checks.remove("second order")
        return checks

    def judged(
        self,
        samples: Sequence[KnownSample],
        checks: Sequence[str],
        tolerance: float,
        harmless: frozenset[str],
    ) -> tuple[Outcome, ...]:
        """Judge by these samples, within a tolerance that bounds the error of the truth itself.

        The domain of its inputs is unknown, so no further samples are drawn.
        """
        spec = Spec(
            domain=Domain({name: Array(ANY, distinct=True, scales=()) for name in self.parameters}),
            forward=_unused,
            small=samples[-1][0],
            samples=samples,
            pullback=_unused if self.chosen else None,
            further_outputs=self.returns_more,
            all_outputs_graded=self.returns_more,
            modifies=tuple(self.parameters[position] for position in self.modifies),
            may_use=("autograd",),
            dtypes=self.dtypes,
            tolerance=tolerance,
            second_order_tolerance=tolerance,
            harmless=harmless,
        )
        with precision(tolerance, self.options.atol):
            return tuple(judge.judge(spec, self.name, checks, self.probe, SEED))


def _unused(*arguments: Any) -> Any:
    raise AssertionError("the specification has the truth of each sample")


def subject_of(
    name: str, modifies: Sequence[int], options: Options, exact: bool = False, under: str = ""
) -> Subject:
    """Return the subject of a probe for any work; `exact` is in float64, whatever dtype is asked for."""
    return Subject(name, Probe.__module__, modifies, options.world(exact, under))
