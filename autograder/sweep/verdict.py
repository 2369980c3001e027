"""Judges a sweep: the numbers against a linear solve, the products against the number of edges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograder.errors import tell
from autograder.result import Finding, Outcome
from autograder.sweep import tapes
from autograder.sweep.exercise import SweepExercise
from autograder.sweep.probe import PRODUCTS_AT_MOST, Sweep, SweepProbe
from course.engine.tape import Step

DEPTH = 3000  # deeper than Python's recursion limit
# One pass may write the same product down more than once; several passes need thousands of them.
PRODUCTS_PER_EDGE = 4

TAPES: dict[str, list[Callable[[np.random.Generator], tapes.Tape]]] = {
    "plain tape": [tapes.straight],
    "fan-out": [tapes.diamond, tapes.square],
    "unreachable nodes": [tapes.dead_ends],
}


def judge(exercise: SweepExercise, probe: SweepProbe, seed: int) -> Iterator[Outcome]:
    """Yield an outcome for each kind of tape, then for the number of products; stop at the first failure.

    Each kind of tape holds all that those before it hold: a later failure would only repeat an earlier one.
    """
    generator = np.random.default_rng(seed)
    passed = True
    for check in exercise.points:
        if not passed:
            yield Outcome(check, reached=False)
            continue
        if check == "one pass":
            outcome = Outcome(check, tuple(_one_pass(exercise, probe)))
        else:
            made = [make(generator) for make in TAPES[check]]
            found = (f for tape in made for f in _numbers(check, exercise, probe, tape, generator))
            outcome = Outcome(check, tuple(found)[:1])
        passed = outcome.passed
        yield outcome


def _ask(
    check: str, exercise: SweepExercise, probe: SweepProbe, tape: tapes.Tape, generator: np.random.Generator
) -> tuple[Sweep, dict[str, float]]:
    seed: Any
    if exercise.direction == "reverse":
        seed = float(generator.uniform(1.5, 3.0))
        return probe.run(tape, [seed]), tapes.true_adjoints(tape, seed)
    inputs = _inputs(check, tape)
    seed = generator.uniform(1.5, 3.0, len(inputs)).tolist()
    return probe.run(tape, [tuple(inputs), tuple(seed)]), tapes.true_tangents(tape, inputs, seed)


def _inputs(check: str, tape: tapes.Tape) -> list[str]:
    leaves = [step.name for step in tape if not step.operands]
    return leaves if check == "plain tape" else leaves[:1]  # a leaf that is not seeded has the tangent 0


def _given(check: str, exercise: SweepExercise, tape: tapes.Tape) -> str:
    """Return what the student's function was called with, in a sentence."""
    inputs = f"; its inputs {', '.join(_inputs(check, tape))}" if exercise.direction == "forward" else ""
    return f"The tape was {_shown(tape)}{inputs}."


def _numbers(
    check: str, exercise: SweepExercise, probe: SweepProbe, tape: tapes.Tape, generator: np.random.Generator
) -> Iterator[Finding]:
    answer, truths = _ask(check, exercise, probe, tape, generator)
    if "error" in answer:
        written = answer["error"]["type"] != "NotImplementedError"
        yield Finding(check, tell(answer["error"]), hint=_given(check, exercise, tape) if written else "")
        return
    if answer["tape_changed"]:
        hint = "Which call of yours changes the list itself? reversed(tape) does not."
        yield Finding(check, "The tape is not the same after the sweep.", "mutates-input", "tape", hint)
    order = reversed(truths.items()) if exercise.direction == "reverse" else truths.items()
    for name, truth in order:  # as the sweep goes, so that the first wrong number is the cause of the others
        value = answer["numbers"].get(name)
        if value is None:
            yield Finding(
                check, f"{_kind(exercise)} of {name} is missing from the dict.", None, name, _missing(truth)
            )
        elif not math.isclose(value, truth, rel_tol=1e-9, abs_tol=1e-12):
            yield _explain(check, exercise, name, value, truth, tape, truths)


def _kind(exercise: SweepExercise) -> str:
    return "The adjoint" if exercise.direction == "reverse" else "The tangent"


def _missing(truth: float) -> str:
    return "A node that is not connected gets 0." if truth == 0 else "Every node of the tape gets a number."


def _explain(
    check: str,
    exercise: SweepExercise,
    name: str,
    value: float,
    truth: float,
    tape: tapes.Tape,
    truths: dict[str, float],
) -> Finding:
    if exercise.direction == "reverse":
        parts = [
            partial * truths[step.name]
            for step in tape
            for operand, partial in zip(step.operands, step.partials, strict=True)
            if operand == name
        ]
    else:
        step = next(step for step in tape if step.name == name)
        parts = [p * truths[o] for o, p in zip(step.operands, step.partials, strict=True)]
    said = f"{_kind(exercise)} of {name} is {value:.6g} and should be {truth:.6g} on the tape {_shown(tape)}."
    if len(parts) > 1 and any(math.isclose(value, part, rel_tol=1e-9) for part in parts):
        message = f"{said} Only one of the {len(parts)} edges that meet at {name} is counted."
        hint = "What happens to the first product when the second one arrives at the same node?"
        return Finding(check, message, "overwrites-instead-of-accumulates", name, hint)
    if math.isclose(value, -truth, rel_tol=1e-9):
        return Finding(check, said, "wrong-sign", name, "Nothing in a sweep is subtracted.")
    if value == 0:
        hint = f"Nothing has arrived at {name}: in which order are the steps visited?"
        return Finding(check, said, None, name, hint)
    return Finding(
        check, said, None, name, "Follow the numbers through this tape by hand, one edge at a time."
    )


def _shown(tape: tapes.Tape) -> str:
    """Return a tape in one line, each operand with its local derivative: `a; b; c(a × 0.71, b × −1.3)`."""

    def operands(step: Step) -> str:
        pairs = zip(step.operands, step.partials, strict=True)
        return ", ".join(f"{name} × {partial:.3g}".replace("-", "−") for name, partial in pairs)

    return "; ".join(f"{step.name}({operands(step)})" if step.operands else step.name for step in tape)


def _one_pass(exercise: SweepExercise, probe: SweepProbe) -> Iterator[Finding]:
    tape = tapes.ladder(DEPTH)
    needed = tapes.edges(tape)
    answer = probe.run(tape, [1.0] if exercise.direction == "reverse" else [("w0",), (1.0,)])
    if "error" in answer and answer["error"]["type"] != "TooManyProducts":
        deep = answer["error"]["type"] == "RecursionError"
        hint = (
            "The tape is in the right order already: which loop over it needs no recursion?" if deep else ""
        )
        yield Finding("one pass", f"On a tape of {len(tape)} steps, {tell(answer['error'])}", hint=hint)
    elif answer["products"] > PRODUCTS_PER_EDGE * needed:
        shown = f"more than {PRODUCTS_AT_MOST}" if "error" in answer else answer["products"]
        yield Finding(
            "one pass",
            f"A tape with {needed} edges took {shown} products: some edges are travelled more than once.",
            None,
            None,
            "In which order must the steps be visited so that a node is finished before it is passed on?",
        )
    elif any(not math.isclose(answer["numbers"].get(step.name) or 0.0, 1.0) for step in tape):
        yield Finding(
            "one pass", f"On a tape of {len(tape)} steps that double and halve, the numbers are not all 1."
        )
