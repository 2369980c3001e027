"""Whether the work of a task is right, decided without the autograder's probes, verdicts and truths.

By torch itself or by NumPy, on inputs that are drawn here, and by what the exercise's text asks of a call:
that nothing of the caller's is another afterwards.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch
from independent_arrays import unbroadcast
from independent_gradchecks import analytical_jacobian, fool_gradcheck, my_gradcheck, numerical_jacobian
from independent_graphs import accumulate, adjoints, forward_sweep, reverse_sweep, topological_order
from independent_modules import crop_op, moments_op, scalar_tensor, scaled_linear
from independent_second_order import gradient_penalty, hessian_vector_product

from vjpcheck.time_limit import time_limit

SECONDS = 5.0
JUDGES: dict[str, Callable[[Any], bool]] = {
    "adjoints_log_product": adjoints("adjoints_log_product"),
    "adjoints_diamond": adjoints("adjoints_diamond"),
    "forward_sweep": forward_sweep,
    "reverse_sweep": reverse_sweep,
    "topological_order": topological_order,
    "accumulate": accumulate,
    "unbroadcast": unbroadcast,
    "numerical_jacobian": numerical_jacobian,
    "analytical_jacobian": analytical_jacobian,
    "my_gradcheck": my_gradcheck,
    "fool_gradcheck": fool_gradcheck,
    "hessian_vector_product": hessian_vector_product,
    "gradient_penalty": gradient_penalty,
    "scaled_linear": scaled_linear,
    "scalar_tensor": scalar_tensor,
    "crop_op": crop_op,
    "moments_op": moments_op,
}


def is_right(exercise_id: str, work: Any) -> bool:
    """Try the work; whatever raises is not right. Raises TookTooLong for what does not end."""
    torch.manual_seed(99)
    limit = sys.getrecursionlimit()
    try:
        with time_limit(SECONDS):
            return JUDGES[exercise_id](work)
    except Exception:
        return False
    finally:
        sys.setrecursionlimit(limit)
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)
