"""Judges LoggingTensor: the entries of its log, the type of the result, and the values."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np
import torch

from autograder.tasks.findings import difference, disturbed, raised, wrong
from autograder.tasks.inputs import drawn
from autograder.tasks.logging_tensor.calls import make
from autograder.tasks.logging_tensor.probe import CallAnswer, Probe
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.numbers import near
from vjpcheck.result import Finding

SUPER = "super().__torch_function__ makes the call and converts the results to the class."
PLACE = "Each call of a torch function on a LoggingTensor goes through __torch_function__."
ONE_ENTRY = "How often does your code append while it handles one call?"
NAME = "func, the first argument after cls, has a __name__."
ENDLESS = "Calling func directly, or formatting an argument, calls __torch_function__ again."
KWARGS = "Which of the arguments of __torch_function__ holds dim=0?"
ONE = ["torch.add(x, x)", "torch.exp(x)", "x.sin()", "x.sin() twice", "x * x"]
MIXED = ["torch.add(x, t)", "torch.mul(t, x)", "torch.cat([t, x])", "torch.split(x, 1)[0]"]
OF_MAX = ["torch.max(x, dim=0).values", "torch.max(x, dim=0).indices"]
IN_KEYWORDS = ["torch.mul(t, other=x)", "torch.cat(tensors=[t, x])"]
KEYWORDS = ["torch.sum(x, dim=0)", "torch.add(x, t, alpha=2)", *IN_KEYWORDS, *OF_MAX]
CHAIN = ["torch.exp(x).sin().sum()", "x.sin() after a call that failed"]
BOTH = ["log", "type"]
# the functions that the log must name, in this order
LOGGED = {call: re.findall(r"\.(\w+)\(", call) for call in [*ONE, *MIXED, *KEYWORDS, *CHAIN]}
LOGGED |= {"x.sin() twice": ["sin", "sin"], "x * x": ["mul"]}


def _of(trials: Sequence[tuple[str, str]]) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    """Return the check that makes each call and judges its log or its type, and its values."""

    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        pairs = [drawn(generator, (2, 3), (2, 3), planted=place % 2 > 0) for place in range(len(trials))]
        calls = [(name, *pair) for (name, _), pair in zip(trials, pairs, strict=True)]
        order = generator.permutation(len(calls))  # the number of a call is no answer
        answers = dict(zip(order, probe.each(Probe.run, [calls[place] for place in order]), strict=True))
        for place, ((name, of), (x, t)) in enumerate(zip(trials, pairs, strict=True)):
            yield from _judged(name, of, x, t, answers[place])

    return findings


def _judged(name: str, of: str, x: np.ndarray, t: np.ndarray, answer: CallAnswer) -> Iterator[Finding]:
    if "error" in answer or answer["values"] is None:
        endless = answer["error"]["type"] == "RecursionError"
        yield raised(answer["error"], hint=ENDLESS if endless else KWARGS if "=" in name else "")
        return
    yield from disturbed(answer["changes"], name)
    tensor, plain = torch.tensor(x), torch.tensor(t)
    truth = make(name, tensor, plain, [plain, tensor]).numpy()
    value = answer["values"]
    if of == "log":
        yield from _entries(name, answer["entries"])
    elif not answer["kept"]:
        message = f"{name} gives a {answer['type']}: the type is lost, so later calls are not logged."
        yield wrong(message, None, "x", SUPER)
    if value.shape != truth.shape:
        yield wrong(f"{name} has shape {value.shape}; it should be {truth.shape}.", None, "x", KWARGS)
    elif not near(value, truth, 1e-5, 1e-8):
        yield wrong(f"{name} gives different values than for a Tensor: {difference(value, truth)}", None, "x")


def _entries(name: str, logs: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Find calls that no log names in order, or that it names too often; a log may have other entries."""
    functions = LOGGED[name]
    complete = [entries for entries in logs.values() if names_all(functions, entries)]
    if complete:
        often = [[*map(_words, entries)] for entries in complete]
        for called in sorted({*functions}):
            times = min(sum(called in words for words in entries) for entries in often)
            if times > functions.count(called):
                message = f"{name} adds {times} entries that name {called!r}"
                yield wrong(f"{message}; each call adds one entry.", None, "x", ONE_ENTRY)
        return
    place, entries = max(logs.items(), key=lambda item: bool(item[1]), default=("", []))
    if not entries:
        yield wrong(
            f"{name} adds nothing to LoggingTensor.calls; each call must be logged there.", None, "x", PLACE
        )
        return
    examples = ", ".join(repr(entry) for entry in entries[:4])
    listing = " and ".join(repr(called) for called in functions)
    if entries[0].startswith("<"):
        message = f"{name} adds an entry of type {entries[0][1:-1]} to {place}; an entry must be a string."
        yield wrong(message, None, "x", NAME)
        return
    yield wrong(f"{name} adds {examples} to {place}; the log should name {listing}.", None, "x", NAME)


def names_all(functions: Sequence[str], entries: Sequence[str]) -> bool:
    """Return whether the entries name these functions, one entry each, in this order."""
    remaining = iter(entries)
    return all(any(called in _words(entry) for entry in remaining) for called in functions)


def _words(entry: str) -> list[str]:
    return re.findall(r"[A-Za-z0-9]+", entry.lower())


CHECKS = {
    "log": _of([*product(ONE, ["log"])]),
    "type": _of([*product(ONE, ["type"]), *product(CHAIN, BOTH)]),
    "mixed operands": _of([*product(MIXED, BOTH)]),
    "keyword arguments": _of([*product(KEYWORDS, BOTH)]),
}
