# %% complex_exponential expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        z = torch.exp(1j * x)
        cos, sin = z.real.clone(), z.imag.clone()
        ctx.save_for_backward(sin, cos)
        return sin, cos

    @staticmethod
    def backward(ctx, gs, gc):
        sin, cos = ctx.saved_tensors
        if gs is None and gc is None:
            return None
        zero = torch.zeros_like(sin)
        return (zero if gs is None else gs * cos) - (zero if gc is None else gc * sin)


# %% input_saved expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        gx = None
        if gs is not None:
            gx = gs * x.cos()
        if gc is not None:
            gx = -gc * x.sin() if gx is None else gx - gc * x.sin()
        return gx


# %% once_differentiable expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gs, gc):
        if gs is gc is None:
            return None
        x = ctx.saved_tensors[0]
        gx = torch.zeros_like(x)
        if gs is not None:
            gx += gs * x.cos()
        if gc is not None:
            gx.addcmul_(gc, x.sin(), value=-1)
        return gx


# %% outputs_saved expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        s, c = torch.sin(x), torch.cos(x)
        ctx.save_for_backward(s, c)
        return s, c

    @staticmethod
    def backward(ctx, gs, gc):
        s, c = ctx.saved_tensors
        if gs is None and gc is None:
            return None
        if gs is None:
            return -gc * s
        if gc is None:
            return gs * c
        return gs * c - gc * s


# %% bad_phase_shift_of_nothing expected: none-gradient-unhandled
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        half = torch.pi / 2
        return torch.cos(x - half), torch.sin(x + half)

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        out = []
        if gs is not None:
            out.append(torch.einsum("...,...->...", gs, x.cos()))
        if gc is not None:
            out.append(-torch.einsum("...,...->...", gc, x.sin()))
        return torch.stack(out).sum(0)


# %% setup_context expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.sin(x), torch.cos(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*output)

    @staticmethod
    def backward(ctx, gs, gc):
        s, c = ctx.saved_tensors
        terms = [g * d for g, d in ((gs, c), (gc, -s)) if g is not None]
        return sum(terms) if terms else None


# %% stacked_output_views expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        y = torch.empty(2, *x.shape, dtype=x.dtype)
        y[0], y[1] = x.sin(), x.cos()
        return tuple(y.unbind())

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        gx = None
        for g, d in ((gs, torch.cos(x)), (gc, torch.sin(x).neg())):
            if g is not None:
                gx = g * d if gx is None else gx + g * d
        return gx


# %% starred_loop expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def vjp(ctx, *gs):
        (x,) = ctx.saved_tensors
        if not any(g is not None for g in gs):
            return None, None
        gx = torch.zeros_like(x)
        for g, slope in zip(gs, (x.cos(), -x.sin())):
            if g is not None:
                gx = gx + g * slope
        return gx, None


# %% bad_zeros_for_none expected: none-gradient-unhandled
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None
        gs = 0 if gs is None else gs
        gc = 0 if gc is None else gc
        return gs * torch.cos(x) - gc * torch.sin(x)


# %% bad_autograd expected: autograd-in-backward
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            pairs = [(y, g) for y, g in ((x.sin(), gs), (x.cos(), gc)) if g is not None]
            torch.autograd.backward([y for y, _ in pairs], [g for _, g in pairs])
        return x.grad


# %% bad_cotangents_exchanged expected: cotangents-exchanged
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        gx = None
        if gc is not None:
            gx = gc * x.cos()
        if gs is not None:
            gx = -gs * x.sin() if gx is None else gx - gs * x.sin()
        return gx


# %% bad_cotangents_ignored expected: missing-grad-output from: input_saved
# -         gx = None
# +         gx = torch.zeros_like(x)

# -             gx = gs * x.cos()
# +             gx = gx + x.cos()

# -             gx = -gc * x.sin() if gx is None else gx - gc * x.sin()
# +             gx = gx - x.sin()


# %% bad_forgets_cos expected: outputs-left-out
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        return gs * x.cos() if gs is not None else None


# %% bad_gives_up_on_none expected: none-gradient-unhandled
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        if gs is None or gc is None:
            return None
        return gs * x.cos() - gc * x.sin()


# %% bad_input_on_ctx expected: input-kept-on-ctx
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.x = x
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        gx = 0
        if gs is not None:
            gx = gx + gs * ctx.x.cos()
        if gc is not None:
            gx = gx - gc * ctx.x.sin()
        return gx


# %% bad_intermediate expected: intermediate-kept-on-ctx
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.s, ctx.c = x.sin(), x.cos()
        return ctx.s.clone(), ctx.c.clone()

    @staticmethod
    def backward(ctx, gs, gc):
        if gs is None and gc is None:
            return None
        gx = 0
        if gs is not None:
            gx = gx + gs * ctx.c
        if gc is not None:
            gx = gx - gc * ctx.s
        return gx


# %% bad_materializes expected: materializes-gradients
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        return gs * x.cos() - gc * x.sin()


# %% bad_materializes_with_setup_context expected: materializes-gradients from: setup_context
# -         return torch.sin(x), torch.cos(x)
# +         return x.sin(), x.cos()

# -         ctx.set_materialize_grads(False)

# -         terms = [g * d for g, d in ((gs, c), (gc, -s)) if g is not None]
# -         return sum(terms) if terms else None
# +         return gs * c - gc * s


# %% bad_none_method expected: none-gradient-unhandled
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        return gs.mul(x.cos()).sub(gc.mul(x.sin()))


# %% bad_none_to_torch expected: none-gradient-unhandled
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        return torch.mul(gs, x.cos()) - torch.mul(gc, x.sin())


# %% bad_none_unhandled expected: none-gradient-unhandled
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        return gs * x.cos() - gc * x.sin()


# %% bad_one_cotangent expected: one-grad-output-per-output
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cos()


# %% bad_outputs_exchanged expected: forward-value from: input_saved
# -         return x.sin(), x.cos()
# +         return x.cos(), x.sin()


# %% bad_outputs_on_ctx expected: output-kept-on-ctx
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.s, ctx.c = x.sin(), x.cos()
        return ctx.s, ctx.c

    @staticmethod
    def backward(ctx, gs, gc):
        gx = 0
        if gs is not None:
            gx = gx + gs * ctx.c
        if gc is not None:
            gx = gx - gc * ctx.s
        return gx


# %% bad_returns_a_list expected: forward-value from: input_saved
# -         return x.sin(), x.cos()
# +         return torch.stack([x.sin(), x.cos()])


# %% bad_second_none_unhandled expected: none-gradient-unhandled
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        gx = -gc * x.sin()
        return gx if gs is None else gx + gs * x.cos()


# %% bad_set_after_in_backward expected: materializes-gradients
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        ctx.set_materialize_grads(False)
        (x,) = ctx.saved_tensors
        return gs * x.cos() - gc * x.sin()


# %% bad_set_to_true expected: materializes-gradients from: input_saved
# -         ctx.set_materialize_grads(False)
# +         ctx.set_materialize_grads(True)


# %% bad_sign_of_all expected: wrong-sign from: input_saved
# -         return gx
# +         return -gx


# %% bad_sign_of_cos expected: wrong-sign-of-a-term from: input_saved
# -             gx = -gc * x.sin() if gx is None else gx - gc * x.sin()
# +             gx = gc * x.sin() if gx is None else gx + gc * x.sin()


# %% bad_two_gradients expected: too-many-gradients
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        return gs * x.cos(), -gc * x.sin()


# %% bad_writes_into_cotangent expected: mutates-grad-output
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        if gs is not None:
            gs *= x.cos()
        if gc is None:
            return gs
        return -gc * x.sin() if gs is None else gs - gc * x.sin()


# %% complex_exponential_otherwise expected: right
# Takes both outputs from exp(ix); backward shifts the angle by a quarter turn.
import math

import torch
from torch.autograd import Function


class SinCos(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        turned = torch.polar(torch.ones_like(x), x.detach())
        return turned.imag.clone(), turned.real.clone()

    @staticmethod
    def backward(ctx, p, q):
        (x,) = ctx.saved_tensors
        if p is None:
            return None if q is None else -(q * torch.sin(x))
        along = p * torch.cos(x)
        return along if q is None else torch.addcmul(along, q, x.sin(), value=-1)


# %% bad_cosine_as_attribute expected: output-kept-on-ctx
# x is saved properly, but the second output sits on ctx as an attribute.
import torch
from torch.autograd import Function


class SinCos(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        sine, ctx.cosine = torch.sin(x), torch.cos(x)
        ctx.save_for_backward(x)
        return sine, ctx.cosine

    @staticmethod
    def backward(ctx, grad_sine, grad_cosine):
        (x,) = ctx.saved_tensors
        terms = []
        if grad_sine is not None:
            terms.append(grad_sine * ctx.cosine)
        if grad_cosine is not None:
            terms.append(-grad_cosine * torch.sin(x))
        return sum(terms) if terms else None


# %% bad_accumulates_in_first_cotangent expected: mutates-grad-output
# Where both outputs are used, the sum is written into the cotangent of the sine.
import torch
from torch.autograd import Function


class SinCos(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return torch.sin(x), torch.cos(x)

    @staticmethod
    def backward(ctx, grad_sine, grad_cosine):
        (x,) = ctx.saved_tensors
        if grad_sine is None and grad_cosine is None:
            return None
        if grad_cosine is None:
            return grad_sine * x.cos()
        if grad_sine is None:
            return -grad_cosine * x.sin()
        return grad_sine.mul_(x.cos()).sub_(grad_cosine * x.sin())


# %% bad_cotangents_added_first expected: cotangent-summed
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, *gs):
        (x,) = ctx.saved_tensors
        there = [g for g in gs if g is not None]
        if not there:
            return None
        if len(there) == 1:
            return -gs[1] * x.sin() if gs[0] is None else gs[0] * x.cos()
        return (gs[0] + gs[1]) * (x.cos() - x.sin())


# %% bad_cosine_of_the_output expected: output-for-input
# saves the outputs and takes their cosine and sine
import torch
from torch.autograd import Function


class SinCos(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        s, c = x.sin(), x.cos()
        ctx.save_for_backward(s, c)
        return s, c

    @staticmethod
    def backward(ctx, gs, gc):
        s, c = ctx.saved_tensors
        gradient = None
        if gs is not None:
            gradient = gs * s.cos()
        if gc is not None:
            term = -(gc * c.sin())
            gradient = term if gradient is None else gradient + term
        return gradient


# %% bad_one_sided_detach expected: detached-in-backward
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class SinCos(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        if gs is None and gc is None:
            return None
        if gc is None:
            return gs * torch.cos(x.detach())
        if gs is None:
            return -gc * torch.sin(x.detach())
        return gs * torch.cos(x) - gc * torch.sin(x)
