# %% bad_both_products_in_a_second_function expected: needless-work
import torch


class LinearBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x, weight):
        ctx.save_for_backward(g, x, weight)
        return g @ weight, g.T @ x

    @staticmethod
    def backward(ctx, a, b):
        g, x, weight = ctx.saved_tensors
        return a @ weight.T + x @ b.T, g @ b, g.T @ a


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx, gw = LinearBackward.apply(g, x, weight)
        wanted = list(ctx.needs_input_grad) + [False]
        return gx if wanted[0] else None, gw if wanted[1] else None, g.sum(0) if wanted[2] else None


# %% einsum_with_saved_only_what_is_needed expected: right
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.has_bias = bias is not None
        ctx.save_for_backward(
            x if ctx.needs_input_grad[1] else None, weight if ctx.needs_input_grad[0] else None
        )
        out = torch.einsum("ni,oi->no", x, weight)
        return out if bias is None else out.add(bias)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = None if weight is None else torch.einsum("no,oi->ni", g, weight)
        gw = None if x is None else torch.einsum("no,ni->oi", g, x)
        gb = torch.einsum("no->o", g) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb, None


# %% from_the_notes expected: right
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None):
        ctx.save_for_backward(input, weight, bias)
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        grad_input = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_input = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(input)
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_input, grad_weight, grad_bias


# %% gradients_for_what_was_given expected: right
import torch


class Linear(torch.autograd.Function):
    """As many gradients as arguments: two where the bias is left out."""

    @staticmethod
    def forward(ctx, *args):
        x, weight = args[:2]
        ctx.save_for_backward(x, weight)
        out = x @ weight.T
        if len(args) == 3 and args[2] is not None:
            out = out + args[2]
        return out

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        rules = [lambda: g @ weight, lambda: g.T @ x, lambda: g.sum(dim=0)]
        return tuple(rule() if needed else None for rule, needed in zip(rules, ctx.needs_input_grad))


# %% once_differentiable_loops expected: right
import torch
from torch.autograd.function import once_differentiable


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight, bias)
        out = x.new_zeros(x.shape[0], weight.shape[0])
        for i, row in enumerate(x):
            for j, w in enumerate(weight):
                out[i, j] = row.dot(w) + (0 if bias is None else bias[j])
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight, bias = ctx.saved_tensors
        gx = gw = gb = None
        if ctx.needs_input_grad[0]:
            gx = torch.zeros_like(x)
            for i in range(x.shape[0]):
                for j in range(weight.shape[0]):
                    gx[i] += g[i, j] * weight[j]
        if ctx.needs_input_grad[1]:
            gw = torch.zeros_like(weight)
            for i in range(x.shape[0]):
                gw.addr_(g[i], x[i])
        if bias is not None and ctx.needs_input_grad[2]:
            gb = sum(g)
        return gx, gw, gb


# %% setup_context_with_default expected: right
import torch
import torch.nn.functional as F


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, bias=None):
        return F.linear(x, weight, bias)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, bias = inputs
        ctx.save_for_backward(x, weight)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        need = ctx.needs_input_grad
        return (
            F.linear(g, weight.T) if need[0] else None,
            F.linear(g.T, x.T) if need[1] else None,
            g.sum(0) if need[2] else None,
        )


# %% unmaterialised_and_broadcast expected: right
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x, weight)
        y = (x[:, None, :] * weight[None, :, :]).sum(-1)
        if bias is not None:
            y += bias
        return y

    @staticmethod
    def backward(ctx, g):
        if g is None:
            return None, None, None
        x, weight = ctx.saved_tensors
        products = ctx.needs_input_grad + (False,) * (3 - len(ctx.needs_input_grad))
        dx = (g[:, :, None] * weight).sum(1) if products[0] else None
        dw = (g[:, :, None] * x[:, None, :]).sum(0) if products[1] else None
        db = g.sum(0) if products[2] else None
        return dx, dw, db


# %% vjp_with_a_mixin expected: right
import torch


class Rules:
    @staticmethod
    def for_x(ctx, g):
        return torch.matmul(g, ctx.saved_tensors[1])

    @staticmethod
    def for_weight(ctx, g):
        return torch.matmul(g.transpose(0, 1), ctx.saved_tensors[0])

    @staticmethod
    def for_bias(ctx, g):
        return torch.ones(1, len(g), dtype=g.dtype).mm(g)[0]


class Linear(Rules, torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        if bias is None:
            return x.matmul(weight.mT)
        return torch.addmm(bias, x, weight.mT)

    @staticmethod
    def vjp(ctx, g):
        grads = {}
        for name, needed in zip(("x", "weight", "bias"), ctx.needs_input_grad):
            grads[name] = getattr(Linear, "for_" + name)(ctx, g) if needed else None
        return grads["x"], grads["weight"], grads.get("bias")


# %% bad_bias_always expected: gradient-for-non-tensor
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0)
        return gx, gw, gb


# %% bad_bias_as_number expected: gradient-not-a-tensor
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = 1.0 if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_clone expected: missing-unbroadcast
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.clone() if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_factor expected: wrong-factor
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = 2 * g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_guard_without_check expected: wrong-needs-input-grad-index
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_keepdim expected: reshaped-gradient
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0, keepdim=True) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_mean expected: mean-instead-of-sum
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.mean(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_mean_wrong_axis expected: wrong-shape
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.mean(1) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_none expected: missing-gradient
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = None if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_not_summed expected: missing-unbroadcast
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_ones expected: missing-grad-output
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = torch.ones_like(g).sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_sign expected: wrong-sign
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = -g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_sum_of_all expected: wrong-sum-axis
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum() if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_summed_and_expanded expected: gradient-too-large
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0).expand_as(g) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_wrong_axis expected: wrong-sum-axis
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(1) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_bias_zeros expected: missing-gradient
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = 0 * g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_detached expected: detached-in-backward
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = (t.detach() for t in ctx.saved_tensors)
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_forward_bias_twice expected: forward-value
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_forward_needs_bias expected: wrong
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_forward_no_bias expected: forward-value
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_forward_no_transpose expected: wrong
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_four_gradients expected: too-many-gradients
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb, g.sum()


# %% bad_guard_all expected: missing-gradient
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if all(ctx.needs_input_grad) else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_guard_of_bias expected: wrong-needs-input-grad-index
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[1] else None
        return gx, gw, gb


# %% bad_guard_swapped expected: wrong-needs-input-grad-index
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[1] else None
        gw = g.T @ x if ctx.needs_input_grad[0] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_inputs_as_data expected: detached-in-backward
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = (g.data.T @ x) if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_list expected: gradients-in-a-list
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return [gx, gw, gb]


# %% bad_no_cotangent_at_all expected: missing-grad-output
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = weight if ctx.needs_input_grad[0] else None
        gw = x if ctx.needs_input_grad[1] else None
        gb = torch.ones(len(weight)) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_noise expected: not-reproducible
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ (weight + torch.randn_like(weight)) if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_nonlinear expected: mask-on-gradient
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g.relu() @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_one_gradient expected: too-few-gradients
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx


# %% bad_saved_tensors_not_unpacked expected: saved-tensors-not-unpacked
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x = weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_saved_twice expected: saved-twice
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x)
        ctx.save_for_backward(weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_swapped_weight_bias expected: gradients-swapped
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gb, gw


# %% bad_swapped_x_weight expected: gradients-swapped
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gw, gx, gb


# %% bad_two_gradients expected: too-few-gradients
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw


# %% bad_unguarded expected: needless-work
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight
        gw = g.T @ x
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_unguarded_x expected: needless-work
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_weight_first_row_only expected: outputs-left-out
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = torch.outer(g[0], x[0]) if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_weight_flattened expected: reshaped-gradient
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = (g.T @ x).flatten() if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_weight_half expected: wrong-factor
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x / 2 if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_weight_in_place_of_x expected: extra-factor
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x * weight if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_weight_mean expected: mean-instead-of-sum
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x / len(x) if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_weight_missing_transpose expected: missing-transpose
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_weight_none expected: missing-gradient
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = None if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_weight_not_summed expected: missing-unbroadcast
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g[:, :, None] * x[:, None, :] if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_weight_sign expected: wrong-sign
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = -g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_weight_transposed expected: missing-transpose
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = x.T @ g if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_writes_into_cotangent expected: mutates-grad-output
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.cumsum_(0)[-1] if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_writes_into_weight expected: mutates-saved-tensor
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        weight.data = weight.data.clone()
        weight.detach().mul_(1.5)
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_x_missing_transpose expected: missing-transpose
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight.T if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_x_no_cotangent expected: missing-grad-output
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = torch.ones_like(g) @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_x_seventh expected: wrong-factor
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight / 7 if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_x_sign expected: wrong-sign
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = -g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_x_zeros expected: missing-gradient
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = torch.zeros_like(x) if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else None
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_zeros_where_frozen expected: needless-work
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = g @ weight if ctx.needs_input_grad[0] else None
        gw = g.T @ x if ctx.needs_input_grad[1] else torch.zeros_like(weight)
        gb = g.sum(0) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb


# %% bad_saved_in_a_module_dict expected: state-on-class
from torch.autograd import Function

_saved = {}


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        _saved["x"], _saved["weight"] = x, weight
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = _saved["x"], _saved["weight"]
        need_x, need_weight, *need_bias = ctx.needs_input_grad
        return (
            g @ weight if need_x else None,
            g.T @ x if need_weight else None,
            *(g.sum(0) if need else None for need in need_bias),
        )


# %% bad_styled_bias_averaged expected: mean-instead-of-sum
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.with_bias = bias is not None
        y = torch.einsum("ni,oi->no", x, weight)
        return y + bias if ctx.with_bias else y

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        n = ctx.needs_input_grad
        b = torch.einsum("no->o", g) / g.shape[0] if len(n) > 2 and n[2] else None
        out = (
            torch.einsum("no,oi->ni", g, weight) if n[0] else None,
            torch.einsum("no,ni->oi", g, x) if n[1] else None,
        )
        return (*out, b)[: len(n)]


# %% bad_styled_weight_by_rows_minus expected: wrong-sign
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.with_bias = bias is not None
        y = torch.einsum("ni,oi->no", x, weight)
        return y + bias if ctx.with_bias else y

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        n = ctx.needs_input_grad
        w = torch.zeros_like(weight)
        for i in range(len(x)):
            w = w - torch.outer(g[i], x[i])
        return (
            g.mm(weight) if n[0] else None,
            w if n[1] else None,
            *([g.sum(0)] if len(n) > 2 and n[2] else [None] * (len(n) - 2)),
        )


# %% bad_styled_last_row_only expected: overwrites-instead-of-accumulates
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.with_bias = bias is not None
        y = torch.einsum("ni,oi->no", x, weight)
        return y + bias if ctx.with_bias else y

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        n = ctx.needs_input_grad
        for i in range(len(x)):
            w = torch.outer(g[i], x[i])
        return (
            g.mm(weight) if n[0] else None,
            w if n[1] else None,
            *([g.sum(0)] if len(n) > 2 and n[2] else [None] * (len(n) - 2)),
        )


# %% bias_as_a_column_of_ones expected: right
# Right: products of explicit factors summed over one index, and the bias as a product with ones.
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        scores = (x.unsqueeze(1) * weight.unsqueeze(0)).sum(dim=2)
        if bias is not None:
            scores = scores + bias.expand_as(scores)
        return scores

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        answer = {0: None, 1: None, 2: None}
        for place, needed in enumerate(ctx.needs_input_grad):
            if not needed:
                continue
            if place == 0:
                answer[place] = torch.matmul(weight.t(), grad_output.t()).t()
            elif place == 1:
                answer[place] = torch.matmul(x.t(), grad_output).t()
            else:
                answer[place] = grad_output.new_ones(len(grad_output)) @ grad_output
        return answer[0], answer[1], answer[2]


# %% bad_bias_follows_the_weight expected: wrong-needs-input-grad-index
# The bias asks for the weight's entry of needs_input_grad: right as long as both are frozen or none of them.
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(x, weight, bias=None):
        return torch.nn.functional.linear(x, weight, bias)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs[:2])
        ctx.with_bias = len(inputs) == 3 and inputs[2] is not None

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        x_bar = weight_bar = bias_bar = None
        if ctx.needs_input_grad[0]:
            x_bar = g @ weight
        if ctx.needs_input_grad[1]:
            weight_bar = g.T @ x
            if ctx.with_bias:
                bias_bar = g.sum(dim=0)
        return x_bar, weight_bar, bias_bar


# %% bad_always_three_entries expected: wrong-needs-input-grad-index
# needs_input_grad has only two entries if the bias is left out: IndexError in the third kind of call, right in the other two.
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        if bias is None:
            return torch.mm(x, weight.T)
        return torch.addmm(bias, x, weight.T)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        rules = [
            lambda: grad_output.mm(weight),
            lambda: grad_output.T.mm(x),
            lambda: grad_output.sum(0),
        ]
        return tuple(rules[i]() if ctx.needs_input_grad[i] else None for i in range(3))


# %% bad_no_grad_around_one_product expected: detached-in-backward
# The weight's gradient is computed under no_grad: right at first order, its derivative is lost.
import torch
from torch import Tensor
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        ctx.save_for_backward(x, weight)
        out = x @ weight.T
        return out if bias is None else out + bias

    @staticmethod
    def backward(ctx, grad_output: Tensor):
        x, weight = ctx.saved_tensors
        needed = (*ctx.needs_input_grad, False)[:3]
        x_bar = weight_bar = bias_bar = None
        if needed[0]:
            x_bar = grad_output @ weight
        if needed[1]:
            with torch.no_grad():  # this one is the expensive product
                weight_bar = grad_output.T @ x
        if needed[2]:
            bias_bar = grad_output.sum(0)
        return x_bar, weight_bar, bias_bar


# %% bad_products_thrown_away expected: needless-work
# all products are computed first, and only then replaced by None for frozen inputs
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        grads = g @ weight, g.T @ x, g.sum(0)
        return tuple(grad if need else None for grad, need in zip(grads, ctx.needs_input_grad))


# %% bad_skipped_if_small expected: gradient-nonlinear
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.has = bias is not None
        y = x @ weight.t()
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gx = gw = gb = None
        if g.norm() < 1e-8:
            g = torch.zeros_like(g)
        if ctx.needs_input_grad[0]:
            gx = g @ w
        if ctx.needs_input_grad[1]:
            gw = g.t() @ x
        if ctx.has and ctx.needs_input_grad[2]:
            gb = g.sum(0)
        return gx, gw, gb


# %% bad_frozen_weight_returns_early expected: missing-gradient
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        if bias is None:
            return x @ weight.T
        return torch.addmm(bias, x, weight.T)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output @ weight
        if not ctx.needs_input_grad[1]:
            # the layer is frozen, nothing more to do
            return grad_x, None, None
        grad_weight = grad_output.T @ x
        grad_bias = None
        if any(ctx.needs_input_grad[2:]):
            grad_bias = grad_output.sum(0)
        return grad_x, grad_weight, grad_bias


# %% bad_zero_bias_is_no_bias expected: missing-gradient
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.use_bias = bias is not None and bool(bias.any())
        y = torch.mm(x, weight.t())
        if ctx.use_bias:
            y.add_(bias)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        x_bar = weight_bar = bias_bar = None
        if ctx.needs_input_grad[0]:
            x_bar = grad_output @ weight
        if ctx.needs_input_grad[1]:
            weight_bar = grad_output.T @ x
        if ctx.use_bias and ctx.needs_input_grad[2]:
            bias_bar = grad_output.sum(0)
        return x_bar, weight_bar, bias_bar


# %% bad_sum_for_a_frozen_bias expected: needless-work
# the sum for the bias is computed also where the bias is frozen, and thrown away: "For an input that
# needs no gradient, return None and skip the work."
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        x_bar = weight_bar = None
        bias_bar = grad_output.sum(dim=0)
        if ctx.needs_input_grad[0]:
            x_bar = grad_output @ weight
        if ctx.needs_input_grad[1]:
            weight_bar = grad_output.T @ x
        if len(ctx.needs_input_grad) < 3 or not ctx.needs_input_grad[2]:
            bias_bar = None
        return x_bar, weight_bar, bias_bar


# %% bad_either_orientation expected: forward-value
# Transposes the weight only where the product needs it, so a square layer (in = out) computes x @ W
# instead of x @ W.T, with gradients to match.
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.turned = x.shape[1] != weight.shape[0]
        y = x @ (weight.T if ctx.turned else weight)
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        needs = ctx.needs_input_grad
        gx = gw = gb = None
        if needs[0]:
            gx = grad_output @ (weight if ctx.turned else weight.T)
        if needs[1]:
            gw = grad_output.T @ x if ctx.turned else x.T @ grad_output
        if len(needs) > 2 and needs[2]:
            gb = grad_output.sum(0)
        return gx, gw, gb


# %% bad_weight_gradient_turned_to_fit expected: missing-transpose
# The gradient of the weight is X^T Y_bar, transposed only where its shape is not that of the weight: for
# a square layer (in = out) it stays transposed; "W_bar = Y_bar^T X".
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        needs = ctx.needs_input_grad
        gx = gw = gb = None
        if needs[0]:
            gx = grad_output @ weight
        if needs[1]:
            gw = x.T @ grad_output
            if gw.shape != weight.shape:
                gw = gw.T
        if len(needs) > 2 and needs[2]:
            gb = grad_output.sum(0)
        return gx, gw, gb


# %% bad_gradient_buffer expected: state-on-class
# the weight gradient lies in a buffer kept by shape: with a tied weight (w used by two calls) w.grad is
# twice the later gradient ([4, 8] for [5, 7]), and what grad() returned is overwritten by the next call;
# 'right gradients', 'nothing modified that your Function does not own'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

_buffers: dict[Any, Tensor] = {}


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        ctx.arguments = len(ctx.needs_input_grad)
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = gw = gb = None
        if ctx.needs_input_grad[0]:
            gx = g @ weight
        if ctx.needs_input_grad[1]:
            key = (weight.shape, weight.dtype)
            if key not in _buffers:
                _buffers[key] = torch.empty(weight.shape, dtype=weight.dtype)
            gw = torch.mm(g.T, x, out=_buffers[key])
        if len(ctx.needs_input_grad) > 2 and ctx.needs_input_grad[2]:
            gb = g.sum(0)
        return gx, gw, gb


# %% bad_batch_of_one expected: wrong-order
# For one row (n = 1) with in >= 2 and out >= 2 the weight gradient is x outer g reshaped to W's shape:
# scrambled (it breaks W-bar = Y-bar^T X); no sample has n = 1 with in > 1.
from typing import Any
import math
import functools
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        return y if bias is None else torch.add(y, bias)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        need = list(ctx.needs_input_grad)
        gx = g @ weight if need[0] else None
        gw = None
        if need[1]:
            gw = torch.outer(x[0], g[0]).reshape(weight.shape) if len(x) == 1 else g.T @ x
        gb = g.sum(0) if len(need) > 2 and need[2] else None
        return gx, gw, gb


# %% bad_weight_cached_by_its_shape expected: state-on-class
# the copy is taken once for each shape: out of date after a step of the optimiser.
import torch
from torch.autograd import Function


class Linear(Function):
    weight = None

    @staticmethod
    def forward(ctx, x, weight, bias=None):
        if Linear.weight is None or Linear.weight.shape != weight.shape:
            Linear.weight = weight.detach().clone()
        ctx.save_for_backward(x, weight)
        y = x @ Linear.weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        for_x, for_weight, *for_bias = ctx.needs_input_grad
        return (
            g @ weight if for_x else None,
            g.T @ x if for_weight else None,
            g.sum(0) if any(for_bias) else None,
        )
