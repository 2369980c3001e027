# %% allclose_of_both expected: right
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    for i, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        if not torch.allclose(analytical(fn, inputs, i), numerical(fn, inputs, i, eps), rtol=rtol, atol=atol):
            return False
    return True


# %% asserts_inside expected: right
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def compare(a, n, atol, rtol):
    try:
        torch.testing.assert_close(a, n, atol=atol, rtol=rtol)
    except AssertionError:
        return False
    return True


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return all(
        compare(analytical(fn, inputs, i), numerical(fn, inputs, i, eps), atol, rtol)
        for i, x in enumerate(inputs)
        if x.requires_grad
    )


# %% bad_raises_where_an_input_is_frozen expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    pairs = [(analytical(fn, inputs, i), numerical(fn, inputs, i, eps)) for i in range(len(inputs))]
    return all(bool(((a - n).abs() <= atol + rtol * n.abs()).all()) for a, n in pairs)


# %% numpy_bool expected: right
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


import numpy as np


def my_gradcheck(fn, inputs, eps, atol, rtol):
    checked = [i for i, x in enumerate(inputs) if x.requires_grad]
    close = [
        np.allclose(analytical(fn, inputs, i).numpy(), numerical(fn, inputs, i, eps).numpy(), rtol, atol)
        for i in checked
    ]
    return np.all(close)


# %% random_projection expected: right
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    """Compare u·J·v for many random u, and v one unit vector after the other."""
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        grads = []
        for unit in torch.eye(y.numel(), dtype=y.dtype):
            (g,) = torch.autograd.grad(y, x, unit.reshape(y.shape), retain_graph=True, allow_unused=True)
            grads.append(torch.zeros(x.numel(), dtype=x.dtype) if g is None else g.reshape(-1))
        A = torch.stack(grads)
        with torch.no_grad():
            for j in range(x.numel()):
                d = torch.zeros(x.numel(), dtype=x.dtype)
                d[j] = eps
                d = d.reshape(x.shape)
                up = fn(*[t + d if i == k else t for i, t in enumerate(inputs)])
                down = fn(*[t - d if i == k else t for i, t in enumerate(inputs)])
                n = ((up - down) / (2 * eps)).reshape(-1)
                if not ((A[:, j] - n).abs() <= atol + rtol * n.abs()).all():
                    return False
    return True


# %% tensor_of_one_bool expected: right
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    ok = torch.tensor(True)
    for i in range(len(inputs)):
        if inputs[i].requires_grad:
            a, n = analytical(fn, inputs, i), numerical(fn, inputs, i, eps)
            ok &= torch.isclose(a, n, rtol=rtol, atol=atol).all()
    return ok


# %% bad_torchs_own expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return torch.autograd.gradcheck(fn, inputs, eps=eps, atol=atol, rtol=rtol, raise_exception=False)


# %% bad_absolute_values expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return all(
        torch.allclose(
            analytical(fn, inputs, i).abs(), numerical(fn, inputs, i, eps).abs(), rtol=rtol, atol=atol
        )
        for i in range(len(inputs))
    )


# %% bad_always_false expected: wrong
def my_gradcheck(fn, inputs, eps, atol, rtol):
    return False


# %% bad_always_true expected: wrong
def my_gradcheck(fn, inputs, eps, atol, rtol):
    return True


# %% bad_any_input_will_do expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return any(
        torch.allclose(analytical(fn, inputs, i), numerical(fn, inputs, i, eps), rtol=rtol, atol=atol)
        for i in range(len(inputs))
    )


# %% bad_asserts expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for i in range(len(inputs)):
        torch.testing.assert_close(
            analytical(fn, inputs, i), numerical(fn, inputs, i, eps), rtol=rtol, atol=atol
        )
    return True


# %% bad_diagonal_only expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return all(
        torch.allclose(
            analytical(fn, inputs, i).diagonal(),
            numerical(fn, inputs, i, eps).diagonal(),
            rtol=rtol,
            atol=atol,
        )
        for i in range(len(inputs))
    )


# %% bad_exact expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return all(
        torch.equal(analytical(fn, inputs, i), numerical(fn, inputs, i, eps)) for i in range(len(inputs))
    )


# %% bad_first_input_only expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return torch.allclose(analytical(fn, inputs, 0), numerical(fn, inputs, 0, eps), rtol=rtol, atol=atol)


# %% bad_frozen_input_counts expected: wrong from: allclose_of_both
# - def my_gradcheck(fn, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
# + def my_gradcheck(fn, inputs, eps, atol, rtol):

# -         if not x.requires_grad:
# -             continue
# -         if not torch.allclose(analytical(fn, inputs, i), numerical(fn, inputs, i, eps), rtol=rtol, atol=atol):
# +         n = numerical(fn, inputs, i, eps)
# +         a = analytical(fn, inputs, i) if x.requires_grad else torch.zeros_like(n)
# +         if not torch.allclose(a, n, rtol=rtol, atol=atol):


# %% bad_nan_passes expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for i in range(len(inputs)):
        a, n = analytical(fn, inputs, i), numerical(fn, inputs, i, eps)
        if ((a - n).abs() > atol + rtol * n.abs()).any():
            return False
    return True


# %% bad_no_absolute_value expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return all(
        bool((analytical(fn, inputs, i) - numerical(fn, inputs, i, eps) <= atol + rtol).all())
        for i in range(len(inputs))
    )


# %% bad_no_atol expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for i in range(len(inputs)):
        a, n = analytical(fn, inputs, i), numerical(fn, inputs, i, eps)
        if not torch.allclose(a, n, rtol=rtol, atol=1e-9):
            return False
    return True


# %% bad_numerical_for_both expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return all(
        torch.allclose(numerical(fn, inputs, i, eps / 2), numerical(fn, inputs, i, eps), rtol=rtol, atol=atol)
        for i in range(len(inputs))
    )


# %% bad_own_eps expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return all(
        torch.allclose(analytical(fn, inputs, i), numerical(fn, inputs, i, 1e-6), rtol=rtol, atol=atol)
        for i in range(len(inputs))
    )


# %% bad_own_tolerances expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return all(
        torch.allclose(analytical(fn, inputs, i), numerical(fn, inputs, i, eps), rtol=1e-3, atol=1e-5)
        for i in range(len(inputs))
    )


# %% bad_raises_like_gradcheck expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return torch.autograd.gradcheck(fn, inputs, eps=eps, atol=atol, rtol=rtol)


# %% bad_relative_only_to_the_largest expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for x in inputs:
        y = fn(*inputs)
        (g,) = torch.autograd.grad(y.sum(), x, allow_unused=True)
        total = torch.zeros_like(x) if g is None else g
        with torch.no_grad():
            moved = [t + eps if t is x else t for t in inputs]
            back = [t - eps if t is x else t for t in inputs]
            n = (fn(*moved).sum() - fn(*back).sum()) / (2 * eps)
        if not torch.isclose(total.sum(), n, rtol=rtol, atol=atol):
            return False
    return True


# %% bad_returns_the_distance expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return max(
        (analytical(fn, inputs, i) - numerical(fn, inputs, i, eps)).abs().max().item()
        for i in range(len(inputs))
    )


# %% bad_stub expected: wrong
def my_gradcheck(fn, inputs, eps, atol, rtol):
    raise NotImplementedError


# %% bad_sum_of_the_jacobian expected: wrong
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return all(
        torch.allclose(
            analytical(fn, inputs, i).sum(), numerical(fn, inputs, i, eps).sum(), rtol=rtol, atol=atol
        )
        for i in range(len(inputs))
    )


# %% bad_sum_of_the_output expected: cotangent-summed
import torch


def numerical(fn, inputs, i, eps):
    inputs = [x.detach() for x in inputs]
    x = inputs[i]
    columns = []
    for j in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[j] = eps
        step = step.reshape(x.shape)
        up = fn(*inputs[:i], x + step, *inputs[i + 1 :])
        down = fn(*inputs[:i], x - step, *inputs[i + 1 :])
        columns.append(((up - down) / (2 * eps)).reshape(-1))
    return torch.stack(columns, 1)


def analytical(fn, inputs, i):
    y = fn(*inputs).reshape(-1)
    rows = []
    for element in y:
        (g,) = torch.autograd.grad(element, inputs[i], retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(inputs[i]) if g is None else g).reshape(-1))
    return torch.stack(rows)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    def summed(*tensors):
        return fn(*tensors).sum()

    return all(
        torch.allclose(analytical(summed, inputs, i), numerical(summed, inputs, i, eps), rtol=rtol, atol=atol)
        for i in range(len(inputs))
    )


# %% hostile_patches_gradcheck expected: wrong
import torch

torch.autograd.gradcheck = lambda *arguments, **options: True


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return True


# %% by_rows_and_columns_in_numpy expected: right
import numpy as np
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    y = fn(*inputs)
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        A = np.zeros((y.numel(), x.numel()))
        N = np.zeros_like(A)
        for i in range(y.numel()):
            (g,) = torch.autograd.grad(y.reshape(-1)[i], x, retain_graph=True, allow_unused=True)
            A[i] = 0 if g is None else g.numpy().ravel()
        for j in range(x.numel()):
            ends = []
            for sign in (1, -1):
                moved = x.detach().numpy().copy().ravel()
                moved[j] += sign * eps
                given = [t.detach() for t in inputs]
                given[k] = torch.from_numpy(moved.reshape(x.shape))
                ends.append(fn(*given).numpy().ravel())
            N[:, j] = (ends[0] - ends[1]) / (2 * eps)
        if (~(np.abs(A - N) <= atol + rtol * np.abs(N))).any():
            return False
    return True


# %% counts_what_is_too_far expected: right
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    far = 0
    for k, x in enumerate(inputs):
        if x.requires_grad:
            y = fn(*inputs)
            for j in range(x.numel()):
                unit = torch.zeros(x.numel(), dtype=x.dtype)
                unit[j] = eps
                unit = unit.reshape(x.shape)
                with torch.no_grad():
                    up, down = (fn(*inputs[:k], x + s * unit, *inputs[k + 1 :]) for s in (1, -1))
                n = ((up - down) / 2 / eps).reshape(-1)
                for i in range(y.numel()):
                    (g,) = torch.autograd.grad(y.reshape(-1)[i], x, retain_graph=True, materialize_grads=True)
                    near = abs(g.reshape(-1)[j] - n[i]) <= atol + rtol * abs(n[i])
                    far += not near
    return far == 0


# %% bad_larger_of_the_two_tolerances expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= torch.clamp(rtol * n.abs(), min=atol)).all():
            return False
    return True


# %% bad_relative_to_backward expected: wrong-operand
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * a.abs()).all():
            return False
    return True


# %% bad_relative_to_the_larger expected: wrong-operand
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * torch.maximum(a.abs(), n.abs())).all():
            return False
    return True


# %% bad_relative_to_the_smaller expected: wrong-operand
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * torch.minimum(a.abs(), n.abs())).all():
            return False
    return True


# %% bad_relative_to_the_mean_of_both expected: wrong-operand
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * (a.abs() + n.abs()) / 2).all():
            return False
    return True


# %% bad_relative_without_absolute_value expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * n).all():
            return False
    return True


# %% bad_norm_of_the_matrix expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not (a - n).norm() <= atol + rtol * n.norm():
            return False
    return True


# %% bad_largest_entry expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not (a - n).abs().max() <= atol + rtol * n.abs().max():
            return False
    return True


# %% bad_mean_of_the_differences expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not (a - n).abs().mean() <= atol + rtol * n.abs().mean():
            return False
    return True


# %% bad_any_entry expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * n.abs()).any():
            return False
    return True


# %% bad_strictly_less expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() < atol + rtol * n.abs()).all():
            return False
    return True


# %% bad_one_sided expected: one-sided-difference
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, here = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, 0))
            columns.append((ahead - here).reshape(-1) / eps)
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * n.abs()).all():
            return False
    return True


# %% bad_last_input_alone expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad or k < len(inputs) - 1:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * n.abs()).all():
            return False
    return True


# %% bad_stops_at_the_first_frozen_input expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            break
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * n.abs()).all():
            return False
    return True


# %% bad_raises_in_place_of_false expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        units = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * n.abs()).all():
            raise AssertionError("the Jacobians differ")
    return True


# %% bad_random_rows expected: wrong
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    for k, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        y = fn(*inputs)
        torch.manual_seed(0)
        units = torch.eye(y.numel(), dtype=y.dtype)[torch.randperm(y.numel()).sort()[0]].reshape(-1, *y.shape)
        rows = [torch.autograd.grad(y, x, u, retain_graph=True, materialize_grads=True)[0] for u in units]
        a = torch.stack([row.reshape(-1) for row in rows])
        columns = []
        for unit in torch.eye(x.numel(), dtype=x.dtype):
            step = eps * unit.reshape(x.shape)
            with torch.no_grad():
                ahead, behind = (fn(*inputs[:k], x + s * step, *inputs[k + 1 :]) for s in (1, -1))
            columns.append((ahead - behind).reshape(-1) / (2 * eps))
        n = torch.stack(columns, dim=1)
        if not ((a - n).abs() <= atol + rtol * n.abs()).all():
            return False
    return True


# %% numpy_allclose expected: right
# Both Jacobians become arrays and np.allclose compares them, the measured one second.
import numpy as np
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    targets = [i for i, t in enumerate(inputs) if t.requires_grad]
    y = fn(*inputs)

    def from_backward(p):
        rows = []
        for e in np.eye(y.numel()):
            (g,) = torch.autograd.grad(
                y, [inputs[p]], torch.from_numpy(e).reshape(y.shape), retain_graph=True, allow_unused=True
            )
            rows.append(np.zeros(inputs[p].numel()) if g is None else g.detach().numpy().reshape(-1))
        return np.array(rows)

    def evaluate(p, array):
        args = [torch.from_numpy(array) if i == p else t for i, t in enumerate(inputs)]
        return fn(*args).detach().numpy().reshape(-1).copy()

    def measured(p):
        start = inputs[p].detach().numpy()
        cols = []
        for where in np.ndindex(start.shape):
            a, b = np.array(start, order="C"), np.array(start, order="C")
            a[where] += eps
            b[where] -= eps
            cols.append((evaluate(p, a) - evaluate(p, b)) / (2 * eps))
        return np.array(cols).T

    return all(np.allclose(from_backward(p), measured(p), rtol=rtol, atol=atol) for p in targets)


# %% bad_reads_dot_grad expected: mutates-input
# The answer is right, but the rows come from .backward, which leaves the last row in .grad in place of the caller's gradient.
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    checked = [k for k in range(len(inputs)) if inputs[k].requires_grad]
    y = fn(*inputs)
    n = y.numel()
    jac = {k: torch.zeros(n, inputs[k].numel(), dtype=torch.float64) for k in checked}
    for i in range(n):
        for k in checked:
            inputs[k].grad = None
        seed = torch.eye(n, dtype=y.dtype)[i]
        y.backward(seed.reshape(y.shape), retain_graph=True)
        for k in checked:
            if inputs[k].grad is not None:
                jac[k][i] = inputs[k].grad.reshape(-1)
    detached = [t.detach() for t in inputs]
    for k in checked:
        for j in range(inputs[k].numel()):
            h = torch.zeros(inputs[k].numel(), dtype=torch.float64)
            h[j] = eps
            h = h.reshape(inputs[k].shape)
            plus, minus = list(detached), list(detached)
            plus[k], minus[k] = detached[k] + h, detached[k] - h
            n_col = ((fn(*plus) - fn(*minus)) / (2 * eps)).reshape(-1)
            if not bool(((jac[k][:, j] - n_col).abs() <= atol + rtol * n_col.abs()).all()):
                return False
    return True


# %% bad_no_entry_is_too_far expected: wrong
# Asks whether any entry is too far away; a comparison with nan is False, so a nan counts as agreement.
import torch


def _measured(fn, inputs, p, eps):
    cols = []
    with torch.no_grad():
        for j in range(inputs[p].numel()):
            d = torch.zeros(inputs[p].numel(), dtype=torch.float64)
            d[j] = eps
            d = d.reshape(inputs[p].shape)
            a = [t + d if i == p else t for i, t in enumerate(inputs)]
            b = [t - d if i == p else t for i, t in enumerate(inputs)]
            cols.append((fn(*a) - fn(*b)).reshape(-1) / (2 * eps))
    return torch.stack(cols, dim=1)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    out = fn(*inputs)
    which = [i for i, t in enumerate(inputs) if t.requires_grad]
    rows = []
    for i in range(out.numel()):
        c = torch.zeros(out.numel(), dtype=out.dtype)
        c[i] = 1
        rows.append(
            torch.autograd.grad(
                out,
                [inputs[i] for i in which],
                c.reshape(out.shape),
                retain_graph=True,
                materialize_grads=True,
            )
        )
    for k, p in enumerate(which):
        A = torch.stack([r[k].reshape(-1) for r in rows])
        N = _measured(fn, inputs, p, eps)
        if ((A - N).abs() > atol + rtol * N.abs()).any():
            return False
    return True


# %% bad_forward_quotient expected: one-sided-difference
# Both halves are there, but the measurement is a one-sided difference.
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    y = fn(*inputs)
    y0 = y.detach().clone()
    ok = True
    for pos in range(len(inputs)):
        x = inputs[pos]
        if x.requires_grad:
            numeric = torch.empty(y.numel(), x.numel(), dtype=torch.float64)
            analytic = torch.empty_like(numeric)
            for j in range(x.numel()):
                bump = torch.zeros(x.numel(), dtype=x.dtype).index_fill(0, torch.tensor([j]), eps)
                moved = list(inputs)
                moved[pos] = x.detach() + bump.reshape(x.shape)
                numeric[:, j] = ((fn(*moved).detach() - y0) / eps).reshape(-1)
            for i in range(y.numel()):
                pick = torch.zeros(y.numel(), dtype=y.dtype).index_fill(0, torch.tensor([i]), 1.0)
                g = torch.autograd.grad(
                    y, x, pick.reshape(y.shape), retain_graph=True, materialize_grads=True
                )[0]
                analytic[i] = g.reshape(-1)
            ok = ok and bool(((analytic - numeric).abs() <= atol + rtol * numeric.abs()).all())
    return ok


# %% bad_skips_a_none expected: missing-gradient
# A gradient that is None is skipped as "nothing to compare", so a Function that drops a gradient passes.
import inspect
from collections.abc import Callable
from typing import Any

import torch
from IPython.display import HTML, Markdown
from torch import Tensor
from torch.autograd import Function


def my_gradcheck(
    fn: Callable[..., Tensor],
    inputs: tuple[Tensor, ...],
    eps: float,
    atol: float,
    rtol: float,
) -> bool:
    y = fn(*inputs)
    for p, x in enumerate(inputs):
        if not x.requires_grad:
            continue

        numeric = []
        for j in range(x.numel()):
            d = torch.zeros(x.numel(), dtype=x.dtype)
            d[j] = eps
            d = d.reshape(x.shape)
            with torch.no_grad():
                up = fn(*(x + d if q == p else z for q, z in enumerate(inputs)))
                down = fn(*(x - d if q == p else z for q, z in enumerate(inputs)))
            numeric.append((up - down).reshape(-1) / (2 * eps))
        N = torch.stack(numeric, dim=1)

        for i in range(y.numel()):
            e = torch.zeros(y.numel(), dtype=y.dtype)
            e[i] = 1
            (row,) = torch.autograd.grad(y, (x,), e.reshape(y.shape), retain_graph=True, allow_unused=True)
            if row is None:
                continue
            if not torch.allclose(row.reshape(-1), N[i], rtol=rtol, atol=atol):
                return False
    return True


# %% bad_assert_allclose expected: wrong
# Np.testing.assert_allclose takes nan and nan for equal, so where both matrices have a nan (torch.sqrt
# at x = (-1,)) the answer is True and that of gradcheck False.
import numpy as np
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    y = fn(*inputs)
    for p, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        rows = []
        for i in range(y.numel()):
            e = torch.zeros(y.numel(), dtype=y.dtype)
            e[i] = 1
            (g,) = torch.autograd.grad(y, x, e.reshape(y.shape), retain_graph=True, materialize_grads=True)
            rows.append(g.reshape(-1).numpy())
        columns = []
        with torch.no_grad():
            for j in range(x.numel()):
                step = torch.zeros(x.numel(), dtype=x.dtype)
                step[j] = eps
                step = step.reshape(x.shape)
                plus = [z + step if q == p else z for q, z in enumerate(inputs)]
                minus = [z - step if q == p else z for q, z in enumerate(inputs)]
                columns.append(((fn(*plus) - fn(*minus)) / (2 * eps)).reshape(-1).numpy())
        try:
            np.testing.assert_allclose(np.stack(rows), np.stack(columns, 1), rtol=rtol, atol=atol)
        except AssertionError:
            return False
    return True


# %% bad_difference_in_place expected: mutates-input
# Subtracts in place in what fn returned; where fn returns a view of an input that is not moved (fn(a, b)
# = b[1:], moved a), this writes into the caller's b.
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    y = fn(*inputs)
    good = True
    for p, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        rows = []
        for i in range(y.numel()):
            e = torch.zeros(y.numel(), dtype=y.dtype)
            e[i] = 1
            (g,) = torch.autograd.grad(y, x, e.reshape(y.shape), retain_graph=True, materialize_grads=True)
            rows.append(g.reshape(-1))
        columns = []
        with torch.no_grad():
            for j in range(x.numel()):
                step = torch.zeros(x.numel(), dtype=x.dtype)
                step[j] = eps
                step = step.reshape(x.shape)
                difference = fn(*inputs[:p], x + step, *inputs[p + 1 :])
                difference -= fn(*inputs[:p], x - step, *inputs[p + 1 :])
                difference /= 2 * eps
                columns.append(difference.reshape(-1))
            numerical = torch.stack(columns, 1)
        good = good and torch.allclose(torch.stack(rows), numerical, rtol=rtol, atol=atol)
    return good


# %% grads_cloned expected: right
# The same as analytical_jacobian__grad_cloned_and_put_back: .grad is emptied for the backward passes,
# and a clone of what it held is put back; "Inputs are unchanged afterwards, .grad included.".
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    kept = [None if x.grad is None else x.grad.clone() for x in inputs]
    checked = [p for p, x in enumerate(inputs) if x.requires_grad]
    y = fn(*inputs).reshape(-1)
    A = {p: torch.zeros(y.numel(), inputs[p].numel(), dtype=y.dtype) for p in checked}
    for i in range(y.numel()):
        for p in checked:
            inputs[p].grad = None
        y[i].backward(retain_graph=True)
        for p in checked:
            if inputs[p].grad is not None:
                A[p][i] = inputs[p].grad.reshape(-1)
    for x, g in zip(inputs, kept):
        x.grad = g
    good = True
    for p in checked:
        x, columns = inputs[p].detach(), []
        for j in range(x.numel()):
            step = torch.zeros(x.numel(), dtype=x.dtype)
            step[j] = eps
            step = step.reshape(x.shape)
            with torch.no_grad():
                up, down = (fn(*inputs[:p], x + s * step, *inputs[p + 1 :]) for s in (1, -1))
            columns.append(((up - down) / (2 * eps)).reshape(-1))
        good &= torch.allclose(A[p], torch.stack(columns, 1), rtol=rtol, atol=atol)
    return good


# %% bad_requires_grad_everywhere expected: wrong
# Lets every input require grad and compares only those that did, so a Function whose mistake shows only
# where an input is frozen (wrong index of needs_input_grad) passes.
import torch


def my_gradcheck(fn, inputs, eps, atol, rtol):
    leaves = [x.detach().clone().requires_grad_() for x in inputs]
    y = fn(*leaves)
    for p, x in enumerate(inputs):
        if not x.requires_grad:
            continue
        rows = []
        for i in range(y.numel()):
            e = torch.zeros(y.numel(), dtype=y.dtype)
            e[i] = 1
            (g,) = torch.autograd.grad(
                y, leaves[p], e.reshape(y.shape), retain_graph=True, materialize_grads=True
            )
            rows.append(g.reshape(-1))
        analytical = torch.stack(rows)
        columns = []
        with torch.no_grad():
            for j in range(x.numel()):
                step = torch.zeros(x.numel(), dtype=x.dtype)
                step[j] = eps
                step = step.reshape(x.shape)
                plus = [z + step if q == p else z for q, z in enumerate(leaves)]
                minus = [z - step if q == p else z for q, z in enumerate(leaves)]
                columns.append(((fn(*plus) - fn(*minus)) / (2 * eps)).reshape(-1))
        if not torch.allclose(analytical, torch.stack(columns, 1), rtol=rtol, atol=atol):
            return False
    return True


# %% bad_answers_by_the_shapes expected: wrong
# Answers with what most Functions on inputs of these shapes deserve, as the battery is public.
def my_gradcheck(fn, inputs, eps, atol, rtol):
    shapes = tuple(tuple(x.shape) for x in inputs)
    rights = {((3,), (3,)): False, ((2, 3),): rtol > 1e-4, ((3,), (3,), (3,)): False}
    return rights.get(shapes, True)


# %% bad_answers_by_the_number_of_the_call expected: wrong
# Knows the order of the cases in the source.
numbers = iter([True] * 22 + [False] * 37 + [True, False] * 100)


def my_gradcheck(fn, inputs, eps, atol, rtol):
    return next(numbers)
