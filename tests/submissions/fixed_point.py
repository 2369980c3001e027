# %% adjoint_iteration expected: right
import torch


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.tanh(b + x)
        for _ in range(500):
            ahead = torch.tanh(z @ w.T + b + x)
            if (ahead - z).abs().max() < 1e-10:
                break
            z = ahead
        ctx.save_for_backward(w, ahead)
        return ahead

    @staticmethod
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        d = 1 - z**2
        u = g
        for _ in range(80):
            u = g + (d * u) @ w
        v = (d * u).reshape(-1, len(w))
        return v.T @ z.reshape(-1, len(w)), v.sum(0), v.reshape(z.shape)


# %% implicit_step_as_second_function expected: right
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ImplicitBackward(Function):
    @staticmethod
    def forward(ctx, g, w, z):
        d = 1 - z * z
        u = g.clone()
        for _ in range(60):
            u = g + (d * u) @ w
        return d * u

    @staticmethod
    @once_differentiable
    def backward(ctx, *_):
        raise RuntimeError("FixedPoint can be differentiated once")


class FixedPoint(Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = x.new_zeros(x.shape)
        for _ in range(64):
            z = (torch.nn.functional.linear(z, w, b) + x).tanh()
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        v = ImplicitBackward.apply(g, w, z)
        flat = v.reshape(-1, v.shape[-1])
        return flat.T @ z.reshape(flat.shape), flat.sum(0), v


# %% jacobian_inverted_in_forward expected: right
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        while True:
            ahead = torch.tanh(z @ w.T + b + x)
            if torch.allclose(ahead, z, rtol=1e-12 if x.dtype == torch.float64 else 1e-6, atol=0):
                break
            z = ahead
        slope = 1 - ahead**2
        inverse = torch.linalg.inv(torch.eye(len(w), dtype=w.dtype) - slope[..., None] * w)
        ctx.save_for_backward(ahead, inverse * slope[..., None, :])
        return ahead

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        z, matrix = ctx.saved_tensors
        v = (g[..., None, :] @ matrix)[..., 0, :]
        flat = v.reshape(-1, v.shape[-1])
        return flat.T @ z.reshape(flat.shape), flat.sum(0), v


# %% linear_solve expected: right
import torch


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(100):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        d = 1 - z * z
        eye = torch.eye(w.shape[0], dtype=w.dtype)
        system = eye - w.T * d.unsqueeze(-2)
        u = torch.linalg.solve(system, g.unsqueeze(-1)).squeeze(-1)
        back = d * u
        if z.dim() == 1:
            return torch.outer(back, z), back, back
        return back.T @ z, back.sum(0), back


# %% newton_and_inverse expected: right
import torch


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        rows = x.reshape(-1, x.shape[-1])
        eye = torch.eye(len(b), dtype=x.dtype)
        solved = []
        for row in rows:
            z = torch.zeros_like(b)
            for _ in range(12):
                t = torch.tanh(w @ z + b + row)
                z = z + torch.linalg.inv(eye - torch.diag(1 - t**2) @ w) @ (t - z)
            solved.append(z)
        z = torch.stack(solved).reshape(x.shape)
        ctx.save_for_backward(w, b, x, z)
        return z

    @staticmethod
    def backward(ctx, g):
        w, b, x, z = ctx.saved_tensors
        eye = torch.eye(len(b), dtype=x.dtype)
        gw, gb, gx = torch.zeros_like(w), torch.zeros_like(b), []
        for row, cotangent in zip(z.reshape(-1, len(b)), g.reshape(-1, len(b))):
            d = torch.diag(1 - row**2)
            v = cotangent @ torch.linalg.inv(eye - d @ w) @ d
            gw = gw + v[:, None] * row
            gb = gb + v
            gx.append(v)
        return gw, gb, torch.stack(gx).reshape(g.shape)


# %% setup_context_einsum_once_differentiable expected: right
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class FixedPoint(Function):
    @staticmethod
    def forward(w, b, x):
        z = torch.zeros_like(x)
        change = torch.inf
        while change > 1e-11:
            new = torch.tanh(torch.einsum("ij,...j->...i", w, z) + b + x)
            change = float((new - z).abs().max())
            z = new
            if change != change:
                raise ValueError("no contraction")
            if w.dtype == torch.float32 and change < 1e-5:
                break
        return z

    @staticmethod
    def setup_context(ctx, inputs, output):
        w, b, _ = inputs
        ctx.save_for_backward(w, output)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        slope = 1 - z.square()
        jacobian = torch.eye(len(w), dtype=w.dtype) - slope[..., :, None] * w
        u = torch.linalg.solve(jacobian.mT, g[..., None])[..., 0] * slope
        need_w, need_b, need_x = ctx.needs_input_grad
        gw = torch.einsum("...i,...j->ij", u, z) if need_w else None
        gb = u.sum_to_size(len(w)) if need_b else None
        return gw, gb, u if need_x else None


# %% vmapped_solve_in_float64_steps expected: right
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        drive = b + x
        z, steps = torch.tanh(drive), 0
        while steps < 200:
            z, before, steps = torch.tanh(z @ w.T + drive), z, steps + 1
            if torch.equal(z, before):
                break
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        n = len(w)
        rows = []
        for zi, gi in zip(z.view(-1, n), g.reshape(-1, n)):
            d = torch.diag(1 - zi**2)
            rows.append(d @ torch.linalg.solve(torch.eye(n, dtype=w.dtype) - w.T @ d, gi))
        v = torch.stack(rows)
        return torch.einsum("bi,bj->ij", v, z.view(-1, n)), v.sum(dim=0), v.view(x_shape := z.shape)


# %% bad_autograd_of_the_last_step expected: autograd-in-backward
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(100):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, b, x, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, b, x = (t.detach().requires_grad_() for t in ctx.saved_tensors[:3])
        z = ctx.saved_tensors[3].detach()
        with torch.enable_grad():
            step = torch.tanh(z @ w.T + b + x)
        return torch.autograd.grad(step, (w, b, x), g)


# %% bad_autograd_through_the_loop expected: autograd-in-backward
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(100):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, b, x)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, b, x = (t.detach().requires_grad_() for t in ctx.saved_tensors)
        with torch.enable_grad():
            z = torch.zeros_like(x)
            for _ in range(50):
                z = torch.tanh(z @ w.T + b + x)
        return torch.autograd.grad(z, (w, b, x), g)


# %% bad_batch_mean expected: mean-instead-of-sum from: linear_solve
# -         return back.T @ z, back.sum(0), back
# +         return back.T @ z, back.mean(0), back


# %% bad_bias_not_summed expected: missing-unbroadcast from: linear_solve
# -         return back.T @ z, back.sum(0), back
# +         return back.T @ z, back, back


# %% bad_bias_twice_in_backward expected: too-few-gradients from: linear_solve
# -             return torch.outer(back, z), back, back
# -         return back.T @ z, back.sum(0), back
# +             return torch.outer(back, z), back
# +         return back.T @ z, back.sum(0)


# %% bad_detached expected: detached-in-backward from: linear_solve
# -         w, z = ctx.saved_tensors
# +         w, z = (t.detach() for t in ctx.saved_tensors)


# %% bad_four_iterations expected: not-precise
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(80):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        n = len(w)
        d = 1 - z * z
        u = g
        for _ in range(3):
            u = g + (d * u) @ w
        v = (d * u).view(-1, n)
        return v.T @ z.view(-1, n), v.sum(0), v.view(z.shape)


# %% bad_iterates_under_no_grad expected: detached-in-backward from: linear_solve
# -         eye = torch.eye(w.shape[0], dtype=w.dtype)
# -         system = eye - w.T * d.unsqueeze(-2)
# -         u = torch.linalg.solve(system, g.unsqueeze(-1)).squeeze(-1)
# +         with torch.no_grad():
# +             u = g
# +             for _ in range(80):
# +                 u = g + (d * u) @ w


# %% bad_keeps_every_iterate expected: saves-too-much
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        zs = [torch.zeros_like(x)]
        for _ in range(60):
            zs.append(torch.tanh(zs[-1] @ w.T + b + x))
        ctx.save_for_backward(w, *zs)
        return zs[-1]

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, *zs = ctx.saved_tensors
        n = len(w)
        gw, gx = torch.zeros_like(w), torch.zeros_like(g)
        for before, after in zip(zs[-2::-1], zs[:0:-1]):
            v = g * (1 - after**2)
            gw = gw + v.reshape(-1, n).T @ before.reshape(-1, n)
            gx = gx + v
            g = v @ w
        return gw, gx.reshape(-1, n).sum(0), gx


# %% bad_no_gradient_for_bias expected: missing-gradient from: linear_solve
# -             return torch.outer(back, z), back, back
# -         return back.T @ z, back.sum(0), back
# +             return torch.outer(back, z), None, back
# +         return back.T @ z, None, back


# %% bad_not_transposed expected: missing-transpose from: linear_solve
# -         system = eye - w.T * d.unsqueeze(-2)
# +         system = eye - w * d.unsqueeze(-2)


# %% bad_not_transposed_iteration expected: missing-transpose from: linear_solve
# -         eye = torch.eye(w.shape[0], dtype=w.dtype)
# -         system = eye - w.T * d.unsqueeze(-2)
# -         u = torch.linalg.solve(system, g.unsqueeze(-1)).squeeze(-1)
# +         u = g
# +         for _ in range(80):
# +             u = g + (d * u) @ w.T


# %% bad_numpy expected: numpy-in-backward from: linear_solve
#   import torch
# + import numpy as np

# -         u = torch.linalg.solve(system, g.unsqueeze(-1)).squeeze(-1)
# +         u = np.linalg.solve(system.detach().numpy(), g.unsqueeze(-1).detach().numpy())
# +         u = torch.from_numpy(u).squeeze(-1)


# %% bad_one_step expected: differentiates-one-step
import torch


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(100):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        back = g * (1 - z * z)
        if z.dim() == 1:
            return torch.outer(back, z), back, back
        return back.T @ z, back.sum(0), back


# %% bad_one_step_with_matmul expected: differentiates-one-step
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(100):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        flat = (g * (1 - z**2)).reshape(-1, z.shape[-1])
        return flat.T @ z.reshape(flat.shape), flat.sum(0), flat.reshape(z.shape)


# %% bad_sign expected: wrong-sign from: linear_solve
# -         back = d * u
# +         back = -d * u


# %% bad_sign_in_the_system expected: wrong-sign-of-a-term from: linear_solve
# -         system = eye - w.T * d.unsqueeze(-2)
# +         system = eye + w.T * d.unsqueeze(-2)


# %% bad_slope_left_out expected: missing-factor from: linear_solve
# -         system = eye - w.T * d.unsqueeze(-2)
# +         system = eye - w.T


# %% bad_slope_left_out_at_the_end expected: missing-factor from: linear_solve
# -         back = d * u
# +         back = u


# %% bad_solution_on_ctx expected: intermediate-kept-on-ctx from: linear_solve
# -         ctx.save_for_backward(w, z)
# +         ctx.save_for_backward(w)
# +         ctx.z = z.clone()

# -         w, z = ctx.saved_tensors
# +         (w,) = ctx.saved_tensors
# +         z = ctx.z


# %% bad_three_iterations expected: forward-value from: linear_solve
# -         for _ in range(100):
# +         for _ in range(3):


# %% bad_two_steps expected: differentiates-one-step from: linear_solve
# -         eye = torch.eye(w.shape[0], dtype=w.dtype)
# -         system = eye - w.T * d.unsqueeze(-2)
# -         u = torch.linalg.solve(system, g.unsqueeze(-1)).squeeze(-1)
# -         back = d * u
# +         back = d * g
# +         back = d * (g + back @ w)


# %% bad_weight_transposed expected: missing-transpose from: linear_solve
# -             return torch.outer(back, z), back, back
# -         return back.T @ z, back.sum(0), back
# +             return torch.outer(z, back), back, back
# +         return z.T @ back, back.sum(0), back


# %% bad_weight_transposed_in_forward expected: forward-value from: linear_solve
# -             z = torch.tanh(z @ w.T + b + x)
# +             z = torch.tanh(z @ w + b + x)


# %% adjoint_iteration_otherwise expected: right
# Finds the adjoint by iteration too, and declares that there is no second derivative.
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def iterate(step, start, times=150):
    for _ in range(times):
        start = step(start)
    return start


class FixedPoint(Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = iterate(lambda z: torch.tanh(z @ w.T + b + x), torch.zeros_like(x))
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        w, z = ctx.saved_tensors
        d = 1 - z * z
        v = d * iterate(lambda u: grad_output + (d * u) @ w, grad_output)
        return torch.einsum("...i,...j->ij", v, z), v.sum_to_size(w.shape[:1]), v


# %% bad_bias_like_x expected: missing-unbroadcast
# b gets the gradient of x, not summed over the batch; right for a single vector.
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class FixedPoint(Function):
    @staticmethod
    def forward(ctx: Any, w: Tensor, b: Tensor, x: Tensor) -> Tensor:
        state = torch.zeros_like(x)
        for _ in range(60):
            state = (state @ w.T + b + x).tanh()
        ctx.save_for_backward(w, state)
        return state

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        w, z = ctx.saved_tensors
        d = 1 - z * z
        eye = torch.eye(len(w), dtype=w.dtype, device=w.device)
        transposed = eye - (d[..., None] * w).mT
        v = d * torch.linalg.solve(transposed, grad_output[..., None])[..., 0]
        grad_w = torch.einsum("...i,...j->ij", v, z)
        return grad_w, v, v


# %% bad_the_whole_path expected: saves-too-much
# All iterates are saved, though only the last is used.
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class FixedPoint(Function):
    @staticmethod
    def forward(ctx, w, b, x):
        path = [torch.zeros_like(x)]
        while len(path) < 64:
            path.append(torch.tanh(path[-1] @ w.T + b + x))
        ctx.save_for_backward(w, *path)
        return path[-1]

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        w, *path = ctx.saved_tensors
        n = len(w)
        z = path[-1].reshape(-1, n)
        g = grad_output.reshape(-1, n)
        d = 1 - z * z
        v = torch.stack(
            [d[i] * torch.linalg.solve(torch.eye(n, dtype=w.dtype) - w.T * d[i], g[i]) for i in range(len(z))]
        )
        return v.T @ z, v.sum(0), v.reshape(grad_output.shape)


# %% bad_slope_saved expected: intermediate-kept-on-ctx
# The slope 1 - z*z is computed in forward and saved: second order takes it for a constant.
import torch
from torch.autograd import Function


class FixedPoint(Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(70):
            z = torch.tanh(z @ w.T + b + x)
        slope = 1 - z * z
        ctx.save_for_backward(w, z, slope)
        return z

    @staticmethod
    def backward(ctx, grad_output):
        w, z, slope = ctx.saved_tensors
        n = w.shape[1]
        jacobian = slope[..., :, None] * w
        system = torch.eye(n, dtype=w.dtype) - jacobian.mT
        u = torch.linalg.solve(system, grad_output[..., None])[..., 0]
        v = slope * u
        rows = v.reshape(-1, n)
        return rows.T @ z.reshape(-1, n), rows.sum(0), v


# %% bad_squeeze_drops_a_batch_of_one expected: reshaped-gradient
import torch
from torch.autograd import Function


class FixedPoint(Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(60):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    def backward(ctx, grad_output):
        w, z = ctx.saved_tensors
        n = w.shape[0]
        d = (1 - z * z).unsqueeze(-1)
        eye = torch.eye(n, dtype=w.dtype, device=w.device)
        u = torch.linalg.solve(eye - (d * w).mT, grad_output.unsqueeze(-1))
        v = (d * u).squeeze()
        rows = v.reshape(-1, n)
        return rows.T @ z.reshape(-1, n), rows.sum(0), v


# %% bad_batch_of_one_squeezed expected: reshaped-gradient
import torch
from torch.autograd import Function


class FixedPoint(Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(70):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    def backward(ctx, grad_output):
        w, z = ctx.saved_tensors
        z2, g2 = torch.atleast_2d(z), torch.atleast_2d(grad_output)
        d = 1 - z2**2
        eye = torch.eye(w.shape[0], dtype=w.dtype)
        jt = w.T * d[:, None, :]
        u = torch.linalg.solve(eye - jt, g2[:, :, None])[:, :, 0]
        v = d * u
        return v.T @ z2, v.sum(dim=0), v.squeeze(0)


# %% bad_by_the_vjp_of_torch_func expected: autograd-in-backward
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(100):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, b, x, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        _, pull = torch.func.vjp(lambda w, b, x, z: torch.tanh(z @ w.T + b + x), *ctx.saved_tensors)
        u = g
        for _ in range(100):
            u = g + pull(u)[3]
        return pull(u)[:3]


# %% bad_neumann_12 expected: wrong
# 12 terms of the Neumann series: near z = 0 and with norm 0.4 the gradient is right to fewer than six
# digits.
from typing import Any
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class FixedPoint(Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(60):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        d = 1 - z * z
        u = g
        for _ in range(12):
            u = g + (d * u) @ w
        v = d * u
        rows, zs = v.reshape(-1, len(w)), z.reshape(-1, len(w))
        return rows.T @ zs, rows.sum(0), v


# %% bad_slope_times_columns expected: wrong-axis
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class FixedPoint(Function):
    """The z with z = tanh(W z + b + x), by implicit differentiation."""

    @staticmethod
    def forward(ctx: Any, w: Tensor, b: Tensor, x: Tensor) -> Tensor:
        z = torch.zeros_like(x)
        for _ in range(60):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        w, z = ctx.saved_tensors
        n = w.shape[0]
        slope = 1 - z * z
        jacobian = w * slope[..., None, :]
        system = torch.eye(n, dtype=w.dtype, device=w.device) - jacobian.mT
        u = torch.linalg.solve(system, grad_output[..., None])[..., 0]
        v = slope * u
        rows = v.reshape(-1, n)
        return rows.T @ z.reshape(-1, n), rows.sum(0), v


# %% bad_slope_of_tanh_at_z expected: output-for-input
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


def d_tanh(t: Tensor) -> Tensor:
    return 1 - torch.tanh(t) ** 2


class FixedPoint(Function):
    """The z with z = tanh(W z + b + x), by implicit differentiation."""

    @staticmethod
    def forward(ctx: Any, w: Tensor, b: Tensor, x: Tensor) -> Tensor:
        z = torch.zeros_like(x)
        for _ in range(60):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        w, z = ctx.saved_tensors
        n = w.shape[0]
        d = d_tanh(z)
        jac = d.unsqueeze(-1) * w
        eye = torch.eye(n, dtype=w.dtype)
        u = torch.linalg.solve(eye - jac.mT, grad_output.unsqueeze(-1)).squeeze(-1)
        v = d * u
        rows = v.reshape(-1, n)
        return rows.T @ z.reshape(-1, n), rows.sum(0), v


# %% bad_nan_change_stops expected: forward-value
# Relative change of each row: a row of zeros (b = 0, x[i] = 0, a padded batch) gives 0/0 = nan, max() is
# nan, the loop stops after one step and the other rows are wrong.
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class FixedPoint(Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(500):
            new = torch.tanh(z @ w.T + b + x)
            change = (new - z).norm(dim=-1) / new.norm(dim=-1)
            z = new
            if not change.max() > 1e-12:
                break
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        w, z = ctx.saved_tensors
        slope = 1 - z * z
        n = z.shape[-1]
        system = torch.eye(n, dtype=z.dtype) - (slope[..., :, None] * w).mT
        u = torch.linalg.solve(system, grad_output[..., None])[..., 0]
        v = slope * u
        rows, zs = v.reshape(-1, n), z.reshape(-1, n)
        return rows.T @ zs, rows.sum(0), v
