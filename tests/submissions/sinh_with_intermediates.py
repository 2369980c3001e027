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


# %% exponentials_of_the_absolute_value expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        large = x.abs().exp()
        small = large.reciprocal()
        ctx.save_for_backward(x, large, small)
        return x.sign() * (large - small) / 2, large, small

    @staticmethod
    def backward(ctx, g, g_large, g_small):
        x, large, small = ctx.saved_tensors
        return g * (large + small) / 2 + x.sign() * (g_large * large - g_small * small)


# %% harmless_detach_beside expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up = torch.exp(x)
        ctx.save_for_backward(x, up)
        return (up - 1 / up) / 2, up

    @staticmethod
    def backward(ctx, g, g_up):
        x, up = ctx.saved_tensors
        largest = x.detach().abs().max().item()
        assert largest < 700
        with torch.no_grad():
            zero = torch.zeros_like(g)
        return g * (up + up**-1) / 2 + g_up * up + zero


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


# %% output_and_one_exponential expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        down = torch.exp(-x)
        y = (1 / down - down) / 2
        ctx.save_for_backward(y, down)
        return y, down

    @staticmethod
    def backward(ctx, g, g_down):
        y, down = ctx.saved_tensors
        return g * (y + down) - g_down * down


# %% products_by_numpy_in_a_second_function expected: right
import numpy as np
import torch


class _Backward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x, up, down):
        ctx.save_for_backward(g, up, down)
        return torch.from_numpy(np.asarray(g.numpy() * (up.numpy() + down.numpy()) / 2))

    @staticmethod
    def backward(ctx, a):
        g, up, down = ctx.saved_tensors
        for_g = for_x = None
        if ctx.needs_input_grad[0]:
            for_g = a * (up + down) / 2
        if ctx.needs_input_grad[1]:
            for_x = a * g * (up - down) / 2
        return for_g, for_x, None, None


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(x, up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx, g):
        return _Backward.apply(g.detach() if not g.requires_grad else g, *ctx.saved_tensors)


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


# %% slope_as_an_output expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        y, slope = (up - down) / 2, (up + down) / 2
        ctx.save_for_backward(y, slope)
        return y, slope

    @staticmethod
    def backward(ctx, g, g_slope):
        y, slope = ctx.saved_tensors
        return torch.stack((g, g_slope)).mul(torch.stack((slope, y))).sum(0)


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


# %% bad_copies_of_the_outputs_saved expected: intermediate-kept-on-ctx from: intermediates_as_outputs
# -         ctx.save_for_backward(up, down)
# +         ctx.save_for_backward(up.clone(), down.clone())


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


# %% bad_exponentials_saved expected: intermediate-kept-on-ctx from: intermediates_as_outputs
# -         return (up - down) / 2, up, down
# +         return (up - down) / 2

# -     def backward(ctx, g, g_up, g_down):
# +     def backward(ctx, g):

# -         return g * (up + down) / 2 + g_up * up - g_down * down
# +         return g * (up + down) / 2


# %% bad_factor expected: wrong-factor from: intermediates_as_outputs
# -         return g * (up + down) / 2 + g_up * up - g_down * down
# +         return g * (up + down) + g_up * up - g_down * down


# %% bad_forward_is_cosh expected: forward-value from: intermediates_as_outputs
# -         return (up - down) / 2, up, down
# +         return (up + down) / 2, up, down

# -         return g * (up + down) / 2 + g_up * up - g_down * down
# +         return g * (up - down) / 2 + g_up * up - g_down * down


# %% bad_marked_non_differentiable expected: further-output-marked from: intermediates_as_outputs
#           up, down = x.exp(), (-x).exp()
# +         ctx.mark_non_differentiable(up, down)


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


# %% bad_one_cotangent expected: one-grad-output-per-output from: intermediates_as_outputs
# -     def backward(ctx, g, g_up, g_down):
# +     def backward(ctx, g):

# -         return g * (up + down) / 2 + g_up * up - g_down * down
# +         return g * (up + down) / 2


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


# %% bad_outputs_without_their_gradients expected: further-cotangent-unused from: intermediates_as_outputs
# -     def backward(ctx, g, g_up, g_down):
# +     def backward(ctx, g, _up, _down):

# -         return g * (up + down) / 2 + g_up * up - g_down * down
# +         return g * (up + down) / 2


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


# %% bad_sign expected: value-for-derivative from: intermediates_as_outputs
# -         return g * (up + down) / 2 + g_up * up - g_down * down
# +         return g * (up - down) / 2 + g_up * up - g_down * down


# %% bad_sign_of_the_second_output expected: further-cotangent-wrong from: intermediates_as_outputs
# -         return g * (up + down) / 2 + g_up * up - g_down * down
# +         return g * (up + down) / 2 + g_up * up + g_down * down


# %% bad_sinh_is_the_last_output expected: forward-value from: intermediates_as_outputs
# -         return (up - down) / 2, up, down
# +         return up, down, (up - down) / 2

# -     def backward(ctx, g, g_up, g_down):
# +     def backward(ctx, g_up, g_down, g):


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


# %% bad_second_function_computes_again expected: computed-again-in-backward
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


# %% bad_cosh_in_backward expected: computed-again-in-backward
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


# %% bad_half_computed_again expected: computed-again-in-backward
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


# %% bad_exponentials_computed_again expected: computed-again-in-backward
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


# %% bad_slope_from_the_output expected: computed-again-in-backward
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = (x.exp() - (-x).exp()) / 2
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 + y * y) ** 0.5


# %% bad_power_of_e expected: computed-again-in-backward
import math
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sinh()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (math.e**x + math.e**-x) / 2


# %% bad_again_in_the_second_pass expected: computed-again-in-backward
import torch


class _Backward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x, up, down):
        ctx.save_for_backward(g, x)
        return g * (up + down) / 2

    @staticmethod
    def backward(ctx, a):
        g, x = ctx.saved_tensors
        return a * x.cosh(), a * g * x.sinh(), None, None


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(x, up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx, g):
        return _Backward.apply(g, *ctx.saved_tensors)


# %% bad_again_by_numpy expected: computed-again-in-backward
import numpy as np
import torch


class _Backward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        return g * torch.from_numpy(np.cosh(x.detach().numpy()))

    @staticmethod
    def backward(ctx, a):
        g, x = ctx.saved_tensors
        numbers = x.detach().numpy()
        return a * torch.from_numpy(np.cosh(numbers)), a * g * torch.from_numpy(np.sinh(numbers))


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x.exp() - (-x).exp()) / 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return _Backward.apply(g, x)


# %% bad_second_function_without_x expected: wrong-second-derivative
import torch


class _Backward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x, up, down):
        ctx.save_for_backward(up, down)
        return g * (up + down) / 2

    @staticmethod
    def backward(ctx, a):
        up, down = ctx.saved_tensors
        return a * (up + down) / 2, None, None, None


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(x, up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx, g):
        return _Backward.apply(g, *ctx.saved_tensors)


# %% bad_second_function_with_cosh_twice expected: wrong-second-derivative
import torch


class _Backward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x, up, down):
        ctx.save_for_backward(g, up, down)
        return g * (up + down) / 2

    @staticmethod
    def backward(ctx, a):
        g, up, down = ctx.saved_tensors
        slope = (up + down) / 2
        return a * slope, a * g * slope, None, None


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(x, up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx, g):
        return _Backward.apply(g, *ctx.saved_tensors)


# %% both_in_one_tensor expected: right
# Returns both exponentials in one tensor with a leading axis of 2.
import torch
from torch.autograd import Function


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        both = torch.stack([x, -x]).exp()
        ctx.save_for_backward(both)
        return torch.tensordot(x.new_tensor([0.5, -0.5]), both, dims=1), both

    @staticmethod
    def backward(ctx, *grad_outputs):
        (both,) = ctx.saved_tensors
        to_y, to_both = grad_outputs
        up, down = both.unbind()
        from_up, from_down = (to_both * both).unbind()
        return to_y * (up + down) / 2 + from_up - from_down


# %% bad_one_output_marked expected: further-output-marked
# Of the two further outputs, d is marked as non-differentiable, so double backward takes it for a constant.
import torch
from torch.autograd import Function


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        p = torch.exp(x)
        m = torch.exp(-x)
        ctx.mark_non_differentiable(m)
        ctx.save_for_backward(p, m)
        return p.sub(m).div(2), p, m

    @staticmethod
    def backward(ctx, *grads):
        g, gp, gm = grads
        p, m = ctx.saved_tensors
        return g * p.add(m).div(2) + gp * p - gm * m


# %% bad_down_has_no_term expected: further-cotangent-unused
# The cotangent of u is used, the one of d is not.
import torch
from torch.autograd import Function


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(x):
        up = x.exp()
        down = up.reciprocal()
        return 0.5 * (up - down), up, down

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*output[1:])

    @staticmethod
    def backward(ctx, gy, gup, gdown):
        up, down = ctx.saved_tensors
        return 0.5 * gy * (up + down) + gup * up


# %% bad_cotangent_of_u_passed_on expected: further-cotangent-wrong
# The cotangent of u is added without its factor u, and the one of d has the wrong sign.
import torch
from torch.autograd import Function


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        pair = torch.stack((x, -x)).exp()
        u, d = pair[0].clone(), pair[1].clone()
        ctx.save_for_backward(u, d)
        return (u - d) / 2, u, d

    @staticmethod
    def backward(ctx, gy, gu, gd):
        u, d = ctx.saved_tensors
        return gy * (u + d) / 2 + gu * u + gd * d


# %% bad_second_view expected: assumes-contiguous
# The second Function's backward uses view(-1) on the cotangent that it receives, which raises for a
# transposed one, so the second derivative of loss(grad.T) raises.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class SinhBackward(Function):
    @staticmethod
    def forward(ctx, g, x, u, d):
        ctx.save_for_backward(g, u, d)
        return g * (u + d) / 2

    @staticmethod
    def backward(ctx, c):
        g, u, d = ctx.saved_tensors
        flat = c.view(-1)
        slope = (u + d).reshape(-1) / 2
        value = (u - d).reshape(-1) / 2
        return (flat * slope).view(c.shape), (flat * g.reshape(-1) * value).view(c.shape), None, None


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        u, d = x.exp(), (-x).exp()
        ctx.save_for_backward(x, u, d)
        return (u - d) / 2

    @staticmethod
    def backward(ctx, g):
        x, u, d = ctx.saved_tensors
        return SinhBackward.apply(g, x, u, d)


# %% bad_d_ignored expected: further-cotangent-unused
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        u, d = torch.exp(x), torch.exp(-x)
        ctx.save_for_backward(u)
        return (u - d) / 2, u, d

    @staticmethod
    def backward(ctx, gy, gu, gd):
        (u,) = ctx.saved_tensors
        return gy * (u + 1 / u) / 2 + gu * u


# %% bad_further_ignored expected: further-cotangent-unused
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class _C(Function):
    @staticmethod
    def forward(ctx, g, x, u, d):
        ctx.save_for_backward(g, u, d)
        return g * (u + d) / 2

    @staticmethod
    def backward(ctx, a):
        g, u, d = ctx.saved_tensors
        return a * (u + d) / 2, a * g * (u - d) / 2, None, None


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        u, d = torch.exp(x), torch.exp(-x)
        ctx.save_for_backward(x, u, d)
        return (u - d) / 2, u, d

    @staticmethod
    def backward(ctx, *grad_outputs):
        grad_output, *_ = grad_outputs
        x, u, d = ctx.saved_tensors
        return _C.apply(grad_output, x, u, d)


# %% bad_helper_deletes expected: deletes-context-state
# the second Function deletes what it kept: a second pass over the graph of the second derivative raises.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class SinhBackward(Function):
    @staticmethod
    def forward(ctx, g, x, up, down):
        ctx.kept = g.detach(), up, down
        return g * (up + down) / 2

    @staticmethod
    def backward(ctx, c):
        g, up, down = ctx.kept
        del ctx.kept
        return c * (up + down) / 2, c * g * (up - down) / 2, None, None


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(x, up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx, *grad_outputs):
        (g,) = grad_outputs
        return SinhBackward.apply(g, *ctx.saved_tensors)


# %% bad_helper_state_on_class expected: state-on-class
# the second Function keeps its tensors on its class: two first derivatives before a second one mix.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class SinhBackward(Function):
    @staticmethod
    def forward(ctx, g, x, up, down):
        SinhBackward.kept = g.detach(), up, down
        return g * (up + down) / 2

    @staticmethod
    def backward(ctx, c):
        g, up, down = SinhBackward.kept
        return c * (up + down) / 2, c * g * (up - down) / 2, None, None


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(x, up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx, *grad_outputs):
        (g,) = grad_outputs
        return SinhBackward.apply(g, *ctx.saved_tensors)


# %% bad_helper_writes expected: mutates-saved-tensor
# the second Function writes into its cotangent; 'nothing is modified that your Function does not own'.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class SinhBackward(Function):
    @staticmethod
    def forward(ctx, g, x, up, down):
        ctx.save_for_backward(g, up, down)
        return g * (up + down) / 2

    @staticmethod
    def backward(ctx, c):
        g, up, down = ctx.saved_tensors
        first = c * (up + down) / 2
        return first, c.mul_(g).mul_(up - down).div_(2), None, None


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(x, up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx, *grad_outputs):
        (g,) = grad_outputs
        return SinhBackward.apply(g, *ctx.saved_tensors)
