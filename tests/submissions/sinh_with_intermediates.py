# %% exponentials_as_functions_of_their_own expected: right
import torch
from torch.autograd import Function


class _Backward(Function):
    """g * (e^x + e^-x) / 2, with both exponentials handed over."""

    @staticmethod
    def forward(ctx, g, x, plus, minus):
        ctx.save_for_backward(g, plus, minus)
        return g * (plus + minus) / 2

    @staticmethod
    def backward(ctx, a):
        g, plus, minus = ctx.saved_tensors
        return a * (plus + minus) / 2, a * g * (plus - minus) / 2, None, None


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        plus, minus = x.exp(), x.neg().exp()
        ctx.save_for_backward(x, plus, minus)
        return (plus - minus) / 2

    @staticmethod
    def backward(ctx, g):
        return _Backward.apply(g, *ctx.saved_tensors)


# %% hand_written_first_and_second_derivative expected: right
import torch


class Cosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up = x.exp()
        ctx.save_for_backward(up)
        ctx.mark_non_differentiable()
        return (up + 1 / up) / 2, up

    @staticmethod
    def backward(ctx, g, g_up):
        (up,) = ctx.saved_tensors
        return g * (up - 1 / up) / 2 + g_up * up


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        up = x.exp()
        return (up - up**-1) / 2

    @staticmethod
    def backward(ctx, g):
        return g * Cosh.apply(ctx.saved_tensors[0])[0]


# %% harmless_detach_beside expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sinh(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        largest = x.detach().abs().max().item()
        assert largest < 700
        with torch.no_grad():
            zero = torch.zeros_like(g)
        return g * torch.cosh(x) + zero


# %% intermediates_as_outputs expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, g, g_up, g_down):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2 + g_up * up - g_down * down


# %% output_saved_with_the_input expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = (torch.exp(x) - torch.exp(-x)) / 2
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * (torch.exp(-x) + y)


# %% recomputed_in_backward expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x.exp() - (-x).exp()) / 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.exp() + (-x).exp()) / 2


# %% setup_context_and_two_outputs expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(x):
        e = torch.exp(x)
        return 0.5 * (e - e.reciprocal()), e

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, e = output
        ctx.save_for_backward(e)

    @staticmethod
    def backward(ctx, grad_sinh, grad_exp):
        (e,) = ctx.saved_tensors
        grad_input = grad_sinh * 0.5 * (e + 1 / e)
        grad_input = grad_input + grad_exp * e
        return grad_input


# %% unmaterialised_outputs expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, *grads):
        up, down = ctx.saved_tensors
        slopes = ((up + down) / 2, up, -down)
        terms = [g * slope for g, slope in zip(grads, slopes) if g is not None]
        return sum(terms) if terms else None


# %% bad_copies_of_the_outputs_saved expected: intermediate-kept-on-ctx
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up.clone(), down.clone())
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, g, g_up, g_down):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2 + g_up * up - g_down * down


# %% bad_declared_once expected: wrongly-once-differentiable
import torch
from torch.autograd.function import once_differentiable


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2


# %% bad_detached expected: detached-in-backward
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x.exp() - (-x).exp()) / 2

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0].detach()
        return g * (x.exp() + (-x).exp()) / 2


# %% bad_exponentials_on_ctx expected: intermediate-kept-on-ctx
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up = x.exp()
        ctx.down = (-x).exp()
        return (ctx.up - ctx.down) / 2

    @staticmethod
    def backward(ctx, g):
        return g * (ctx.up + ctx.down) / 2


# %% bad_exponentials_saved expected: intermediate-kept-on-ctx
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx, g):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2


# %% bad_factor expected: wrong-factor
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, g, g_up, g_down):
        up, down = ctx.saved_tensors
        return g * (up + down) + g_up * up - g_down * down


# %% bad_forward_is_cosh expected: forward-value
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up + down) / 2, up, down

    @staticmethod
    def backward(ctx, g, g_up, g_down):
        up, down = ctx.saved_tensors
        return g * (up - down) / 2 + g_up * up - g_down * down


# %% bad_marked_non_differentiable expected: further-output-marked
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.mark_non_differentiable(up, down)
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, g, g_up, g_down):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2 + g_up * up - g_down * down


# %% bad_no_cotangent expected: missing-grad-output
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x.exp() - (-x).exp()) / 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (x.exp() + (-x).exp()) / 2


# %% bad_no_grad expected: detached-in-backward
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x.exp() - (-x).exp()) / 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        with torch.no_grad():
            cosh = (x.exp() + (-x).exp()) / 2
        return g * cosh


# %% bad_numpy expected: numpy-in-backward
import torch
import numpy as np


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x.exp() - (-x).exp()) / 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.from_numpy(np.cosh(x.detach().numpy()))


# %% bad_one_cotangent expected: one-grad-output-per-output
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, g):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2


# %% bad_one_of_two_on_ctx expected: intermediate-kept-on-ctx
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up)
        ctx.kept = [down]
        return (up - down) / 2, up

    @staticmethod
    def backward(ctx, g, g_up):
        (up,) = ctx.saved_tensors
        return g * (up + ctx.kept[0]) / 2 + g_up * up


# %% bad_outputs_without_their_gradients expected: further-cotangent-unused
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, g, _up, _down):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2


# %% bad_setup_context_computes expected: intermediate-kept-on-ctx
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return (x.exp() - (-x).exp()) / 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.cosh = (x.exp() + (-x).exp()) / 2

    @staticmethod
    def backward(ctx, g):
        return g * ctx.cosh


# %% bad_sign expected: value-for-derivative
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, g, g_up, g_down):
        up, down = ctx.saved_tensors
        return g * (up - down) / 2 + g_up * up - g_down * down


# %% bad_sign_of_the_second_output expected: further-cotangent-wrong
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, g, g_up, g_down):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2 + g_up * up + g_down * down


# %% bad_sinh_is_the_last_output expected: forward-value
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return up, down, (up - down) / 2

    @staticmethod
    def backward(ctx, g_up, g_down, g):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2 + g_up * up - g_down * down


# %% bad_own_tensor_changed_in_place expected: second-backward-raises
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sinh()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        total = x.exp()
        total += (-x).exp()
        return g * total / 2
