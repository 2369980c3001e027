# %% full_matrix expected: right
import torch


class ScaleByNorm(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm()
        matrix = n * torch.eye(len(x), dtype=x.dtype) + torch.outer(x, x) / n
        return matrix.T @ g

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        n = x.norm()
        matrix = n * torch.eye(len(x), dtype=x.dtype) + torch.outer(x, x) / n
        return matrix @ t


# %% norm_as_a_second_output expected: right
import torch


class ScaleByNorm(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        n = x.norm()
        return x * n, n

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        _, n = output
        ctx.save_for_backward(x, n)
        ctx.save_for_forward(x, n)

    @staticmethod
    def backward(ctx, g, g_norm):
        x, n = ctx.saved_tensors
        return n * g + (x @ g + g_norm) * x / n

    @staticmethod
    def jvp(ctx, t):
        x, n = ctx.saved_tensors
        dn = x @ t / n
        return n * t + x * dn, dn


# %% one_rule_for_both expected: right
import torch
from torch.autograd import Function


def product(x, v):
    n = torch.sqrt((x * x).sum())
    return v * n + x * (x * v).sum() / n


class ScaleByNorm(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * torch.sqrt((x * x).sum())

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, g):
        return product(ctx.saved_tensors[0], g)

    @staticmethod
    def jvp(ctx, t):
        return product(ctx.saved_tensors[0], t)


# %% output_saved_too expected: right
import torch


class ScaleByNorm(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.linalg.vector_norm(x) * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)
        ctx.save_for_forward(*inputs, output)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        n = torch.linalg.vector_norm(x)
        return g * n + torch.dot(g, x) * y / n**2

    @staticmethod
    def jvp(ctx, t):
        x, y = ctx.saved_tensors
        n = torch.linalg.vector_norm(x)
        return t * n + torch.dot(t, x) * y / n**2


# %% own_vmap_row_by_row expected: right
import torch


class ScaleByNorm(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return n * g + x * (x @ g) / n

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return n * t + x * (x @ t) / n

    @staticmethod
    def vmap(info, in_dims, x):
        rows = x.movedim(in_dims[0], 0).unbind(0)
        return torch.stack([ScaleByNorm.apply(row) for row in rows]), 0


# %% symmetric_jacobian_twice expected: right
import torch


class ScaleByNorm(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return n * g + x * (x @ g) / n

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return n * t + x * (x @ t) / n


# %% vmap_by_a_second_function expected: right
import torch


class ScaleRows(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(rows):
        return rows * rows.norm(dim=-1, keepdim=True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (rows,) = ctx.saved_tensors
        n = rows.norm(dim=-1, keepdim=True)
        return n * g + rows * (rows * g).sum(-1, keepdim=True) / n

    @staticmethod
    def jvp(ctx, t):
        (rows,) = ctx.saved_tensors
        n = rows.norm(dim=-1, keepdim=True)
        return n * t + rows * (rows * t).sum(-1, keepdim=True) / n


class ScaleByNorm(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return ScaleRows.forward(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ScaleRows.setup_context(ctx, inputs, output)

    @staticmethod
    def backward(ctx, g):
        return ScaleRows.backward(ctx, g)

    @staticmethod
    def jvp(ctx, t):
        return ScaleRows.jvp(ctx, t)

    @staticmethod
    def vmap(info, in_dims, x):
        return ScaleRows.apply(x.movedim(in_dims[0], 0)), 0


# %% bad_backward_without_the_norm expected: missing-term from: symmetric_jacobian_twice
# -         n = x.norm()
# -         return n * g + x * (x @ g) / n
# +         return x.norm() * g


# %% bad_batch_not_moved expected: wrong-axis from: own_vmap_row_by_row
# -         rows = x.movedim(in_dims[0], 0).unbind(0)
# -         return torch.stack([ScaleByNorm.apply(row) for row in rows]), 0
# +         return torch.stack([ScaleByNorm.apply(row) for row in x]), 0


# %% bad_combined_forward expected: no-setup-context
import torch


class ScaleByNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.norm()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return n * g + x * (x @ g) / n


# %% bad_declared_once expected: wrongly-once-differentiable from: symmetric_jacobian_twice
#   import torch
# + from torch.autograd.function import once_differentiable

# +     @once_differentiable
#       def backward(ctx, g):


# %% bad_detached expected: detached-in-backward from: symmetric_jacobian_twice
# -         n = x.norm()
# +         n = x.detach().norm()
#           return n * g + x * (x @ g) / n


# %% bad_factor expected: wrong-factor from: symmetric_jacobian_twice
# -         return n * g + x * (x @ g) / n
# +         return (n * g + x * (x @ g) / n) / 2


# %% bad_jvp_detached expected: wrong from: symmetric_jacobian_twice
#       def jvp(ctx, t):
#           (x,) = ctx.saved_tensors
# +         x = x.detach()


# %% bad_jvp_sign expected: wrong-sign from: symmetric_jacobian_twice
# -         return n * t + x * (x @ t) / n
# +         return -1 * (n * t + x * (x @ t) / n)


# %% bad_jvp_without_the_norm expected: missing-normaliser-term from: symmetric_jacobian_twice
# -         n = x.norm()
# -         return n * t + x * (x @ t) / n
# +         return x.norm() * t


# %% bad_no_jvp expected: no-jvp
import torch


class ScaleByNorm(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return n * g + x * (x @ g) / n


# %% bad_no_rule expected: no-vmap-rule from: symmetric_jacobian_twice
# -     generate_vmap_rule = True


# %% bad_norm_of_the_whole_batch expected: wrong-axis from: own_vmap_row_by_row
# -         rows = x.movedim(in_dims[0], 0).unbind(0)
# -         return torch.stack([ScaleByNorm.apply(row) for row in rows]), 0
# +         return ScaleByNorm.apply(x), in_dims[0]


# %% bad_norm_on_ctx expected: intermediate-kept-on-ctx from: symmetric_jacobian_twice
#           ctx.save_for_forward(*inputs)
# +         ctx.n = inputs[0].norm()

# -         n = x.norm()
# +         n = ctx.n
#           return n * g + x * (x @ g) / n


# %% bad_norm_squared expected: forward-value from: symmetric_jacobian_twice
# -         return x * x.norm()
# +         return x * x.norm() ** 2


# %% bad_out_dims expected: wrong-axis from: own_vmap_row_by_row
# -         rows = x.movedim(in_dims[0], 0).unbind(0)
# -         return torch.stack([ScaleByNorm.apply(row) for row in rows]), 0
# +         rows = x.movedim(in_dims[0], 0)
# +         return torch.stack([ScaleByNorm.apply(row) for row in rows]), 1


# %% bad_vmap_by_formula_detached expected: wrong from: own_vmap_row_by_row
# -         rows = x.movedim(in_dims[0], 0).unbind(0)
# -         return torch.stack([ScaleByNorm.apply(row) for row in rows]), 0
# +         rows = x.movedim(in_dims[0], 0).detach()
# +         return rows * rows.norm(dim=1, keepdim=True), 0


# %% bad_vmap_returns_the_output_alone expected: wrong from: own_vmap_row_by_row
# -         rows = x.movedim(in_dims[0], 0).unbind(0)
# -         return torch.stack([ScaleByNorm.apply(row) for row in rows]), 0
# +         rows = x.movedim(in_dims[0], 0)
# +         return torch.stack([ScaleByNorm.apply(row) for row in rows])


# %% the_jacobian_itself expected: right
# Builds the symmetric Jacobian and multiplies from the left or the right.
import torch
from torch.autograd import Function


def jacobian(x):
    n = (x @ x) ** 0.5
    return n * torch.eye(x.shape[0], dtype=x.dtype, device=x.device) + torch.outer(x, x) / n


class ScaleByNorm(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * (x @ x) ** 0.5

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output @ jacobian(*ctx.saved_tensors)

    @staticmethod
    def jvp(ctx, x_tangent):
        return jacobian(*ctx.saved_tensors) @ x_tangent


# %% bad_norm_of_each_entry expected: diagonal-only
# backward multiplies entry by entry where it should sum: only the diagonal of the Jacobian is right.
import torch
from torch.autograd import Function


class ScaleByNorm(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.einsum("i,->i", x, x.norm())

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        n = x.norm()
        slope = n + x * x / n
        return grad_output * slope

    @staticmethod
    def jvp(ctx, x_tangent):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return n * x_tangent + x * (x * x_tangent / n).sum()


# %% bad_tangent_of_the_norm_left_out expected: missing-normaliser-term
# jvp lacks the term through the norm; backward is right.
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class ScaleByNorm(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.linalg.vector_norm(x) * x

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor | None:
        (x,) = ctx.saved_tensors
        size = torch.linalg.vector_norm(x)
        return size * grad_output + x * torch.dot(x, grad_output) / size

    @staticmethod
    def jvp(ctx: Any, x_tangent: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return torch.linalg.vector_norm(x) * x_tangent


# %% bad_norm_held_fixed expected: missing-term
# backward leaves out the path through the norm; jvp is right
import torch
from torch.autograd import Function


class ScaleByNorm(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x.norm()

    @staticmethod
    def jvp(ctx, x_tangent):
        (x,) = ctx.saved_tensors
        size = x.norm()
        return x_tangent * size + x * (x @ x_tangent) / size


# %% bad_cotangents_added_up expected: cotangent-summed from: symmetric_jacobian_twice
# -         return n * g + x * (x @ g) / n
# +         norm_bar = g.sum() * x
# +         return g * n + norm_bar * x / n

# -         return n * t + x * (x @ t) / n
# +         return t * n + x * (x @ t) / n


# %% bad_norm_of_the_tangent expected: gradient-nonlinear
import torch
from torch.autograd import Function


class ScaleByNorm(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return grad_output * n + (grad_output @ x) * (x / n)

    @staticmethod
    def jvp(ctx, x_tangent):
        (x,) = ctx.saved_tensors
        # product rule: (x n)' = x' n + x n'
        return x_tangent * x.norm() + x * x_tangent.norm()


# %% bad_jvp_entry_by_entry expected: diagonal-only
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class ScaleByNorm(Function):
    """A vector times its Euclidean norm, for every transform of torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x * x.norm()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor | None:
        (x,) = ctx.saved_tensors
        norm = x.norm()
        grad_norm = (grad_output * x).sum()
        return grad_output * norm + grad_norm * (x / norm)

    @staticmethod
    def jvp(ctx: Any, x_tangent: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        norm = x.norm()
        norm_tangent = (x / norm) * x_tangent
        return x_tangent * norm + x * norm_tangent


# %% bad_jvp_eye_in_float64 expected: wrong-dtype
# jvp multiplies with a Jacobian made of a float64 identity: raises for float32; 'x: (n,), float32 or
# float64'.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScaleByNorm(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.norm() + x * (g @ x) / x.norm()

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        n = x.norm()
        jacobian = n * torch.eye(len(x), dtype=torch.float64) + torch.outer(x, x) / n
        return jacobian @ t


# %% bad_norm_kept_in_vmap expected: wrong
# vmap goes to a second Function that keeps the norm, a constant: hessian of vmap and double backward
# through vmap are wrong silently; "for every transform of torch.func", "a norm that is kept becomes a
# constant".
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class Batched(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        n = x.norm(dim=-1, keepdim=True)
        return x * n, n

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,), (_, n) = inputs, output
        ctx.mark_non_differentiable(n)
        ctx.save_for_backward(x, n)
        ctx.save_for_forward(x, n)

    @staticmethod
    def backward(ctx, g, _):
        x, n = ctx.saved_tensors
        return g * n + x * (g * x).sum(-1, keepdim=True) / n

    @staticmethod
    def jvp(ctx, t):
        x, n = ctx.saved_tensors
        return t * n + x * (x * t).sum(-1, keepdim=True) / n, None


class ScaleByNorm(Function):
    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def vmap(info, in_dims, x):
        return Batched.apply(x.movedim(in_dims[0], 0))[0], 0

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.norm() + x * (g @ x) / x.norm()

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        return t * x.norm() + x * (x @ t) / x.norm()


# %% bad_batched_jvp_detached expected: wrong
# detached in jvp of the second.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class Batched(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.norm(dim=-1, keepdim=True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm(dim=-1, keepdim=True)
        return g * n + x * (g * x).sum(-1, keepdim=True) / n

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        n = x.norm(dim=-1, keepdim=True)
        return t * n + x * (x * t).sum(-1, keepdim=True) / n.detach()


class ScaleByNorm(Function):
    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def vmap(info, in_dims, x):
        return Batched.apply(x.movedim(in_dims[0], 0)), 0

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return g * n + x * (g @ x) / n

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return t * n + x * (x @ t) / n


# %% bad_norm_from_quotient expected: not-finite
# The norm is output / x of the first entry: nan where x[0] is 0.
import torch
from torch.autograd import Function


class ScaleByNorm(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0], output)
        ctx.save_for_forward(inputs[0], output)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        n = y[0] / x[0]
        return g * n + (g @ x) * x / n

    @staticmethod
    def jvp(ctx, t):
        x, y = ctx.saved_tensors
        n = y[0] / x[0]
        return t * n + (t @ x) * x / n
