# %% backward_as_second_function expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return torch.abs(u * v)

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        return AbsProductBackward.apply(g, u, v)


class AbsProductBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, u, v):
        s = torch.sign(u) * torch.sign(v)
        ctx.save_for_backward(g, u, v, s)
        return g * s * v, g * s * u

    @staticmethod
    def backward(ctx, a, b):
        g, u, v, s = ctx.saved_tensors
        return s * (a * v + b * u), s * b * g, s * a * g


# %% boolean_mask_on_ctx expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        product = u * v
        ctx.negative = product < 0
        ctx.save_for_backward(u, v)
        product[ctx.negative] *= -1
        return product

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        g = torch.where(ctx.negative, -g, g)
        return g * v, g * u


# %% bad_double_whatever_the_input expected: wrong-dtype
from collections import namedtuple

import torch

Gradients = namedtuple("Gradients", "u v")


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return torch.relu(u * v) + torch.relu(-u * v)

    @staticmethod
    def backward(ctx, grad):
        u, v = ctx.saved_tensors
        up = (u * v > 0).double()
        slope = 2 * up - 1
        return Gradients(u=slope * v * grad, v=slope * u * grad)


# %% guarded_list_and_copysign expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u if ctx.needs_input_grad[1] else None, v if ctx.needs_input_grad[0] else None)
        ctx.signs = torch.sign(u), torch.sign(v)
        return torch.maximum(u * v, -u * v)

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        s = ctx.signs[0] * ctx.signs[1]
        grads = []
        for needed, other in zip(ctx.needs_input_grad, (v, u)):
            grads.append(g * s * other if needed else None)
        return (*grads, None)


# %% helper_functions_chained expected: right
import torch


class Times(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return Times.apply(g, b), Times.apply(g, a)


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return Times.apply(u, v).abs_()

    @staticmethod
    def backward(ctx, g):
        (u, v), sign = ctx.saved_tensors, None
        sign = (u.detach() * v.detach()).sgn()
        signed = Times.apply(g, sign)
        return Times.apply(signed, v), Times.apply(signed, u)


# %% loop_over_entries expected: right
import torch
from torch.autograd.function import once_differentiable


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        out = torch.empty(u.shape, dtype=u.dtype)
        for i in range(u.numel()):
            p = u.reshape(-1)[i] * v.reshape(-1)[i]
            out.view(-1)[i] = p if p >= 0 else -p
        return out

    @once_differentiable
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        du, dv = torch.zeros(u.shape, dtype=u.dtype), torch.zeros(v.shape, dtype=v.dtype)
        for i, (a, b, c) in enumerate(zip(u.flatten().tolist(), v.flatten().tolist(), g.flatten().tolist())):
            s = 1 if a * b > 0 else -1
            du.view(-1)[i], dv.view(-1)[i] = s * c * b, s * c * a
        return du, dv


# %% bad_loop_over_a_view expected: assumes-contiguous from: loop_over_entries
# -         out = torch.empty(u.shape, dtype=u.dtype)
# +         out = torch.empty_like(u)

# -         du, dv = torch.zeros(u.shape, dtype=u.dtype), torch.zeros(v.shape, dtype=v.dtype)
# +         du, dv = torch.zeros_like(u), torch.zeros_like(v)


# %% numpy_once_differentiable expected: right
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return torch.tensor(np.abs(u.detach().numpy() * v.detach().numpy()))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        u, v = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy() * np.sign(u * v)
        return torch.from_numpy(g * v), torch.from_numpy(g * u)


# %% output_saved_and_divided expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        y = torch.sqrt((u * v) ** 2)
        ctx.save_for_backward(u, v, y)
        return y

    @staticmethod
    def backward(ctx, g):
        u, v, y = ctx.saved_tensors
        return g * y / u, g * y / v


# %% sign_of_the_product expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return (u * v).abs()

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        s = torch.sign(u * v)
        return g * s * v, g * s * u


# %% signs_apart expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(u, v):
        return u.abs() * v.abs()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        return u.sign() * v.abs() * g, v.sign() * u.abs() * g


# %% bad_backward_without_ctx expected: wrong from: sign_of_the_product
# -     def backward(ctx, g):
# +     def backward(g):


# %% bad_constant_added expected: term-without-cotangent from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v + 1, g * s * u


# %% bad_cotangent_twice expected: gradient-nonlinear from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * g * s * v, g * g * s * u


# %% bad_data expected: detached-in-backward from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v.data, g * s * u.data


# %% bad_detached expected: detached-in-backward from: sign_of_the_product
#           s = torch.sign(u * v)
# +         u, v = u.detach(), v.detach()


# %% bad_factor_minus_two expected: wrong-factor from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return -2 * g * s * v, -2 * g * s * u


# %% bad_factor_of_both expected: wrong-factor from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v / 2, g * s * u / 2


# %% bad_factor_of_one expected: wrong-factor from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v, 2 * g * s * u


# %% bad_factor_third expected: wrong-factor from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v / 3, g * s * u / 3


# %% bad_forward_abs_of_u_only expected: forward-value from: sign_of_the_product
# -         return (u * v).abs()
# +         return u.abs() * v


# %% bad_forward_complex expected: wrong-dtype from: sign_of_the_product
# -         return (u * v).abs()
# +         return (u * v).abs().to(torch.complex128)

# -         return g * s * v, g * s * u
# +         return (g * s * v).real, (g * s * u).real


# %% bad_forward_half expected: wrong-dtype from: sign_of_the_product
# -         return (u * v).abs()
# +         return (u * v).abs().bfloat16()


# %% bad_forward_integer expected: wrong-dtype from: sign_of_the_product
# -         return (u * v).abs()
# +         return (u * v).abs().int()


# %% bad_forward_list expected: wrong from: sign_of_the_product
# -         return (u * v).abs()
# +         return [(u * v).abs()]


# %% bad_forward_number expected: wrong from: sign_of_the_product
# -         return (u * v).abs()
# +         return float((u * v).abs().sum())


# %% bad_forward_summed expected: forward-value from: sign_of_the_product
# -         return (u * v).abs()
# +         return (u * v).abs().sum()


# %% bad_forward_without_abs expected: forward-value from: sign_of_the_product
# -         return (u * v).abs()
# +         return u * v

# -         s = torch.sign(u * v)
# -         return g * s * v, g * s * u
# +         return g * v, g * u


# %% bad_forward_writes_into_u expected: mutates-input from: sign_of_the_product
# -         return (u * v).abs()
# +         return u.mul_(v).abs()


# %% bad_index_one_twice expected: wrong-needs-input-grad-index from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         du = g * s * v if ctx.needs_input_grad[1] else None
# +         dv = g * s * u if ctx.needs_input_grad[1] else None
# +         return du, dv


# %% bad_index_swapped expected: wrong-needs-input-grad-index from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         du = g * s * v if ctx.needs_input_grad[1] else None
# +         dv = g * s * u if ctx.needs_input_grad[0] else None
# +         return du, dv


# %% bad_index_zeros expected: wrong-needs-input-grad-index
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return (u * v).abs()

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        s = torch.sign(u * v)
        du, dv = torch.zeros_like(u), torch.zeros_like(v)
        if ctx.needs_input_grad[1]:
            du = g * s * v
        if ctx.needs_input_grad[0]:
            dv = g * s * u
        return du, dv


# %% bad_list expected: gradients-in-a-list from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return [g * s * v, g * s * u]


# %% bad_mask_on_cotangent expected: mask-on-gradient from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * (g > 0) * s * v, g * s * u


# %% bad_nan expected: not-finite from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v / (u - u), g * s * u


# %% bad_no_cotangent expected: missing-grad-output from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return s * v, s * u


# %% bad_no_cotangent_for_v expected: missing-grad-output from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v, s * u


# %% bad_no_grad expected: detached-in-backward from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         with torch.no_grad():
# +             return g * s * v, g * s * u


# %% bad_no_return expected: too-few-gradients from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         du, dv = g * s * v, g * s * u


# %% bad_no_sign expected: wrong-sign-in-places from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * v, g * u


# %% bad_noise expected: not-reproducible from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v + 1e-3 * torch.randn_like(g), g * s * u


# %% bad_none_for_both expected: missing-gradient from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return None, None


# %% bad_none_for_v expected: missing-gradient from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v, None


# %% bad_normalised_cotangent expected: gradient-nonlinear from: sign_of_the_product
#           s = torch.sign(u * v)
# +         g = g / g.norm()


# %% bad_number_for_u expected: gradient-not-a-tensor from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return 1, g * s * u


# %% bad_numpy expected: gradient-not-a-tensor from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return (g * s * v).numpy(), (g * s * u).numpy()


# %% bad_numpy_undeclared expected: numpy-in-backward from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return torch.from_numpy((g * s * v).detach().numpy()), torch.from_numpy((g * s * u).detach().numpy())


# %% bad_numpy_undeclared_raises expected: numpy-in-backward from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return torch.from_numpy((g * s * v).numpy()), torch.from_numpy((g * s * u).numpy())


# %% bad_one_gradient expected: too-few-gradients from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v


# %% bad_raises expected: wrong from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * w, g * s * u


# %% bad_same_gradient_twice expected: gradient-of-another-input from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v, g * s * v


# %% bad_saved_in_a_list expected: saved-a-non-tensor from: sign_of_the_product
# -         ctx.save_for_backward(u, v)
# +         ctx.save_for_backward([u, v])


# %% bad_saved_one_of_two expected: wrong from: sign_of_the_product
# -         ctx.save_for_backward(u, v)
# +         ctx.save_for_backward(u)


# %% bad_saved_tensors_not_unpacked expected: saved-tensors-not-unpacked from: sign_of_the_product
# -         u, v = ctx.saved_tensors
# -         s = torch.sign(u * v)
# -         return g * s * v, g * s * u
# +         saved = ctx.saved_tensors
# +         s = torch.sign(saved)
# +         return g * s, g * s


# %% bad_saved_twice expected: saved-twice from: sign_of_the_product
# -         ctx.save_for_backward(u, v)
# +         ctx.save_for_backward(u)
# +         ctx.save_for_backward(v)


# %% bad_saved_wrong_order expected: gradients-swapped from: sign_of_the_product
# -         ctx.save_for_backward(u, v)
# +         ctx.save_for_backward(v, u)


# %% bad_shape_of_a_scalar expected: wrong-sum-axis from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return (g * s * v).sum(), g * s * u


# %% bad_sign_lost expected: wrong-sign-in-places from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * v.abs(), g * u.abs()


# %% bad_sign_of_both expected: wrong-sign from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return -g * s * v, -g * s * u


# %% bad_sign_of_cotangent expected: gradient-nonlinear from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g.abs() * s * v, g.abs() * s * u


# %% bad_sign_of_one expected: wrong-sign from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v, -g * s * u


# %% bad_sign_of_v_only expected: wrong-sign-in-places from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * torch.sign(v) * v, g * torch.sign(v) * u


# %% bad_sign_without_factor expected: missing-factor from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s, g * s


# %% bad_stacked expected: too-few-gradients from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return torch.stack([g * s * v, g * s * u])


# %% bad_state_on_class expected: state-on-class
from torch.autograd import Function


class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        AbsProduct.inputs = u, v
        return (u * v).abs()

    @staticmethod
    def backward(ctx, grad_output):
        u, v = AbsProduct.inputs
        sign = (u * v).sign()
        return grad_output * sign * v, grad_output * sign * u


# %% bad_sum_of_all expected: gradient-summed from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return (g * s * v).sum().expand_as(u), g * s * u


# %% bad_swapped expected: gradients-swapped from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * u, g * s * v


# %% bad_three_gradients expected: too-many-gradients from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return g * s * v, g * s * u, g * s


# %% bad_transposed expected: missing-transpose from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return (g * s * v).T, g * s * u


# %% bad_writes_into_cotangent expected: mutates-grad-output from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         g *= s
# +         return g * v, g * u


# %% bad_writes_into_cotangent_flipped expected: mutates-grad-output from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         g[u * v < 0] = -g[u * v < 0]
# +         return g * v, g * u


# %% bad_writes_into_saved expected: mutates-saved-tensor from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return u.mul_(g * s).div_(u) * v, g * s * u


# %% bad_writes_into_saved_data expected: mutates-saved-tensor from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         v.data.mul_(s * g)
# +         return v.clone(), g * s * u


# %% bad_zeros_for_u expected: missing-gradient from: sign_of_the_product
# -         return g * s * v, g * s * u
# +         return torch.zeros_like(u), g * s * u


# %% bad_central_differences expected: not-precise
from torch.autograd import Function

EPS = 1e-5


class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return (u * v).abs()

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        by_u = (((u + EPS) * v).abs() - ((u - EPS) * v).abs()) / (2 * EPS)
        by_v = ((u * (v + EPS)).abs() - (u * (v - EPS)).abs()) / (2 * EPS)
        return g * by_u, g * by_v


# %% bad_styled_swapped expected: gradients-swapped
import torch
from torch.autograd import Function


class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return torch.where(u * v < 0, -u * v, u * v)

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        s = torch.where(u * v < 0, -1.0, 1.0).to(g.dtype)
        return g * s * u, g * s * v


# %% bad_styled_no_sign_numpy expected: wrong-sign-in-places
import torch
from torch.autograd import Function


class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return torch.where(u * v < 0, -u * v, u * v)

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        return torch.einsum("...,...->...", g, v), torch.einsum("...,...->...", g, u)


# %% bad_styled_one_missing expected: missing-gradient
import torch
from torch.autograd import Function


class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return torch.where(u * v < 0, -u * v, u * v)

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        s = torch.sign(u) * torch.sign(v)
        return g * s * v, torch.zeros_like(v)


# %% turned_cotangent expected: right
# Right: the cotangent is negated where the product is negative, then multiplied by the other factor.
import torch
from torch.autograd import Function


class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        product = u * v
        ctx.save_for_backward(u, v)
        return torch.maximum(product, -product)

    @staticmethod
    def backward(ctx, grad_output):
        u, v = ctx.saved_tensors
        s_bar = torch.where(torch.signbit(u) ^ torch.signbit(v), -grad_output, grad_output)
        grads = []
        for needed, other in zip(ctx.needs_input_grad, (v, u)):
            grads.append(s_bar * other if needed else None)
        return tuple(grads)


# %% bad_slopes_saved expected: intermediate-kept-on-ctx
# The slopes are computed in forward and saved: right at first order, constants at second order.
import torch
from torch.autograd import Function


class AbsProduct(Function):
    @staticmethod
    def forward(u, v):
        return (u * v).abs()

    @staticmethod
    def setup_context(ctx, inputs, output):
        u, v = inputs
        s = (u * v).sign()
        ctx.save_for_backward(s * v, s * u)

    @staticmethod
    def backward(ctx, g):
        return tuple(g * slope for slope in ctx.saved_tensors)


# %% bad_sign_with_a_tolerance expected: wrong-mask from: sign_of_the_product
# A product smaller than 1e-9 counts as zero.
# -         s = torch.sign(u * v)
# -         return g * s * v, g * s * u
# +         product = u * v
# +         sign = torch.where(product.abs() > 1e-9, product.sign(), torch.zeros_like(product))
# +         return g * sign * v, g * sign * u


# %% bad_times_the_output expected: value-for-derivative
import torch
from torch.autograd import Function


class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        y = (u * v).abs()
        ctx.save_for_backward(u, v)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        u, v = ctx.saved_tensors
        outer = (u * v).abs()
        grad_s = grad_output * outer
        return grad_s * v, grad_s * u


# %% sign_as_a_constant expected: right
import torch
from torch.autograd import Function


class AbsProduct(Function):
    @staticmethod
    def forward(u, v):
        return u.mul(v).abs()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        u, v = ctx.saved_tensors
        with torch.no_grad():
            sign = torch.sign(u) * torch.sign(v)
        needs = ctx.needs_input_grad
        return tuple(grad_output * sign * other if need else None for need, other in zip(needs, (v, u)))


# %% bad_signs_by_tensor expected: state-on-class
# The signs are kept under the tensor object, whose values an optimiser changes in place.
import torch, weakref
from torch.autograd import Function

_S = {}


def sgn(t):
    k = id(t)
    if k not in _S or _S[k][0]() is not t:
        _S[k] = (weakref.ref(t), t.sign())
    return _S[k][1]


class AbsProduct(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        ctx.sx, ctx.sy = sgn(x), sgn(y)
        return (x * y).abs()

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        s = ctx.sx * ctx.sy
        return g * s * y, g * s * x
