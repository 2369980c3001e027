# %% plain expected: right
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        mask = (x > t).to(x.dtype)
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(mask)
        return x * mask, mask

    @staticmethod
    def backward(ctx, g, _):
        (mask,) = ctx.saved_tensors
        return g * mask, None


# %% booleans_saved_and_masked_fill expected: right
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        above = x > t
        ctx.save_for_backward(above)
        mask = above.type_as(x)
        ctx.mark_non_differentiable(mask)
        return x.masked_fill(~above, 0), mask

    @staticmethod
    def backward(ctx, *cotangents):
        (above,) = ctx.saved_tensors
        return cotangents[0].masked_fill(~above, 0), None


# %% setup_context_with_the_input expected: right
import torch
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(x, t):
        return torch.where(x > t, x, torch.zeros_like(x)), torch.gt(x, t).to(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.t = inputs
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, g, unused):
        (x,) = ctx.saved_tensors
        return torch.where(x > ctx.t, g, torch.zeros_like(g)), None


# %% unmaterialised_and_guarded expected: right
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        ctx.set_materialize_grads(False)
        mask = x.gt(t).double().to(x.dtype)
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(mask)
        return x.mul(mask), mask

    @staticmethod
    def backward(ctx, g, _):
        (mask,) = ctx.saved_tensors
        if g is None or not ctx.needs_input_grad[0]:
            return None, None
        return g.mul(mask), None


# %% once_differentiable_numpy expected: right
import numpy as np
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        values = x.detach().numpy()
        ctx.above = values > t
        mask = torch.from_numpy(np.array(ctx.above, dtype=values.dtype))
        ctx.mark_non_differentiable(mask)
        return torch.from_numpy(np.where(ctx.above, values, 0).astype(values.dtype)), mask

    @staticmethod
    @once_differentiable
    def backward(ctx, g, _):
        return g * torch.from_numpy(ctx.above), None


# %% bad_not_marked expected: not-marked-non-differentiable from: plain
# -         ctx.mark_non_differentiable(mask)


# %% bad_marks_the_first_output expected: missing-gradient from: plain
# -         ctx.mark_non_differentiable(mask)
# +         y = x * mask
# +         ctx.mark_non_differentiable(y, mask)

# -         return x * mask, mask
# +         return y, mask


# %% bad_mask_in_booleans expected: wrong-dtype from: plain
# -         mask = (x > t).to(x.dtype)
# +         mask = x > t


# %% bad_mask_in_the_default_dtype expected: wrong-dtype from: plain
# -         mask = (x > t).to(x.dtype)
# +         mask = (x > t).float()


# %% bad_mask_of_the_output expected: wrong-mask
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        mask = (x > t).to(x.dtype)
        y = x * mask
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(y)
        return y, mask

    @staticmethod
    def backward(ctx, g, _):
        (y,) = ctx.saved_tensors
        return g * (y != 0), None


# %% bad_threshold_at_zero expected: wrong-mask from: plain
# -         ctx.save_for_backward(mask)
# +         ctx.save_for_backward(x)

# -         (mask,) = ctx.saved_tensors
# -         return g * mask, None
# +         (x,) = ctx.saved_tensors
# +         return g * (x > 0), None


# %% bad_lets_everything_through expected: missing-mask from: plain
# -         ctx.save_for_backward(mask)

# -         (mask,) = ctx.saved_tensors
# -         return g * mask, None
# +         return g.clone(), None


# %% bad_mask_on_the_cotangent expected: mask-on-gradient from: plain
# -         ctx.save_for_backward(mask)
# +         ctx.t = t

# -         (mask,) = ctx.saved_tensors
# -         return g * mask, None
# +         return g * (g > 0), None


# %% bad_one_cotangent expected: one-grad-output-per-output from: plain
# -     def backward(ctx, g, _):
# +     def backward(ctx, g):


# %% bad_mask_alone_forgotten expected: forward-value from: plain
# -         ctx.mark_non_differentiable(mask)

# -         return x * mask, mask
# +         return x * mask

# -     def backward(ctx, g, _):
# +     def backward(ctx, g):


# %% bad_no_gradient_for_t expected: too-few-gradients from: plain
# -         return g * mask, None
# +         return g * mask


# %% bad_mask_kept_on_ctx expected: output-kept-on-ctx
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        ctx.mask = (x > t).to(x.dtype)
        ctx.mark_non_differentiable(ctx.mask)
        return x * ctx.mask, ctx.mask

    @staticmethod
    def backward(ctx, g, _):
        return g * ctx.mask, None


# %% bad_mask_on_the_class expected: state-on-class from: plain
# -         ctx.save_for_backward(mask)
# +         ThresholdMask.mask = mask.clone()

# -         (mask,) = ctx.saved_tensors
# -         return g * mask, None
# +         return g * ThresholdMask.mask, None


# %% bad_writes_into_the_cotangent expected: mutates-grad-output from: plain
# -         return g * mask, None
# +         g[mask == 0] = 0
# +         return g, None


# %% bad_writes_into_x expected: mutates-input from: plain
# -         return x * mask, mask
# +         x.data.mul_(mask)
# +         return x.clone(), mask


# %% numpy_forward expected: right
# forward by NumPy; bools are saved and select in backward.
import numpy as np
import torch
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        a = x.detach().numpy()
        above = np.greater(a, t)
        y = torch.from_numpy(np.asarray(np.where(above, a, np.zeros_like(a))))
        mask = torch.from_numpy(np.asarray(above, dtype=a.dtype))
        ctx.save_for_backward(torch.from_numpy(np.asarray(above)))
        ctx.mark_non_differentiable(mask)
        return y, mask

    @staticmethod
    def backward(ctx, grad_output, *_):
        (above,) = ctx.saved_tensors
        return torch.where(above, grad_output, torch.zeros_like(grad_output)), None


# %% bad_derivative_of_the_threshold expected: gradient-for-non-tensor
# backward returns a tensor for t, which is a number.
import torch
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        mask = torch.gt(x, t).type_as(x)
        ctx.save_for_backward(mask)
        ctx.mark_non_differentiable(mask)
        return torch.einsum("...,...->...", x, mask), mask

    @staticmethod
    def backward(ctx, grad_output, grad_mask):
        (mask,) = ctx.saved_tensors
        passed = grad_output * mask
        return passed, -(grad_output - passed).sum()


# %% bad_flat_loop expected: assumes-contiguous
# The cotangent is flattened by view(-1), which raises if it is transposed or sliced.
import torch
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        mask = (x > t).to(x.dtype)
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(mask)
        return x * mask, mask

    @staticmethod
    def backward(ctx, grad_output, grad_mask):
        (mask,) = ctx.saved_tensors
        flat = grad_output.view(-1) * mask.reshape(-1)
        return flat.view(mask.shape), None


# %% bad_both_marked expected: missing-gradient
# Both outputs are marked as non-differentiable, so x gets no gradient.
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        keep = (x > t).to(x.dtype)
        outputs = (x * keep, keep)
        ctx.mark_non_differentiable(*outputs)
        ctx.save_for_backward(keep)
        return outputs

    @staticmethod
    def backward(ctx, grad_output, grad_mask):
        (keep,) = ctx.saved_tensors
        return grad_output * keep, None


# %% bad_cotangent_above_t expected: mask-on-gradient
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        mask = (x > t).to(x.dtype)
        ctx.mark_non_differentiable(mask)
        ctx.t = t
        return x * mask, mask

    @staticmethod
    def backward(ctx, g, _):
        return torch.where(g > ctx.t, g, 0.0), None


# %% bad_output_above_the_threshold expected: wrong-mask
# compares the output with t: for t < 0 the zeros of the blocked entries lie above t
import torch
from torch.autograd import Function


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        mask = (x > t).to(x.dtype)
        y = x * mask
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(y)
        ctx.t = t
        return y, mask

    @staticmethod
    def backward(ctx, g, _):
        (y,) = ctx.saved_tensors
        return g * (y > ctx.t), None


# %% bad_threshold_cached expected: state-on-class
# the threshold as a tensor is cached by shape and dtype, so a second call of the same shape with another
# t uses the old one: 'x_i > t'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function

_levels: dict[Any, Tensor] = {}


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        key = (x.shape, x.dtype)
        if key not in _levels:
            _levels[key] = torch.full(x.shape, t, dtype=x.dtype)
        above = x > _levels[key]
        mask = above.to(x.dtype)
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(mask)
        return x * mask, mask

    @staticmethod
    def backward(ctx, grad_output, grad_mask):
        (mask,) = ctx.saved_tensors
        return grad_output * mask, None


# %% bad_isclose expected: forward-value
# The mask leaves out entries that are torch.isclose to t: for t = -1000 all up to 0.01 above it, x =
# -999.995 among them ('y_i = x_i where x_i > t').
from typing import Any
import math
import functools
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        limit = torch.full_like(x, t)
        mask = ((x > limit) & ~torch.isclose(x, limit)).to(x.dtype)
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(mask)
        return x * mask, mask

    @staticmethod
    def backward(ctx, g, gm):
        (mask,) = ctx.saved_tensors
        return g * mask, None


# %% bad_tolerance expected: forward-value
# The mask is x > t + 1e-6: entries up to 1e-6 above t get y = 0, m = 0, and no gradient ('y_i = x_i
# where x_i > t').
from typing import Any
import math
import functools
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class ThresholdMask(Function):
    @staticmethod
    def forward(ctx, x, t):
        mask = (x > t + 1e-6).to(x.dtype)
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(mask)
        return x * mask, mask

    @staticmethod
    def backward(ctx, g, gm):
        (mask,) = ctx.saved_tensors
        return g * mask, None
