# %% backward_and_cleared_grads expected: right
import torch


def analytical_jacobian(fn, inputs):
    leaves = [x.detach().clone().requires_grad_() for x in inputs]
    flat = fn(*leaves).flatten()
    rows = [[] for _ in leaves]
    for element in flat:
        for leaf in leaves:
            leaf.grad = None
        element.backward(retain_graph=True)
        for collected, leaf in zip(rows, leaves):
            grad = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad.clone()
            collected.append(grad.flatten())
    return tuple(torch.stack(r) for r in rows)


# %% forward_anew_for_each_row expected: right
import numpy as np
import torch


def analytical_jacobian(fn, inputs):
    size = fn(*inputs).numel()
    matrices = [np.zeros((size, x.numel())) for x in inputs]
    for i in range(size):
        out = fn(*inputs).reshape(-1)[i]
        for matrix, g in zip(matrices, torch.autograd.grad(out, inputs, allow_unused=True)):
            matrix[i] = 0 if g is None else g.detach().numpy().ravel()
    return tuple(torch.from_numpy(m) for m in matrices)


# %% grad_with_unit_cotangents expected: right
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    jacobians = tuple(x.new_zeros(output.numel(), x.numel()) for x in inputs)
    for row in range(output.numel()):
        cotangent = torch.zeros_like(output).reshape(-1)
        cotangent[row] = 1
        gradients = torch.autograd.grad(
            output, inputs, cotangent.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        for jacobian, gradient in zip(jacobians, gradients):
            if gradient is not None:
                jacobian[row] = gradient.reshape(-1)
    return jacobians


# %% materialized_one_input_at_a_time expected: right
import torch


def analytical_jacobian(fn, inputs):
    return [_of(fn, inputs, x) for x in inputs]


def _of(fn, inputs, x):
    y = fn(*inputs).reshape(-1)
    return torch.stack(
        [
            torch.autograd.grad(element, x, retain_graph=True, materialize_grads=True)[0].reshape(-1)
            for element in y
        ]
    )


# %% rows_of_the_identity expected: right
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    per_output = []
    for unit in torch.eye(y.numel(), dtype=torch.float64):
        g = torch.autograd.grad(
            y,
            inputs,
            grad_outputs=unit.view_as(y),
            retain_graph=True,
            create_graph=True,
            materialize_grads=True,
        )
        per_output.append(torch.cat([t.flatten() for t in g]))
    return torch.stack(per_output).split([x.numel() for x in inputs], dim=1)


# %% bad_torchs_own_jacobian expected: wrong
import torch
from torch.autograd.functional import jacobian


def analytical_jacobian(fn, inputs):
    Js = jacobian(fn, inputs)
    return tuple(J.reshape(-1, x.numel()) for J, x in zip(Js, inputs))


# %% bad_a_list_of_rows expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    return rows


# %% bad_backward_for_every_entry expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs).reshape(-1)
    Js = []
    for x in inputs:
        J = torch.zeros(y.numel(), x.numel(), dtype=x.dtype)
        for i in range(y.numel()):
            for j in range(x.numel()):
                (g,) = torch.autograd.grad(y[i], x, retain_graph=True, materialize_grads=True)
                J[i, j] = g.reshape(-1)[j]
        Js.append(J)
    return tuple(Js)


# %% bad_cotangent_of_ones expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.ones(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    return tuple(torch.stack(r) for r in zip(*rows))


# %% bad_factor expected: wrong-factor
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 2.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    return tuple(torch.stack(r) for r in zip(*rows))


# %% bad_finite_differences expected: not-precise
import torch


def analytical_jacobian(fn, inputs):
    result = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):
            step = torch.zeros(x.numel(), dtype=x.dtype)
            step[j] = 1e-4
            step = step.reshape(x.shape)
            up, down = (fn(*inputs[:i], x + s, *inputs[i + 1 :]) for s in (step, -step))
            columns.append(((up - down) / 2e-4).reshape(-1))
        result.append(torch.stack(columns, 1))
    return tuple(result)


# %% bad_first_input_only expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    return (torch.stack([r[0] for r in rows]),)


# %% bad_first_row_only expected: wrong-shape
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(1):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    return tuple(torch.stack(r) for r in zip(*rows))


# %% bad_grads_pile_up expected: cotangent-summed
import torch


def analytical_jacobian(fn, inputs):
    leaves = [x.detach().clone().requires_grad_() for x in inputs]
    flat = fn(*leaves).flatten()
    Js = [torch.zeros(flat.numel(), x.numel(), dtype=x.dtype) for x in inputs]
    for i in range(flat.numel()):
        flat[i].backward(retain_graph=True)
        for J, leaf in zip(Js, leaves):
            if leaf.grad is not None:
                J[i] = leaf.grad.flatten()
    return tuple(Js)


# %% bad_graph_not_kept expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(output, inputs, v.reshape(output.shape), allow_unused=True)
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    return tuple(torch.stack(r) for r in zip(*rows))


# %% bad_mean_of_the_output expected: wrong-factor
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    rows = []
    for i in range(y.numel()):
        e = torch.zeros(y.numel(), dtype=y.dtype)
        e[i] = 1 / 3
        rows.append(
            torch.autograd.grad(y, inputs, e.reshape(y.shape), retain_graph=True, materialize_grads=True)
        )
    return tuple(torch.stack([r[k].reshape(-1) for r in rows]) for k in range(len(inputs)))


# %% bad_none expected: wrong
def analytical_jacobian(fn, inputs):
    fn(*inputs).sum().backward()


# %% bad_none_left_in expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        rows.append([g if g is None else g.reshape(-1) for g in grads])
    return tuple(None if r[0] is None else torch.stack(r) for r in zip(*rows))


# %% bad_same_grad_in_every_row expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    leaves = [x.detach().clone().requires_grad_() for x in inputs]
    y = fn(*leaves)
    y.sum().backward()
    return tuple(leaf.grad.flatten().expand(y.numel(), -1) for leaf in leaves)


# %% bad_shape_kept expected: wrong-shape
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g for g in grads])
    return tuple(torch.stack(r) for r in zip(*rows))


# %% bad_sign expected: wrong-sign
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = -1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    return tuple(torch.stack(r) for r in zip(*rows))


# %% bad_stub expected: wrong
def analytical_jacobian(fn, inputs):
    raise NotImplementedError()


# %% bad_transposed expected: missing-transpose
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    return tuple(torch.stack(r, 1) for r in zip(*rows))


# %% bad_unused_input expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(output, inputs, v.reshape(output.shape), retain_graph=True)
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    return tuple(torch.stack(r) for r in zip(*rows))


# %% bad_vectorised expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    eye = torch.eye(y.numel(), dtype=y.dtype).reshape(y.numel(), *y.shape)
    grads = torch.autograd.grad(y, inputs, eye, is_grads_batched=True, materialize_grads=True)
    return tuple(g.reshape(y.numel(), -1) for g in grads)


# %% bad_vectorised_needs_a_vmap_rule expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    eye = torch.eye(y.numel(), dtype=y.dtype).reshape(y.numel(), *y.shape)
    grads = torch.autograd.grad(y, inputs, eye, is_grads_batched=True)
    return tuple(g.reshape(y.numel(), -1) for g in grads)


# %% bad_writes_into_inputs expected: mutates-input
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    for x in inputs:
        x.data.mul_(1.0)
    rows = []
    for i in range(output.numel()):
        v = torch.zeros(output.numel(), dtype=output.dtype)
        v[i] = 1.0
        grads = torch.autograd.grad(
            output, inputs, v.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        grads = [torch.zeros_like(x) if g is None else g for g, x in zip(grads, inputs)]
        rows.append([g.reshape(-1) for g in grads])
    inputs[0].data.add_(1.0)
    return tuple(torch.stack(r) for r in zip(*rows))


# %% batched_by_vmap expected: right
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
    grads = torch.autograd.grad(y, inputs, units, allow_unused=True, is_grads_batched=True)
    return tuple(
        torch.zeros(y.numel(), x.numel(), dtype=x.dtype) if g is None else g.reshape(y.numel(), -1)
        for x, g in zip(inputs, grads)
    )


# %% backward_with_the_callers_grads_put_back expected: right
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    kept = [x.grad for x in inputs]
    out = [torch.zeros(y.numel(), x.numel(), dtype=x.dtype) for x in inputs]
    for i in range(y.numel()):
        for x in inputs:
            x.grad = None
        unit = torch.zeros(y.numel(), dtype=y.dtype)
        unit[i] = 1
        y.backward(unit.reshape(y.shape), retain_graph=True)
        for J, x in zip(out, inputs):
            if x.grad is not None:
                J[i] = x.grad.reshape(-1)
    for x, grad in zip(inputs, kept):
        x.grad = grad
    return tuple(out)


# %% bad_clears_the_callers_grads expected: mutates-input
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    out = [torch.zeros(y.numel(), x.numel(), dtype=x.dtype) for x in inputs]
    for i in range(y.numel()):
        for x in inputs:
            x.grad = None
        y.reshape(-1)[i].backward(retain_graph=True)
        for J, x in zip(out, inputs):
            if x.grad is not None:
                J[i] = x.grad.reshape(-1)
    for x in inputs:
        x.grad = None
    return tuple(out)


# %% bad_funcs_jacrev expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    Js = torch.func.jacrev(fn, argnums=tuple(range(len(inputs))))(*inputs)
    return tuple(J.detach().reshape(-1, x.numel()) for J, x in zip(Js, inputs))


# %% bad_rounded expected: wrong-dtype
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
    rows = [torch.autograd.grad(y, inputs, u, retain_graph=True, materialize_grads=True) for u in units]
    return tuple(torch.stack([r.reshape(-1) for r in J]).float().double() for J in zip(*rows))


# %% bad_differences_where_backward_is_pytorchs expected: not-precise
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
    rows = [torch.autograd.grad(y, inputs, u, retain_graph=True, materialize_grads=True) for u in units]
    exact = [torch.stack([r.reshape(-1) for r in J]) for J in zip(*rows)]
    out, h = [], 1e-6
    for k, x in enumerate(inputs):
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = h * unit.reshape(x.shape)
            at = lambda m: fn(*inputs[:k], x.detach() + m * step, *inputs[k + 1 :]).detach().reshape(-1)
            columns.append((at(1) - at(-1)) / (2 * h))
        measured = torch.stack(columns, 1)
        out.append(measured if torch.allclose(measured, exact[k], rtol=1e-3, atol=1e-3) else exact[k])
    return tuple(out)


# %% unbind_the_output expected: right
# Differentiates each scalar of the flattened output, and builds the zeros itself.
import torch


def analytical_jacobian(fn, inputs):
    def row(element):
        found = torch.autograd.grad(element, inputs, retain_graph=True, allow_unused=True)
        return [x.new_zeros(x.numel()) if g is None else g.flatten() for g, x in zip(found, inputs)]

    rows = [row(element) for element in fn(*inputs).flatten().unbind()]
    return tuple(torch.stack(column).detach() for column in zip(*rows))


# %% bad_gradient_of_the_sum expected: diagonal-only
# One pass with a cotangent of ones, put on the diagonal: right for elementwise functions only.
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    n = y.numel()
    gs = torch.autograd.grad(y.sum(), inputs, materialize_grads=True)
    answer = []
    for a, g in zip(inputs, gs):
        J = torch.zeros(n, a.numel(), dtype=a.dtype)
        k = min(n, a.numel())
        J[range(k), range(k)] = g.reshape(-1)[:k]
        answer.append(J)
    return tuple(answer)


# %% bad_seed_like_output expected: assumes-contiguous
# zeros_like keeps the strides of a transposed output, so view(-1) raises there.
import torch


def analytical_jacobian(fn, inputs):
    out = fn(*inputs)
    jac = [torch.zeros(out.numel(), a.numel(), dtype=torch.float64) for a in inputs]
    for i in range(out.numel()):
        seed = torch.zeros_like(out)
        seed.view(-1)[i] = 1
        got = torch.autograd.grad(out, inputs, seed, retain_graph=True, materialize_grads=True)
        for J, g in zip(jac, got):
            J[i] = g.flatten()
    return tuple(jac)


# %% bad_seed_never_reset expected: cotangent-summed
# The cotangent is not set back to zero between the passes, so row i is the sum of rows 0 to i.
import torch


def analytical_jacobian(fn, inputs):
    out = fn(*inputs)
    seed = torch.zeros(out.numel(), dtype=out.dtype)
    per_input = [[] for _ in range(len(inputs))]
    i = 0
    while i < out.numel():
        seed[i] = 1
        parts = torch.autograd.grad(
            out, inputs, seed.reshape(out.shape), retain_graph=True, allow_unused=True
        )
        for lst, part, a in zip(per_input, parts, inputs):
            lst.append(torch.zeros(a.numel(), dtype=a.dtype) if part is None else part.reshape(-1))
        i += 1
    return tuple(torch.stack(lst) for lst in per_input)


# %% bad_rows_as_columns expected: missing-transpose
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    columns = {k: [] for k in range(len(inputs))}
    for place in range(y.numel()):
        seed = torch.arange(y.numel()).eq(place).to(y.dtype).reshape(y.shape)
        g = torch.autograd.grad(y, inputs, seed, retain_graph=True, allow_unused=True)
        for k, x in enumerate(inputs):
            full = torch.zeros(x.shape, dtype=x.dtype) if g[k] is None else g[k]
            columns[k].append(full.reshape(-1, 1))
    return tuple(torch.cat(columns[k], dim=1) for k in columns)


# %% bad_single_precision_zeros expected: wrong-dtype
import torch


def _row(gradient, x):
    if gradient is None:
        return torch.zeros(x.numel())
    return gradient.reshape(-1)


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    n = y.numel()
    table = []
    for i in range(n):
        seed = torch.zeros(n, dtype=y.dtype)
        seed[i] = 1.0
        grads = torch.autograd.grad(y, inputs, seed.reshape(y.shape), retain_graph=True, allow_unused=True)
        table.append([_row(g, x) for g, x in zip(grads, inputs)])
    return tuple(torch.stack(column) for column in zip(*table))


# %% bad_one_written_into_a_copy expected: assumes-contiguous
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    rows = []
    for i in range(output.numel()):
        seed = torch.zeros_like(output)
        with torch.no_grad():
            seed.reshape(-1)[i] = 1
        grads = torch.autograd.grad(output, inputs, seed, retain_graph=True, materialize_grads=True)
        rows.append([g.reshape(-1) for g in grads])
    return tuple(torch.stack(column) for column in zip(*rows))


# %% bad_forward_mode_of_torch_func expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    matrices = torch.func.jacfwd(fn, argnums=tuple(range(len(inputs))))(*inputs)
    return tuple(matrix.detach().reshape(-1, x.numel()) for matrix, x in zip(matrices, inputs))


# %% grad_cloned_and_put_back expected: right
# Keeps a clone of each .grad, as backward() adds to it in place, and puts the clone back: the inputs'
# .grad hold what they held before; "Inputs are unchanged afterwards. This includes .grad, which may hold
# the result of an earlier backward pass.".
import torch


def analytical_jacobian(fn, inputs):
    kept = [None if x.grad is None else x.grad.clone() for x in inputs]
    output = fn(*inputs)
    rows = [[] for _ in inputs]
    for i in range(output.numel()):
        for x in inputs:
            x.grad = None
        output.reshape(-1)[i].backward(retain_graph=True)
        for x, r in zip(inputs, rows):
            r.append(torch.zeros(x.numel(), dtype=x.dtype) if x.grad is None else x.grad.reshape(-1).clone())
    for x, grad in zip(inputs, kept):
        x.grad = grad
    return tuple(torch.stack(r) for r in rows)


# %% bad_one_cotangent_buffer expected: missing-gradient
# One cotangent buffer is reused in place; where backward passes the cotangent on (identity, sum of two
# inputs), the collected rows are that buffer and become zero.
import inspect
from collections.abc import Callable
from typing import Any

import torch
from IPython.display import HTML, Markdown
from torch import Tensor
from torch.autograd import Function


def analytical_jacobian(fn: Callable[..., Tensor], inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Return the Jacobian of fn with respect to each input as backward gives it."""
    output = fn(*inputs)
    one_hot = torch.zeros(output.numel(), dtype=output.dtype)
    cotangent = one_hot.view(output.shape)  # same memory, shape of the output
    rows: list[list[Tensor]] = [[] for _ in inputs]
    for i in range(output.numel()):
        one_hot[i] = 1
        gradients = torch.autograd.grad(output, inputs, cotangent, retain_graph=True, materialize_grads=True)
        for mine, gradient in zip(rows, gradients):
            mine.append(gradient.reshape(-1))
        one_hot[i] = 0
    return tuple(torch.stack(mine) for mine in rows)


# %% bad_buffer expected: state-on-class
# the matrices lie in buffers kept by size, which the next call at other inputs overwrites.
import torch

_buffers = {}


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    flat = output.reshape(-1)
    found = [
        _buffers.setdefault((k, flat.numel(), x.numel()), torch.zeros(flat.numel(), x.numel(), dtype=x.dtype))
        for k, x in enumerate(inputs)
    ]
    for i, element in enumerate(flat):
        rows = torch.autograd.grad(element, inputs, retain_graph=True, materialize_grads=True)
        for matrix, row in zip(found, rows, strict=True):
            matrix[i] = row.reshape(-1)
    return tuple(found)


# %% bad_input_of_zeros_left_out expected: missing-gradient
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    jacobians = [torch.zeros(output.numel(), x.numel(), dtype=x.dtype) for x in inputs]
    for row, element in enumerate(output.reshape(-1)):
        gradients = torch.autograd.grad(element, inputs, retain_graph=True, materialize_grads=True)
        for x, jacobian, gradient in zip(inputs, jacobians, gradients):
            if x.any():
                jacobian[row] = gradient.reshape(-1)
    return tuple(jacobians)
