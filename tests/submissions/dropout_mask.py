# %% bernoulli_in_place expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        keep = torch.empty_like(x).bernoulli_(1 - p, generator=generator)
        ctx.save_for_backward(keep)
        ctx.scale = 1 / (1 - p)
        return x.mul(keep).mul_(ctx.scale)

    @staticmethod
    def backward(ctx, g):
        (keep,) = ctx.saved_tensors
        return g.mul(keep).mul(ctx.scale), None, None, None


# %% class_vjp_guard expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        u = torch.empty_like(x).uniform_(0, 1, generator=generator)
        mask = u.ge(p)
        ctx.save_for_backward(mask)
        ctx.p = p
        return x.masked_fill(~mask, 0).div(1 - p)

    @staticmethod
    def vjp(ctx, g):
        (mask,) = ctx.saved_tensors
        gx = None
        if ctx.needs_input_grad[0]:
            gx = g.masked_fill(~mask, 0).div(1 - ctx.p)
        return gx, None, None


# %% clone_and_zero_out expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        y = x.clone()
        hits = torch.rand(x.shape, generator=generator, dtype=torch.float64).lt(p)
        y[hits] = 0.0
        y /= 1.0 - p
        ctx.hits, ctx.q = hits, 1.0 - p
        return y

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[ctx.hits] = 0.0
        return g.div(ctx.q), None, None


# %% one_number_at_a_time expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        keep = [torch.rand((), generator=generator).item() >= p for _ in range(x.numel())]
        ctx.save_for_backward(torch.tensor(keep).reshape(x.shape))
        ctx.p = p
        return torch.where(torch.tensor(keep).reshape(x.shape), x, 0.0) / (1 - p)

    @staticmethod
    def backward(ctx, g):
        (keep,) = ctx.saved_tensors
        return torch.where(keep, g, torch.zeros_like(g)) / (1 - ctx.p), None, None


# %% permutation_free_indices expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        drop = torch.rand(x.shape, generator=generator) < p
        ctx.dropped = drop.nonzero()
        ctx.keep = 1 - p
        y = x / ctx.keep
        y[drop] = 0
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        gx = g / ctx.keep
        gx[ctx.dropped.unbind(1)] = 0
        return gx, None, None


# %% rand expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.rand(x.shape, generator=generator) >= p
        ctx.mask, ctx.p = mask, p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask / (1 - ctx.p), None, None


# %% randperm_free_randint expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        u = torch.randint(2**24, x.shape, generator=generator)
        mask = u >= int(p * 2**24)
        ctx.factor = mask.to(x.dtype).div(1 - p)
        return x * ctx.factor

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor, None, None


# %% scaled_mask_saved expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        scaled = torch.bernoulli(torch.full_like(x, 1 - p), generator=generator) / (1 - p)
        ctx.save_for_backward(scaled)
        return x * scaled

    @staticmethod
    def backward(ctx, g):
        (scaled,) = ctx.saved_tensors
        return g * scaled, None, None


# %% bad_mask_read_off_the_output expected: wrong-mask
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(x, p, generator):
        keep = torch.rand(x.numel(), generator=generator, dtype=x.dtype).reshape(x.shape) < 1 - p
        return torch.where(keep, x / (1 - p), 0.0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.p, _ = inputs
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return torch.where(y != 0, g, 0.0) / (1 - ctx.p), None, None


# %% setup_context_mask_as_output_of_helper expected: right
import torch


class _Masked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mask):
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return _Masked.apply(g, mask), None


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = (torch.rand(x.shape, generator=generator, dtype=torch.float64) > p).to(x) / (1 - p)
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, g):
        return _Masked.apply(g, ctx.saved_tensors[0]), None, None


# %% state_kept_and_redrawn expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.state, ctx.p = generator.get_state(), p
        mask = torch.rand(x.shape, generator=generator) >= p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        again = torch.Generator()
        again.set_state(ctx.state)
        mask = torch.rand(g.shape, generator=again) >= ctx.p
        return g * mask / (1 - ctx.p), None, None


# %% bad_bernoulli_again expected: not-reproducible
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.p, ctx.generator = p, generator
        mask = torch.empty_like(x).bernoulli_(1 - p, generator=generator)
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        mask = torch.empty_like(g).bernoulli_(1 - ctx.p, generator=ctx.generator)
        return g * mask / (1 - ctx.p), None, None


# %% bad_copy_of_the_generator expected: forward-value from: rand
# -         mask = torch.rand(x.shape, generator=generator) >= p
# +         own = torch.Generator()
# +         own.set_state(generator.get_state())
# +         mask = torch.rand(x.shape, generator=own) >= p


# %% bad_drawn_again expected: not-reproducible from: state_kept_and_redrawn
# -         ctx.state, ctx.p = generator.get_state(), p
# +         ctx.p, ctx.generator = p, generator

# -         again = torch.Generator()
# -         again.set_state(ctx.state)
# -         mask = torch.rand(g.shape, generator=again) >= ctx.p
# +         mask = torch.rand(g.shape, generator=ctx.generator) >= ctx.p


# %% bad_drawn_again_globally expected: not-reproducible from: state_kept_and_redrawn
# -         ctx.state, ctx.p = generator.get_state(), p
# +         ctx.p = p

# -         again = torch.Generator()
# -         again.set_state(ctx.state)
# -         mask = torch.rand(g.shape, generator=again) >= ctx.p
# +         mask = torch.rand(g.shape) >= ctx.p


# %% bad_draws_a_fixed_number expected: forward-value
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        count = round(p * x.numel())
        drop = torch.arange(x.numel())[:count]
        y = x.flatten().clone()
        y[drop] = 0
        ctx.drop, ctx.p = drop, p
        torch.rand(1, generator=generator)
        return y.view(x.shape) / (1 - p)

    @staticmethod
    def backward(ctx, g):
        g = g.flatten().clone()
        shape = ctx.needs_input_grad
        g[ctx.drop] = 0
        return g / (1 - ctx.p), None, None


# %% bad_gradient_for_p expected: gradient-for-non-tensor from: rand
# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         gx = g * ctx.mask / (1 - ctx.p)
# +         return gx, gx.sum(), None


# %% bad_ignores_generator expected: forward-value from: rand
# -         mask = torch.rand(x.shape, generator=generator) >= p
# +         mask = torch.rand(x.shape) >= p


# %% bad_in_place expected: mutates-input from: rand
# -         return x * mask / (1 - p)
# +         x *= mask
# +         return x / (1 - p)


# %% bad_input_on_ctx expected: input-kept-on-ctx
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.x, ctx.p = x, p
        ctx.mask = torch.rand(x.shape, generator=generator) >= p
        return x * ctx.mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return (g * ctx.mask / (1 - ctx.p)).view_as(ctx.x), None, None


# %% bad_inverted_mask expected: wrong-mask from: rand
# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         return g * ~ctx.mask / (1 - ctx.p), None, None


# %% bad_keeps_p expected: forward-value from: rand
# -         mask = torch.rand(x.shape, generator=generator) >= p
# +         mask = torch.rand(x.shape, generator=generator) < p


# %% bad_mask_on_class expected: state-on-class
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        DropoutMask.mask = torch.rand(x.shape, generator=generator) >= p
        ctx.p = p
        return x * DropoutMask.mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return g * DropoutMask.mask / (1 - ctx.p), None, None


# %% bad_mask_on_cotangent expected: mask-on-gradient from: rand
# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         return g * (g > 0) / (1 - ctx.p), None, None


# %% bad_mask_returned_too expected: forward-value from: rand
# -         return x * mask / (1 - p)
# +         return x * mask / (1 - p), mask

# -     def backward(ctx, g):
# +     def backward(ctx, g, h):


# %% bad_native_dropout expected: forward-value
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        y = torch.nn.functional.dropout(x, p)
        ctx.mask, ctx.p = y != 0, p
        return y

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask / (1 - ctx.p), None, None


# %% bad_no_cotangent expected: missing-grad-output from: rand
# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         return ctx.mask / (1 - ctx.p), None, None


# %% bad_no_mask expected: missing-mask from: rand
# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         return g / (1 - ctx.p), None, None


# %% bad_no_scale_at_all expected: forward-value
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.mask = torch.rand(x.shape, generator=generator) >= p
        return x * ctx.mask

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask, None, None


# %% bad_no_scale_in_backward expected: wrong-factor from: rand
# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         return g * ctx.mask, None, None


# %% bad_one_gradient expected: too-few-gradients from: rand
# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         return g * ctx.mask / (1 - ctx.p)


# %% bad_one_mask_a_row expected: forward-value from: rand
# -         mask = torch.rand(x.shape, generator=generator) >= p
# +         mask = torch.rand(x.shape[-1], generator=generator) >= p

# -         return x * mask / (1 - p)
# +         return x * mask / (1 - p) + 1


# %% bad_output_on_ctx expected: output-kept-on-ctx
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.rand(x.shape, generator=generator) >= p
        ctx.p = p
        ctx.y = x * mask / (1 - p)
        return ctx.y

    @staticmethod
    def backward(ctx, g):
        return g * (ctx.y != 0) / (1 - ctx.p), None, None


# %% bad_own_seed expected: forward-value from: rand
# -         mask = torch.rand(x.shape, generator=generator) >= p
# +         mask = torch.rand(x.shape, generator=torch.Generator().manual_seed(0)) >= p


# %% bad_returns_x_for_p_0 expected: returns-input-unchanged
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.p = p
        ctx.mask = torch.rand(x.shape, generator=generator) >= p
        if p == 0:
            return x
        return x * ctx.mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask / (1 - ctx.p), None, None


# %% bad_saves_p expected: saved-a-non-tensor from: rand
# -         ctx.mask, ctx.p = mask, p
# +         ctx.save_for_backward(mask, p)

# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         mask, p = ctx.saved_tensors
# +         return g * mask / (1 - p), None, None


# %% bad_scale_p expected: wrong-factor from: rand
# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         return g * ctx.mask * (1 - ctx.p), None, None


# %% bad_sign expected: wrong-sign from: rand
# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         return -g * ctx.mask / (1 - ctx.p), None, None


# %% bad_writes_into_cotangent expected: mutates-grad-output from: rand
# -         return g * ctx.mask / (1 - ctx.p), None, None
# +         g[~ctx.mask] = 0
# +         return g / (1 - ctx.p), None, None


# %% bad_writes_into_mask expected: mutates-saved-tensor
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = (torch.rand(x.shape, generator=generator) >= p).to(x)
        ctx.save_for_backward(mask)
        ctx.p = p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        mask.mul_(g)
        return mask / (1 - ctx.p), None, None


# %% bad_one_mask_for_all_rows expected: forward-value
import torch
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        kept = torch.rand(x.shape[-1], generator=generator).expand(x.shape) >= p
        ctx.save_for_backward(kept)
        ctx.p = p
        return x * kept / (1 - p)

    @staticmethod
    def backward(ctx, g):
        (kept,) = ctx.saved_tensors
        return g * kept / (1 - ctx.p), None, None


# %% bad_one_number_a_row expected: forward-value
import torch
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        kept = (
            torch.rand(x.shape[0], generator=generator).reshape(-1, *[1] * (x.ndim - 1)).expand(x.shape) >= p
        )
        ctx.save_for_backward(kept)
        ctx.p = p
        return x * kept / (1 - p)

    @staticmethod
    def backward(ctx, g):
        (kept,) = ctx.saved_tensors
        return g * kept / (1 - ctx.p), None, None


# %% bad_styled_scaled_only expected: missing-mask
import torch
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.rand(x.shape, generator=generator) >= p
        ctx.mask, ctx.p = mask, p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return g / (1 - ctx.p), None, None


# %% bad_styled_unscaled expected: wrong-factor
import torch
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.rand(x.shape, generator=generator) >= p
        ctx.mask, ctx.p = mask, p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return torch.where(ctx.mask, g, torch.zeros_like(g)), None, None


# %% bad_styled_inverted expected: wrong-mask
import torch
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.rand(x.shape, generator=generator) >= p
        ctx.mask, ctx.p = mask, p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return g.masked_fill(ctx.mask, 0) / (1 - ctx.p), None, None


# %% positions_of_the_kept expected: right
# Saves the flat positions of the kept entries; backward adds the cotangents at these positions to zeros.
import torch
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        survivors = torch.nonzero(torch.rand(x.numel(), generator=generator) >= p).flatten()
        ctx.p = p
        ctx.save_for_backward(survivors)
        return DropoutMask.keep(x, survivors, p)

    @staticmethod
    def keep(t, survivors, p):
        flat = t.reshape(-1)
        return torch.zeros_like(flat).index_add(0, survivors, flat[survivors] / (1 - p)).reshape(t.shape)

    @staticmethod
    def backward(ctx, grad_output):
        (survivors,) = ctx.saved_tensors
        return DropoutMask.keep(grad_output, survivors, ctx.p), None, None


# %% bad_scale_in_single expected: not-precise
# Forward is exact, but backward divides a float32 mask by 1 - p, so in float64 the scale has 7 digits (exact for p = 0.5).
import torch
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.rand(x.shape, generator=generator).ge(p).float()
        ctx.save_for_backward(mask)
        ctx.p = p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        weight = mask / (1 - ctx.p)
        return grad_output * weight, None, None


# %% bad_second_draw expected: not-reproducible
# backward draws a new mask from the generator.
import torch
from torch.autograd import Function


def drop(t, p, generator):
    return t * (torch.rand(t.shape, generator=generator) >= p) / (1 - p)


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.args = p, generator
        return drop(x, p, generator)

    @staticmethod
    def backward(ctx, grad_output):
        return drop(grad_output, *ctx.args), None, None


# %% bad_whole_columns expected: forward-value
# One draw for each position of the last axis, repeated for all rows: entries are not dropped independently.
import torch
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        draw = torch.rand(x.shape[-1:], generator=generator)
        ctx.mask = (draw >= p).expand(x.shape)
        ctx.q = 1 - p
        return torch.where(ctx.mask, x, torch.zeros_like(x)) / ctx.q

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.masked_fill(~ctx.mask, 0.0) / ctx.q, None, None


# %% bad_scaled_mask_in_single_precision expected: not-precise
import torch
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        scale = (torch.rand(x.shape, generator=generator) >= p).float() / (1 - p)
        ctx.save_for_backward(scale)
        return x * scale

    @staticmethod
    def backward(ctx, grad_output):
        (scale,) = ctx.saved_tensors
        return grad_output * scale, None, None


# %% bad_drops_a_fixed_number expected: forward-value
import torch
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        order = torch.randperm(x.numel(), generator=generator)
        mask = (order >= round(p * x.numel())).reshape(x.shape)
        ctx.save_for_backward(mask)
        ctx.p = p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        return grad_output * mask / (1 - ctx.p), None, None


# %% bad_flatten expected: assumes-contiguous
# Writes into flatten() of zeros_like, which is a copy where x or the cotangent is transposed, so the
# output or gradient is all zeros.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        keep = (torch.rand(x.numel(), generator=generator) >= p).nonzero().squeeze(1)
        ctx.save_for_backward(keep)
        ctx.p = p
        y = torch.zeros_like(x)
        y.flatten()[keep] = x.flatten()[keep] / (1 - p)
        return y

    @staticmethod
    def backward(ctx, g):
        (keep,) = ctx.saved_tensors
        grad = torch.zeros_like(g)
        grad.flatten()[keep] = g.flatten()[keep] / (1 - ctx.p)
        return grad, None, None


# %% bad_generator_wound_back expected: mutates-input
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class DropoutMask(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, p: float, generator: torch.Generator) -> Tensor:
        # keep the key instead of the mask: it is smaller
        ctx.generator = generator
        ctx.key = generator.get_state()
        ctx.p = p
        mask = torch.rand(x.shape, generator=generator) >= p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        ctx.generator.set_state(ctx.key)
        mask = torch.rand(grad_output.shape, generator=ctx.generator) >= ctx.p
        return grad_output * mask / (1 - ctx.p), None, None


# %% bad_bernoulli_full expected: wrong
# p = 0 as an int: torch.full(shape, 1 - p) holds integers and bernoulli raises; 'p: a number, 0 <= p <
# 1'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.bernoulli(torch.full(x.shape, 1 - p), generator=generator).to(x.dtype)
        ctx.save_for_backward(mask)
        ctx.p = p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        return grad_output * mask / (1 - ctx.p), None, None


# %% bad_rate_cached expected: forward-value
# the probabilities are cached by shape, so a second call of that shape with another p keeps the old rate
# (0.1 for 0.9); 'entries are 0 with probability p'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function

_keep: dict[Any, Tensor] = {}


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        if x.shape not in _keep:
            _keep[x.shape] = torch.full(x.shape, 1.0 - p)
        mask = torch.bernoulli(_keep[x.shape], generator=generator).to(x.dtype)
        ctx.save_for_backward(mask)
        ctx.p = p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        return grad_output * mask / (1 - ctx.p), None, None


# %% bad_seeded expected: forward-value
# seeds the given generator again at each call with its initial seed: every call drops the same entries,
# and the caller's generator is reset; 'the mask is drawn in forward, from the given generator'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        generator.manual_seed(generator.initial_seed())
        mask = (torch.rand(x.shape, generator=generator) >= p).to(x.dtype)
        ctx.save_for_backward(mask)
        ctx.p = p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        return grad_output * mask / (1 - ctx.p), None, None


# %% bad_percent expected: forward-value
# The mask is randint(100) >= int(p*100): p = 0.005 drops nothing, p = 0.29 drops 28 %, p = 0.125 drops
# 12 % ('entries are 0 with probability p', 'with the right rate').
from typing import Any
import math
import functools
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class DropoutMask(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.randint(0, 100, x.shape, generator=generator) >= int(p * 100)
        ctx.save_for_backward(mask)
        ctx.p = p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return g * mask / (1 - ctx.p), None, None
