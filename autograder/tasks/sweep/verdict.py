"""Judges a sweep: the numbers against a linear solve, the products against the number of edges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.errors import tell
from autograder.protocol import ProbeClient
from autograder.result import Finding
from autograder.tasks.findings import raised, wrong
from autograder.tasks.sweep import tapes
from autograder.tasks.sweep.probe import PRODUCTS_AT_MOST, Sweep, run
from course.engine.tape import Step

DEPTH = 3000  # deeper than Python's recursion limit
# One pass may write the same product down more than once; several passes need thousands of them.
PRODUCTS_PER_EDGE = 4
NESTED_AT_MOST = 50
EVERY_NODE = "Every node of the tape gets a number."
ORDER = "In which order must the steps be visited so that a node is finished before it is passed on?"
LOOP = "The tape is in the right order already: which loop over it needs no recursion?"

Make = Callable[[np.random.Generator], tapes.Tape]

# the text's own; and one with which some products are exactly 1
REVERSE_SEEDS: dict[Make, float] = {tapes.of_the_text: 10.0, tapes.zeros: 1.0}
FORWARD_SEEDS: dict[Make, list[float]] = {tapes.of_the_text: [1.0, 10.0], tapes.zeros: [1.0]}
TAPES: dict[str, list[Make]] = {
    "plain tape": [tapes.straight, tapes.unsorted, tapes.alone],
    "fan-out": [tapes.of_the_text, tapes.diamond, tapes.square, tapes.three_operands, tapes.zeros],
    "unreachable nodes": [tapes.dead_ends],
}


def _on(check: str) -> Callable[[ProbeClient, np.random.Generator, str], Iterator[Finding]]:
    """Return the check of the numbers on its tapes; each kind of tape holds all that those before it hold."""

    def findings(probe: ProbeClient, generator: np.random.Generator, direction: str) -> Iterator[Finding]:
        trials = [_trial(check, direction, make, generator) for make in TAPES[check]]
        trials.append(trials[0])  # nothing is left over from the calls in between
        answers = probe.ask([run(trial.tape, *trial.arguments) for trial in trials])
        for trial, answer in zip(trials, answers, strict=True):
            yield from _numbers(trial, answer)

    return findings


@dataclass(frozen=True)
class _Trial:
    """A sweep on one tape: what the student's function is called with, and the numbers that it must give."""

    direction: str
    tape: tapes.Tape
    arguments: tuple[Any, ...]
    truths: dict[str, float]

    @property
    def kind(self) -> str:
        return "The adjoint" if self.direction == "reverse" else "The tangent"

    @property
    def given(self) -> str:
        """Return what the student's function was called with, in a sentence."""
        inputs = f"; its inputs {', '.join(self.arguments[0])}" if self.direction == "forward" else ""
        return f"The tape was {_shown(self.tape)}{inputs}."


def _trial(check: str, direction: str, make: Make, generator: np.random.Generator) -> _Trial:
    tape = make(generator)
    if direction == "reverse":
        seed = REVERSE_SEEDS.get(make, float(generator.uniform(1.5, 3.0)))
        return _Trial(direction, tape, (seed,), tapes.true_adjoints(tape, seed))
    leaves = [step.name for step in tape if not step.operands]
    # in another order than on the tape; a leaf that is not seeded has the tangent 0
    inputs = leaves[::-1] if check == "plain tape" else leaves[: 2 if make is tapes.of_the_text else 1]
    seeds = FORWARD_SEEDS.get(make, generator.uniform(1.5, 3.0, len(inputs)).tolist())
    return _Trial(direction, tape, (tuple(inputs), tuple(seeds)), tapes.true_tangents(tape, inputs, seeds))


def _numbers(trial: _Trial, answer: Sweep) -> Iterator[Finding]:
    if "error" in answer:
        written = answer["error"]["type"] != "NotImplementedError"
        yield raised(answer["error"], hint=trial.given if written else "")
        return
    if answer["changes"]:
        hint = "Which call of yours changes the list itself? reversed(tape) does not."
        yield wrong("The tape is not the same after the sweep.", "mutates-input", "tape", hint)
    reverse = trial.direction == "reverse"
    # as the sweep goes, so that the first wrong number is the cause of the others
    for name, truth in reversed(trial.truths.items()) if reverse else trial.truths.items():
        value = answer["numbers"].get(name)
        if value is None:
            missing = "A node that is not connected gets 0." if truth == 0 else EVERY_NODE
            yield wrong(f"{trial.kind} of {name} is missing from the dict.", None, name, missing)
        elif not math.isclose(value, truth, rel_tol=1e-9, abs_tol=1e-12):
            yield _explain(trial, name, value, truth)
    for name in answer["numbers"]:
        if name not in trial.truths:
            message = f"The dict holds {name}, which is no node of the tape. {trial.given}"
            yield wrong(message, None, name, "Is the dict a new one at each call?")


def _explain(trial: _Trial, name: str, value: float, truth: float) -> Finding:
    tape, truths = trial.tape, trial.truths
    if trial.direction == "reverse":
        parts = [
            partial * truths[step.name]
            for step in tape
            for operand, partial in zip(step.operands, step.partials, strict=True)
            if operand == name
        ]
    else:
        step = next(step for step in tape if step.name == name)
        parts = [p * truths[o] for o, p in zip(step.operands, step.partials, strict=True)]
    said = f"{trial.kind} of {name} is {value:.6g} and should be {truth:.6g} on the tape {_shown(tape)}."
    if len(parts) > 1 and any(math.isclose(value, part, rel_tol=1e-9) for part in parts):
        message = f"{said} Only one of the {len(parts)} edges that meet at {name} is counted."
        hint = "What happens to the first product when the second one arrives at the same node?"
        return wrong(message, "overwrites-instead-of-accumulates", name, hint)
    if math.isclose(value, -truth, rel_tol=1e-9):
        return wrong(said, "wrong-sign", name, "Nothing in a sweep is subtracted.")
    if value == 0:
        hint = f"Nothing has arrived at {name}: in which order are the steps visited?"
        return wrong(said, None, name, hint)
    return wrong(said, None, name, "Follow the numbers through this tape by hand, one edge at a time.")


def _shown(tape: tapes.Tape) -> str:
    """Return a tape in one line, each operand with its local derivative: `a; b; c(a × 0.71, b × −1.3)`."""

    def operands(step: Step) -> str:
        pairs = zip(step.operands, step.partials, strict=True)
        return ", ".join(f"{name} × {partial:.3g}".replace("-", "−") for name, partial in pairs)

    return "; ".join(f"{step.name}({operands(step)})" if step.operands else step.name for step in tape)


def _one_pass(probe: ProbeClient, _: np.random.Generator, direction: str) -> Iterator[Finding]:
    tape = tapes.ladder(DEPTH)
    needed = tapes.edges(tape)
    answer = probe.ask_one(run(tape, 1.0) if direction == "reverse" else run(tape, ("w0",), (1.0,)))
    if "error" in answer and answer["error"]["type"] != "TooManyProducts":
        deep = answer["error"]["type"] == "RecursionError"
        yield wrong(f"On a tape of {len(tape)} steps, {tell(answer['error'])}", hint=LOOP if deep else "")
    elif direction == "reverse" and answer["depth"] > NESTED_AT_MOST:
        message = f"The sweep calls itself, {answer['depth']} calls deep on a tape of {len(tape)} steps"
        yield wrong(f"{message}: recursion is not asked for, and ends at Python's limit.", hint=LOOP)
    elif answer["products"] > PRODUCTS_PER_EDGE * needed:
        shown = f"more than {PRODUCTS_AT_MOST}" if "error" in answer else answer["products"]
        yield wrong(
            f"A tape with {needed} edges took {shown} products: some edges are travelled more than once.",
            hint=ORDER,
        )
    elif not all(math.isclose(answer["numbers"].get(step.name) or 0.0, 1.0) for step in tape):
        yield wrong(f"On a tape of {len(tape)} steps that double and halve, the numbers are not all 1.")


CHECKS = {**{check: _on(check) for check in TAPES}, "one pass": _one_pass}
