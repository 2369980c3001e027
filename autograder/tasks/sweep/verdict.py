"""Judges a sweep: compares its numbers with a linear solve, and its length with the number of edges."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from autograder.tasks.battery import Battery, Condition, Trial
from autograder.tasks.calls import Answer
from autograder.tasks.findings import wrong
from autograder.tasks.inputs import numbers
from autograder.tasks.sweep import tapes
from autograder.tasks.sweep.probe import Probe
from autograder.tasks.sweep.wrong_forward_sweeps import FORWARD
from autograder.tasks.tape_edges import edges_of, uses_of
from autograder.tasks.watch import TooManyLines
from autograder.tasks.wrong_reverse_sweeps import REVERSE
from autograder.tasks.wrong_walks import ADD, SMALL, TINY, candidates
from course.engine.tape import Step
from vjpcheck.ask.protocol import ProbeClient, request
from vjpcheck.domain import Real
from vjpcheck.errors import StudentError, tell
from vjpcheck.numbers import arrived
from vjpcheck.result import Finding

DEPTH = 3000  # deeper than Python's recursion limit
# One pass runs 2 to 11 lines for each edge, however it is written.
LINES_PER_EDGE = 40
NESTED_AT_MOST = 50
INPUTS = 40
COMB = tapes.comb(INPUTS)
LINES_ON_COMB = LINES_PER_EDGE * tapes.edges(COMB)
PARTS = [(1200, 0, 0), (1, 100, 400), (1200, 100, 400)]  # a long chain, a wide tape, and both in one
SECONDS, TIMES_BOTH = 0.05, 3.0  # one visit an edge took 0.02 s, and 1.2 times as long as the parts
LONG = f"more than {LINES_PER_EDGE} lines of code run for each edge, and 11 are enough"
ORDER = "In which order must the steps be visited so that each node is complete before it is used?"
ALL_INPUTS = "With which tangents can one sweep start, so that it needs no second one?"
SEEDED = "The sweep starts with the seed. Does the loop over the steps replace it?"
RECEIVED = "{} has received nothing. In which order do you visit the steps?"
BY_HAND = "Follow the numbers through this tape by hand, one edge at a time."
ZERO = "Does a condition or an `or` use the seed? The number 0 counts as false there."
LOOP = "The tape is already in the right order. Which loop over it replaces the recursion?"

Make = Callable[[np.random.Generator], tapes.Tape]

# a sweep is linear in its seed
OTHER_SEEDS = {
    0.0: Condition("gradient-nonlinear", "With other seeds the numbers are right.", ZERO),
    TINY: Condition("gradient-nonlinear", "With larger seeds the numbers are right.", SMALL),
}
SEEDS = Real(1.5, 3.0, also=(-2.0, 1.0))
TAPES: dict[str, list[Make]] = {
    "plain tape": [tapes.straight, tapes.unsorted, tapes.alone],
    "fan-out": [tapes.of_the_text, tapes.diamond, tapes.square, tapes.three_operands, *[tapes.tangle] * 3],
    "unreachable nodes": [tapes.dead_ends],
}


class Sweeps(Battery):
    """Calls of a sweep in one direction."""

    def __init__(self, probe: ProbeClient, trials: Sequence[Trial], direction: str) -> None:
        walks = candidates(REVERSE if direction == "reverse" else FORWARD)
        super().__init__(probe, Probe.run, trials, walks, of_error=_of_error)
        self._direction = direction

    def unknown(self, trial: Trial, name: str, value: np.ndarray | None, truth: np.ndarray) -> Finding:
        """Return the finding for a wrong number that no wrong walk gives."""
        tape, (*inputs, _) = trial.arguments
        truths = {name: float(number) for name, number in trial.truths.items()}
        finding = super().unknown(trial, name, value, truth)
        if value is not None and not value.any():
            return replace(finding, mistake=None, hint=RECEIVED.format(name))
        if finding.mistake is not None or value is None:
            return finding
        if self._direction == "reverse":
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
                text = f"{finding.message} Of the {len(parts)} edges that meet at {name} some are left out."
                return wrong(text, "missing-term", name, "Which edges does your loop not reach?")
            text = f"{finding.message} Only one of the {len(parts)} edges that meet at {name} is counted."
            return wrong(text, "overwrites-instead-of-accumulates", name, ADD)
        seeded = name == tape[-1].name if self._direction == "reverse" else name in inputs[0]
        hint = SEEDED if seeded else BY_HAND
        return replace(finding, hint=hint)


def _of_error(trial: Trial, error: StudentError) -> tuple[str | None, str]:
    return None, "" if error["type"] == "NotImplementedError" else f"It was called for {trial.words}."


def _on(check: str) -> Callable[[ProbeClient, np.random.Generator, str], Iterator[Finding]]:
    """Return the check of the numbers on one kind of tapes."""

    def findings(probe: ProbeClient, generator: np.random.Generator, direction: str) -> Iterator[Finding]:
        makes = TAPES[check]
        seeds = numbers(generator, len(makes) + 1, SEEDS)
        calls = [
            _call(check, direction, make, two, generator)
            for make, *two in zip(makes, seeds, seeds[1:], strict=False)
        ]
        # the same seeds over the same graph with other local derivatives
        calls += [(tapes.with_other_partials(tape, generator), others) for tape, others in calls]
        trials = [_trial(direction, *call) for call in calls]
        trials += [_trial(direction, *calls[0], times=times, condition=c) for times, c in OTHER_SEEDS.items()]
        yield from Sweeps(probe, trials, direction).findings()

    return findings


def _call(
    check: str, direction: str, make: Make, seeds: Sequence[float], generator: np.random.Generator
) -> tuple[tapes.Tape, Sequence[Any]]:
    """Return a tape, and the sweep's other arguments: the seed, or the inputs and their seeds."""
    tape, of_the_text = make(generator), make is tapes.of_the_text
    if direction == "reverse":
        return tape, [10.0 if of_the_text else seeds[0]]
    leaves = [step.name for step in tape if not step.operands]
    # in another order than on the tape; a leaf that is not seeded has the tangent 0
    inputs = leaves[::-1] if check == "plain tape" else leaves[: 2 if of_the_text else 1]
    return tape, [tuple(inputs), (1.0, 10.0) if of_the_text else tuple(seeds[: len(inputs)])]


def _trial(
    direction: str,
    tape: tapes.Tape,
    others: Sequence[Any],
    times: float = 1.0,
    condition: Condition | None = None,
) -> Trial:
    """Return the trial with the seeds multiplied by a factor."""
    *inputs, seeds = others
    if direction == "reverse":
        seeds = seeds * times
        truths = tapes.true_adjoints(tape, seeds)
        # in the order of the sweep, so that the first wrong number is the cause of the others
        truths = dict(reversed(truths.items()))
        words = f"the seed {seeds:.4g} of the output"
    else:
        seeds = tuple(seed * times for seed in seeds)
        truths = tapes.true_tangents(tape, inputs[0], seeds)
        words = "the seed " + ", ".join(f"{n} = {seed:.4g}" for n, seed in zip(*inputs, seeds, strict=True))
    values = {name: np.asarray(value) for name, value in truths.items()}
    scale = max(map(abs, truths.values())) if times else 1.0
    return Trial(
        (tape, [*inputs, seeds]), f"the tape {_text(tape)} and {words}", values, condition, min(scale, 1.0)
    )


def _text(tape: tapes.Tape) -> str:
    """Return a tape in one line, each operand with its local derivative: `a; b; c(a × 0.71, b × −1.3)`."""

    def operands(step: Step) -> str:
        pairs = edges_of(step)
        return ", ".join(f"{name} × {partial:.3g}".replace("-", "−") for name, partial in pairs)

    return "; ".join(f"{step.name}({operands(step)})" if step.operands else step.name for step in tape)


def _one_pass(probe: ProbeClient, _: np.random.Generator, direction: str) -> Iterator[Finding]:
    tape = tapes.ladder(DEPTH)
    needed = tapes.edges(tape)
    others = [1.0] if direction == "reverse" else [("w0",), (1.0,)]
    questions = [request(Probe.run, tape, others, LINES_PER_EDGE * needed)]
    if direction == "forward":
        names = tuple(step.name for step in COMB if not step.operands)
        questions.append(request(Probe.run, COMB, [names, (1.0,) * INPUTS], LINES_ON_COMB))
    answer, *of_all_inputs = probe.ask(questions)
    depth, values = answer["facts"]["depth"], answer["values"] or {}
    if "error" in answer and answer["error"]["type"] != TooManyLines.__name__:
        deep = answer["error"]["type"] == "RecursionError"
        yield wrong(tell(answer["error"], f"On a tape of {len(tape)} steps, "), hint=LOOP if deep else "")
    elif direction == "reverse" and depth > NESTED_AT_MOST:
        message = f"The sweep calls itself, {depth:g} calls deep on a tape of {len(tape)} steps"
        yield wrong(f"{message}: use a loop, because recursion fails at Python's limit.", hint=LOOP)
    elif answer["facts"]["lines"] > LINES_PER_EDGE * needed:
        yield wrong(f"On a tape with {needed} edges, {LONG}: edges are visited many times.", hint=ORDER)
    elif not all(arrived(values.get(step.name), np.ones(())) for step in tape):
        yield wrong(f"On a tape of {len(tape)} steps that double and halve, the numbers are not all 1.")
    elif finding := _parts_apart(probe, others):
        yield finding
    else:
        yield from chain.from_iterable(map(_once_for_all_inputs, of_all_inputs))


def _parts_apart(probe: ProbeClient, others: Sequence[Any]) -> Finding | None:
    """Return the finding for a sweep that takes longer on a tape of two parts than on both parts.

    A sweep by operations on arrays runs few lines, also if it goes over all edges once for each step of the
    longest path: it then needs the product of the two sizes. A search for a name in a list does not.
    """
    # each tape twice, as the first time may have to import something
    answer = probe.ask_one(request(Probe.times, PARTS * 2, others))
    if "error" in answer:
        return wrong(tell(answer["error"], "On a tape with 40,000 edges, "))
    long, wide, both = map(min, zip(answer["seconds"][:3], answer["seconds"][3:], strict=True))
    if both <= max(SECONDS, TIMES_BOTH * (long + wide)):
        return None
    message = f"A tape of two parts takes {both / (long + wide):.1f} times as long as both alone"
    return wrong(f"{message}: edges are visited many times.", hint=ORDER)


def _once_for_all_inputs(answer: Answer) -> Iterator[Finding]:
    """Require one sweep for a direction of many inputs."""
    where = f"On a tape with {INPUTS} inputs, "
    if answer["facts"]["lines"] > LINES_ON_COMB:
        yield wrong(f"{where}{LONG}: there is a sweep for each input.", hint=ALL_INPUTS)
    elif "error" in answer:
        yield wrong(tell(answer["error"], where))


CHECKS = {**{check: _on(check) for check in TAPES}, "one pass": _one_pass}
