"""Judges a sweep: the numbers against a linear solve, the products against the number of edges."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from autograder.tasks.findings import (
    LEFT_OVER,
    disturbed,
    few_digits,
    of_the_last_calls,
    overwritten,
    raised,
    wrong,
)
from autograder.tasks.inputs import numbers
from autograder.tasks.sweep import tapes
from autograder.tasks.sweep.probe import PRODUCTS_AT_MOST, Sweep, run
from autograder.tasks.sweep.wrong_forward_sweeps import FORWARD
from autograder.tasks.tape_edges import edges_of, uses_of
from autograder.tasks.wrong_reverse_sweeps import REVERSE
from autograder.tasks.wrong_walks import TINY, Walk, recognised, same
from course.engine.tape import Step
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.domain import Real
from vjpcheck.errors import tell
from vjpcheck.result import Finding

DEPTH = 3000  # deeper than Python's recursion limit
# One pass may write the same product down more than once; several passes need thousands of them.
PRODUCTS_PER_EDGE = 4
NESTED_AT_MOST = 50
INPUTS = 40
EVERY_NODE = "Every node of the tape gets a number."
ORDER = "In which order must the steps be visited so that each node is complete before it is used?"
ALL_INPUTS = "With which tangents can one sweep start, so that it needs no second one?"
ZERO = "Does a condition or an `or` use the seed? The number 0 counts as false there."
LOOP = "The tape is already in the right order. Which loop over it replaces the recursion?"

Make = Callable[[np.random.Generator], tapes.Tape]

SEEDS = Real(1.5, 3.0, also=(-2.0, 1.0))
TAPES: dict[str, list[Make]] = {
    "plain tape": [tapes.straight, tapes.unsorted, tapes.alone],
    "fan-out": [tapes.of_the_text, tapes.diamond, tapes.square, tapes.three_operands, *[tapes.tangle] * 3],
    "unreachable nodes": [tapes.dead_ends],
}


def _on(check: str) -> Callable[[ProbeClient, np.random.Generator, str], Iterator[Finding]]:
    """Return the check of the numbers on its tapes; each kind of tape holds all that those before it hold."""

    def findings(probe: ProbeClient, generator: np.random.Generator, direction: str) -> Iterator[Finding]:
        makes = TAPES[check]
        seeds = numbers(generator, len(makes) + 1, SEEDS)
        pairs = zip(makes, seeds, seeds[1:], strict=False)
        trials = [_trial(check, direction, make, two, generator) for make, *two in pairs]
        trials += [trial.elsewhere(generator) for trial in trials]
        # `seed or 1.0` would not do; and nothing is left over from the calls in between
        trials += [trials[0].times(0.0), trials[0].times(TINY), trials[0]]
        answers = probe.ask([run(trial.tape, *trial.arguments) for trial in trials])
        tried = [*zip(trials, answers, strict=True)]
        found = [[*_numbers(trial, answer)] for trial, answer in tried]
        if last := of_the_last_calls(found):
            yield last
        elif found[-3] and not any([*found[:-3], *found[-2:]]):
            told = f"With other seeds the numbers are right. {found[-3][0].message}"
            yield wrong(told, "gradient-nonlinear", found[-3][0].input, ZERO)
        elif any(found) and all("error" not in answer and not answer["changes"] for answer in answers):
            kept = _kept(tried)
            if kept is not None:
                yield kept
                return
            known = recognised(REVERSE if direction == "reverse" else FORWARD, partial(_gives, tried))
            yield from (finding for trial, answer in tried for finding in _numbers(trial, answer, known))
        else:
            yield from itertools.chain(*found)
            for trial, answer in tried:
                yield from overwritten(answer["overwrites"], f"the tape {_shown(trial.tape)}")

    return findings


@dataclass(frozen=True)
class _Trial:
    """A sweep on one tape: what the student's function is called with, and the numbers that it must give."""

    direction: str
    tape: tapes.Tape
    arguments: tuple[Any, ...]
    truths: dict[str, float]

    def times(self, factor: float) -> _Trial:
        """Return the same sweep with the seeds, and so all its numbers, multiplied by a factor."""
        *inputs, seeds = self.arguments
        scaled = seeds * factor if self.direction == "reverse" else tuple(seed * factor for seed in seeds)
        truths = {name: number * factor for name, number in self.truths.items()}
        return replace(self, arguments=(*inputs, scaled), truths=truths)

    def elsewhere(self, generator: np.random.Generator) -> _Trial:
        """Return the same sweep, with the same seeds, over the same graph with other local derivatives."""
        tape = tapes.with_other_partials(self.tape, generator)
        solve = tapes.true_adjoints if self.direction == "reverse" else tapes.true_tangents
        return replace(self, tape=tape, truths=solve(tape, *self.arguments))

    @property
    def kind(self) -> str:
        return "The adjoint" if self.direction == "reverse" else "The tangent"

    @property
    def given(self) -> str:
        """Return what the student's function was called with, in a sentence."""
        if self.direction == "reverse":
            return f"The tape was {_shown(self.tape)}, and the seed of the output {self.arguments[0]:.4g}."
        seeds = [f"{name} = {seed:.4g}" for name, seed in zip(*self.arguments, strict=True)]
        return f"The tape was {_shown(self.tape)}, and the seed {', '.join(seeds)}."


def _trial(
    check: str, direction: str, make: Make, seeds: Sequence[float], generator: np.random.Generator
) -> _Trial:
    tape = make(generator)
    if direction == "reverse":
        seed = 10.0 if make is tapes.of_the_text else seeds[0]
        return _Trial(direction, tape, (seed,), tapes.true_adjoints(tape, seed))
    leaves = [step.name for step in tape if not step.operands]
    # in another order than on the tape; a leaf that is not seeded has the tangent 0
    inputs = leaves[::-1] if check == "plain tape" else leaves[: 2 if make is tapes.of_the_text else 1]
    seeds = [1.0, 10.0] if make is tapes.of_the_text else seeds[: len(inputs)]
    return _Trial(direction, tape, (tuple(inputs), tuple(seeds)), tapes.true_tangents(tape, inputs, seeds))


def _gives(tried: Sequence[tuple[_Trial, Sweep]], walk: Walk) -> bool:
    return all(same(answer["numbers"], walk.numbers(trial.tape, *trial.arguments)) for trial, answer in tried)


def _kept(tried: Sequence[tuple[_Trial, Sweep]]) -> Finding | None:
    """Return the finding for a wrong number that an earlier call has given for a node of the same name."""
    for later, (trial, answer) in enumerate(tried):
        for name, value in answer["numbers"].items():
            truth = trial.truths.get(name)
            if value is None or value in (0.0, 1.0) or truth is None or _equal(value, truth):
                continue
            if any(
                earlier["numbers"].get(name) == value and _equal(value, other.truths[name])
                for other, earlier in tried[:later]
                if name in other.truths
            ):
                said = f"{trial.kind} of {name} is {value:.6g} and should be {truth:.6g}. {trial.given}"
                message = f"{said} That is the number of {name} in an earlier call."
                return wrong(message, "state-on-class", name, LEFT_OVER)
    return None


def _equal(value: float, truth: float, largest: float = 1.0) -> bool:
    return math.isclose(value, truth, rel_tol=1e-9, abs_tol=1e-12 * min(1.0, largest))


def _numbers(trial: _Trial, answer: Sweep, known: Walk | None = None) -> Iterator[Finding]:
    """Find what is wrong in one answer; `known` is the wrong sweep that gives all the numbers."""
    if "error" in answer:
        written = answer["error"]["type"] != "NotImplementedError"
        yield raised(answer["error"], hint=trial.given if written else "")
        return
    yield from disturbed(answer["changes"], "one sweep")
    reverse, largest = trial.direction == "reverse", max(map(abs, trial.truths.values()))
    # as the sweep goes, so that the first wrong number is the cause of the others
    for name, truth in reversed(trial.truths.items()) if reverse else trial.truths.items():
        value = answer["numbers"].get(name)
        if value is None:
            missing = "A node that is not connected to the output gets 0." if truth == 0 else EVERY_NODE
            yield wrong(f"{trial.kind} of {name} is missing from the dict.", None, name, missing)
        elif not _equal(value, truth, largest):
            yield _explain(trial, name, value, truth, known)
    for name in answer["numbers"]:
        if name not in trial.truths:
            message = f"The dict contains {name}, which is not a node of the tape. {trial.given}"
            yield wrong(message, None, name, "Does each call create a new dict?")


def _explain(trial: _Trial, name: str, value: float, truth: float, known: Walk | None) -> Finding:
    tape, truths = trial.tape, trial.truths
    said = f"{trial.kind} of {name} is {value:.6g} and should be {truth:.6g}. {trial.given}"
    if few := few_digits(f"{trial.kind} of {name}", np.asarray(value), np.asarray(truth)):
        return wrong(f"{few[1]} {trial.given}", few[0], name)
    if known is not None:
        return wrong(f"{said} {known.message}", known.mistake, name, known.hint)
    if trial.direction == "reverse":
        uses = uses_of(name, tape, truths)
        parts = [use.contribution for use in uses]
        # of the step that the sweep reaches last
        last = next((use.contribution for use in reversed(uses) if use.user == uses[0].user), 0.0)
    else:
        step = next(step for step in tape if step.name == name)
        parts = [p * truths[o] for o, p in edges_of(step)]
        last = parts[-1] if parts else 0.0
    if len(parts) > 1 and any(math.isclose(value, part, rel_tol=1e-9) for part in parts):
        if not math.isclose(value, last, rel_tol=1e-9):
            told = f"{said} Of the {len(parts)} edges that meet at {name} some are left out."
            return wrong(told, "missing-term", name, "Which edges does your loop not reach?")
        message = f"{said} Only one of the {len(parts)} edges that meet at {name} is counted."
        hint = "What happens to the first product when the second one arrives at the same node?"
        return wrong(message, "overwrites-instead-of-accumulates", name, hint)
    if math.isclose(value, -truth, rel_tol=1e-9):
        return wrong(said, "wrong-sign", name, "A sweep subtracts nothing.")
    if name == tape[-1].name if trial.direction == "reverse" else name in trial.arguments[0]:
        seeded = "The output starts" if trial.direction == "reverse" else "The inputs start"
        hint = f"{seeded} with the seed. Does the loop over the steps replace it?"
        return wrong(said, None, name, hint)
    if value == 0:
        hint = f"{name} has received nothing. In which order do you visit the steps?"
        return wrong(said, None, name, hint)
    return wrong(said, None, name, "Follow the numbers through this tape by hand, one edge at a time.")


def _shown(tape: tapes.Tape) -> str:
    """Return a tape in one line, each operand with its local derivative: `a; b; c(a × 0.71, b × −1.3)`."""

    def operands(step: Step) -> str:
        pairs = edges_of(step)
        return ", ".join(f"{name} × {partial:.3g}".replace("-", "−") for name, partial in pairs)

    return "; ".join(f"{step.name}({operands(step)})" if step.operands else step.name for step in tape)


def _one_pass(probe: ProbeClient, _: np.random.Generator, direction: str) -> Iterator[Finding]:
    tape = tapes.ladder(DEPTH)
    needed = tapes.edges(tape)
    answer = probe.ask_one(run(tape, 1.0) if direction == "reverse" else run(tape, ("w0",), (1.0,)))
    if "error" in answer and answer["error"]["type"] != "TooManyProducts":
        deep = answer["error"]["type"] == "RecursionError"
        yield wrong(tell(answer["error"], f"On a tape of {len(tape)} steps, "), hint=LOOP if deep else "")
    elif direction == "reverse" and answer["depth"] > NESTED_AT_MOST:
        message = f"The sweep calls itself, {answer['depth']} calls deep on a tape of {len(tape)} steps"
        yield wrong(f"{message}: use a loop, because recursion fails at Python's limit.", hint=LOOP)
    elif answer["products"] > PRODUCTS_PER_EDGE * needed:
        shown = f"more than {PRODUCTS_AT_MOST}" if "error" in answer else answer["products"]
        yield wrong(
            f"A tape with {needed} edges took {shown} products: some edges are visited more than once.",
            hint=ORDER,
        )
    elif not all(math.isclose(answer["numbers"].get(step.name) or 0.0, 1.0) for step in tape):
        yield wrong(f"On a tape of {len(tape)} steps that double and halve, the numbers are not all 1.")
    elif direction == "forward":
        yield from _once_for_all_inputs(probe)


def _once_for_all_inputs(probe: ProbeClient) -> Iterator[Finding]:
    """Demand one sweep along a direction of many inputs."""
    tape = tapes.comb(INPUTS)
    names = tuple(step.name for step in tape if not step.operands)
    answer = probe.ask_one(run(tape, names, (1.0,) * INPUTS))
    needed = tapes.edges(tape)
    if "error" in answer:
        yield wrong(tell(answer["error"], f"On a tape with {INPUTS} inputs, "))
    elif answer["products"] > PRODUCTS_PER_EDGE * needed:
        told = f"A tape with {needed} edges and {INPUTS} inputs took {answer['products']} products"
        yield wrong(f"{told}: there is a sweep for each input.", hint=ALL_INPUTS)


CHECKS = {**{check: _on(check) for check in TAPES}, "one pass": _one_pass}
