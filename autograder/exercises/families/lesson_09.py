"""The families of lesson 9: which softmax, loss, norm and attention, with which constants and orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import FunctionExercise
from autograder.exercises import lesson_09
from autograder.exercises.draws import spread_rows
from autograder.exercises.families.expressions import times
from autograder.exercises.families.family import Family
from autograder.exercises.pullbacks import gradient_of
from vjpcheck.arguments import Argument, Arguments
from vjpcheck.domain import Array, Domain
from vjpcheck.spec import Lookalike, PullbackOf

if TYPE_CHECKING:
    from torch import Tensor

_SHIPPED = {e.id: e for e in lesson_09.EXERCISES if isinstance(e, FunctionExercise)}


def _domain(shipped: FunctionExercise, order: Sequence[str]) -> Domain:
    """Return the domain of the course's exercise with the arguments in another order."""
    return replace(shipped.domain, arguments={name: shipped.domain.arguments[name] for name in order})


def _in_order(order: str, **given: Argument) -> Arguments:
    return tuple(given[name] for name in order.split(", "))


def _softmax(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    rate, factor, logarithm = chosen["rate"], chosen["factor"], chosen["kind"] == "log_softmax"
    order: list[str] = chosen["order"].split(", ")

    def forward(*given: Any) -> Tensor:
        import torch

        x, dim = (given[order.index(name)] for name in ("x", "dim"))
        result: Tensor = factor * getattr(torch, chosen["kind"])(rate * x, dim)
        return result

    def pullback(summed: str, of_input: bool = False) -> PullbackOf:
        """Return the pullback whose inner sum is another one, or has the input in the place of the output."""

        def wrong(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
            x, dim = (arguments[order.index(name)] for name in ("x", "dim"))
            p = x if of_input else (rate * x).softmax(dim)
            inner = cotangents[0] if logarithm else cotangents[0] * p
            total = {
                "sum": lambda: inner.sum(dim, True),
                "mean": lambda: inner.mean(dim, True),
                "next": lambda: inner.sum((dim + 1) % x.ndim, True),
                "last": lambda: inner.sum(-1, True),
                "first": lambda: inner.sum(0, True),
                "whole": lambda: inner.sum(),
            }[summed]()
            gradient = factor * rate * (inner - p * total)
            return [gradient if name == "x" else None for name in order]

        return wrong

    inner = f"{chosen['kind']}({times(rate, 'x')})"
    return {
        "summary": f"{times(factor, inner)} along dim",
        "domain": _domain(_SHIPPED["softmax"], order),
        "forward": forward,
        "small": _in_order(chosen["order"], x=np.array([[0.0, float(numbers.choice([1, 2, -1]))]]), dim=1),
        "lookalikes": [
            Lookalike("input-for-output", pullback("sum", of_input=True)),
            Lookalike("mean-instead-of-sum", pullback("mean")),
            *(Lookalike("wrong-sum-axis", pullback(axis)) for axis in ("next", "last", "first", "whole")),
        ],
    }


def _cross_entropy(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    rate, smoothing, reduction = chosen["rate"], chosen["smoothing"], chosen["reduction"]
    order: list[str] = chosen["order"].split(", ")

    def forward(*given: Tensor) -> Tensor:
        import torch

        logits, target = (given[order.index(name)] for name in ("logits", "target"))
        return torch.nn.functional.cross_entropy(
            rate * logits, target, label_smoothing=smoothing, reduction=reduction
        )

    def picked(*given: Tensor) -> Tensor:
        """Return the loss without its normaliser, as if the logits were log-probabilities."""
        import torch

        logits, target = (given[order.index(name)] for name in ("logits", "target"))
        classes = logits.shape[1]
        wanted = (1 - smoothing) * torch.nn.functional.one_hot(target, classes).to(
            logits
        ) + smoothing / classes
        rows = -(wanted * rate * logits).sum(1)
        loss: Tensor = rows.mean() if reduction == "mean" else rows.sum()
        return loss

    smoothed = f", smoothing {smoothing:g}" if smoothing else ""
    logits = np.array([[0.0, float(numbers.choice([1, 2]))], [1.0, 0.0]])
    return {
        "summary": f"{reduction} of the cross entropy of {times(rate, 'logits')}{smoothed}, integer targets",
        "domain": _domain(_SHIPPED["cross_entropy"], order),
        "forward": forward,
        "small": _in_order(chosen["order"], logits=logits, target=np.array([1, 0])),
        "lookalikes": [Lookalike("missing-normaliser-term", gradient_of(picked))],
    }


def _norm(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    order: list[str] = [*chosen["order"].split(", "), "eps"]
    centred, under = chosen["centred"], chosen["eps"] == "under the root"

    shipped = _SHIPPED["layer_norm"].domain
    kinds = dict(shipped.arguments)
    if not under:
        kinds["x"] = Array("... n m", draw=spread_rows, zero_lines=False, centred=centred)
    elif not centred:
        kinds["x"] = Array("... n m", draw=spread_rows)

    def normed(mean_fixed: bool, size_fixed: bool, *given: Any) -> Tensor:
        """Return the layer, with the mean or the size taken for a constant where that is said."""
        x, weight, bias, eps = (given[order.index(name)] for name in ("x", "weight", "bias", "eps"))
        mean = x.mean(-1, keepdim=True) * centred
        away = x - (mean.detach() if mean_fixed else mean)
        squares = away.square().mean(-1, keepdim=True)
        size = (squares + eps).sqrt() if under else squares.sqrt() + eps
        gain = weight if chosen["gain"] == "weight" else 1 + weight
        scaled = away / (size.detach() if size_fixed else size)
        result: Tensor = chosen["factor"] * scaled * gain + bias
        return result

    def fixed(mean: bool, size: bool) -> PullbackOf:
        return gradient_of(lambda *given: normed(mean, size, *given))

    x = np.array([[0.0, 3.0, 6.0]]) + float(numbers.integers(1, 4))
    weight, bias = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, -1.0])
    constants = [fixed(mean=False, size=True)]
    constants += [fixed(mean=True, size=False), fixed(mean=True, size=True)] if centred else []
    return {
        "summary": f"{'layer' if centred else 'RMS'} norm over the last axis, gain {chosen['gain']}, "
        f"eps {chosen['eps']}, factor {chosen['factor']}",
        "domain": replace(
            shipped,
            arguments={name: kinds[name] for name in order},
            at_least={} if under else {"m": 3},  # equal entries have a root of 0
        ),
        "forward": lambda *given: normed(False, False, *given),
        "small": _in_order(", ".join(order), x=x, weight=weight, bias=bias, eps=3.0),
        "lookalikes": [Lookalike("missing-normaliser-term", pullback) for pullback in constants],
    }


SCALES = {"1/√d": -0.5, "1/d": -1.0, "√d": 0.5, "1": 0.0}  # the power of d


def _attention(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    order: list[str] = chosen["order"].split(", ")
    power, factor = SCALES[chosen["scale"]], chosen["factor"]

    def forward(*given: Tensor) -> Tensor:
        import torch

        q, k, v = (given[order.index(name)] for name in "qkv")
        output: Tensor = factor * (torch.softmax(q @ k.mT * q.shape[-1] ** power, -1) @ v)
        return output

    def fixed_normaliser(*given: Tensor) -> Tensor:
        """Return attention with the denominator of the softmax taken for a constant."""
        q, k, v = (given[order.index(name)] for name in "qkv")
        scores = q @ k.mT * q.shape[-1] ** power
        output: Tensor = factor * ((scores - scores.logsumexp(-1, keepdim=True).detach()).exp() @ v)
        return output

    def pullback(kind: str) -> PullbackOf:
        """Return the gradients for q and k where the pullback of the softmax is a wrong one."""

        def wrong(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
            import torch

            q, k, v = (arguments[order.index(name)] for name in "qkv")
            scale = q.shape[-1] ** power
            p = torch.softmax(q @ k.mT * scale, -1)
            g = factor * cotangents[0] @ v.mT
            scores = {
                "diagonal": p * (1 - p) * g,
                "mean": p * (g - (g * p).mean(-1, keepdim=True)),
                "axis": p * (g - (g * p).sum(-2, keepdim=True)),
            }[kind]
            found = {"q": scores @ k * scale, "k": scores.mT @ q * scale, "v": None}
            return [found[name] for name in order]

        return wrong

    def linear_in_rows(arguments: Sequence[Argument]) -> int:
        """Return the bytes of two numbers a row of q, and of changed copies of inputs and output."""
        q, k, v = (np.asarray(arguments[order.index(name)]) for name in "qkv")
        rows = q.size // q.shape[-1]
        return int(q.itemsize * (2 * rows + q.size + k.size + v.size + rows * v.shape[-1]))

    small = {
        "q": np.array([[float(numbers.choice([1, 2, -1]))]]),
        "k": np.array([[1.0], [0.0]]),
        "v": np.array([[1.0, 2.0], [5.0, 6.0]]),
    }
    return {
        "summary": times(factor, "softmax(scores) @ v") + f", scores {chosen['scale']} times qkᵀ",
        "domain": _domain(_SHIPPED["attention"], order),
        "forward": forward,
        "small": _in_order(chosen["order"], **small),
        "saves_at_most": linear_in_rows,
        "lookalikes": [
            Lookalike("diagonal-only", pullback("diagonal")),
            Lookalike("missing-normaliser-term", gradient_of(fixed_normaliser)),
            Lookalike("mean-instead-of-sum", pullback("mean")),
            Lookalike("wrong-sum-axis", pullback("axis")),
        ],
    }


FAMILIES = (
    Family(
        shipped=_SHIPPED["softmax"],
        work_name="ScaledSoftmax",
        choices={
            "kind": ("softmax", "log_softmax"),
            "rate": (1, 2, -1, 0.5, -2),
            "factor": (1, 2, -1, 3, -2),
            "order": ("x, dim", "dim, x"),
        },
        make=_softmax,
        shipped_as={"kind": "softmax", "rate": 1, "factor": 1, "order": "x, dim"},
    ),
    Family(
        shipped=_SHIPPED["cross_entropy"],
        work_name="RowCrossEntropy",
        choices={
            "reduction": ("mean", "sum"),
            "rate": (1, 2, 0.5, 3),
            "smoothing": (0, 0.1, 0.2, 0.4),
            "order": ("logits, target", "target, logits"),
        },
        make=_cross_entropy,
        shipped_as={"reduction": "mean", "rate": 1, "smoothing": 0, "order": "logits, target"},
    ),
    Family(
        shipped=_SHIPPED["layer_norm"],
        work_name="RowNorm",
        choices={
            "centred": (True, False),
            "gain": ("weight", "1 + weight"),
            "eps": ("under the root", "beside the root"),
            "order": tuple(", ".join(names) for names in permutations(("x", "weight", "bias"))),
            "factor": (1, 2, -1),
        },
        make=_norm,
        shipped_as={
            "centred": True,
            "gain": "weight",
            "eps": "under the root",
            "order": "x, weight, bias",
            "factor": 1,
        },
    ),
    Family(
        shipped=_SHIPPED["attention"],
        work_name="ScaledAttention",
        choices={
            "scale": ("1/√d", "1/d", "√d", "1"),
            "factor": (1, 2, -1),
            "order": tuple(", ".join(names) for names in permutations("qkv")),
        },
        make=_attention,
        shipped_as={"scale": "1/√d", "factor": 1, "order": "q, k, v"},
    ),
)
