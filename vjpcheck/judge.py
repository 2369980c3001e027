"""Judges a Function: runs the checks in order and reports the checks that were not reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.case import Case
from vjpcheck.checks import (
    contract,
    forward,
    forward_mode,
    frozen_inputs,
    gradient,
    mask,
    memory,
    second_order,
    third_order,
    training_loop,
    transforms,
)
from vjpcheck.result import BACKWARD_RUNS, Finding, Outcome
from vjpcheck.spec import Spec
from vjpcheck.torch_internals import Unavailable
from vjpcheck.usual_settings import usual_settings

Check = Callable[[Case], Iterator[Finding]]

CHECKS: dict[str, Check] = {
    "mask": mask.findings,
    "forward": forward.findings,
    "contract": contract.findings,
    "gradient": gradient.findings,
    "memory": memory.findings,
    "training loop": training_loop.findings,
    "frozen inputs": frozen_inputs.findings,
    "second order": second_order.findings,
    "third order": third_order.findings,
    "forward mode": forward_mode.findings,
    **transforms.CHECKS,
}

# the checks of derivatives of backward; they fail as a consequence of the mistakes in BEFORE
FOLLOWING = {"second order", "third order"}
BEFORE = {"mutates-grad-output", "mutates-saved-tensor", "mutates-input", "wrong-dtype"}

# the checks that must pass first, in addition to the gradient
AFTER = {
    "third order": {"second order"},
    "jvp": {"setup_context"},
    "vmap": {"setup_context"},
    "transforms": {"jvp", "vmap"},
    "hessian": {"second order", "transforms"},
}


def judge(spec: Spec, name: str, checks: Sequence[str], probe: ProbeClient, seed: int) -> Iterator[Outcome]:
    """Yield the outcomes of these checks, in their order; `name` is that of the Function.

    The contract is not reached if backward always raised. The gradient is not reached if the engine rejected
    the return value of backward. All other checks need a right gradient. So one mistake gives one finding.
    """
    case = Case(spec, name, probe, seed)
    passed: set[str] = set()
    mistakes: set[str | None] = set()
    for check in checks:
        before = check in FOLLOWING and mistakes & BEFORE
        outcome = Outcome(check, reached=False, needed=("contract",))
        if not before or "wrong-dtype" not in before:  # a rounded gradient has rounded derivatives
            with usual_settings():
                actual = _outcome(check, case, checks, passed)
            outcome = actual if not before or not actual.findings else outcome
        mistakes |= {finding.mistake for finding in outcome.findings if not finding.warning}
        passed |= {check} if outcome.passed else set()
        yield outcome


def _outcome(name: str, case: Case, checks: Sequence[str], passed: set[str]) -> Outcome:
    try:
        needed = _needed(name, case, checks, passed)
        if needed:
            return Outcome(name, reached=False, needed=needed)
        return Outcome(name, _distinct(_weighed(case, finding) for finding in CHECKS[name](case)))
    except Unavailable as missing:
        return Outcome(name, reached=False, unavailable=str(missing))


def _needed(name: str, case: Case, names: Sequence[str], passed: set[str]) -> tuple[str, ...]:
    """Return what must be right before a check can be reached; nothing if the check can run."""
    if name == "forward" or "forward" not in passed:  # forward needs the checks before it
        before = names[: min(names.index(name), names.index("forward") + 1)]
        return tuple(earlier for earlier in before if earlier not in passed)[:1]
    returned = any(trial.answer["returned"] is not None for trial in case.trials)
    raised = any("error" in trial.answer for trial in case.trials)
    if name == "contract":
        return () if returned or not raised else (BACKWARD_RUNS,)
    if name == "gradient":
        return () if "contract" not in names or "contract" in passed or returned != raised else ("contract",)
    required = ["gradient", *(other for other in names if other in AFTER.get(name, set()))]
    return tuple(other for other in required if other not in passed)[:1]


def _weighed(case: Case, finding: Finding) -> Finding:
    return replace(finding, warning=finding.warning or finding.mistake in case.spec.harmless)


def _distinct(findings: Iterator[Finding]) -> tuple[Finding, ...]:
    """Keep one finding per mistake, and one per input for findings without a name.

    Other samples only repeat them. Errors come first, those with a name before the others.
    """
    kept: dict[str | tuple[str | None, str], Finding] = {}
    inputs: dict[str, list[str]] = {}
    for finding in findings:
        kept.setdefault(finding.mistake or (finding.input, ""), finding)
        if finding.mistake and finding.input:
            inputs.setdefault(finding.mistake, []).append(finding.input)
    named_first = sorted(kept.values(), key=lambda finding: (finding.warning, finding.mistake is None))
    return tuple(_with_inputs(finding, inputs.get(finding.mistake or "", [])) for finding in named_first)


def _with_inputs(finding: Finding, inputs: Sequence[str]) -> Finding:
    others = list(dict.fromkeys(name for name in inputs if name != finding.input))
    if not others or finding.mistake == "gradients-swapped":
        return finding
    return replace(finding, message=f"{finding.message} The same holds for {' and '.join(others)}.")
