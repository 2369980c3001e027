"""Whether a call has left tensors and torch's settings alone, looked at with torch's own comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch


def left_alone(
    tensors: Sequence[torch.Tensor], call: Callable[..., Any], *arguments: Any
) -> tuple[bool, Any]:
    """Return whether a call left tensors, their `.grad` and the settings alone, and what it returned."""
    for tensor in tensors:
        if tensor.requires_grad and torch.rand(()) < 0.5:  # the caller may have one or none
            tensor.grad = torch.randn_like(tensor)
    copies = [tensor.detach().clone() for tensor in tensors]
    of_grads = [None if tensor.grad is None else tensor.grad.clone() for tensor in tensors]
    before = [(t.requires_grad, t._version, t.stride(), t.dtype) for t in tensors]
    settings, random = (torch.get_default_dtype(), torch.is_grad_enabled()), torch.get_rng_state()
    returned = call(*arguments)
    same = (
        all(torch.equal(t, c) for t, c in zip(tensors, copies, strict=True))
        and all(_same(t.grad, c) for t, c in zip(tensors, of_grads, strict=True))
        and before == [(t.requires_grad, t._version, t.stride(), t.dtype) for t in tensors]
        and settings == (torch.get_default_dtype(), torch.is_grad_enabled())
        and torch.equal(random, torch.get_rng_state())
    )
    return same, returned


def _same(grad: torch.Tensor | None, before: torch.Tensor | None) -> bool:
    return grad is before if grad is None or before is None else torch.equal(grad, before)


def agree(found: Any, truth: torch.Tensor, digits: float = 1e-9) -> bool:
    """Return whether a tensor (or array) has the shape, dtype and, but for rounding, entries of another."""
    found = torch.as_tensor(found)
    return (found.shape, found.dtype) == (truth.shape, truth.dtype) and bool(
        torch.allclose(found.detach(), truth.detach(), rtol=digits, atol=digits)
    )
