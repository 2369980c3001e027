"""Walks over tapes and over the engine's graphs, judged by torch's autograd on the same computation."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import product
from typing import Any

import torch

from course.engine import Tensor, sin
from course.engine.tape import Step
from vjpcheck.time_limit import TookTooLong, time_limit

AT = {"adjoints_log_product": (2.0, 5.0), "adjoints_diamond": (0.5, 3.0)}


def adjoints(exercise_id: str) -> Callable[[Any], bool]:
    """Return the judge of a dict of adjoints: each to four digits, the last of which may be off by one."""

    def judge(work: Any) -> bool:
        x, y = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in AT[exercise_id])
        if exercise_id == "adjoints_log_product":
            v1, v2, v3 = torch.log(x), x * y, torch.sin(y)
            v4 = v1 + v2
            nodes = {"x1": x, "x2": y, "v1": v1, "v2": v2, "v3": v3, "v4": v4, "v5": v4 - v3}
        else:
            p = x * y
            s = torch.sin(p)
            t = s * y
            nodes = {"a": x, "b": y, "p": p, "s": s, "t": t, "y": p + t}
        truths = torch.autograd.grad([*nodes.values()][-1], [*nodes.values()])
        return all(
            math.isclose(_number(work[name]), truth.item(), rel_tol=5e-4)
            for name, truth in zip(nodes, truths, strict=True)
        )

    return judge


def _number(value: Any) -> float:
    if isinstance(value, (str, bytes, bool)):
        raise TypeError("a text is no number")
    return float(value.item() if hasattr(value, "item") else value)


def _tape(draw: random.Random, length: int) -> list[Step]:
    """Return steps of up to three operands, leaves among them, under names in no order."""
    names = draw.sample([f"{letter}{number}" for letter in "wkab" for number in range(length)], length)
    tape: list[Step] = []
    for name in names:
        earlier = [step.name for step in tape]
        count = draw.choice([0, 1, 2, 2, 3]) if earlier else 0
        used = tuple(draw.choice(earlier) for _ in range(count))
        tape.append(Step(name, used, tuple(draw.choice([-1.5, 0.0, 0.5, 2.0, 2.0]) for _ in used)))
    return tape


def _by_torch(tape: list[Step], leaves: dict[str, float]) -> dict[str, torch.Tensor]:
    """Compute the linear program that has the tape's local derivatives."""
    values: dict[str, torch.Tensor] = {}
    for name, operands, partials in tape:
        start = torch.tensor(leaves.get(name, 0.0), dtype=torch.float64, requires_grad=True)
        values[name] = start * 1.0
        for operand, partial in zip(operands, partials, strict=True):
            values[name] = values[name] + partial * values[operand]
    return values


def _tapes() -> list[list[Step]]:
    draw = random.Random(4)
    tapes = [_tape(draw, length) for length in (1, 2, 5, 9, 14, 14, 20)]
    long = [Step("q0", (), ())]
    long += [Step(f"q{i}", (f"q{i - 1}", f"q{i - 1}"), (0.5, 0.5)) for i in range(1, 2000)]
    elsewhere = [
        [step._replace(partials=tuple(p + 0.25 for p in step.partials)) for step in t] for t in tapes
    ]
    return [*tapes, long, *elsewhere, tapes[3]]


def forward_sweep(work: Any) -> bool:
    """Compare the tangents with the values of a linear program."""
    draw = random.Random(7)
    kept: list[tuple[Any, dict[str, float]]] = []
    for tape in _tapes():
        leaves = [step.name for step in tape if not step.operands]
        inputs = draw.sample(leaves, draw.randint(1, len(leaves)))
        seed = [draw.uniform(-2, 2) for _ in inputs]
        before = list(tape)
        found = work(tape, inputs, seed)
        values = _by_torch(tape, dict(zip(inputs, seed, strict=True)))
        kept.append((found, {name: value.item() for name, value in values.items()}))
        if tape != before or not _same(*kept[-1]):
            return False
    return all(_same(found, truth) for found, truth in kept)


def reverse_sweep(work: Any) -> bool:
    """Compare the adjoints with torch's gradients of the last node."""
    kept: list[tuple[Any, dict[str, float]]] = []
    for tape, seed in product(_tapes(), (1.7, 1.0)):
        before = list(tape)
        found = work(tape, seed)
        values = _by_torch(tape, {})
        cotangent = torch.tensor(seed, dtype=torch.float64)
        gradients = torch.autograd.grad(
            values[tape[-1].name], [*values.values()], cotangent, materialize_grads=True
        )
        kept.append((found, {name: g.item() for name, g in zip(values, gradients, strict=True)}))
        if tape != before or not _same(*kept[-1]):
            return False
    return all(_same(found, truth) for found, truth in kept)


def _same(found: Any, truth: dict[str, float]) -> bool:
    return found.keys() == truth.keys() and all(
        math.isclose(float(found[name]), value, rel_tol=1e-9, abs_tol=1e-11) for name, value in truth.items()
    )


def _program(draw: random.Random, length: int, start: list[Any], sine: Any, constant: Any) -> list[Any]:
    """Compute the same random program from whatever tensors it begins with; constants stand on each side."""
    values = list(start)
    for _ in range(length):
        a, b = draw.choice(values), draw.choice(values[-3:])
        kind = draw.randrange(5)
        values.append([a + b, a * b, sine(b) + a, b * 0.5, constant(0.5) * b][kind])
    return values


def _engine(seed: int, length: int) -> list[Tensor]:
    return _program(
        random.Random(seed), length, [Tensor(v, requires_grad=True) for v in (0.7, 1.2)], sin, Tensor
    )


def topological_order(work: Any) -> bool:
    """Look at each node and each edge of random graphs, twice, and of a deep chain and a ladder."""
    graphs = [_engine(seed, length) for seed in range(6) for length in (1, 4, 12)]
    x = Tensor(1.0, requires_grad=True)
    for length, step in ((20_000, lambda t: t * 1.0), (45, lambda t: t + t)):
        values = [x]
        for _ in range(length):
            values.append(step(values[-1]))
        graphs.append(values)
    for graph in [*graphs, graphs[1]]:
        try:
            with time_limit(2.0):
                order = [*work(graph[-1])]
        except TookTooLong:
            return False
        if not _is_order(order, graph[-1]):
            return False
    return True


def _is_order(order: list[Any], tensor: Tensor) -> bool:
    place = {id(node): number for number, node in enumerate(order)}
    found, waiting = {id(tensor.grad_fn): tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and id(parent) not in found:
                found[id(parent)] = parent
                waiting.append(parent)
    leaves = {key for key, node in found.items() if not node.next_functions}
    there = set(place)
    return (
        len(place) == len(order)
        and there in (set(found), set(found) - leaves)
        and all(node.adjoint is None for node in found.values())
        and all(
            place[id(node)] < place[id(parent)]
            for node in order
            for parent, _ in node.next_functions
            if parent is not None and id(parent) in place
        )
    )


def accumulate(work: Any) -> bool:
    """Compare with `.backward()` of torch on the same program, over two calls."""
    as_tensor = _wants_a_tensor(work)
    for seed in range(12):
        for length in (1, 3, 10):
            values = _engine(seed, length)
            twins = _program(
                random.Random(seed),
                length,
                [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (0.7, 1.2)],
                torch.sin,
                torch.tensor,
            )
            if not _both(work, as_tensor, values, twins, (2.0, -0.25)):
                return False
    for count, step in ((3000, lambda t: t * 1.0), (40, lambda t: t + t)):
        values, twins = [Tensor(1.0, requires_grad=True)], [torch.tensor(1.0).double().requires_grad_()]
        for _ in range(count):
            values.append(step(values[-1]))
            twins.append(step(twins[-1]))
        if not _both(work, as_tensor, values, twins, (3.0,)):
            return False
    return True


def _wants_a_tensor(work: Any) -> bool:
    leaf = Tensor(0.5, requires_grad=True)
    try:
        work(leaf * 2.0, Tensor(1.0))
    except Exception:
        return False
    return True


def _both(work: Any, as_tensor: bool, values: list[Any], twins: list[Any], seeds: tuple[float, ...]) -> bool:
    leaves = [(v, t) for v, t in zip(values, twins, strict=True) if v.is_leaf]
    for leaf, twin in leaves:
        leaf.grad, twin.grad = Tensor(0.5), torch.tensor(0.5).double()
    data = [value.data for value in values]
    for seed in seeds:
        work(values[-1], Tensor(seed) if as_tensor else seed)
        twins[-1].backward(torch.tensor(seed).double(), retain_graph=True)
    return (
        all(isinstance(leaf.grad, Tensor) for leaf, _ in leaves)
        and all(
            math.isclose(leaf.grad.item(), t.grad.item(), rel_tol=1e-9, abs_tol=1e-12) for leaf, t in leaves
        )
        and data == [value.data for value in values]
        and all(value.grad is None for value in values if not value.is_leaf)
        and all(value.node.adjoint is None for value in values)
    )
