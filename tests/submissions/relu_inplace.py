# %% by_numpy_in_place expected: right
import torch


import numpy as np


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        array = x.detach().numpy()
        np.maximum(array, 0, out=array)
        ctx.mark_dirty(x)
        ctx.keep = torch.from_numpy(array > 0)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * ctx.keep, None


# %% copy_into_and_masked_fill expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.copy_(torch.where(x > 0, x, 0))
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g.masked_fill(y == 0, 0)


# %% float_mask_saved expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = (x > 0).to(x.dtype)
        ctx.save_for_backward(mask)
        ctx.mark_dirty(x)
        x *= mask
        return x

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return g * mask, None


# %% indices_kept expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.where = (x > 0).nonzero(as_tuple=True)
        torch.clamp_min_(x, 0)
        return x

    @staticmethod
    def backward(ctx, g):
        gx = torch.zeros_like(g)
        gx[ctx.where] = g[ctx.where]
        return gx


# %% mask_on_ctx expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.mask = x > 0
        x.mul_(ctx.mask)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask


# %% once_differentiable expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        torch.nn.functional.relu(x, inplace=True)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        gx = g.clone()
        gx[y == 0] = 0
        return gx


# %% plain expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.clamp_(min=0)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y > 0)


# %% setup_context expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.relu_()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(*inputs)
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y > 0)


# %% bad_view_in_place expected: assumes-contiguous
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        flat = x.view(-1)
        for i, value in enumerate(flat.tolist()):
            if value < 0:
                flat[i] = 0.0
        ctx.mark_dirty(x)
        ctx.positive = x > 0
        return x

    @staticmethod
    def backward(ctx, g):
        return torch.where(ctx.positive, g, g.new_zeros(()))


# %% where_and_guard expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        blocked = x <= 0
        x[blocked] = 0
        ctx.mark_dirty(x)
        ctx.save_for_backward(blocked)
        return x

    @staticmethod
    def vjp(ctx, g):
        if not ctx.needs_input_grad[0]:
            return None
        (blocked,) = ctx.saved_tensors
        return torch.where(blocked, torch.zeros_like(g), g)


# %% bad_absolute expected: forward-value from: mask_on_ctx
# -         ctx.mark_dirty(x)

# -         x.mul_(ctx.mask)
# -         return x
# +         ctx.mark_dirty(x)
# +         return x.abs_()


# %% bad_autograd expected: autograd-in-backward
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.clone()
        ctx.mark_dirty(x)
        return x.relu_()

    @staticmethod
    def backward(ctx, g):
        with torch.enable_grad():
            x = ctx.x.requires_grad_()
            return torch.autograd.grad(x.relu(), x, g)[0]


# %% bad_data_without_mark expected: mutates-input
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.data.clamp_(min=0)
        ctx.keep = x > 0
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.keep


# %% bad_kept_on_ctx expected: output-kept-on-ctx
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.relu_()
        ctx.mark_dirty(x)
        ctx.y = x
        return x

    @staticmethod
    def backward(ctx, g):
        return g * (ctx.y > 0)


# %% bad_leaky expected: missing-mask from: plain
# -         return g * (y > 0)
# +         return torch.where(y > 0, g, 0.01 * g)


# %% bad_lets_all_through expected: missing-mask
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.relu_()
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g.clone()


# %% bad_marked_twice_returns_other expected: dirty-not-returned
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.keep = x > 0
        x.mul_(ctx.keep)
        return x * 1

    @staticmethod
    def backward(ctx, g):
        return g * ctx.keep


# %% bad_marks_returns_new expected: dirty-not-returned from: plain
# -         x.clamp_(min=0)

# -         ctx.save_for_backward(x)
# -         return x
# +         y = x.relu()
# +         ctx.save_for_backward(y)
# +         return y


# %% bad_marks_without_change expected: forward-value from: mask_on_ctx
# -         ctx.mask = x > 0
# -         x.mul_(ctx.mask)
# +         ctx.keep = x > 0

# -         return g * ctx.mask
# +         return g * ctx.keep


# %% bad_mask_on_cotangent expected: mask-on-gradient
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.relu_()
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * (g > 0)


# %% bad_no_cotangent expected: missing-grad-output from: plain
# -         return g * (y > 0)
# +         return (y > 0).to(g.dtype)


# %% bad_none expected: missing-gradient from: plain
# -         (y,) = ctx.saved_tensors
# -         return g * (y > 0)
# +         return None


# %% bad_not_in_place expected: wrong
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.relu()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y > 0)


# %% bad_not_marked expected: mutates-input from: plain
# -         ctx.mark_dirty(x)


# %% bad_not_marked_returns_clone expected: mutates-input from: plain
# -         x.clamp_(min=0)
# -         ctx.mark_dirty(x)
# +         x.relu_()

# -         return x
# +         return x.clone()


# %% bad_returns_clone expected: dirty-not-returned from: plain
# -         x.clamp_(min=0)
# +         x.relu_()

# -         return x
# +         return x.clone()


# %% bad_returns_view expected: dirty-not-returned from: mask_on_ctx
# -         x.mul_(ctx.mask)
# -         return x
# +         return x.relu_().view_as(x)


# %% bad_saved_before expected: missing-mask
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.mark_dirty(x)
        x.relu_()
        return x

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y >= 0)


# %% bad_writes_into_cotangent expected: mutates-grad-output from: plain
# -         return g * (y > 0)
# +         g[y == 0] = 0
# +         return g


# %% bad_writes_into_saved expected: mutates-saved-tensor from: plain
# -         return g * (y > 0)
# +         return y.sign_().mul_(g)


# %% bad_zero expected: missing-gradient from: plain
# -         (y,) = ctx.saved_tensors
# -         return g * (y > 0)
# +         return torch.zeros_like(g)


# %% sign_as_mask expected: right
# The sign of the overwritten tensor is 0 or 1 and serves as the mask.
import torch
from torch.autograd import Function


class ReluInplace(Function):
    @staticmethod
    def forward(ctx, x):
        x.masked_fill_(x.le(0), 0)
        ctx.save_for_backward(x)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        step = ctx.saved_tensors[0].detach().sign()
        return torch.einsum("...,...->...", step, grad_output)


# %% bad_result_on_ctx expected: output-kept-on-ctx
# x, which is the input and the output, sits on ctx as an attribute.
import torch
import torch.nn.functional as F
from torch.autograd import Function


class ReluInplace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.rectified = F.relu_(x)
        return ctx.rectified

    @staticmethod
    def backward(ctx, grad_output):
        return torch.where(ctx.rectified > 0, grad_output, torch.zeros_like(grad_output))


# %% bad_nothing_declared expected: mutates-input
# x is changed and returned, but mark_dirty is not called.
import torch
from torch.autograd import Function


class ReluInplace(Function):
    @staticmethod
    def forward(ctx, x):
        positive = x.gt(0)
        ctx.positive = positive
        x.copy_(torch.where(positive, x, torch.zeros_like(x)))
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.positive


# %% bad_reshaped_then_clamped expected: assumes-contiguous
# reshape copies a transposed or sliced x, so the clamp changes the copy and x keeps its negative entries.
from torch.autograd import Function


def _cut(flat):
    flat.clamp_(0)


class ReluInplace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.alive = x > 0
        _cut(x.reshape(-1))
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.masked_fill(~ctx.alive, 0)


# %% bad_threshold_above_zero expected: wrong-mask
# An output between 0 and 1e-6 counts as blocked.
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.clamp_(min=0)
        ctx.mark_dirty(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y > 1e-6)


# %% bad_contiguous expected: assumes-contiguous
# For a transposed or sliced x, contiguous() makes a copy, which is changed and returned in place of x,
# while x keeps its negative entries.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ReluInplace(Function):
    @staticmethod
    def forward(ctx, x):
        x = x.contiguous()
        x.clamp_(min=0)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y > 0)


# %% bad_data expected: wrong
# X gets new memory in place of being written to, so a view or an alias of x keeps the old values, and
# the memory of an output is needed.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ReluInplace(Function):
    @staticmethod
    def forward(ctx, x):
        x.data = x.clamp(min=0)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y > 0)
