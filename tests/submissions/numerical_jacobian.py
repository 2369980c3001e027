# %% clones_and_columns expected: right
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach().clone() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):
            step = torch.zeros_like(x).reshape(-1)
            step[j] = eps
            step = step.reshape(x.shape)
            plus = fn(*inputs[:i], x + step, *inputs[i + 1 :])
            minus = fn(*inputs[:i], x - step, *inputs[i + 1 :])
            columns.append(((plus - minus) / (2 * eps)).reshape(-1))
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% directions_of_the_identity expected: right
import torch


class NumericalJacobian:
    """A callable object in place of a function."""

    def __call__(self, fn, inputs, eps):
        return tuple(self.one(fn, inputs, i, eps) for i in range(len(inputs)))

    def one(self, fn, inputs, i, eps):
        def g(flat):
            moved = list(inputs)
            moved[i] = flat.view_as(inputs[i])
            return fn(*moved).reshape(-1)

        x = inputs[i].detach().reshape(-1)
        directions = torch.eye(len(x), dtype=x.dtype)
        return torch.stack([(g(x + eps * d) - g(x - eps * d)) / (2 * eps) for d in directions], dim=-1)


numerical_jacobian = NumericalJacobian()


# %% bad_in_place_and_put_back expected: mutates-input
import torch


@torch.no_grad()
def numerical_jacobian(fn, inputs, eps=1e-6):
    out = fn(*inputs)
    result = []
    for x in inputs:
        J = torch.empty(out.numel(), x.numel(), dtype=torch.float64)
        flat = x.view(-1)
        for j in range(x.numel()):
            old = flat[j].item()
            flat[j] = old + eps
            plus = fn(*inputs).clone()
            flat[j] = old - eps
            minus = fn(*inputs).clone()
            flat[j] = old
            J[:, j] = (plus - minus).flatten() / (2 * eps)
        result.append(J)
    return tuple(result)


# %% bad_moves_there_and_back_by_sums expected: mutates-input
import torch


def numerical_jacobian(fn, inputs, eps):
    Js = ()
    for x in inputs:
        rows = []
        data = x.data.flatten() if x.dim() == 0 else x.data.view(-1)
        if x.dim() == 0:
            data = x.data.reshape(1)
        for j in range(data.shape[0]):
            data[j] += eps
            up = fn(*inputs).detach().reshape(-1).clone()
            data[j] -= 2 * eps
            down = fn(*inputs).detach().reshape(-1).clone()
            data[j] += eps
            rows.append((up - down) / 2 / eps)
        Js += (torch.stack(rows).T,)
    return Js


# %% through_numpy_a_list expected: right
import numpy as np
import torch


def numerical_jacobian(fn, inputs, eps):
    arrays = [x.detach().numpy().copy() for x in inputs]

    def call(values):
        with torch.no_grad():
            return fn(*map(torch.from_numpy, values)).numpy().copy().ravel()

    def column(i, index):
        def at(step):
            values = [a.copy() for a in arrays]
            values[i][index] += step
            return call(values)

        return (at(eps) - at(-eps)) / (2 * eps)

    return [
        torch.from_numpy(np.array([column(i, index) for index in np.ndindex(a.shape)]).T.copy())
        for i, a in enumerate(arrays)
    ]


# %% unravelled_indices_and_numpy_out expected: right
import itertools

import numpy as np
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = tuple(t.detach().clone() for t in inputs)
    m = fn(*inputs).numel()
    Js = tuple(torch.zeros((m, t.numel()), dtype=torch.double) for t in inputs)
    for J, t in zip(Js, inputs):
        for col, idx in enumerate(itertools.product(*[range(s) for s in t.shape])):
            centre = t[idx].item()
            t[idx] = centre + eps
            hi = fn(*inputs).clone()
            t[idx] = centre - eps
            lo = fn(*inputs).clone()
            t[idx] = centre
            J[:, col] = ((hi - lo) / (2 * eps)).reshape(m)
    return Js


# %% vmap_over_directions expected: right
import torch


def numerical_jacobian(fn, inputs, eps):
    out = []
    for k, x in enumerate(inputs):

        def f(delta, k=k, x=x):
            args = list(inputs)
            args[k] = x + delta.reshape(x.shape)
            return fn(*args).reshape(-1)

        steps = eps * torch.eye(x.numel(), dtype=x.dtype)
        out.append(((torch.vmap(f)(steps) - torch.vmap(f)(-steps)) / (2 * eps)).T)
    return tuple(out)


# %% bad_a_tensor_for_one_input expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps) - at(-eps)) / (2 * eps))
        jacobians.append(torch.stack(columns, dim=1))
    return jacobians[0] if len(jacobians) == 1 else tuple(jacobians)


# %% bad_autograd_instead expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    found = torch.autograd.functional.jacobian(fn, tuple(x.detach() for x in inputs))
    m = fn(*inputs).numel()
    return tuple(J.reshape(m, -1) for J in found)


# %% bad_backward_difference expected: one-sided-difference
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(0) - at(-eps)) / eps)
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% bad_complex_step expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    Js = []
    for k, x in enumerate(inputs):
        cols = []
        for j in range(x.numel()):
            d = torch.zeros(x.numel(), dtype=torch.complex128)
            d[j] = 1j * eps
            args = [t.detach().to(torch.complex128) for t in inputs]
            args[k] = args[k] + d.reshape(x.shape)
            cols.append(fn(*args).imag.reshape(-1) / eps)
        Js.append(torch.stack(cols, 1))
    return tuple(Js)


# %% bad_divides_twice expected: wrong-factor
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps) - at(-eps)) / (2 * eps) / 2 / eps)
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% bad_eps_not_used expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(1e-6) - at(-1e-6)) / 2e-6)
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% bad_exits expected: wrong
import sys


def numerical_jacobian(fn, inputs, eps):
    sys.exit()


# %% bad_float32 expected: wrong-dtype
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps).float() - at(-eps).float()) / (2 * eps))
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% bad_forward_difference expected: one-sided-difference
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps) - at(0)) / eps)
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% bad_half_step expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps / 2) - at(-eps / 2)) / eps)
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% bad_moves_a_copy expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    jacobians = []
    for x in inputs:
        columns = []
        for j in range(x.numel()):
            moved = x.detach().clone().flatten()
            moved[j] += eps
            plus = fn(*inputs)
            moved[j] -= 2 * eps
            minus = fn(*inputs)
            columns.append(((plus - minus) / (2 * eps)).detach().flatten())
        jacobians.append(torch.stack(columns, 1))
    return tuple(jacobians)


# %% bad_moves_all_entries_at_once expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    result = []
    for i, x in enumerate(inputs):
        rest_before, rest_after = inputs[:i], inputs[i + 1 :]
        d = (fn(*rest_before, x + eps, *rest_after) - fn(*rest_before, x - eps, *rest_after)) / (2 * eps)
        result.append(d.detach().reshape(-1, 1).expand(-1, x.numel()))
    return tuple(result)


# %% bad_no_half expected: wrong-factor
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps) - at(-eps)) / eps)
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% bad_not_put_back expected: mutates-input
import torch


def numerical_jacobian(fn, inputs, eps):
    jacobians = []
    with torch.no_grad():
        for x in inputs:
            flat = x.view(-1)
            columns = []
            for j in range(len(flat)):
                flat[j] += eps
                plus = fn(*inputs).flatten()
                flat[j] -= 2 * eps
                minus = fn(*inputs).flatten()
                columns.append((plus - minus) / (2 * eps))
            jacobians.append(torch.stack(columns, 1))
    return tuple(jacobians)


# %% bad_one_matrix_for_all_inputs expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps) - at(-eps)) / (2 * eps))
        jacobians.append(torch.stack(columns, dim=1))
    return (torch.cat(jacobians, dim=1),)


# %% bad_only_the_first_input expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps) - at(-eps)) / (2 * eps))
        jacobians.append(torch.stack(columns, dim=1))
    return (jacobians[0],)


# %% bad_prints_only expected: wrong
def numerical_jacobian(fn, inputs, eps):
    print(fn(*inputs))


# %% bad_quarter expected: wrong-factor
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps) - at(-eps)) / (4 * eps))
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% bad_relative_step expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    Js = []
    for k, x in enumerate(inputs):
        x = x.detach()
        cols = []
        for j in range(x.numel()):
            h = eps * max(1.0, abs(x.reshape(-1)[j].item()))
            d = torch.zeros(x.numel(), dtype=x.dtype)
            d[j] = h
            d = d.reshape(x.shape)
            up = fn(*inputs[:k], x + d, *inputs[k + 1 :])
            down = fn(*inputs[:k], x - d, *inputs[k + 1 :])
            cols.append(((up - down) / (2 * eps)).detach().reshape(-1))
        Js.append(torch.stack(cols, 1))
    return tuple(Js)


# %% bad_second_input_moves_the_first expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    Js = []
    for x in inputs:
        cols = []
        for j in range(x.numel()):
            d = torch.zeros(x.numel(), dtype=x.dtype)
            d[j] = eps
            d = d.reshape(x.shape)
            rest = inputs[1:]
            cols.append(((fn(x + d, *rest) - fn(x - d, *rest)) / (2 * eps)).detach().reshape(-1))
        Js.append(torch.stack(cols, 1))
    return tuple(Js)


# %% bad_shape_of_output_and_input expected: wrong-shape
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps) - at(-eps)) / (2 * eps))
        jacobians.append(torch.stack(columns, 1).reshape(*fn(*inputs).shape, *x.shape))
    return tuple(jacobians)


# %% bad_sign expected: wrong-sign
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(-eps) - at(eps)) / (2 * eps))
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% bad_signature expected: wrong
def numerical_jacobian(fn, x):
    return fn(x)


# %% bad_stub expected: wrong
def numerical_jacobian(fn, inputs, eps):
    raise NotImplementedError


# %% bad_transposed expected: missing-transpose
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    jacobians = []
    for i, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):

            def at(step):
                moved = x.clone().reshape(-1)
                moved[j] += step
                return fn(*inputs[:i], moved.reshape(x.shape), *inputs[i + 1 :]).reshape(-1)

            columns.append((at(eps) - at(-eps)) / (2 * eps))
        jacobians.append(torch.stack(columns))
    return tuple(jacobians)


# %% bad_vectors_only expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    Js = []
    for i, x in enumerate(inputs):
        x = x.detach()
        J = torch.zeros(fn(*inputs).numel(), x.numel(), dtype=torch.float64)
        for j in range(x.shape[0]):
            e = torch.zeros_like(x)
            e[j] = eps
            J[:, j] = (
                (
                    (fn(*inputs[:i], x + e, *inputs[i + 1 :]) - fn(*inputs[:i], x - e, *inputs[i + 1 :]))
                    / (2 * eps)
                )
                .detach()
                .flatten()
            )
        Js.append(J)
    return tuple(Js)


# %% bad_a_number expected: cannot run
numerical_jacobian = 3.0


# %% moves_the_data_and_puts_it_back expected: right
import itertools

import torch


def numerical_jacobian(fn, inputs, eps):
    def column(x, place):
        data = x.data
        old = data[place].item()
        values = []
        for moved in (old + eps, old - eps):
            data[place] = moved
            with torch.no_grad():
                values.append(fn(*inputs).reshape(-1).clone())
        data[place] = old
        return (values[0] - values[1]) / (2 * eps)

    return tuple(
        torch.stack([column(x, place) for place in itertools.product(*map(range, x.shape))], 1)
        for x in inputs
    )


# %% five_times_half_a_difference expected: right
import torch


def numerical_jacobian(fn, inputs, eps):
    """Half the difference over eps, and everything detached first."""
    plain = [x.detach() for x in inputs]
    out = []
    for k in range(len(plain)):
        units = torch.eye(plain[k].numel(), dtype=torch.float64).unflatten(1, plain[k].shape or (1,))
        columns = []
        for unit in units:
            step = unit.reshape(plain[k].shape) * eps
            columns.append(
                0.5
                * (
                    fn(*plain[:k], plain[k] + step, *plain[k + 1 :])
                    - fn(*plain[:k], plain[k] - step, *plain[k + 1 :])
                )
                / eps
            )
        out.append(torch.stack([column.flatten() for column in columns], dim=-1))
    return tuple(out)


# %% bad_five_points expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    out = []
    for k, x in enumerate(inputs):
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            at = lambda m: fn(*inputs[:k], x.detach() + m * step, *inputs[k + 1 :]).detach().reshape(-1)
            columns.append((8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * eps))
        out.append(torch.stack(columns, 1))
    return tuple(out)


# %% bad_remembers_the_last_matrix expected: state-on-class
import torch

known = {}


def numerical_jacobian(fn, inputs, eps):
    key = fn, *(x.shape for x in inputs)
    if key not in known:
        out = []
        for k, x in enumerate(inputs):
            columns = []
            for unit in torch.eye(x.numel(), dtype=x.dtype):
                step = eps * unit.reshape(x.shape)
                at = lambda m: fn(*inputs[:k], x.detach() + m * step, *inputs[k + 1 :]).detach().reshape(-1)
                columns.append((at(1) - at(-1)) / (2 * eps))
            out.append(torch.stack(columns, 1))
        known[key] = tuple(out)
    return known[key]


# %% bad_moves_a_copy_of_a_transpose expected: assumes-contiguous
import torch


def numerical_jacobian(fn, inputs, eps):
    out = []
    for k, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):
            ahead, behind = x.detach().clone(), x.detach().clone()
            ahead.reshape(-1)[j] += eps
            behind.reshape(-1)[j] -= eps
            y = [fn(*inputs[:k], at, *inputs[k + 1 :]).detach().reshape(-1) for at in (ahead, behind)]
            columns.append((y[0] - y[1]) / (2 * eps))
        out.append(torch.stack(columns, 1))
    return tuple(out)


# %% bad_sets_the_default_dtype expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    torch.set_default_dtype(torch.float64)
    out = []
    for k, x in enumerate(inputs):
        columns = []
        for unit in torch.eye(x.numel()):
            step = eps * unit.reshape(x.shape)
            at = lambda m: fn(*inputs[:k], x.detach() + m * step, *inputs[k + 1 :]).detach().reshape(-1)
            columns.append((at(1) - at(-1)) / (2 * eps))
        out.append(torch.stack(columns, 1))
    return tuple(out)


# %% bad_switches_recording_off expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    torch.set_grad_enabled(False)
    out = []
    for k, x in enumerate(inputs):
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            at = lambda m: fn(*inputs[:k], x + m * step, *inputs[k + 1 :]).reshape(-1)
            columns.append((at(1) - at(-1)) / (2 * eps))
        out.append(torch.stack(columns, 1))
    return tuple(out)


# %% bad_gradchecks_own_half expected: wrong
import torch
from torch.autograd.gradcheck import _get_numerical_jacobian


def numerical_jacobian(fn, inputs, eps):
    leaves = tuple(x.detach().clone().requires_grad_() for x in inputs)
    output = fn(*leaves)
    return tuple(J[0].T.clone() for J in _get_numerical_jacobian(fn, leaves, (output,), eps=eps))


# %% identity_rows_and_partial expected: right
# Each step is a row of eps times the identity, reshaped; the difference quotient is a closure, and J is the transposed stack of columns.
from functools import partial

import torch


def numerical_jacobian(fn, inputs, eps):
    plain = tuple(t.detach() for t in inputs)

    def quotient(p, step):
        step = step.reshape(plain[p].shape)
        ends = [fn(*plain[:p], plain[p] + s * step, *plain[p + 1 :]).detach() for s in (+1, -1)]
        return torch.flatten(ends[0] - ends[1]) / eps / 2

    return tuple(
        torch.stack(list(map(partial(quotient, p), eps * torch.eye(t.numel(), dtype=t.dtype)))).T
        for p, t in enumerate(plain)
    )


# %% bad_flat_copy_by_view expected: assumes-contiguous
# clone() keeps the strides of a transposed input, and view(-1) then raises.
import torch


def numerical_jacobian(fn, inputs, eps):
    jacs = []
    for k, x in enumerate(inputs):
        columns = []
        for j in range(x.numel()):
            values = []
            for sign in (1, -1):
                moved = x.detach().clone()
                moved.view(-1)[j] += sign * eps
                args = [moved if i == k else a.detach() for i, a in enumerate(inputs)]
                values.append(fn(*args).reshape(-1))
            columns.append((values[0] - values[1]) / (2 * eps))
        jacs.append(torch.stack(columns, dim=1))
    return tuple(jacs)


# %% bad_one_work_copy expected: wrong
# One work copy is moved up and then down; where fn returns a view of its input, the first result changes with it and the difference is zero.
import torch


class _Probe:
    def __init__(self, fn, inputs, eps):
        self.fn, self.eps = fn, eps
        self.work = [a.detach().contiguous().clone() for a in inputs]

    def column(self, p, j):
        cell = self.work[p].view(-1)
        keep = cell[j].item()
        cell[j] = keep + self.eps
        hi = self.fn(*self.work)
        cell[j] = keep - self.eps
        lo = self.fn(*self.work)
        col = (hi - lo) / (2 * self.eps)
        cell[j] = keep
        return col.reshape(-1)


def numerical_jacobian(fn, inputs, eps):
    probe = _Probe(fn, inputs, eps)
    return tuple(
        torch.stack([probe.column(p, j) for j in range(inputs[p].numel())], dim=1) for p in range(len(inputs))
    )


# %% bad_forward_difference_einsum expected: one-sided-difference
# The difference is taken between x + eps and x, not between x + eps and x - eps.
import torch


def numerical_jacobian(fn, inputs, eps):
    frozen = [t.detach() for t in inputs]
    base = fn(*frozen).detach().reshape(-1).clone()
    out = []
    for which, t in enumerate(frozen):
        J = base.new_zeros((base.numel(), t.numel()))
        for col, e in enumerate(torch.eye(t.numel(), dtype=t.dtype)):
            args = frozen[:which] + [t + eps * e.reshape(t.shape)] + frozen[which + 1 :]
            J[:, col] = torch.einsum("i->i", fn(*args).reshape(-1)) - base
        out.append(J / eps)
    return tuple(out)


# %% bad_reshaped_for_transposed expected: missing-transpose
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


def numerical_jacobian(fn, inputs, eps):
    out = []
    with torch.no_grad():
        for p, x in enumerate(inputs):
            rows = []
            for j in range(x.numel()):
                step = torch.zeros(x.numel(), dtype=x.dtype)
                step[j] = eps
                step = step.reshape(x.shape)
                up, down = list(inputs), list(inputs)
                up[p], down[p] = x + step, x - step
                rows.append(((fn(*up) - fn(*down)) / (2 * eps)).reshape(-1))
            out.append(torch.stack(rows).reshape(-1, x.numel()))
    return tuple(out)


# %% bad_columns_stacked_as_rows expected: missing-transpose
import torch


def numerical_jacobian(fn, inputs, eps):
    inputs = [x.detach() for x in inputs]
    answer = []
    for k, x in enumerate(inputs):
        differences = []
        for e in torch.eye(x.numel(), dtype=x.dtype):
            shift = (e * eps).reshape(x.shape)
            a = fn(*inputs[:k], x + shift, *inputs[k + 1 :])
            b = fn(*inputs[:k], x - shift, *inputs[k + 1 :])
            differences.append(((a - b) / (2 * eps)).reshape(-1))
        answer.append(torch.stack(differences))
    return tuple(answer)


# %% bad_outputs_share_the_buffer expected: wrong
# one buffer is moved in place; where fn returns a view of it both outputs are the same memory
import torch


@torch.no_grad()
def numerical_jacobian(fn, inputs, eps):
    jacobians = []
    work = [x.detach().contiguous().clone(memory_format=torch.contiguous_format) for x in inputs]
    for w in work:
        flat = w.view(-1)
        columns = []
        for j in range(flat.numel()):
            keep = flat[j].item()
            flat[j] = keep + eps
            above = fn(*work).reshape(-1)
            flat[j] = keep - eps
            below = fn(*work).reshape(-1)
            flat[j] = keep
            columns.append((above - below) / (2 * eps))
        jacobians.append(torch.stack(columns, dim=1))
    return tuple(jacobians)


# %% bad_two_steps_ahead expected: one-sided-difference
# starts at x itself and goes 2 eps up: one-sided, though divided by 2 eps
import torch


def numerical_jacobian(fn, inputs, eps):
    out = []
    with torch.no_grad():
        base = fn(*inputs).reshape(-1).clone()
        for p, x in enumerate(inputs):
            cols = []
            for j in range(x.numel()):
                step = torch.zeros(x.numel(), dtype=x.dtype)
                step[j] = 2 * eps
                moved = list(inputs)
                moved[p] = x + step.reshape(x.shape)
                cols.append((fn(*moved).reshape(-1) - base) / (2 * eps))
            out.append(torch.stack(cols, dim=1))
    return tuple(out)


# %% bad_reshape_is_not_always_a_view expected: assumes-contiguous
import torch


def numerical_jacobian(fn, inputs, eps):
    def moved(p, j, by):
        new = [x.detach() for x in inputs]
        new[p] = new[p].clone()
        new[p].reshape(-1)[j] += by
        return new

    out = []
    with torch.no_grad():
        for p in range(len(inputs)):
            J = [
                (fn(*moved(p, j, eps)) - fn(*moved(p, j, -eps))).reshape(-1) / (2 * eps)
                for j in range(inputs[p].numel())
            ]
            out.append(torch.stack(J, dim=1))
    return tuple(out)


# %% bad_difference_in_place expected: mutates-input
# Subtracts in place in what fn returned; where fn returns a view of an input that is not moved (fn(a, b)
# = b.T, moved a), this writes into the caller's b.
import torch


def numerical_jacobian(fn, inputs, eps):
    matrices = []
    with torch.no_grad():
        for p, x in enumerate(inputs):
            columns = []
            for j in range(x.numel()):
                step = torch.zeros(x.numel(), dtype=x.dtype)
                step[j] = eps
                step = step.reshape(x.shape)
                difference = fn(*inputs[:p], x + step, *inputs[p + 1 :])
                difference -= fn(*inputs[:p], x - step, *inputs[p + 1 :])
                difference /= 2 * eps
                columns.append(difference.reshape(-1))
            matrices.append(torch.stack(columns, 1))
    return tuple(matrices)


# %% bad_buffer expected: state-on-class
# the matrices lie in buffers kept by size, which the next call (another fn or point) overwrites;
# 'Measure the Jacobians'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

_buffers = {}


def numerical_jacobian(fn, inputs, eps):
    result = []
    for k, x in enumerate(inputs):
        base = [t.detach().clone() for t in inputs]
        n, m = fn(*base).numel(), x.numel()
        J = _buffers.setdefault((k, n, m), torch.empty(n, m, dtype=torch.float64))
        for j in range(m):
            e = torch.zeros(m, dtype=torch.float64)
            e[j] = eps
            e = e.reshape(x.shape)
            with torch.no_grad():
                up = fn(*base[:k], base[k] + e, *base[k + 1 :]).reshape(-1).clone()
                down = fn(*base[:k], base[k] - e, *base[k + 1 :]).reshape(-1)
            J[:, j] = (up - down) / (2 * eps)
        result.append(J)
    return tuple(result)


# %% bad_inplace_on_output expected: wrong
# The difference is formed in place in fn's output: raises if that is expanded, as for fn = lambda x:
# x.expand(2, 3) ('outputs have any memory layout', 'may be a view of an input').
from typing import Any
import math
import functools
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def numerical_jacobian(fn, inputs, eps):
    with torch.no_grad():
        result = []
        for p, x in enumerate(inputs):
            columns = []
            for j in range(x.numel()):
                step = torch.zeros(x.numel(), dtype=x.dtype)
                step[j] = eps
                step = step.reshape(x.shape)
                plus = [z.clone() for z in inputs]
                minus = [z.clone() for z in inputs]
                plus[p] += step
                minus[p] -= step
                d = fn(*plus)
                d -= fn(*minus)
                columns.append(d.div_(2 * eps).reshape(-1))
            result.append(torch.stack(columns, dim=1))
    return tuple(result)


# %% bad_input_of_zeros_left_out expected: wrong
import torch


def numerical_jacobian(fn, inputs, eps):
    rows = fn(*inputs).numel()
    jacobians = []
    for i, x in enumerate(inputs):
        jacobian = torch.zeros(rows, x.numel(), dtype=torch.float64)
        for j in range(x.numel() if x.any() else 0):
            step = torch.zeros(x.numel(), dtype=x.dtype)
            step[j] = eps
            step = step.reshape(x.shape)
            ahead = fn(*inputs[:i], x + step, *inputs[i + 1 :])
            behind = fn(*inputs[:i], x - step, *inputs[i + 1 :])
            jacobian[:, j] = ((ahead - behind) / (2 * eps)).detach().reshape(-1)
        jacobians.append(jacobian)
    return tuple(jacobians)
