"""Modules, types and custom ops, judged by the same calls on plain tensors, and by torch.library.opcheck."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import torch
from left_alone import agree, left_alone
from torch import nn

from autograder.tasks.custom_op.frame_evaluation import restoring_frame_evaluation


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


def moments_op(work: Any) -> bool:
    """Differentiate the two formulas, with both outputs used and with one; ask gradgradcheck and opcheck."""
    for shape in ((3, 4), (5,), (2, 3, 2), (6, 1)):
        x = torch.randn(shape, dtype=torch.float64, requires_grad=True)
        truths = x.mean(-1), x.var(-1, correction=0)
        same, found = left_alone([x], work, x)
        if not same or not isinstance(found, tuple | list) or not all(map(agree, found, truths)):
            return False
        work(torch.randn(shape).double().requires_grad_())
        single = work(x.detach().float())
        if [output.dtype for output in single] != 2 * [torch.float32]:
            return False
        for used in ((0, 1), (1,), (0,)):
            seeds = [torch.randn_like(truths[place]) for place in used]
            kept = [seed.clone() for seed in seeds]
            gradient, truth = (
                torch.autograd.grad([outputs[place] for place in used], x, seeds, retain_graph=True)[0]
                for outputs in (found, truths)
            )
            if not agree(gradient, truth) or not all(map(torch.equal, seeds, kept)):
                return False
        if not torch.autograd.gradgradcheck(work, (x,), raise_exception=False):
            return False
    x = torch.randn(3, 4).double().requires_grad_()
    doubled = _compiled_op(work, x)
    (gradient,), (truth,) = (
        torch.autograd.grad(sum((place + 1) * output.sum() for place, output in enumerate(outputs)), x)
        for outputs in (doubled, ((2 * x).mean(-1), (2 * x).var(-1, correction=0)))
    )
    return agree(gradient, truth)


def _is_an_op(work: Any, shape: tuple[int, ...]) -> bool:
    image = torch.randn(shape).double().requires_grad_()
    (gradient,) = torch.autograd.grad(_compiled_op(work, image, (1, 1, 2, 2)).sum(), image)
    truth = torch.zeros(shape).double()
    truth[..., 1:3, 1:3] = 2
    return agree(gradient, truth)


def _compiled_op(work: Any, tensor: torch.Tensor, *rest: Any) -> Any:
    """Return what the compiled op gives for twice the tensor; raises what opcheck finds."""
    from torch.utils._python_dispatch import TorchDispatchMode

    ops: list[tuple[Any, ...]] = []

    class Seen(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func.namespace not in ("aten", "prim"):
                ops.append((func, args, kwargs or {}))
            return func(*args, **(kwargs or {}))

    with torch.no_grad(), Seen():
        work(tensor.detach().clone(), *rest)
    func, args, kwargs = ops[0]
    leaves = [a.detach().clone().requires_grad_() if isinstance(a, torch.Tensor) else a for a in args]
    with restoring_frame_evaluation():
        torch.library.opcheck(func, tuple(leaves), kwargs)
        torch.compiler.reset()
        return torch.compile(lambda x: work(x * 2, *rest), fullgraph=True, backend="aot_eager")(tensor)
