"""Modules, types and custom ops, judged by the same calls on plain tensors, and by torch.library.opcheck."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import torch
from left_alone import agree, left_alone
from torch import nn

from autograder.tasks.crop_op.frame_evaluation import restoring_frame_evaluation
from autograder.tasks.logging_tensor.logs import new_entries


def scaled_linear(work: Any) -> bool:
    """Give modules values of their own and compare with F.linear times scale."""
    for ins, outs, bias in ((4, 3, True), (4, 3, False), (2, 5, True), (1, 1, True)):
        modules = [work(ins, outs, bias).double() for _ in range(2)]
        for module in modules:
            if not _registers(module, ins, outs, bias):
                return False
            with torch.no_grad():
                for tensor in [*module.parameters(), *module.buffers()]:
                    tensor.copy_(torch.randn(tensor.shape) + 2)
        for module in [*modules, modules[0]]:
            x = torch.randn(6, ins, dtype=torch.float64, requires_grad=True)
            tensors = [x, *module.parameters()]
            same, found = left_alone([*tensors, module.scale], module, x)
            truth = nn.functional.linear(x, module.weight, module.bias) * module.scale
            g = torch.randn_like(truth)
            if not same or not agree(found, truth, 1e-11):
                return False
            gradients = [torch.autograd.grad(y, tensors, g) for y in (found, truth)]
            if not all(agree(f, t, 1e-11) for f, t in zip(*gradients, strict=True)):
                return False
        with torch.no_grad():
            modules[0].scale.fill_(-1.5)
        if not agree(modules[0](x), -1.5 * nn.functional.linear(x, modules[0].weight, modules[0].bias)):
            return False
        modules[1].load_state_dict(modules[0].state_dict())
        if not agree(modules[1](x), modules[0](x)) or not _repr_is_right(modules[0], ins, outs):
            return False
    return True


def _registers(module: nn.Module, ins: int, outs: int, bias: bool) -> bool:
    shapes = {"weight": (outs, ins)} | ({"bias": (outs,)} if bias else {})
    return (
        {name: tuple(p.shape) for name, p in module.named_parameters()} == shapes
        and all(p.requires_grad and p.dtype == torch.float64 for p in module.parameters())
        and "scale" in dict(module.named_buffers())
        and module.scale.dtype == torch.float64
        and "bias" in module._parameters
        and {*shapes, "scale"} <= set(module.state_dict())
    )


def _repr_is_right(module: nn.Module, ins: int, outs: int) -> bool:
    said = module.extra_repr()
    labelled = dict(re.findall(r"(in|out)(?:_features)?\s*[=:]?\s*(\d+)", said))
    numbers = [int(n) for n in re.findall(r"\d+", said)]
    shown = "".join(repr(module).split())  # which indents several lines
    if type(module).extra_repr is nn.Module.extra_repr or "".join(said.split()) not in shown:
        return False
    if len(labelled) == 2:
        return labelled == {"in": str(ins), "out": str(outs)}
    return {ins, outs} <= set(numbers) and numbers[0] == ins


def scalar_tensor(work: Any) -> bool:
    """Make the calls on the matrix that it stands for."""
    for n, value in ((4, 1.5), (2, -0.75), (1, 2.0), (3, 0.0), (3, 2), (4, 1.5)):
        scalar, other, matrix = work(n, value), work(n, -3.0), torch.randn(n, n)
        dense, minus = value * torch.eye(n), -3.0 * torch.eye(n)
        calls: list[tuple[Any, tuple[Any, ...], torch.Tensor]] = [
            (work.tensor, (scalar,), dense),
            (torch.mean, (scalar,), torch.tensor(value / n)),
            (torch.add, (scalar, matrix), dense + matrix),
            (torch.add, (matrix, scalar), dense + matrix),
            (torch.add, (scalar, other), dense + minus),
            (torch.add, (scalar, scalar), 2 * dense),
            (torch.mul, (scalar, scalar), dense * dense),
            (torch.mul, (scalar, matrix), dense * matrix),
            (torch.mul, (matrix, scalar), dense * matrix),
            (torch.mul, (scalar, 3.0), 3.0 * dense),
            (torch.mul, (scalar, other), dense * minus),
            (work.tensor, (scalar,), dense),
            (work.tensor, (other,), minus),
        ]
        for call, arguments, truth in calls:
            same, found = left_alone([matrix], call, *arguments)
            found = found.tensor() if isinstance(found, work) else found
            if not same or isinstance(found, bool) or not agree(found, truth, 1e-5):
                return False
        scalar.tensor().add_(1.0)  # it is the caller's own
        if not agree(scalar.tensor(), dense, 1e-5):
            return False
    return True


def logging_tensor(work: Any) -> bool:
    """Look for names of the calls in whatever has grown, and at the types and values that come out."""
    calls: list[tuple[Any, str]] = [
        (lambda x, t: torch.add(x, x), "add"),
        (lambda x, t: x.cos(), "cos"),
        (lambda x, t: x * t, "mul"),
        (lambda x, t: torch.mul(t, x), "mul"),
        (lambda x, t: torch.sum(x, dim=1), "sum"),
        (lambda x, t: torch.add(t, x, alpha=3), "add"),
        (lambda x, t: torch.cat([t, x]), "cat"),
        (lambda x, t: torch.cat(tensors=[t, x]), "cat"),
        (lambda x, t: torch.split(x, 1)[0], "split"),
        (lambda x, t: torch.exp(x).sum(), "exp sum"),
    ]
    for call, names in calls:
        base, t = torch.randn(2, 2, 3, dtype=torch.float64).unbind()
        x = base.as_subclass(work) if work.__new__ is torch.Tensor.__new__ else work(base)
        with new_entries(work) as logs:
            same, found = left_alone([base, t], call, x, t)
        if not same or not isinstance(found, work) or not any(_names(names, log) for log in logs.values()):
            return False
        with torch._C.DisableTorchFunctionSubclass():
            values = torch.empty(found.shape, dtype=torch.float64).copy_(found)
        if not agree(values, call(base, t)):
            return False
    return True


def _names(names: str, log: list[str]) -> bool:
    rest = iter(re.findall(r"[a-z0-9]+", " ".join(log).lower()))
    return all(name in rest for name in names.split())


def crop_op(work: Any) -> bool:
    """Slice arrays, and ask opcheck and torch.compile; images with channels count, or those without."""
    return any(_crops(work, shape) for shape in ((3, 6, 4), (6, 4)))


def _crops(work: Any, shape: tuple[int, ...]) -> bool:
    try:
        return _crops_values(work, shape) and _is_an_op(work, shape)
    except Exception:
        return False


def _crops_values(work: Any, shape: tuple[int, ...]) -> bool:
    boxes = ((1, 1, 3, 2), (0, 2, 5, 1), (2, 0, 4, 4), (0, 0, 6, 4), (5, 3, 1, 1))
    for (top, left, height, width), later in zip(boxes, boxes[1:] + boxes[:1], strict=True):
        image = torch.randn(shape, dtype=torch.float64, requires_grad=True)
        box = (top, left, height, width)
        same, found = left_alone([image], work, image, box)
        part = (..., slice(top, top + height), slice(left, left + width))
        if not same or not agree(found, image[part], 0) or not found.requires_grad:
            return False
        if found.untyped_storage().data_ptr() == image.untyped_storage().data_ptr():
            return False
        work(image, later)
        cotangent = torch.randn_like(found)
        kept = cotangent.clone()
        truth = np.zeros(shape)
        truth[part] = cotangent.numpy()
        (gradient,) = torch.autograd.grad(found, image, cotangent)
        if not agree(gradient, torch.tensor(truth), 0) or not torch.equal(kept, cotangent):
            return False
    return True


def _is_an_op(work: Any, shape: tuple[int, ...]) -> bool:
    from torch.utils._python_dispatch import TorchDispatchMode

    ops: list[tuple[Any, ...]] = []

    class Seen(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func.namespace not in ("aten", "prim"):
                ops.append((func, args, kwargs or {}))
            return func(*args, **(kwargs or {}))

    with torch.no_grad(), Seen():
        work(torch.randn(shape).double(), (1, 1, 2, 2))
    func, args, kwargs = ops[0]
    leaves = [a.detach().clone().requires_grad_() if isinstance(a, torch.Tensor) else a for a in args]
    image = torch.randn(shape).double().requires_grad_()
    with restoring_frame_evaluation():
        torch.library.opcheck(func, tuple(leaves), kwargs)
        torch.compiler.reset()
        compiled = torch.compile(lambda x: work(x * 2, (1, 1, 2, 2)), fullgraph=True, backend="aot_eager")
        (gradient,) = torch.autograd.grad(compiled(image).sum(), image)
    truth = torch.zeros(shape).double()
    truth[..., 1:3, 1:3] = 2
    return agree(gradient, truth)
