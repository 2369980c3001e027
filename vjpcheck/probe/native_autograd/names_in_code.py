"""Finds names of native autograd in the code of a student's forward and backward."""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd import Function, forward_ad, functional

from vjpcheck.probe.own_code import mentioned, own_code

_ENTERED = ("forward", "setup_context", "backward", "vjp", "apply")
_IN_FUNC = ("grad", "grad_and_value", "vjp", "jvp", "jacrev", "jacfwd", "hessian", "linearize")
_IN_FUNCTIONAL = ("vjp", "jvp", "jacobian", "hessian", "vhp", "hvp")
_BY_NAME: list[Any] = [
    torch.autograd.grad,
    torch.autograd.backward,
    torch.Tensor.backward,
    forward_ad.enter_dual_level,
    forward_ad.dual_level,
    *(getattr(torch.func, name) for name in _IN_FUNC),
    *(getattr(functional, name) for name in _IN_FUNCTIONAL),
]


def autograd_in_code(work: type[Function]) -> str:
    """Return a name of native autograd that forward, backward or one of their helpers mentions, or ''.

    The helpers are functions and classes of the module that defines the class.
    """
    for own in own_code(work, _ENTERED):
        for name, value, called, _ in mentioned(own.code, own.function):
            if (called and name.endswith(".grad_fn")) or any(value is known for known in _BY_NAME):
                return name.lstrip(".")
    return ""
