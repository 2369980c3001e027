# %% clone_of_the_gradient expected: right
import torch


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, g):
        return g.clone()


# %% difference_with_detach_trick expected: right
import torch


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x - (x - torch.round(x)).detach()

    @staticmethod
    def backward(ctx, g):
        return torch.einsum("...->...", g)


# %% identity_in_a_second_function expected: right
import torch


class Pass(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g):
        return g.view_as(g)

    @staticmethod
    def backward(ctx, h):
        return h


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return Pass.apply(g)


# %% once_differentiable_and_view expected: right
import torch
from torch.autograd.function import once_differentiable


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x + (x.round() - x)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return g.view_as(g)


# %% setup_context_that_passes expected: right
import torch
from torch.autograd import Function


class RoundSte(Function):
    @staticmethod
    def forward(x):
        return torch.floor(x + 0.5)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output if ctx.needs_input_grad[0] else None


# %% straight_through expected: right
import torch


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


# %% vjp_with_base_class expected: right
import torch


class StraightThrough(torch.autograd.Function):
    @staticmethod
    def vjp(ctx, *cotangents):
        (g,) = cotangents
        return (1.0 * g,)


class RoundSte(StraightThrough):
    @staticmethod
    def forward(ctx, x):
        return torch.trunc(x + 0.5 * torch.sign(x))


# %% bad_detached expected: detached-in-backward from: straight_through
# -         return g
# +         return g.detach()


# %% bad_floor expected: forward-value from: straight_through
# -         return x.round()
# +         return x.floor()


# %% bad_half expected: wrong-factor from: straight_through
# -         return g
# +         return g / 2


# %% bad_masked_far_from_zero expected: wrong-mask from: straight_through
#       def forward(ctx, x):
# +         ctx.save_for_backward(x)

# -         return g
# +         (x,) = ctx.saved_tensors
# +         return g * (x.abs() <= 1)


# %% bad_none expected: missing-gradient from: straight_through
# -         return g
# +         return None


# %% bad_nothing expected: missing-gradient from: straight_through
# -         return g
# +         pass


# %% bad_numpy expected: numpy-in-backward from: straight_through
# -         return g
# +         return torch.from_numpy(g.detach().numpy().copy())


# %% bad_ones expected: missing-grad-output from: straight_through
# -         return g
# +         return torch.ones_like(g)


# %% bad_rounds_in_place expected: mutates-input from: straight_through
# -         return x.round()
# +         return x.round_()


# %% bad_rounds_the_gradient expected: gradient-nonlinear from: straight_through
# -         return g
# +         return g.round()


# %% bad_sign expected: wrong-sign from: straight_through
# -         return g
# +         return -g


# %% bad_times_input expected: extra-factor from: straight_through
#       def forward(ctx, x):
# +         ctx.save_for_backward(x)

# -         return g
# +         (x,) = ctx.saved_tensors
# +         return g * x


# %% bad_two_gradients expected: too-many-gradients from: straight_through
# -         return g
# +         return g, g


# %% bad_zeros expected: missing-gradient from: straight_through
# -         return g
# +         return torch.zeros_like(g)


# %% bad_styled_zero expected: missing-gradient
import torch
from torch.autograd import Function


class RoundSte(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, g):
        return g * 0


# %% bad_styled_sign expected: wrong-sign
import torch
from torch.autograd import Function


class RoundSte(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, g):
        return 0 - g


# %% bad_styled_ones expected: missing-grad-output
import torch
from torch.autograd import Function


class RoundSte(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, g):
        return torch.ones_like(g)


# %% numpy_forward expected: right
# Rounds in NumPy (a new array), in the setup_context form.
import numpy as np
import torch
from torch.autograd import Function


class RoundSte(Function):
    @staticmethod
    def forward(x):
        return torch.from_numpy(np.asarray(np.rint(x.detach().cpu().numpy())))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


# %% bad_rint_into_itself expected: mutates-input
# np.rint writes its result into the memory of the caller's x (PyTorch's version counter does not notice).
import numpy as np
import torch
from torch.autograd import Function


class RoundSte(Function):
    @staticmethod
    def forward(ctx, x):
        values = x.detach().numpy()
        np.rint(values, out=values)
        return torch.from_numpy(values.copy())

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


# %% bad_the_derivative_is_one expected: missing-grad-output
# Returns the derivative of the identity, 1, without the cotangent.
from torch import Tensor
from torch.autograd import Function


class RoundSte(Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        return x.round()

    @staticmethod
    def backward(ctx, grad_output: Tensor) -> Tensor:
        slope = grad_output.new_ones(grad_output.shape)
        return slope


# %% bad_weighted_by_distance expected: extra-factor
import torch


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.round()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * (1 - (x - y.detach()).abs())
