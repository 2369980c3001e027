"""Calls a student's hessian_vector_product and records what it computes on the way."""

from typing import Any, NotRequired, TypedDict

import numpy as np
import torch

from autograder.tasks.calling import Caller, called
from autograder.tasks.handed_over import HESSIAN_PRODUCTS
from autograder.tasks.hessian_vector_product.functions import FUNCTIONS
from autograder.tasks.tensors import leaf, tensor_values
from autograder.tasks.watching import noticing
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import Array, Request, answer_of
from vjpcheck.errors import StudentError
from vjpcheck.probe.callers_world import Changes
from vjpcheck.torch_internals import dispatched_to


class Product(TypedDict):
    """What was returned; the backward passes through a tanh of fn; the largest tensor made on the way.

    `changes` is what the call has changed, `handed_over` what was called that PyTorch has ready.
    """

    product: np.ndarray | None
    changes: Changes
    handed_over: list[str]
    passes: int
    largest: int
    error: NotRequired[StudentError]


class Probe(Caller):
    """Calls a student's function."""

    def run(self, fn: str, x: np.ndarray, v: np.ndarray, by_columns: bool) -> Product:
        """Call the student's function; x requires grad and v does not."""
        point, direction = leaf(x, True, by_columns), leaf(v, False, by_columns)
        answer = blank(Product)

        def observe(operation: Any, arguments: Any, keywords: Any, result: Any) -> None:
            answer["passes"] += operation is torch.ops.aten.tanh_backward.default
            if isinstance(result, torch.Tensor):
                answer["largest"] = max(answer["largest"], result.numel())

        with (
            torch.enable_grad(),
            called(answer, self._name, x=point, v=direction),
            noticing(HESSIAN_PRODUCTS, answer["handed_over"]),
            dispatched_to(observe),
        ):
            answer["product"] = tensor_values(self._work(FUNCTIONS[fn], point, direction), self._name)
        return answer


def run(fn: str, x: np.ndarray, v: np.ndarray, by_columns: bool = False) -> Request[Product]:
    """Ask for the product of the Hessian of the fn of that name."""
    return Request("run", (fn, x, v, by_columns), answer_of(Product, product=Array()))
