# %% plain expected: right
import torch


class MeanGate(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.mean().sigmoid()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.mean().sigmoid()
        return g * s + (g @ x) * s * (1 - s) / len(x)

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        s = x.mean().sigmoid()
        return t * s + x * (s * (1 - s) * t.mean())


# %% full_matrix expected: right
import torch


def jacobian(x):
    n = len(x)
    s = torch.sigmoid(x.sum() / n)
    return s * torch.eye(n, dtype=x.dtype) + torch.outer(x, torch.ones_like(x)) * s * (1 - s) / n


class MeanGate(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x.mean())

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


# %% gate_as_a_second_output expected: right
import torch


class MeanGate(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        s = torch.sigmoid(x.mean())
        return x * s, s

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        _, s = output
        ctx.save_for_backward(x, s)
        ctx.save_for_forward(x, s)

    @staticmethod
    def backward(ctx, g, g_gate):
        x, s = ctx.saved_tensors
        return s * g + ((x @ g + g_gate) * s * (1 - s) / x.numel()).expand_as(x)

    @staticmethod
    def jvp(ctx, t):
        x, s = ctx.saved_tensors
        ds = s * (1 - s) * t.mean()
        return s * t + x * ds, ds


# %% input_and_output_saved_in_one_order expected: right
import torch
from torch.autograd import Function


class MeanGate(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x.mean())

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x, output)
        ctx.save_for_forward(x, output)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        s = torch.sigmoid(x.mean())
        return s * g + torch.dot(g, y) * (1 - s) / x.shape[0]

    @staticmethod
    def jvp(ctx, t):
        x, y = ctx.saved_tensors
        s = torch.sigmoid(x.mean())
        return s * t + y * (1 - s) * t.mean()


# %% own_vmap_row_by_row expected: right
import torch


class MeanGate(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x.mean().sigmoid()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.mean().sigmoid()
        return g * s + (g @ x) * s * (1 - s) / len(x)

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        s = x.mean().sigmoid()
        return t * s + x * (s * (1 - s) * t.mean())

    @staticmethod
    def vmap(info, in_dims, x):
        rows = x.movedim(in_dims[0], 0).unbind(0)
        return torch.stack([MeanGate.apply(row) for row in rows]), 0


# %% vmap_by_a_second_function expected: right
import torch


class GateRows(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(rows):
        return rows * rows.mean(dim=-1, keepdim=True).sigmoid()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (rows,) = ctx.saved_tensors
        s = rows.mean(dim=-1, keepdim=True).sigmoid()
        return s * g + (rows * g).mean(-1, keepdim=True) * s * (1 - s)

    @staticmethod
    def jvp(ctx, t):
        (rows,) = ctx.saved_tensors
        s = rows.mean(dim=-1, keepdim=True).sigmoid()
        return s * t + rows * t.mean(-1, keepdim=True) * s * (1 - s)


class MeanGate(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return GateRows.forward(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        GateRows.setup_context(ctx, inputs, output)

    @staticmethod
    def backward(ctx, g):
        return GateRows.backward(ctx, g)

    @staticmethod
    def jvp(ctx, t):
        return GateRows.jvp(ctx, t)

    @staticmethod
    def vmap(info, in_dims, x):
        return GateRows.apply(x.movedim(in_dims[0], 0)), 0


# %% bad_jvp_is_backward expected: transposed-jacobian from: plain
# -     def jvp(ctx, t):
# -         (x,) = ctx.saved_tensors
# -         s = x.mean().sigmoid()
# -         return t * s + x * (s * (1 - s) * t.mean())
# +     def jvp(ctx, t):
# +         return MeanGate.backward(ctx, t)


# %% bad_jvp_copied_from_backward expected: transposed-jacobian from: plain
# -         return t * s + x * (s * (1 - s) * t.mean())
# +         return t * s + (t @ x) * s * (1 - s) / len(x)


# %% bad_backward_is_jvp expected: transposed-jacobian from: plain
# -         return g * s + (g @ x) * s * (1 - s) / len(x)
# +         return g * s + x * (s * (1 - s) * g.mean())


# %% bad_matrix_transposed_in_both expected: transposed-jacobian from: full_matrix
# -         return grad_output @ jacobian(*ctx.saved_tensors)
# +         return jacobian(*ctx.saved_tensors) @ grad_output

# -         return jacobian(*ctx.saved_tensors) @ x_tangent
# +         return x_tangent @ jacobian(*ctx.saved_tensors)


# %% bad_matrix_transposed_in_jvp expected: transposed-jacobian from: full_matrix
# -         return jacobian(*ctx.saved_tensors) @ x_tangent
# +         return jacobian(*ctx.saved_tensors).T @ x_tangent


# %% bad_saved_in_two_orders expected: saved-in-two-orders
# The generated rule reads the batch axes of save_for_forward for the tensors of
# save_for_backward: with the batch in the last axis of x they differ. As many samples
# as entries: no error, a wrong gradient.
import torch
from torch.autograd import Function


class MeanGate(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x.mean())

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x, output)
        ctx.save_for_forward(output, x)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        s = torch.sigmoid(x.mean())
        return s * g + torch.dot(g, y) * (1 - s) / x.shape[0]

    @staticmethod
    def jvp(ctx, t):
        y, x = ctx.saved_tensors
        s = torch.sigmoid(x.mean())
        return s * t + y * (1 - s) * t.mean()


# %% bad_saved_in_two_orders_for_forward_first expected: saved-in-two-orders
# Here save_for_backward is called last, so jvp reads the wrong batch axes.
import torch
from torch.autograd import Function


class MeanGate(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x.mean())

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_forward(output, x)
        ctx.save_for_backward(x, output)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        s = torch.sigmoid(x.mean())
        return s * g + torch.dot(g, y) * (1 - s) / x.shape[0]

    @staticmethod
    def jvp(ctx, t):
        y, x = ctx.saved_tensors
        s = torch.sigmoid(x.mean())
        return s * t + y * (1 - s) * t.mean()


# %% bad_backward_without_the_gate expected: missing-term from: plain
# -         s = x.mean().sigmoid()
# -         return g * s + (g @ x) * s * (1 - s) / len(x)
# +         return g * x.mean().sigmoid()


# %% bad_gate_counted_twice expected: wrong-factor-of-a-term from: plain
# -         return g * s + (g @ x) * s * (1 - s) / len(x)
# +         return g * s + 2 * (g @ x) * s * (1 - s) / len(x)


# %% bad_gate_subtracted expected: wrong-sign-of-a-term from: plain
# -         return g * s + (g @ x) * s * (1 - s) / len(x)
# +         return g * s - (g @ x) * s * (1 - s) / len(x)


# %% bad_mean_taken_for_a_sum expected: wrong-factor-of-a-term from: plain
# -         return g * s + (g @ x) * s * (1 - s) / len(x)
# +         return g * s + (g @ x) * s * (1 - s)


# %% bad_slope_of_the_gate_forgotten expected: wrong-factor-of-a-term from: plain
# -         return g * s + (g @ x) * s * (1 - s) / len(x)
# +         return g * s + (g @ x) * s / len(x)


# %% bad_batch_not_moved expected: wrong-axis from: own_vmap_row_by_row
# -         rows = x.movedim(in_dims[0], 0).unbind(0)
# -         return torch.stack([MeanGate.apply(row) for row in rows]), 0
# +         return torch.stack([MeanGate.apply(row) for row in x]), 0


# %% bad_combined_forward expected: no-setup-context
import torch


class MeanGate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.mean().sigmoid()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.mean().sigmoid()
        return g * s + (g @ x) * s * (1 - s) / len(x)


# %% bad_declared_once expected: wrongly-once-differentiable from: plain
#   import torch
# + from torch.autograd.function import once_differentiable

# +     @once_differentiable
#       def backward(ctx, g):


# %% bad_detached expected: detached-in-backward from: plain
# -         s = x.mean().sigmoid()
# +         s = x.detach().mean().sigmoid()
#           return g * s + (g @ x) * s * (1 - s) / len(x)


# %% bad_factor expected: wrong-factor from: plain
# -         return g * s + (g @ x) * s * (1 - s) / len(x)
# +         return (g * s + (g @ x) * s * (1 - s) / len(x)) / 2


# %% bad_jvp_detached expected: wrong from: plain
#       def jvp(ctx, t):
#           (x,) = ctx.saved_tensors
# +         x = x.detach()


# %% bad_jvp_sign expected: wrong-sign from: plain
# -         return t * s + x * (s * (1 - s) * t.mean())
# +         return -1 * (t * s + x * (s * (1 - s) * t.mean()))


# %% bad_jvp_without_the_gate expected: missing-term from: plain
# -         s = x.mean().sigmoid()
# -         return t * s + x * (s * (1 - s) * t.mean())
# +         return t * x.mean().sigmoid()


# %% bad_no_jvp expected: no-jvp
import torch


class MeanGate(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.mean().sigmoid()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.mean().sigmoid()
        return g * s + (g @ x) * s * (1 - s) / len(x)


# %% bad_nothing_saved_for_jvp expected: no-jvp from: plain
#           ctx.save_for_backward(*inputs)
# -         ctx.save_for_forward(*inputs)


# %% bad_no_rule expected: no-vmap-rule from: plain
# -     generate_vmap_rule = True


# %% bad_mean_of_the_whole_batch expected: wrong-axis from: own_vmap_row_by_row
# -         rows = x.movedim(in_dims[0], 0).unbind(0)
# -         return torch.stack([MeanGate.apply(row) for row in rows]), 0
# +         return MeanGate.forward(x), in_dims[0]


# %% bad_vmap_calls_forward expected: called-forward-not-apply from: own_vmap_row_by_row
# -         return torch.stack([MeanGate.apply(row) for row in rows]), 0
# +         return torch.stack([MeanGate.forward(row.detach()) for row in rows]), 0


# %% bad_vmap_hands_ctx_to_forward expected: called-forward-not-apply from: own_vmap_row_by_row
# -         return torch.stack([MeanGate.apply(row) for row in rows]), 0
# +         return torch.stack([MeanGate.forward(None, row) for row in rows]), 0


# %% bad_gate_on_ctx expected: intermediate-kept-on-ctx from: plain
#           ctx.save_for_forward(*inputs)
# +         ctx.s = inputs[0].mean().sigmoid()

# -         s = x.mean().sigmoid()
# +         s = ctx.s
#           return g * s + (g @ x) * s * (1 - s) / len(x)


# %% bad_gate_of_the_sum expected: forward-value from: plain
# -         return x * x.mean().sigmoid()
# +         return x * x.sum().sigmoid()


# %% bad_exponential_overflows expected: not-finite
# The quotient is inf / inf where the mean is large.
import torch


class MeanGate(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        e = x.mean().exp()
        return x * (e / (1 + e))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.mean().sigmoid()
        return g * s + (g @ x) * s * (1 - s) / len(x)

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        s = x.mean().sigmoid()
        return t * s + x * (s * (1 - s) * t.mean())


# %% bad_out_dims expected: wrong-axis from: own_vmap_row_by_row
# -         rows = x.movedim(in_dims[0], 0).unbind(0)
# -         return torch.stack([MeanGate.apply(row) for row in rows]), 0
# +         rows = x.movedim(in_dims[0], 0)
# +         return torch.stack([MeanGate.apply(row) for row in rows]), 1


# %% bad_vmap_by_formula_detached expected: wrong from: own_vmap_row_by_row
# -         rows = x.movedim(in_dims[0], 0).unbind(0)
# -         return torch.stack([MeanGate.apply(row) for row in rows]), 0
# +         rows = x.movedim(in_dims[0], 0).detach()
# +         return rows * rows.mean(dim=1, keepdim=True).sigmoid(), 0


# %% bad_vmap_returns_the_output_alone expected: wrong from: own_vmap_row_by_row
# -         rows = x.movedim(in_dims[0], 0).unbind(0)
# -         return torch.stack([MeanGate.apply(row) for row in rows]), 0
# +         rows = x.movedim(in_dims[0], 0)
# +         return torch.stack([MeanGate.apply(row) for row in rows])


# %% bad_slope_of_each_entry expected: diagonal-only from: plain
# backward multiplies entry by entry where it should sum: only the diagonal of the Jacobian is right.
# -         return g * s + (g @ x) * s * (1 - s) / len(x)
# +         return g * (s + x * s * (1 - s) / len(x))


# %% bad_cotangents_added_up expected: cotangent-summed from: plain
# -         return g * s + (g @ x) * s * (1 - s) / len(x)
# +         return g * s + g.sum() * x.sum() * s * (1 - s) / len(x)


# %% bad_gate_of_the_tangent expected: gradient-nonlinear from: plain
# -         return t * s + x * (s * (1 - s) * t.mean())
# +         return t * s + x * t.mean().sigmoid()


# %% bad_jvp_entry_by_entry expected: diagonal-only from: plain
# -         return t * s + x * (s * (1 - s) * t.mean())
# +         return t * s + x * (s * (1 - s) * t) / len(x)


# %% bad_jvp_eye_in_float64 expected: wrong-dtype from: plain
# jvp multiplies with a Jacobian made of a float64 identity, and so raises for float32.
# -         return t * s + x * (s * (1 - s) * t.mean())
# +         column = x[:, None] * s * (1 - s) / len(x)
# +         return (s * torch.eye(len(x), dtype=torch.float64) + column) @ t


# %% bad_gate_kept_in_vmap expected: wrong
# vmap goes to a second Function that keeps the gate, a constant: the Hessian through vmap is wrong.
import torch


class Batched(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        s = x.mean(dim=-1, keepdim=True).sigmoid()
        return x * s, s

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,), (_, s) = inputs, output
        ctx.mark_non_differentiable(s)
        ctx.save_for_backward(x, s)
        ctx.save_for_forward(x, s)

    @staticmethod
    def backward(ctx, g, _):
        x, s = ctx.saved_tensors
        return g * s + (g * x).mean(-1, keepdim=True) * s * (1 - s)

    @staticmethod
    def jvp(ctx, t):
        x, s = ctx.saved_tensors
        return t * s + x * t.mean(-1, keepdim=True) * s * (1 - s), None


class MeanGate(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x.mean().sigmoid()

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
        s = x.mean().sigmoid()
        return g * s + (g @ x) * s * (1 - s) / len(x)

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        s = x.mean().sigmoid()
        return t * s + x * t.mean() * s * (1 - s)


# %% bad_batched_jvp_detached expected: wrong from: vmap_by_a_second_function
# The second Function freezes the gate in jvp.
# -         s = rows.mean(dim=-1, keepdim=True).sigmoid()
# -         return s * t + rows * t.mean(-1, keepdim=True) * s * (1 - s)
# +         s = rows.mean(dim=-1, keepdim=True).sigmoid().detach()
# +         return s * t + rows * t.mean(-1, keepdim=True) * s * (1 - s)
