"""Judges ScalarTensor by the same calls on the dense matrix that it stands for."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from autograder.tasks.findings import difference, disturbed, overwritten, raised, wrong
from autograder.tasks.inputs import drawn, numbers
from autograder.tasks.scalar_tensor.probe import Answer, KindOfTensor, Operand, Probe, is_repeated
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.domain import Real
from vjpcheck.numbers import is_not, near
from vjpcheck.result import Finding

Pair = tuple[Operand, Operand]

DENSE: list[tuple[int, float]] = [(3, 2.5), (2, 3)]

CONTIGUOUS = "assumes-contiguous"
VALUE = "forward-value"  # a torch function with another meaning computes another value
OVERRIDE = "torch functions look for __torch_function__(cls, func, types, args, kwargs) on their arguments."
MIXED = "In torch.add either argument may be the Tensor. Which argument must be converted to a dense matrix?"
FLOAT32 = "What is the dtype of torch.eye(3), and of torch.from_numpy(numpy.eye(3))?"
OF_INT = "Which dtype do torch.full and torch.tensor take from an int?"
OWN_MATRIX = "Does each call of tensor() make a matrix of its own?"
FALL_BACK = "Convert every ScalarTensor among the arguments to a Tensor before you call func again."


def _mean(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    scalars = _drawn(generator)
    dense = probe.each(Probe.call, [("tensor", [[*pair]]) for pair in DENSE])
    for (n, value), answer in zip(DENSE, dense, strict=True):
        yield from _dense(n, value, answer)
    means = probe.each(Probe.call, [("mean", [[*pair]]) for pair in scalars])
    for (n, value), answer in zip(scalars, means, strict=True):
        words = f"torch.mean of ScalarTensor({n}, {value:g})"
        if "error" in answer or answer["values"] is None:
            yield raised(answer["error"], f"ScalarTensor({n}, {value:g})", OVERRIDE)
            return
        mean = answer["values"]
        if mean.shape != ():
            yield wrong(f"{words} has shape {mean.shape}; it should be one number.", "wrong-shape")
        elif not math.isclose(float(mean), value / n, rel_tol=1e-5):
            message = f"{words} {is_not(float(mean), value / n)}"
            yield wrong(f"{message}: the mean is over all {n * n} entries, including the zeros.", VALUE)


def _dense(n: int, value: float, answer: Answer) -> Iterator[Finding]:
    words = f"ScalarTensor({n}, {value})"
    if "error" in answer or answer["values"] is None:
        yield raised(answer["error"], words)
    elif not near(answer["values"], value * np.eye(n), 1e-5, 1e-8):
        message = f"{words}.tensor() is not {value} times the identity matrix of {n} rows."
        yield wrong(message, VALUE)
    elif answer["values"].dtype != np.float32:
        message = f"{words}.tensor() gives a matrix of dtype {answer['values'].dtype}; it should be float32."
        yield wrong(message, "wrong-dtype", hint=OF_INT if isinstance(value, int) else FLOAT32)
    elif answer["overwritten"]:
        message = f"tensor() of another ScalarTensor writes into the matrix that {words}.tensor() returned."
        yield wrong(message, "state-on-class", hint=OWN_MATRIX)
    elif answer["altered"]:
        message = f"A caller writes into the matrix that {words}.tensor() returned, and tensor() then returns"
        yield wrong(f"{message} another matrix.", hint=OWN_MATRIX)


def _of(function: str, hint: str) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        pairs: list[Pair] = []
        for place, (n, value) in enumerate(_drawn(generator)):
            (dense,) = drawn(generator, (n, n), planted=place > 0)
            scalar, matrix = [n, value], dense.astype(np.float32)
            pairs += [(scalar, matrix), (matrix, scalar), (scalar, [n, 1.5]), (scalar, scalar)]
            pairs += [(scalar, 3.0), (scalar, 3)] if function == "mul" else []
        yield from _by_dense(probe, function, pairs, hint)

    return findings


def _by_dense(probe: ProbeClient, function: str, pairs: Sequence[Pair], hint: str) -> Iterator[Finding]:
    mixed = [pair for pair in pairs if any(isinstance(operand, np.ndarray) for operand in pair)]
    kinds: list[tuple[KindOfTensor, str | None]] = [("transposed Tensor", CONTIGUOUS), ("Parameter", None)]
    calls: list[Any] = [(function, pair) for pair in pairs]
    calls += [(function, pair, kind) for kind, _ in kinds for pair in mixed]
    answers = probe.each(Probe.call, calls)
    scalars = {(int(o[0]), float(o[1])) for pair in pairs for o in pair if isinstance(o, list)}
    findings = [
        [*_compared(function, pair, answer, hint, [*scalars, (3, 2.5)])]
        for pair, answer in zip([*pairs, *mixed, *mixed], answers, strict=True)
    ]
    plain, *of_kinds = findings[: len(pairs)], findings[len(pairs) :][: len(mixed)], findings[-len(mixed) :]
    yield from chain(*plain)
    for (kind, mistake), of_kind in zip(kinds, of_kinds, strict=True):
        if not any(plain):
            for finding in chain(*of_kind):
                yield replace(finding, mistake=mistake, message=f"With a {kind}: {finding.message}")


def _compared(
    function: str, pair: Pair, answer: Answer, hint: str, earlier: Sequence[tuple[int, float]]
) -> Iterator[Finding]:
    words = f"torch.{function}({', '.join(_words(operand) for operand in pair)})"
    if is_repeated(pair):
        words = f"torch.{function}(s, s) with s = {_words(pair[0])}"
    if "error" in answer or answer["values"] is None:
        endless = answer["error"]["type"] == "RecursionError"
        yield raised(answer["error"], words, FALL_BACK if endless else hint)
        return
    yield from disturbed(answer["changes"], words)
    yield from overwritten(answer["overwritten"], words)
    if answer["altered"]:
        yield wrong(f"After {words}, a ScalarTensor represents a different matrix.", "mutates-input")
    one, two = (_as_dense(operand) for operand in pair)
    truth = one + two if function == "add" else one * two
    values = answer["values"]
    if values.shape != truth.shape:
        yield wrong(f"{words} has shape {values.shape}; it should be {truth.shape}.", "wrong-shape")
    elif not near(values, truth, 1e-5, 1e-5):
        if _of_another_value(function, pair, values, earlier):
            message = f"{words} gives the result of another ScalarTensor of this size, made before."
            yield wrong(message, "state-on-class")
            return
        message = f"{words} differs from the result with the dense matrix: {difference(values, truth)}"
        yield wrong(message, VALUE)


def _of_another_value(
    function: str, pair: Pair, observed: np.ndarray, earlier: Sequence[tuple[int, float]]
) -> bool:
    """Return whether an earlier value in place of a ScalarTensor's own gives the observed result."""
    for place, operand in enumerate(pair):
        if not isinstance(operand, list):
            continue
        for n, value in earlier:
            if n != operand[0] or value == operand[1]:
                continue
            one, two = (_as_dense([n, value] if p == place else o) for p, o in enumerate(pair))
            if near(observed, one + two if function == "add" else one * two, 1e-5, 1e-5):
                return True
    return False


def _drawn(generator: np.random.Generator) -> list[tuple[int, float]]:
    return [*zip((3, 1, 2, 5, 4), numbers(generator, 5, Real(0.5, 4, also=(1.25, 0.0, -2))), strict=True)]


def _as_dense(operand: Operand) -> np.ndarray:
    if isinstance(operand, list):
        return np.asarray(operand[1] * np.eye(int(operand[0])))
    return np.asarray(operand)


def _words(operand: Operand) -> str:
    if isinstance(operand, np.ndarray):
        return "a Tensor"
    return f"ScalarTensor({operand[0]}, {operand[1]:g})" if isinstance(operand, list) else f"{operand:g}"


CHECKS = {"mean": _mean, "add": _of("add", MIXED), "mul": _of("mul", FALL_BACK)}
