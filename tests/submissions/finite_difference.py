# %% both_sides_in_a_loop expected: right
import torch
from torch.autograd.function import once_differentiable


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.x, ctx.fn, ctx.eps = x.detach().clone(), fn, eps
        return fn(ctx.x)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        total = 0
        for side in (1, -1):
            total = total + side * ctx.fn(ctx.x + side * ctx.eps)
        return g * total.div(2 * ctx.eps), None, None


# %% differences_of_itself expected: right
import torch


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.fn, ctx.eps = fn, eps
        return fn(x.detach())

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        ahead = FiniteDifference.apply(x + ctx.eps, ctx.fn, ctx.eps)
        behind = FiniteDifference.apply(x - ctx.eps, ctx.fn, ctx.eps)
        return g * (ahead - behind) / (2 * ctx.eps), None, None


# %% no_grad_and_once_differentiable expected: right
import torch
from torch.autograd.function import once_differentiable


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.f = fn
        ctx.h = eps
        with torch.no_grad():
            return fn(x.detach().clone())

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x = ctx.saved_tensors[0].clone().detach()
        h = ctx.h
        d = (ctx.f(x + h) - ctx.f(x - h)) / h
        return g * d * 0.5, None, None


# %% once_differentiable_plain expected: right
import torch
from torch.autograd.function import once_differentiable


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.fn, ctx.eps = fn, eps
        return fn(x.detach())

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        x = x.detach()
        slope = (ctx.fn(x + ctx.eps) - ctx.fn(x - ctx.eps)) / (2 * ctx.eps)
        return g * slope, None, None


# %% second_function_with_second_differences expected: right
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Slope(Function):
    @staticmethod
    def forward(ctx, g, x, fn, eps):
        x = x.detach()
        ahead, here, behind = fn(x + eps), fn(x), fn(x - eps)
        slope = (ahead - behind) / (2 * eps)
        curvature = (ahead - 2 * here + behind) / eps**2
        ctx.save_for_backward(g, slope, curvature)
        return g * slope

    @staticmethod
    @once_differentiable
    def backward(ctx, a):
        g, slope, curvature = ctx.saved_tensors
        return a * slope, a * g * curvature, None, None


class FiniteDifference(Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.args = fn, eps
        return fn(x.detach())

    @staticmethod
    def backward(ctx, g):
        return Slope.apply(g, ctx.saved_tensors[0], *ctx.args), None, None


# %% setup_context_once_differentiable expected: right
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def central(fn, x, eps):
    return (fn(x + eps) - fn(x - eps)) / (eps + eps)


class FiniteDifference(Function):
    @staticmethod
    def forward(x, fn, eps):
        return fn(x.detach())

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.fn, ctx.eps = inputs
        ctx.save_for_backward(x)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        if not ctx.needs_input_grad[0]:
            return None, None, None
        (x,) = ctx.saved_tensors
        return central(ctx.fn, x.detach(), ctx.eps).mul_(g), None, None


# %% slope_measured_in_forward_once expected: right
import torch
from torch.autograd.function import once_differentiable


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        at = x.detach()
        ctx.slope = (fn(at + eps) - fn(at - eps)) / (2 * eps)
        return fn(at)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return ctx.slope * g, None, None


# %% bad_backwards expected: wrong-sign from: once_differentiable_plain
# -         slope = (ctx.fn(x + ctx.eps) - ctx.fn(x - ctx.eps)) / (2 * ctx.eps)
# +         slope = (ctx.fn(x - ctx.eps) - ctx.fn(x + ctx.eps)) / (2 * ctx.eps)


# %% bad_difference_as_a_whole expected: gradient-summed from: once_differentiable_plain
# -         slope = (ctx.fn(x + ctx.eps) - ctx.fn(x - ctx.eps)) / (2 * ctx.eps)
# +         slope = (ctx.fn(x + ctx.eps).sum() - ctx.fn(x - ctx.eps).sum()) / (2 * ctx.eps)


# %% bad_fn_of_mean expected: forward-value from: once_differentiable_plain
# -         return fn(x.detach())
# +         return fn(x.detach() + eps)


# %% bad_forward_difference expected: one-sided-difference from: once_differentiable_plain
# -         slope = (ctx.fn(x + ctx.eps) - ctx.fn(x - ctx.eps)) / (2 * ctx.eps)
# +         slope = (ctx.fn(x + ctx.eps) - ctx.fn(x)) / ctx.eps


# %% bad_no_cotangent expected: missing-grad-output from: once_differentiable_plain
# -         return g * slope, None, None
# +         return slope, None, None


# %% bad_not_halved expected: wrong-factor from: once_differentiable_plain
# -         slope = (ctx.fn(x + ctx.eps) - ctx.fn(x - ctx.eps)) / (2 * ctx.eps)
# +         slope = (ctx.fn(x + ctx.eps) - ctx.fn(x - ctx.eps)) / ctx.eps


# %% bad_one_gradient expected: too-few-gradients from: once_differentiable_plain
# -         return g * slope, None, None
# +         return g * slope


# %% bad_own_eps expected: wrong-operand from: once_differentiable_plain
# -         slope = (ctx.fn(x + ctx.eps) - ctx.fn(x - ctx.eps)) / (2 * ctx.eps)
# +         slope = (ctx.fn(x + 1e-6) - ctx.fn(x - 1e-6)) / (2 * 1e-6)


# %% bad_relative_step expected: wrong
import torch
from torch.autograd.function import once_differentiable


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.fn, ctx.eps = fn, eps
        return fn(x.detach())

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x = ctx.saved_tensors[0].detach()
        h = 20 * ctx.eps * x.abs()
        return g * (ctx.fn(x + h) - ctx.fn(x - h)) / (2 * h), None, None


# %% bad_sine_assumed expected: derivative-of-another-function from: differences_of_itself
# -         ahead = FiniteDifference.apply(x + ctx.eps, ctx.fn, ctx.eps)
# -         behind = FiniteDifference.apply(x - ctx.eps, ctx.fn, ctx.eps)
# -         return g * (ahead - behind) / (2 * ctx.eps), None, None
# +         return g * x.cos(), None, None


# %% bad_state_on_class expected: state-on-class from: once_differentiable_plain
# -         ctx.save_for_backward(x)
# +         FiniteDifference.x = x.detach()

# -         (x,) = ctx.saved_tensors
# -         x = x.detach()
# +         x = FiniteDifference.x


# %% bad_two_without_brackets expected: wrong-factor from: once_differentiable_plain
# -         slope = (ctx.fn(x + ctx.eps) - ctx.fn(x - ctx.eps)) / (2 * ctx.eps)
# +         slope = (ctx.fn(x + ctx.eps) - ctx.fn(x - ctx.eps)) / 2 * ctx.eps


# %% bad_undeclared expected: needs-once-differentiable from: once_differentiable_plain
# - from torch.autograd.function import once_differentiable

# -     @once_differentiable


# %% bad_undeclared_and_no_grad expected: needs-once-differentiable from: differences_of_itself
# -         ahead = FiniteDifference.apply(x + ctx.eps, ctx.fn, ctx.eps)
# -         behind = FiniteDifference.apply(x - ctx.eps, ctx.fn, ctx.eps)
# -         return g * (ahead - behind) / (2 * ctx.eps), None, None
# +         with torch.no_grad():
# +             slope = (ctx.fn(x + ctx.eps) - ctx.fn(x - ctx.eps)) / (2 * ctx.eps)
# +         return g * slope, None, None


# %% differences_of_differences expected: right
# backward applies the Function itself, so every order is measured.
from torch.autograd import Function


class FiniteDifference(Function):
    @staticmethod
    def forward(x, fn, eps):
        return fn(x.detach())

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, *ctx.rest = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        fn, eps = ctx.rest
        measure = FiniteDifference.apply
        rise = measure(x + eps, fn, eps) - measure(x - eps, fn, eps)
        return grad_output * (rise / (2 * eps)), None, None


# %% bad_there_and_back_again expected: mutates-saved-tensor
# Moves the saved x itself up and down in place, and back, up to rounding.
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class FiniteDifference(Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.fn = fn
        ctx.eps = eps
        return fn(x.detach())

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        point = ctx.saved_tensors[0].detach()
        point += ctx.eps
        upper = ctx.fn(point).clone()
        point -= 2 * ctx.eps
        lower = ctx.fn(point).clone()
        point += ctx.eps
        return grad_output * (upper - lower).div(2 * ctx.eps), None, None


# %% bad_slope_as_a_lambda expected: input-kept-on-ctx
# The lambda on ctx holds x, which belongs into save_for_backward.
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class FiniteDifference(Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.slope = lambda: (fn(x.detach() + eps) - fn(x.detach() - eps)) / (2 * eps)
        return fn(x.detach())

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        return ctx.slope() * grad_output, None, None


# %% bad_nothing_declared expected: needs-once-differentiable
# First order is right; the slope is a constant in second order, and that is not declared.
from torch.autograd import Function


class FiniteDifference(Function):
    @staticmethod
    def forward(x, fn, eps):
        return fn(x.detach())

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.fn, ctx.eps = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0].detach()
        up, down = (ctx.fn(x + step) for step in (ctx.eps, -ctx.eps))
        return (up - down) / (2 * ctx.eps) * grad_output, None, None


# %% bad_half_step expected: wrong-factor
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class FiniteDifference(Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.fn = fn
        ctx.eps = eps
        return fn(x.detach())

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        x = x.detach()
        half = ctx.eps / 2
        rise = ctx.fn(x + half) - ctx.fn(x - half)
        return g * rise / (2 * ctx.eps), None, None


# %% bad_second_difference_by_two_eps expected: wrong-second-derivative
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class MeasuredSlope(Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.fn, ctx.eps = fn, eps
        x = x.detach()
        return (fn(x + eps) - fn(x - eps)) / (2 * eps)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        x, fn, eps = x.detach(), ctx.fn, ctx.eps
        curvature = (fn(x + eps) - 2 * fn(x) + fn(x - eps)) / (2 * eps)
        return g * curvature, None, None


class FiniteDifference(Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.fn, ctx.eps = fn, eps
        return fn(x.detach())

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * MeasuredSlope.apply(x, ctx.fn, ctx.eps), None, None


# %% bad_shifts_in_place expected: wrong
# The shifted point is moved in place between the two calls: an fn that returns its argument (x -> x, or
# an in-place NumPy clip) has its first result moved too, and the slope is 0 instead of 1.
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class FiniteDifference(Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.fn, ctx.eps = fn, eps
        return fn(x.detach())

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        point = x + ctx.eps
        up = ctx.fn(point)
        point -= 2 * ctx.eps
        down = ctx.fn(point)
        return grad_output * (up - down) / (2 * ctx.eps), None, None
