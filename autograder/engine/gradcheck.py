"""Runs the engine's own gradcheck on a table of evaluations."""

from typing import Any

import numpy as np

from course import engine
from vjpcheck.gradcheck import Check, TabulatedFunction, function_over


def run(check: Check, table: TabulatedFunction) -> None:
    """Check a weighted sum of the output as a function of one number that moves all inputs.

    PyTorch calls this its fast mode. Other checks compare each choice of inputs with the true gradients.
    """
    function = function_over(engine.Function, engine.Tensor)
    generator = np.random.default_rng(0)
    starts = [np.asarray(table.arguments[p]) for p in table.positions]
    steps = [np.asarray(generator.standard_normal(start.shape)) for start in starts]
    weights = np.asarray(generator.standard_normal(table.outputs[0].shape))

    def along(t: Any) -> Any:
        moved = [
            engine.Tensor(start) + t * engine.Tensor(step) for start, step in zip(starts, steps, strict=True)
        ]
        return (function.apply(table, *moved) * engine.Tensor(weights)).sum()

    getattr(engine, check.name)(along, engine.Tensor(0.0, requires_grad=True))
