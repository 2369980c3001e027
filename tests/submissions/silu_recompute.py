# %% by_exponentials expected: right
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + (-x).exp())

    @staticmethod
    def vjp(ctx, g):
        x = ctx.saved_tensors[0]
        s = 1 / (1 + torch.exp(-x))
        return g * s * (1 + x * (1 - s))


# %% by_tanh expected: right
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 0.5 * x * (1 + torch.tanh(0.5 * x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        t = torch.tanh(x / 2)
        return g * (0.5 * (1 + t) + 0.25 * x * (1 - t * t)), None


# %% guarded_with_constant expected: right
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.one = torch.ones((), dtype=x.dtype)
        ctx.shape = x.shape
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, g):
        if ctx.needs_input_grad[0]:
            (x,) = ctx.saved_tensors
            s = torch.special.expit(x)
            return (g * torch.addcmul(s, x * s, ctx.one - s)).reshape(ctx.shape)
        return None


# %% helpers expected: right
import torch


def _slope(x):
    s = torch.sigmoid(x)
    return s + x * s * (1 - s)


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        return tuple(g * _slope(x) for x in ctx.saved_tensors)


# %% once_differentiable_in_place expected: right
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.sigmoid()
        s *= 1 + x * (1 - s)
        return s * g


# %% plain expected: right
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.sigmoid()
        return g * s * (1 + x * (1 - s))


# %% scripted_helpers_and_dataclass expected: right
import torch


from dataclasses import dataclass


@dataclass
class Settings:
    beta: float = 1.0


def parts(x, beta):
    s = torch.sigmoid(beta * x)
    return s, x * s


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.settings = Settings()
        ctx.save_for_backward(x)
        return parts(x, ctx.settings.beta)[1]

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s, y = parts(x, ctx.settings.beta)
        return g * (s + ctx.settings.beta * y * (1 - s))


# %% setup_context expected: right
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.nn.functional.silu(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.sigmoid()
        y = x * s
        return g * (y + s * (1 - y))


# %% bad_complex_step expected: autograd-in-backward from: plain
# -         return g * s * (1 + x * (1 - s))
# +         z = torch.complex(x, torch.full_like(x, 1e-30))
# +         return g * (z / (1 + torch.exp(-z))).imag / 1e-30


# %% bad_copy_in_single_precision expected: not-precise from: plain
# -         ctx.save_for_backward(x)
# -         return x * torch.sigmoid(x)
# +         ctx.save_for_backward(x.float())
# +         return x * x.sigmoid()

# -         return g * s * (1 + x * (1 - s))
# +         return (g * s * (1 + x * (1 - s))).to(g)


# %% bad_detached expected: detached-in-backward from: plain
# -         (x,) = ctx.saved_tensors
# +         x = ctx.saved_tensors[0].detach()


# %% bad_factor expected: wrong-factor from: plain
# -         return g * s * (1 + x * (1 - s))
# +         return 2 * g * s * (1 + x * (1 - s))


# %% bad_forgets_product_rule expected: missing-term from: plain
# -         return g * s * (1 + x * (1 - s))
# +         return g * s


# %% bad_func_grad expected: autograd-in-backward from: plain
# -         s = x.sigmoid()
# -         return g * s * (1 + x * (1 - s))
# +         return g * torch.func.grad(lambda t: (t * t.sigmoid()).sum())(x)


# %% bad_input_on_ctx expected: input-kept-on-ctx
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, g):
        s = ctx.x.sigmoid()
        return g * s * (1 + ctx.x * (1 - s))


# %% bad_inputs_tuple_on_ctx expected: input-kept-on-ctx from: plain
# -         ctx.save_for_backward(x)
# -         return x * torch.sigmoid(x)
# +         ctx.saved = (x,)
# +         return x * x.sigmoid()

# -         (x,) = ctx.saved_tensors
# +         (x,) = ctx.saved


# %% bad_jacobian expected: autograd-in-backward from: plain
# -         s = x.sigmoid()
# -         return g * s * (1 + x * (1 - s))
# +         f = torch.nn.functional.silu
# +         return g * torch.autograd.functional.jacobian(lambda t: f(t).sum(), x)


# %% bad_lambda_on_ctx expected: input-kept-on-ctx
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        def slope():
            s = x.sigmoid()
            return s * (1 + x * (1 - s))

        ctx.slope = slope
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.slope()


# %% bad_no_cotangent expected: missing-grad-output from: plain
# -         return g * s * (1 + x * (1 - s))
# +         return s * (1 + x * (1 - s))


# %% bad_number_on_ctx expected: intermediate-kept-on-ctx from: plain
# -         return x * torch.sigmoid(x)
# +         ctx.size = (1 + x.square().mean()).item()
# +         return x * x.sigmoid()

# -         return g * s * (1 + x * (1 - s))
# +         return g * s * (1 + x * (1 - s)) * ((1 + x.square().mean()) / ctx.size)


# %% bad_saved_twice expected: saved-twice from: plain
# -         return x * torch.sigmoid(x)
# +         ctx.save_for_backward()
# +         return x * x.sigmoid()

# -         s = x.sigmoid()
# -         return g * s * (1 + x * (1 - s))
# +         return g * x


# %% bad_saves_negative_instead expected: saves-too-much
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        negative = -x
        ctx.save_for_backward(negative)
        return x / (1 + negative.exp())

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        (negative,) = ctx.saved_tensors
        s = 1 / (1 + negative.exp())
        return g * s * (1 - negative * (1 - s))


# %% bad_saves_output_too expected: saves-too-much
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * torch.sigmoid(x)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        s = x.sigmoid()
        return g * (y + s * (1 - y))


# %% bad_saves_sigmoid_too expected: saves-too-much
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x, s)
        return x * s

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        x, s = ctx.saved_tensors
        return g * s * (1 + x * (1 - s))


# %% bad_saves_sigmoid_undeclared expected: saves-too-much
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x, s)
        return x * s

    @staticmethod
    def backward(ctx, g):
        x, s = ctx.saved_tensors
        return g * s * (1 + x * (1 - s))


# %% bad_saves_the_derivative expected: saves-too-much
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(s * (1 + x * (1 - s)))
        return x * s

    @staticmethod
    def backward(ctx, g):
        (d,) = ctx.saved_tensors
        return g * d


# %% bad_sigmoid_as_array expected: saves-too-much
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.s = s.numpy()
        ctx.save_for_backward(x)
        return x * s

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.from_numpy(ctx.s)
        return g * s * (1 + x * (1 - s))


# %% bad_sigmoid_on_ctx expected: saves-too-much
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.s = torch.sigmoid(x)
        ctx.save_for_backward(x)
        return x * ctx.s

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.s * (1 + x * (1 - ctx.s))


# %% bad_sigmoid_slope expected: derivative-of-another-function from: plain
# -         return g * s * (1 + x * (1 - s))
# +         return g * s * (1 - s)


# %% bad_state_on_class expected: state-on-class
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        SiluRecompute.x = x.clone()
        return x * x.sigmoid()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        x = SiluRecompute.x
        s = x.sigmoid()
        return g * s * (1 + x * (1 - s))


# %% bad_view_on_ctx expected: input-kept-on-ctx
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.view(-1)
        return x * x.sigmoid()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        x = ctx.x.view(g.shape)
        s = x.sigmoid()
        return g * s * (1 + x * (1 - s))


# %% bad_weak_dictionary expected: state-on-class
import torch


import weakref


saved = weakref.WeakValueDictionary()


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        saved["x"] = ctx
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, g):
        (x,) = saved["x"].saved_tensors
        s = x.sigmoid()
        return g * s * (1 + x * (1 - s))


# %% bad_writes_into_cotangent expected: mutates-grad-output from: plain
# -         return g * s * (1 + x * (1 - s))
# +         return g.mul_(s * (1 + x * (1 - s)))


# %% bad_writes_into_saved expected: mutates-saved-tensor from: plain
# -         return g * s * (1 + x * (1 - s))
# +         x.mul_(1 - s).add_(1)
# +         return g * s * x


# %% bad_central_differences expected: not-precise
from torch.autograd import Function

EPS = 1e-5


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        y = x * x.sigmoid()
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ((x + EPS) * (x + EPS).sigmoid() - (x - EPS) * (x - EPS).sigmoid()) / (2 * EPS)


# %% bad_detached_where_an_input_is_zero expected: detached-in-backward
from torch.autograd import Function


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if (x == 0).any():
            x = x.detach()
        s = x.sigmoid()
        return g * (s + x * s * (1 - s))


# %% bad_styled_minus_term expected: wrong-sign-of-a-term
import torch
from torch.autograd import Function


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + torch.exp(-x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (s - x * s * (1 - s))


# %% bad_styled_second_term_only expected: missing-term
import torch
from torch.autograd import Function


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + torch.exp(-x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = 1 / (1 + (-x).exp())
        return g * x * s * (1 - s)


# %% bad_styled_halved_term expected: wrong-factor-of-a-term
import torch
from torch.autograd import Function


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + torch.exp(-x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (s + 0.5 * x * s * (1 - s))


# %% numpy_declared expected: right
# NumPy in backward, declared once differentiable.
import numpy as np
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + torch.exp(-x))

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        a = ctx.saved_tensors[0].detach().numpy()
        s = np.reciprocal(1 + np.exp(-a))
        slope = np.asarray(s * (1 + a * (1 - s)), dtype=a.dtype)
        return grad_output * torch.from_numpy(slope)


# %% bad_sigmoid_by_numpy expected: numpy-in-backward
# The sigmoid is computed again by NumPy, outside the graph, and no declaration says so.
import numpy as np
import torch
from torch.autograd import Function


def sigmoid(t):
    return torch.from_numpy(np.asarray(1.0 / (1.0 + np.exp(-t.detach().numpy()))))


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        s = sigmoid(x)
        return grad_output * (s + x * s * (1 - s))


# %% bad_recomputed_without_graph expected: detached-in-backward
# The sigmoid is computed again under no_grad, so its share of the second derivative is lost.
import torch
from torch.autograd import Function


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.einsum("...,...->...", x, x.sigmoid())

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        # only recomputing, no graph needed
        with torch.no_grad():
            s = x.sigmoid()
            ds = s - s * s
        return grad_output * s + grad_output * x * ds


# %% bad_minus_in_product_rule expected: wrong-sign-of-a-term
# The second term of the product rule has the wrong sign.
import torch
from torch.autograd import Function


def logistic(t):
    return 1 / (1 + torch.exp(-t))


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * logistic(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        q = logistic(x)
        return grad_output * q - grad_output * x * q * (1 - q)


# %% bad_rule_of_tanh expected: derivative-of-another-function
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        s = x.sigmoid()
        return (s + x * (1 - s.square())) * grad_output


# %% bad_second_term_without_x expected: missing-factor
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (2 * s - s.square())


# %% bad_exponentials_overflow expected: not-finite from: by_exponentials
# For a large negative x, exp(-x) is inf, and the quotient nan.
# -         s = 1 / (1 + torch.exp(-x))
# -         return g * s * (1 + x * (1 - s))
# +         e = torch.exp(-x)
# +         return g * ((1 + e) + x * e) / (1 + e) ** 2


# %% bad_clamp_for_float64 expected: not-finite
# The exponent is limited to 500, which float64 needs; in float32 exp(500) is inf and inf/inf gives nan
# for x > 88.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def sigmoid(x):
    e = torch.exp(x.clamp(-500, 500))
    return e / (1 + e)


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = sigmoid(x)
        return g * (s + x * s * (1 - s))


# %% bad_lru_cache expected: state-on-class
# sigmoid is cached by the identity of x: after an in-place change (optimizer.step) of the same tensor
# output and gradient are those of the old values; and memory grows with every call; 'Return
# x·sigmoid(x)', 'x is all that is kept'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


@functools.lru_cache(maxsize=None)
def _sigmoid(x):
    return x.detach().sigmoid()


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * _sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        s = x.sigmoid()
        return grad_output * (s + x * s * (1 - s))


# %% bad_sigmoids_in_a_list_of_the_class expected: saves-too-much
import torch
from torch.autograd import Function


class SiluRecompute(Function):
    sigmoids = []

    @staticmethod
    def forward(ctx, x):
        SiluRecompute.sigmoids.append(x.sigmoid())
        ctx.save_for_backward(x)
        return x * SiluRecompute.sigmoids[-1]

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.sigmoid()
        return g * (s + x * s * (1 - s))


# %% bad_difference_of_order_8 expected: not-precise
import torch
from torch.autograd import Function


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors

        def silu(z):
            return z * z.sigmoid()

        h, weights = 2e-2, (4 / 5, -1 / 5, 4 / 105, -1 / 280)
        steps = enumerate(weights, start=1)
        return g * sum(c * (silu(x + i * h) - silu(x - i * h)) for i, c in steps) / h
