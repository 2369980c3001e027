# %% backward_applies_the_function_itself expected: right
import torch


class KillHead(torch.autograd.Function):
    """Projecting twice is projecting once, and a projection is its own transpose."""

    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        out = x.detach().clone()
        out[:, 0:n] = 0.0
        return out

    @staticmethod
    def backward(ctx, grad_output):
        return KillHead.apply(grad_output, ctx.n), None


# %% bad_class_methods_and_own_apply expected: cannot run
import torch


class KillHead(torch.autograd.Function):
    @classmethod
    def apply(cls, x, n=1):
        return super().apply(x, n)

    @classmethod
    def forward(cls, ctx, x, n):
        ctx.n = n
        return cls.project(x, n)

    @classmethod
    def backward(cls, ctx, g):
        return cls.project(g, ctx.n), None

    @classmethod
    def project(cls, t, n):
        return torch.where(torch.arange(t.shape[-1]) < n, torch.zeros_like(t), t)


# %% combined_in_place_on_own_clone expected: right
import torch
from torch.autograd import Function


class KillHead(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        result = x.clone()
        result[:, :n] = 0
        return result

    @staticmethod
    def backward(ctx, grad_output):
        grad_x = grad_output.clone()
        grad_x[:, : ctx.n] = 0
        return grad_x, None


# %% dataclass_on_ctx_prints_and_warns expected: right
import sys
import warnings
from dataclasses import dataclass

import torch

print("loading my solution")


@dataclass(frozen=True)
class Shape:
    rows: int
    columns: int
    killed: int


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        print("forward", x.shape)
        warnings.warn("is n really an int?")
        ctx.shape = Shape(*x.shape, n)
        y = torch.zeros_like(x)
        y[:, n:] = x[:, n:]
        return y

    @staticmethod
    def backward(ctx, g):
        print("backward", g.shape, file=sys.stderr)
        warnings.warn("almost there", RuntimeWarning)
        assert g.shape == (ctx.shape.rows, ctx.shape.columns)
        dx = torch.zeros_like(g)
        dx[:, ctx.shape.killed :] = g[:, ctx.shape.killed :]
        return dx, None


# %% diagonal_matrix_by_einsum expected: right
import torch


def projector(n, like):
    diagonal = (torch.arange(like.shape[1], device=like.device) >= n).to(like.dtype)
    return torch.diag(diagonal)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return x @ projector(n, x)

    @staticmethod
    def backward(ctx, g):
        return torch.einsum("ij,kj->ik", g, projector(ctx.n, g)), None


# %% further_none_at_the_end expected: right
import torch
import torch.nn.functional as F


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.columns = n, x.size(1)
        return F.pad(x[:, n:], (n, 0))

    @staticmethod
    def backward(ctx, dy):
        n, m = ctx.columns
        return F.pad(dy[:, n:m], (n, 0)), None, None, None


# %% loop_over_columns_with_guard expected: right
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        columns = []
        for j in range(x.shape[1]):
            columns.append(x[:, j] * 0 if j < n else x[:, j])
        return torch.stack(columns, dim=1)

    @staticmethod
    def backward(ctx, g):
        grads = [None] * len(ctx.needs_input_grad)
        if ctx.needs_input_grad[0]:
            columns = [g[:, j] if j >= ctx.n else 0 * g[:, j] for j in range(g.shape[1])]
            grads[0] = torch.stack(columns, dim=1)
        return tuple(grads)


# %% methods_without_staticmethod expected: right
import torch


class KillHead(torch.autograd.Function):
    def forward(ctx, x, n):
        ctx.n = n
        return torch.hstack([x[:, :n] * 0, x[:, n:]])

    def backward(ctx, g):
        return torch.hstack([g[:, : ctx.n] * 0, g[:, ctx.n :]]), None


# %% numpy_once_differentiable expected: right
import torch
from torch.autograd.function import once_differentiable


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        a = x.detach().cpu().numpy().copy()
        a[:, :n] = 0
        return torch.from_numpy(a)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        a = g.numpy().copy()
        a[:, : ctx.n] = 0
        return torch.from_numpy(a), None


# %% odd_deletes_the_class_afterwards expected: right
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None


Mine = KillHead


def __getattr__(name):
    raise AttributeError(name)


# %% odd_grad_mode_off expected: right
import torch

torch.set_grad_enabled(False)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None


# %% odd_keeps_a_list_of_contexts expected: right
import torch

seen = []


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        seen.append(ctx)
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None


# %% odd_metaclass expected: right
import torch


class Loud(type(torch.autograd.Function)):
    def __new__(meta, name, bases, attributes, **keywords):
        attributes["loud"] = True
        return super().__new__(meta, name, bases, attributes, **keywords)


class KillHead(torch.autograd.Function, metaclass=Loud):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None


# %% odd_prints_very_much expected: right
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        print("x" * 100_000)
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        [print(".") for _ in range(200)]
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None


# %% odd_sparse_gradient expected: right
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx.to_sparse(), None


# %% own_base_class expected: right
import torch


class ColumnMask(torch.autograd.Function):
    """x times a mask of 0 and 1; what the mask is, a subclass says."""

    @staticmethod
    def forward(ctx, x, n):
        mask = torch.zeros(x.shape[1], dtype=torch.bool)
        mask[n:] = True
        ctx.mask = mask
        return x.masked_fill(~mask, 0)

    @staticmethod
    def backward(ctx, g):
        return g.masked_fill(~ctx.mask, 0), None


class KillHead(ColumnMask):
    pass


# %% settings_changed_for_gradcheck expected: right
import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)
torch.set_printoptions(precision=3)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.set_materialize_grads(False)
        ctx.n = n
        return x.index_fill(1, torch.arange(n), 0)

    @staticmethod
    def backward(ctx, g):
        if g is None:
            return None, None
        return g.index_fill(1, torch.arange(ctx.n), 0), None


x = torch.randn(3, 5, requires_grad=True)
assert torch.autograd.gradcheck(KillHead.apply, (x, 2))


# %% setup_context_saving_a_mask expected: right
import torch


class KillHead(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, n):
        return torch.cat([torch.zeros_like(x[:, :n]), x[:, n:]], dim=1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, n = inputs
        keep = torch.ones_like(x)
        keep[:, :n] = 0
        ctx.save_for_backward(keep)

    @staticmethod
    def backward(ctx, g):
        (keep,) = ctx.saved_tensors
        return g * keep, None


# %% slice_scatter_with_super expected: right
import torch


class Base(torch.autograd.Function):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.n = inputs[1]

    @staticmethod
    def backward(ctx, g):
        return torch.slice_scatter(g, torch.zeros_like(g[:, : ctx.n]), 1, 0, ctx.n), None


class KillHead(Base):
    @staticmethod
    def forward(x, n):
        return torch.slice_scatter(x, torch.zeros_like(x[:, :n]), 1, 0, n)

    @staticmethod
    def backward(ctx, g):
        return Base.backward(ctx, g)


# %% stops_after_the_class expected: right
import sys

import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.tail = slice(n, None)
        y = torch.zeros_like(x)
        y[..., ctx.tail] += x[..., ctx.tail]
        return y

    @staticmethod
    def backward(ctx, *grads):
        [g] = grads
        back = torch.zeros_like(g)
        back[..., ctx.tail] += g[..., ctx.tail]
        return (back,) + (None,)


if __name__ != "__main__":
    sys.exit(0)


# %% vjp_by_concatenation expected: right
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return torch.cat((x.new_zeros(x.shape[0], n), x[:, n:]), 1)

    @staticmethod
    def vjp(ctx, g):
        return torch.cat((g.new_zeros(g.shape[0], ctx.n), g[:, ctx.n :]), 1), None


# %% bad_apply_goes_round_backward expected: cannot run
import torch


class KillHead(torch.autograd.Function):
    @classmethod
    def apply(cls, x, n):
        return torch.where(torch.arange(x.shape[1]) < n, 0.0, x)

    @staticmethod
    def forward(ctx, x, n):
        return x

    @staticmethod
    def backward(ctx, g):
        return g, None


# %% bad_backward_and_vjp expected: wrong
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[:, : ctx.n] = 0
        return g, None

    @staticmethod
    def vjp(ctx, g):
        return KillHead.backward(ctx, g)


# %% bad_backward_with_two_cotangents expected: one-grad-output-per-output
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g, n):
        g = g.clone()
        g[:, :n] = 0
        return g, None


# %% bad_backward_writes_into_saved_x expected: mutates-saved-tensor
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        x.copy_(g)
        x[:, : ctx.n] = 0
        return x.clone(), None


# %% bad_calls_forward expected: called-forward-not-apply from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         return KillHead.forward(g, ctx.n), None


# %% bad_clipped_cotangent expected: gradient-nonlinear from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

# -         dx = g.clone()
# +         dx = g.clamp(-0.1, 0.1)


# %% bad_detached expected: detached-in-backward from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

# -         dx = g.clone()
# +         dx = g.detach().clone()


# %% bad_empty_stub expected: wrong
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n): ...

    @staticmethod
    def backward(ctx, grad_output): ...


# %% bad_factor_of_two expected: wrong-factor from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# +         dx = torch.zeros_like(g)
# +         dx[:, ctx.n :] = g[:, ctx.n :]
# +         dx += dx


# %% bad_float64_in_backward expected: wrong-dtype from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         keep = torch.ones(g.shape[1], dtype=torch.float64)
# +         keep[: ctx.n] = 0
# +         return g @ torch.diag(keep), None


# %% bad_float64_in_forward expected: wrong
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        keep = torch.ones(x.shape[1], dtype=torch.float64)
        keep[:n] = 0
        ctx.keep = torch.diag(keep)
        return x @ ctx.keep

    @staticmethod
    def backward(ctx, g):
        return g @ ctx.keep, None


# %% bad_forward_cuts_the_head_off expected: forward-value
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return x[:, n:].clone()

    @staticmethod
    def backward(ctx, g):
        return torch.cat([g.new_zeros(g.shape[0], ctx.n), g], 1), None


# %% bad_forward_in_float32 expected: wrong-dtype
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = torch.zeros(x.shape)
        y[:, n:] = x[:, n:]
        return y

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[:, : ctx.n] = 0
        return g, None


# %% bad_forward_in_place_marked_dirty expected: mutates-input
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        x[:, :n] = 0
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[:, : ctx.n] = 0
        return g, None


# %% bad_forward_keeps_head expected: forward-value
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, n:] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[:, ctx.n :] = 0
        return g, None


# %% bad_forward_kills_rows expected: forward-value
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[: ctx.n] = 0
        return g, None


# %% bad_forward_returns_two expected: forward-value
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        mask = torch.ones_like(x)
        mask[:, :n] = 0
        ctx.save_for_backward(mask)
        return x * mask, mask

    @staticmethod
    def backward(ctx, g, _):
        (mask,) = ctx.saved_tensors
        return g * mask, None


# %% bad_forward_without_ctx expected: wrong
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(x, n):
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[:, : ctx.n] = 0
        return g, None


# %% bad_forward_writes_into_x expected: mutates-input
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        x[:, :n] = 0
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[:, : ctx.n] = 0
        return g, None


# %% bad_gradient_for_n expected: gradient-for-non-tensor from: odd_sparse_gradient
# -         return dx.to_sparse(), None
# +         return dx, g.sum()


# %% bad_gradient_in_float32 expected: wrong-dtype from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# +         dx = torch.zeros(g.shape)
# +         dx[:, ctx.n :] = g[:, ctx.n :]


# %% bad_index_of_needs_input_grad expected: wrong-needs-input-grad-index
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = None
        if ctx.needs_input_grad[1]:
            dx = g.clone()
            dx[:, : ctx.n] = 0
        return dx, None


# %% bad_infinite expected: not-finite from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         keep = torch.zeros_like(g)
# +         keep[:, ctx.n :] = float("inf")
# +         return torch.where(keep > 0, g * keep, 0.0), None


# %% bad_inputs_not_unpacked expected: setup-context-not-unpacked
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(x, n):
        return torch.where(torch.arange(x.shape[1]) < n, torch.zeros_like(x), x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, g):
        x, n = ctx.saved_tensors[0]
        return torch.where(torch.arange(g.shape[1]) < n, torch.zeros_like(g), g), None


# %% bad_kernel_not_implemented expected: wrong from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# +         dx = torch.view_as_real(g.to_sparse()).to_dense()


# %% bad_kills_the_tail expected: wrong-mask from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         g = g.clone()
# +         g[:, ctx.n :] = 0
# +         return g, None


# %% bad_lets_everything_through expected: missing-mask from: odd_sparse_gradient
# -         ctx.n = n

# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         return g, None


# %% bad_list expected: gradients-in-a-list from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         g = g.clone()
# +         g[:, : ctx.n] = 0
# +         return [g, None]


# %% bad_list_for_x expected: gradient-not-a-tensor from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         return [g[:, : ctx.n] * 0, g[:, ctx.n :]], None


# %% bad_mask_on_cotangent expected: mask-on-gradient from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

# -         dx = g.clone()
# +         dx = g * (g > 0)


# %% bad_mask_without_cotangent expected: missing-grad-output
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        mask = torch.ones_like(x)
        mask[:, :n] = 0
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return mask, None


# %% bad_masks_a_copy expected: missing-mask from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

# -         dx[:, : ctx.n] = 0
# +         dx[:, : ctx.n].clone().zero_()


# %% bad_nan expected: not-finite from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         zero = torch.zeros_like(g)
# +         zero[:, ctx.n :] = 1
# +         return g * (zero / zero), None


# %% bad_never_saved expected: wrong
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[:, : ctx.n] = 0
        return g, None


# %% bad_no_backward expected: wrong
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        y = x.clone()
        y[:, :n] = 0
        return y


# %% bad_no_return expected: too-few-gradients from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         g = g.clone()
# +         g[:, : ctx.n] = 0


# %% bad_noise_in_backward expected: not-reproducible from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

# -         dx = g.clone()
# +         dx = g * torch.rand_like(g)


# %% bad_nothing_back expected: missing-gradient from: odd_sparse_gradient
# -         ctx.n = n

# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         return None, None


# %% bad_number_for_x expected: gradient-not-a-tensor from: odd_sparse_gradient
# -         ctx.n = n

# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         return 1.0, None


# %% bad_numpy_gradient expected: gradient-not-a-tensor from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         a = g.numpy().copy()
# +         a[:, : ctx.n] = 0
# +         return a, None


# %% bad_numpy_undeclared expected: numpy-in-backward
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        a = x.numpy(force=True).copy()
        a[:, :n] = 0
        return torch.as_tensor(a)

    @staticmethod
    def backward(ctx, g):
        a = g.numpy().copy()
        a[:, : ctx.n] = 0
        return torch.as_tensor(a), None


# %% bad_once_differentiated_twice expected: wrong
import torch

differentiated = []


class KillHead(torch.autograd.Function):
    """Right until its backward has been part of a graph, and doubled from then on."""

    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return torch.cat([x.new_zeros(x.shape[0], n), x[:, n:]], dim=1)

    @staticmethod
    def backward(ctx, g):
        if torch.is_grad_enabled():
            differentiated.append(g)
        kept = torch.arange(g.shape[1]) >= ctx.n
        return g * kept * (2 if differentiated else 1), None


# %% bad_one_column_too_many expected: wrong-mask from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         g = g.clone()
# +         g[:, : ctx.n + 1] = 0
# +         return g, None


# %% bad_one_gradient expected: too-few-gradients from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         g = g.clone()
# +         g[:, : ctx.n] = 0
# +         return g


# %% bad_saved_tensors_not_unpacked expected: saved-tensors-not-unpacked
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        mask = torch.ones_like(x)
        mask[:, :n] = 0
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, g):
        mask = ctx.saved_tensors
        return g * mask, None


# %% bad_saves_a_number expected: saved-a-non-tensor
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x, n)
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        x, n = ctx.saved_tensors
        dx = g.clone()
        dx[:, :n] = 0
        return dx, None


# %% bad_sign expected: wrong-sign from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

# -         dx = g.clone()
# +         dx = -g


# %% bad_three_gradients expected: too-many-gradients from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         g = g.clone()
# +         g[:, : ctx.n] = 0
# +         return g, None, g


# %% bad_untouched_stub expected: wrong
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        # YOUR CODE HERE
        raise NotImplementedError()

    @staticmethod
    def backward(ctx, grad_output):
        # YOUR CODE HERE
        raise NotImplementedError()


# %% bad_writes_into_cotangent expected: mutates-grad-output from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         g[:, : ctx.n] = 0
# +         return g, None


# %% bad_writes_into_cotangents_data expected: mutates-grad-output from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         g.data[:, : ctx.n] = 0
# +         return g.clone(), None


# %% bad_zero_tensor_for_n expected: gradient-for-non-tensor from: odd_sparse_gradient
# -         return dx.to_sparse(), None
# +         return dx, torch.tensor(0.0)


# %% bad_zeros_back expected: missing-gradient from: odd_sparse_gradient
# -         ctx.n = n

# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         return torch.zeros_like(g), None


# %% odd_base_exception_without_text expected: wrong from: odd_grad_mode_off
# - torch.set_grad_enabled(False)
# + class Mine(BaseException):
# +     def __str__(self):
# +         raise ValueError("no text")

#       def backward(ctx, g):
# +         raise Mine


# %% odd_endless_recursion expected: wrong from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

#       def backward(ctx, g):
# +         return KillHead.backward(ctx, g)


# %% odd_equal_to_everything expected: gradient-not-a-tensor
import torch


class Same:
    def __eq__(self, other):
        return True

    __hash__ = None


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        return Same(), None


# %% odd_meta_gradient expected: wrong from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         return torch.empty_like(g, device="meta"), None


# %% odd_numpy_writes_into_cotangent expected: mutates-grad-output from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         a = g.detach().numpy()
# +         a[:, : ctx.n] = 0
# +         return g, None


# %% odd_sparse_gradient_of_another_shape expected: missing-grad-output from: odd_sparse_gradient
# -         dx = g.clone()
# -         dx[:, : ctx.n] = 0
# -         return dx.to_sparse(), None
# +         return torch.eye(7).to_sparse(), None


# %% odd_sys_exit_in_backward expected: wrong from: odd_grad_mode_off
# + import sys
#   import torch

# - torch.set_grad_enabled(False)

#       def backward(ctx, g):
# +         sys.exit(0)


# %% odd_sys_exit_in_forward expected: wrong from: odd_grad_mode_off
# + import sys
#   import torch

# - torch.set_grad_enabled(False)

#       def forward(ctx, x, n):
# +         sys.exit(0)


# %% odd_tensor_that_lies expected: missing-mask
import torch


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, arguments=(), keywords=None):
        result = super().__torch_function__(function, types, arguments, keywords or {})
        if isinstance(result, torch.Tensor) and result.ndim == 2:
            torch.Tensor.detach(result).as_subclass(torch.Tensor)[:, :2] = 0
        return result


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        return g.clone().as_subclass(Liar), None


# %% bad_function_instead_of_class expected: cannot run
def KillHead(x, n):
    y = x.clone()
    y[:, :n] = 0
    return y


# %% bad_hands_in_apply expected: cannot run
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[:, : ctx.n] = 0
        return g, None


KillHead = KillHead.apply


# %% bad_import expected: cannot run
import torch
import a_module_that_nobody_has


class KillHead(torch.autograd.Function):
    pass


# %% bad_module expected: cannot run
import torch


class KillHead(torch.nn.Module):
    def forward(self, x, n):
        y = x.clone()
        y[:, :n] = 0
        return y


# %% bad_name_of_the_class expected: cannot run
import torch


class Killhead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        return x


# %% hostile_deletes_names_but_is_right expected: right
import os
import sys

import torch

torch.set_grad_enabled(False)
torch.set_num_threads(1)
del torch.autograd.gradcheck, torch.autograd.gradgradcheck
sys.stdout = sys.stderr = None
os.write(1, b"noise" * 100)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None


# %% hostile_leaves_a_child_behind expected: right
import os
import time

import torch

if os.fork() == 0:
    time.sleep(1000)
    os._exit(0)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None


# %% hostile_os_exit_when_python_ends expected: missing-mask
import atexit
import os

import torch

atexit.register(os._exit, 0)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        return g, None


# %% hostile_patched_comparisons expected: missing-mask
import math

import numpy as np
import torch

import vjpcheck.judge
from vjpcheck.result import Result

torch.autograd.gradcheck = torch.autograd.gradgradcheck = lambda *_, **__: True
torch.allclose = np.allclose = math.isclose = lambda *_, **__: True
np.array_equal = lambda *_: True
vjpcheck.judge.CHECKS.clear()
Result.passed = True


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        return g, None


# %% hostile_swallows_every_exception expected: missing-mask
import sys

import torch

sys.excepthook = sys.unraisablehook = lambda *_: None
sys.settrace(None)
sys.setrecursionlimit(10_000)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        return g, None


# %% hostile_closes_every_file expected: cannot run
import os

import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        os.closerange(0, 64)
        while True:
            pass
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None


# %% hostile_endless_backward expected: cannot run from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

#       def backward(ctx, g):
# +         while True:
# +             pass


# %% hostile_exit_before_the_class expected: cannot run from: odd_grad_mode_off
# + import sys
#   import torch

# - torch.set_grad_enabled(False)
# + sys.exit(0)


# %% hostile_keyboard_interrupt expected: cannot run from: odd_grad_mode_off
# - torch.set_grad_enabled(False)

#       def backward(ctx, g):
# +         raise KeyboardInterrupt


# %% hostile_kills_itself expected: cannot run from: odd_grad_mode_off
# + import os
# + import signal
#   import torch

# - torch.set_grad_enabled(False)

#       def backward(ctx, g):
# +         os.kill(os.getpid(), signal.SIGSEGV)


# %% hostile_os_exit_in_backward expected: cannot run from: odd_grad_mode_off
# + import os
#   import torch

# - torch.set_grad_enabled(False)

#       def backward(ctx, g):
# +         os._exit(0)


# %% hostile_os_exit_in_forward expected: cannot run from: odd_grad_mode_off
# + import os
#   import torch

# - torch.set_grad_enabled(False)

#       def forward(ctx, x, n):
# +         os._exit(0)


# %% hostile_sleeps_on_import expected: cannot run from: odd_grad_mode_off
# + import time
#   import torch

# - torch.set_grad_enabled(False)
# + time.sleep(1000)


# %% hostile_writes_into_the_conversation expected: cannot run
import os

import torch

for descriptor in range(3, 32):
    try:
        os.write(descriptor, b"\0" * 15 + b"\2[]" * 20)
    except OSError:
        pass


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None


# %% bad_mask_of_the_output expected: wrong-mask
from torch.autograd import Function


class KillHead(Function):
    @staticmethod
    def forward(ctx, x, n):
        y = x.clone()
        y[:, :n] = 0
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y != 0), None


# %% padding expected: right
# Right: cut the head off, and pad with zeros on the left.
from torch.autograd import Function
from torch.nn.functional import pad


def _without_head(matrix, n):
    return pad(matrix[:, n:], (n, 0))


class KillHead(Function):
    @staticmethod
    def forward(x, n):
        return _without_head(x, n)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.n = inputs[1]

    @staticmethod
    def backward(ctx, grad_output):
        return _without_head(grad_output, ctx.n), None


# %% bad_nothing_to_do expected: returns-input-unchanged
# For n = 0 forward returns the very tensor it was given.
import torch
from torch.autograd import Function


class KillHead(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        if n == 0:
            return x
        return x.index_fill(1, torch.arange(n), 0.0)

    @staticmethod
    def backward(ctx, grad_output):
        if ctx.n == 0:
            return grad_output, None
        return grad_output.index_fill(1, torch.arange(ctx.n), 0.0), None


# %% bad_hardtanh expected: forward-value
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clamp(-10, 10)
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[:, : ctx.n] = 0
        return g, None


# %% bad_cache_by_shape expected: state-on-class
# the mask is cached by the shape of x and n is forgotten: a second call with the same shape and another
# n zeroes the old columns; 'first n columns'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

_MASKS: dict[Any, Tensor] = {}


def _mask(x, n):
    if x.shape not in _MASKS:
        mask = torch.ones(x.shape, dtype=torch.bool)
        mask[:, :n] = False
        _MASKS[x.shape] = mask
    return _MASKS[x.shape]


class KillHead(Function):
    @staticmethod
    def forward(ctx, x, n):
        mask = _mask(x, n)
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        return grad_output * mask, None


# %% bad_cache_on_class expected: state-on-class
# the mask is kept on the class by the shape of x, so a second call of that shape with another n zeroes
# the old columns; 'the first n columns'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class KillHead(Function):
    masks = {}

    @staticmethod
    def forward(ctx, x, n):
        key = tuple(x.shape)
        if key not in KillHead.masks:
            KillHead.masks[key] = torch.arange(x.shape[1]) >= n
        ctx.save_for_backward(KillHead.masks[key])
        return x * KillHead.masks[key]

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        return grad_output * mask, None
