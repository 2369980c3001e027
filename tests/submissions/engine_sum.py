# %% concatenated_copies_and_second_function expected: right
from course.engine import Function, concatenate


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.sizes, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, grad_output):
        return Spread.apply(grad_output, ctx.sizes, ctx.axis, ctx.keepdims), None, None


class Spread(Function):
    @staticmethod
    def forward(ctx, g, sizes, axis, keepdims):
        ctx.axis, ctx.keepdims = axis, keepdims
        axes = range(len(sizes)) if axis is None else [axis]
        g = g.reshape(tuple(1 if i in axes else n for i, n in enumerate(sizes)))
        for i in axes:
            g = concatenate([g] * sizes[i], axis=i)
        return g

    @staticmethod
    def backward(ctx, gg):
        return EngineSum.apply(gg, ctx.axis, ctx.keepdims), None, None, None


# %% input_saved_and_multiplied_by_zero expected: right
from course.engine import Function


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.save_for_backward(x)
        ctx.options = axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        axis, keepdims = ctx.options
        if not keepdims:
            kept = x.data.sum(axis=axis, keepdims=True)
            g = g.reshape(kept.shape)
        return x * 0 + g, None, None, None


# %% once_differentiable_numpy_copies expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.x_shape, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return Tensor(x.data.sum(axis=axis, keepdims=keepdims))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        gradient = np.asarray(g.data)
        if ctx.axis is not None and not ctx.keepdims:
            gradient = np.expand_dims(gradient, ctx.axis)
        return Tensor(np.array(np.broadcast_to(gradient, ctx.x_shape))), None, None


# %% ones_times_cotangent expected: right
import numpy as np
from course.engine import Function, Tensor


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.ones, ctx.axis, ctx.keepdims = np.ones(x.shape), axis, keepdims
        return Tensor(np.sum(x.data, axis=axis, keepdims=keepdims))

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is not None and not ctx.keepdims:
            shape = list(ctx.ones.shape)
            shape[ctx.axis] = 1
            g = g.reshape(*shape)
        return ctx.ones * g, None, None


# %% reshape_and_broadcast expected: right
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is not None and not ctx.keepdims:
            g = g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
        return broadcast_to(g, ctx.given), None, None


# %% setup_context_index_by_none expected: right
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(x, axis, keepdims):
        return x.sum(axis=axis, keepdims=keepdims)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.axis, ctx.keepdims = inputs
        ctx.old = x.shape

    @staticmethod
    def backward(ctx, g):
        if not ctx.keepdims and ctx.axis is not None:
            g = g[(slice(None),) * ctx.axis + (None,)]
        return broadcast_to(g, ctx.old), None, None


# %% bad_array expected: gradient-not-a-tensor from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return np.broadcast_to(g.data, ctx.given), None, None


# %% bad_axis_on_class expected: state-on-class from: reshape_and_broadcast
# -         ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
# +         ctx.given, EngineSum.axis, EngineSum.keepdims = x.shape, axis, keepdims

# -         if ctx.axis is not None and not ctx.keepdims:
# -             g = g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
# +         if EngineSum.axis is not None and not EngineSum.keepdims:
# +             g = g.reshape(tuple(1 if i == EngineSum.axis else n for i, n in enumerate(ctx.given)))


# %% bad_changes_the_axis_on_ctx expected: mutates-saved-tensor from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

#               g = g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
# +         ctx.axis = None if ctx.axis is None else 1 - min(ctx.axis, 1)


# %% bad_cotangent_as_it_is expected: missing-expand
import numpy as np
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        return g, None, None


# %% bad_deletes_shape expected: deletes-context-state
import numpy as np
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is not None and not ctx.keepdims:
            g = g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
        shape = ctx.given
        del ctx.given
        return broadcast_to(g, shape), None, None


# %% bad_detached expected: detached-in-backward from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g.detach(), ctx.given), None, None


# %% bad_divided_by_all expected: wrong-factor from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         g = broadcast_to(g, ctx.given)
# +         return g / 2, None, None


# %% bad_doubled expected: gradient-too-large from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g, (2, *ctx.given)), None, None


# %% bad_expanded_at_the_front expected: wrong from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -             g = g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
# +             return broadcast_to(g.reshape(-1)[:1], ctx.given), None, None


# %% bad_extra_axis expected: reshaped-gradient from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g, (1, *ctx.given)), None, None


# %% bad_first_entry_only expected: wrong-mask
import numpy as np
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is not None and not ctx.keepdims:
            g = g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
        mask = np.zeros(ctx.given)
        mask.flat[0] = 1
        return g * mask, None, None


# %% bad_forward_mean expected: forward-value from: reshape_and_broadcast
# -         return x.sum(axis, keepdims)
# +         return x.mean(axis, keepdims)


# %% bad_four_gradients expected: too-many-gradients from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g, ctx.given), None, None, g


# %% bad_gradient_for_axis expected: gradient-for-non-tensor from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g, ctx.given), g.sum(), None


# %% bad_gradients_for_options expected: gradient-for-non-tensor from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g, ctx.given), 0, 0


# %% bad_keepdims_forgotten_in_forward expected: forward-value from: reshape_and_broadcast
# -         return x.sum(axis, keepdims)
# +         return x.sum(axis)


# %% bad_mean expected: mean-instead-of-sum
import numpy as np
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is not None and not ctx.keepdims:
            g = g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
        g = broadcast_to(g, ctx.given)
        share = g.size if ctx.axis is None else ctx.given[ctx.axis]
        return g / share, None, None


# %% bad_mean_of_cotangent expected: cotangent-summed from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g.mean(), ctx.given), None, None


# %% bad_no_axis_put_back expected: expanded-wrong-axis from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         if ctx.axis is not None and not ctx.keepdims:
# -             g = g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))


# %% bad_none expected: missing-gradient
import numpy as np
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        return None, None, None


# %% bad_not_unpacked expected: saved-tensors-not-unpacked
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.save_for_backward(x)
        ctx.axis, ctx.keepdims = axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors
        return broadcast_to(g, x.shape), None, None


# %% bad_numpy_undeclared expected: numpy-in-backward from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return Tensor(g.data + np.zeros(ctx.given)), None, None


# %% bad_one_gradient expected: too-few-gradients from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g, ctx.given)


# %% bad_ones expected: missing-grad-output
import numpy as np
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        return Tensor(np.ones(ctx.given)), None, None


# %% bad_reshaped_only expected: missing-expand from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return g, None, None


# %% bad_saves_the_options expected: saved-a-non-tensor
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.save_for_backward(x, axis, keepdims)
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        x, axis, keepdims = ctx.saved_tensors
        return broadcast_to(g, x.shape), None, None


# %% bad_setup_context expected: setup-context-not-unpacked
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(x, axis, keepdims):
        return x.sum(axis, keepdims)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return broadcast_to(g, x.shape), None, None


# %% bad_sign expected: wrong-sign from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return -broadcast_to(g, ctx.given), None, None


# %% bad_squared expected: gradient-nonlinear from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g * g, ctx.given), None, None


# %% bad_sum_of_cotangent expected: cotangent-summed from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g.sum(), ctx.given), None, None


# %% bad_transposed_expand expected: expanded-wrong-axis
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is None or ctx.keepdims or len(ctx.given) != 2:
            g = (
                g
                if ctx.axis is None or ctx.keepdims
                else g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
            )
            return broadcast_to(g, ctx.given), None, None
        rows, columns = ctx.given
        copies = broadcast_to(g.reshape(-1, 1), (g.size, rows * columns // g.size))
        return copies.reshape(ctx.given), None, None


# %% bad_two_gradients expected: too-few-gradients from: reshape_and_broadcast
# - from course.engine import Function, broadcast_to
# + import numpy as np
# + from course.engine import Function, Tensor, broadcast_to

# -         return broadcast_to(g, ctx.given), None, None
# +         return broadcast_to(g, ctx.given), None


# %% bad_writes_into_cotangent expected: mutates-grad-output
import numpy as np
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if ctx.keepdims and ctx.axis is not None:
            g.data *= 2
            g = g / 2
        if ctx.axis is not None and not ctx.keepdims:
            g = g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
        return broadcast_to(g, ctx.given), None, None


# %% bad_styled_divided expected: mean-instead-of-sum
import numpy as np

from course.engine import Function


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is not None and not ctx.keepdims:
            shape = list(ctx.shape)
            shape[ctx.axis] = 1
            g = g.reshape(tuple(shape))
        n = np.prod(ctx.shape) if ctx.axis is None else ctx.shape[ctx.axis]
        return g * np.ones(ctx.shape) / float(n), None, None


# %% bad_styled_not_expanded expected: missing-expand
from course.engine import Function


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is not None and not ctx.keepdims:
            shape = list(ctx.shape)
            shape[ctx.axis] = 1
            g = g.reshape(tuple(shape))
        return g, None, None


# %% bad_styled_ones expected: missing-grad-output
import numpy as np

from course.engine import Function, Tensor


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        return Tensor(np.ones(ctx.shape)), None, None


# %% copying_and_adding expected: right
# Right: copying is a second Function, whose backward is the sum again.
import numpy as np

from course.engine import Function, Tensor


class Copies(Function):
    """Repeat a summed array along the summed axis."""

    @staticmethod
    def forward(ctx, g, shape, axis, keepdims):
        ctx.rest = (axis, keepdims)
        if axis is not None and not keepdims:
            return Tensor(np.repeat(np.expand_dims(g.data, axis), shape[axis], axis))
        return Tensor(np.ones(shape) * g.data)

    @staticmethod
    def backward(ctx, outer):
        return EngineSum.apply(outer, *ctx.rest), None, None, None


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.how = (x.shape, axis, keepdims)
        return Tensor(np.sum(x.data, axis=axis, keepdims=keepdims))

    @staticmethod
    def backward(ctx, grad_output):
        return Copies.apply(grad_output, *ctx.how), None, None


# %% bad_axis_zero_is_false expected: forward-value
# `axis or None` turns axis 0 into None: forward sums over everything there.
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        axis = axis or None
        total = x.sum(axis, keepdims)
        ctx.shape = x.shape
        ctx.kept = x.sum(axis, True).shape
        return total

    @staticmethod
    def backward(ctx, grad_output):
        return broadcast_to(grad_output.reshape(ctx.kept), ctx.shape), None, None


# %% bad_keepdims_forgotten expected: too-few-gradients
# backward returns two values, and apply had three arguments.
from typing import Any

from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, axis, keepdims) -> Tensor:
        ctx.before = x.shape
        ctx.between = x.sum(axis, True).shape
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor):
        return broadcast_to(grad_output.reshape(ctx.between), ctx.before), None


# %% bad_last_axis_or_nothing expected: wrong-order
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.info = (x.shape, axis, keepdims)
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, grad_output):
        shape, axis, keepdims = ctx.info
        g = grad_output
        if axis == len(shape) - 1 and not keepdims:
            g = g.reshape(shape[:-1] + (1,))
        return broadcast_to(g, shape), None, None


# %% bad_broadcasts_if_it_can expected: expanded-wrong-axis
# Inserts the summed axis only where the cotangent does not broadcast as it is, so for a square x and
# axis=1 the rows' cotangents go to the columns: x of shape (3, 3), "each x_ij gets y_bar_i".
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis = x.shape, axis
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, grad_output):
        try:
            return broadcast_to(grad_output, ctx.shape), None, None
        except ValueError:
            shape = list(ctx.shape)
            shape[ctx.axis] = 1
            return broadcast_to(grad_output.reshape(tuple(shape)), ctx.shape), None, None


# %% bad_none_as_two_axes expected: forward-value
# Sums over all axes as over axis 0 twice, which leaves a vector for x of three axes and axis=None.
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        if axis is None:
            return x.sum(1, True).sum(0, True) if keepdims else x.sum(0).sum(0)
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, grad_output):
        if ctx.axis is not None and not ctx.keepdims:
            shape = [1 if i == ctx.axis else n for i, n in enumerate(ctx.shape)]
            grad_output = grad_output.reshape(tuple(shape))
        return broadcast_to(grad_output, ctx.shape), None, None


# %% bad_drops_the_kept_axis expected: wrong-shape
# backward takes the kept axis away as if x were a matrix: for three axes, axis=2 and keepdims=True it
# raises ("x: two or three axes").
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, grad_output):
        if ctx.axis is None:
            return broadcast_to(grad_output, ctx.shape), None, None
        if ctx.keepdims:
            grad_output = grad_output[0] if ctx.axis == 0 else grad_output[:, 0]
        shape = tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.shape))
        return broadcast_to(grad_output.reshape(shape), ctx.shape), None, None


# %% bad_none_keepdims_1_1 expected: forward-value
# For three axes, axis=None and keepdims=True, the result has shape (1, 1) and not (1, 1, 1) ("Return
# x.sum(axis, keepdims)", "x: two or three axes").
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        if axis is None:
            y = x.sum()
            return y.reshape(1, 1) if keepdims else y
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, grad_output):
        if ctx.axis is not None and not ctx.keepdims:
            shape = list(ctx.shape)
            shape[ctx.axis] = 1
            grad_output = grad_output.reshape(tuple(shape))
        return broadcast_to(grad_output, ctx.shape), None, None
