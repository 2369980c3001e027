"""Calls a student's hessian_vector_product and records its intermediate computations."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from autograder.tasks.calls import Answer, FunctionProbe
from autograder.tasks.forbidden_functions import HESSIAN_PRODUCTS
from autograder.tasks.hessian_vector_product.functions import FUNCTIONS
from autograder.tasks.tensors import leaf, tensor_values
from vjpcheck.torch_internals import dispatched_to


class Probe(FunctionProbe):
    """Counts the backward passes through a tanh, and the entries of the largest tensor."""

    forbidden = HESSIAN_PRODUCTS

    def arguments(
        self, fn: str, x: np.ndarray, v: np.ndarray, by_columns: bool = False
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return fn, x and v; x requires grad and v does not."""
        point, direction = leaf(x, True, by_columns), leaf(v, False, by_columns)
        return (FUNCTIONS[fn], point, direction), {"x": point, "v": direction}

    def read(self, returned: object) -> dict[str, np.ndarray | None]:
        """Return the values of a tensor."""
        return {"the result": tensor_values(returned, self._name)}

    @contextmanager
    def watching(self, answer: Answer) -> Iterator[None]:
        """Record forbidden functions, backward passes and the size of the largest tensor."""
        facts = answer["facts"] = {"passes": 0, "largest": 0}

        def observe(operation: Any, arguments: Any, keywords: Any, result: Any) -> None:
            facts["passes"] += operation is torch.ops.aten.tanh_backward.default
            if isinstance(result, torch.Tensor):
                facts["largest"] = max(facts["largest"], result.numel())

        with super().watching(answer), dispatched_to(observe):
            yield
