# %% add_at_once_differentiable expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return Tensor(x.data[index])

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        total = np.zeros(ctx.given)
        np.add.at(total, ctx.rows, g.data)
        return Tensor(total), None


# %% bincount_by_columns expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.count, ctx.rows = len(x.data), index
        return x[index, ...]

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        flat = g.data.reshape(len(ctx.rows), -1)
        columns = [np.bincount(ctx.rows, weights=column, minlength=ctx.count) for column in flat.T]
        return Tensor(np.stack(columns, axis=1).reshape(ctx.count, *g.shape[1:])), None


# %% one_hot_product expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(x, index):
        return x[index]

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.rows = inputs
        ctx.count = x.shape[0]

    @staticmethod
    def backward(ctx, g):
        one_hot = (np.arange(ctx.count)[:, None] == ctx.rows).astype(float)
        return Tensor(one_hot) @ g, None


# %% scatter_as_a_second_function expected: right
import numpy as np
from course.engine import Function, Tensor


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return Tensor(x.data[index])

    @staticmethod
    def backward(ctx, g):
        return Scatter.apply(g, ctx.rows, ctx.given), None


class Scatter(Function):
    @staticmethod
    def forward(ctx, g, rows, shape):
        ctx.rows = rows
        total = np.zeros(shape, g.dtype)
        np.add.at(total, rows, g.data)
        return Tensor(total)

    @staticmethod
    def backward(ctx, gg):
        return EngineTake.apply(gg, ctx.rows), None, None


# %% stacked_by_matmul_in_forward expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(Tensor(np.eye(x.shape[0])[index]))
        return x[index]

    @staticmethod
    def backward(ctx, g):
        (selection,) = ctx.saved_tensors
        return selection.T @ g, None


# %% sum_of_rows_in_a_loop expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(x)
        ctx.rows = [int(i) for i in index]
        return x[index]

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        total = x * 0
        for place, row in enumerate(ctx.rows):
            unit = np.zeros((x.shape[0],) + (1,) * (x.ndim - 1))
            unit[row] = 1
            total = total + g[place] * Tensor(unit)
        return total, None, None


# %% bad_accumulates_over_calls expected: mutates-saved-tensor
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return x[index]

    @staticmethod
    def backward(ctx, g):
        if not hasattr(ctx, "total"):
            ctx.total = np.zeros(ctx.given)
        np.add.at(ctx.total, ctx.rows, g.data)
        return Tensor(ctx.total), None


# %% bad_add_at_on_a_tensor expected: wrong
import numpy as np
from course.engine import Function, Tensor


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.index, ctx.shape = index, x.shape
        return x[index]

    @staticmethod
    def backward(ctx, g):
        total = Tensor(np.zeros(ctx.shape))
        np.add.at(total, ctx.index, g)
        return total, None


# %% bad_all_rows expected: wrong from: stacked_by_matmul_in_forward
# -         ctx.save_for_backward(Tensor(np.eye(x.shape[0])[index]))
# +         ctx.given, ctx.rows = x.shape, index

# -         (selection,) = ctx.saved_tensors
# -         return selection.T @ g, None
# +         return Tensor(np.zeros(ctx.given)) + g.sum(axis=0), None


# %% bad_array expected: gradient-not-a-tensor from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         return Tensor(total), None
# +         return total, None


# %% bad_augmented_assignment expected: overwrites-instead-of-accumulates from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         total[ctx.rows] += g.data


# %% bad_changes_the_index expected: mutates-input from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         y = x[index]
# +         index.sort()
# +         return y

# -     @once_differentiable


# %% bad_clipped expected: gradient-nonlinear from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         np.add.at(total, ctx.rows, g.data.clip(-0.5, 0.5))


# %% bad_cotangent_as_it_is expected: wrong-shape from: stacked_by_matmul_in_forward
# -         ctx.save_for_backward(Tensor(np.eye(x.shape[0])[index]))
# +         ctx.given, ctx.rows = x.shape, index

# -         (selection,) = ctx.saved_tensors
# -         return selection.T @ g, None
# +         return g, None


# %% bad_deletes_index expected: deletes-context-state from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

#           np.add.at(total, ctx.rows, g.data)
# +         del ctx.rows


# %% bad_forward_boolean expected: forward-value
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return x[np.isin(np.arange(x.shape[0]), index)]

    @staticmethod
    def backward(ctx, g):
        return g, None


# %% bad_forward_columns expected: forward-value
from course.engine import Function


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return x[..., index % x.shape[-1]]

    @staticmethod
    def backward(ctx, g):
        return g, None


# %% bad_gradient_for_index expected: gradient-for-non-tensor from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         return Tensor(total), None
# +         return Tensor(total), Tensor(np.zeros(len(ctx.rows)))


# %% bad_index_on_class expected: state-on-class
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        EngineTake.rows, EngineTake.given = index, x.shape
        return x[index]

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        total = np.zeros(EngineTake.given)
        np.add.at(total, EngineTake.rows, g.data)
        return Tensor(total), None


# %% bad_index_on_the_other_axis expected: wrong from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         np.add.at(total.T, ctx.rows % total.shape[-1], g.data.T[:1].sum())


# %% bad_indexes_the_cotangent expected: wrong-shape from: stacked_by_matmul_in_forward
# -         ctx.save_for_backward(Tensor(np.eye(x.shape[0])[index]))
# +         ctx.given, ctx.rows = x.shape, index

# -         (selection,) = ctx.saved_tensors
# -         return selection.T @ g, None
# +         return g[ctx.rows % g.shape[0]], None


# %% bad_inverse_order expected: inverse-permutation from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         np.add.at(total, np.argsort(ctx.rows, kind="stable") % len(total), g.data)


# %% bad_mean_of_repeats expected: mean-instead-of-sum from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         return Tensor(total), None
# +         counts = np.bincount(ctx.rows, minlength=len(total)).clip(1)
# +         return Tensor((total.T / counts).T), None


# %% bad_none expected: missing-gradient from: stacked_by_matmul_in_forward
# -         ctx.save_for_backward(Tensor(np.eye(x.shape[0])[index]))
# +         ctx.given, ctx.rows = x.shape, index

# -         (selection,) = ctx.saved_tensors
# -         return selection.T @ g, None
# +         return None, None


# %% bad_not_unpacked expected: saved-tensors-not-unpacked
from course.engine import Function


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(x)
        ctx.rows = index
        return x[index]

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors
        total = x * 0.0
        return total, None


# %% bad_one_gradient expected: too-few-gradients from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         return Tensor(total), None
# +         return Tensor(total)


# %% bad_ones expected: missing-grad-output from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         np.add.at(total, ctx.rows, 1.0)


# %% bad_overwrites expected: overwrites-instead-of-accumulates from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         total[ctx.rows] = g.data


# %% bad_overwrites_in_a_loop expected: overwrites-instead-of-accumulates from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         for place, row in enumerate(ctx.rows):
# +             total[row] = g.data[place]


# %% bad_same_index_again expected: inverse-permutation from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         np.add.at(total, np.arange(len(ctx.rows)) % len(total), g.data[ctx.rows % len(g.data)])


# %% bad_saves_the_index expected: saved-a-non-tensor
from course.engine import Function


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(x, index)
        return x[index]

    @staticmethod
    def backward(ctx, g):
        x, index = ctx.saved_tensors
        return x * 0, None


# %% bad_sign expected: wrong-sign from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         np.subtract.at(total, ctx.rows, g.data)


# %% bad_sorts_the_index expected: wrong-order from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         np.add.at(total, np.sort(ctx.rows), g.data)


# %% bad_too_many_rows expected: wrong-shape from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         total = np.zeros(ctx.given)
# +         total = np.zeros((ctx.given[0] + 1, *ctx.given[1:]))


# %% bad_twice expected: wrong-factor from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

# -         np.add.at(total, ctx.rows, g.data)
# +         np.add.at(total, ctx.rows, 2 * g.data)


# %% bad_undeclared_numpy expected: numpy-in-backward from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable


# %% bad_writes_into_cotangent expected: mutates-grad-output from: add_at_once_differentiable
# -         return Tensor(x.data[index])
# +         return x[index]

# -     @once_differentiable

#           np.add.at(total, ctx.rows, g.data)
# +         g.data[...] = 0


# %% bad_styled_plus_equals expected: overwrites-instead-of-accumulates
import numpy as np

from course.engine import Function, Tensor


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.shape, ctx.index = x.shape, index
        return x[index]

    @staticmethod
    def backward(ctx, g):
        out = np.zeros(ctx.shape)
        out[ctx.index] += g.data
        return Tensor(out), None


# %% bad_styled_loop_assigns expected: overwrites-instead-of-accumulates
import numpy as np

from course.engine import Function, Tensor


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.shape, ctx.index = x.shape, index
        return x[index]

    @staticmethod
    def backward(ctx, g):
        out = np.zeros(ctx.shape)
        for row, i in enumerate(ctx.index):
            out[i] = g.data[row]
        return Tensor(out), None


# %% bad_styled_negated expected: wrong-sign
import numpy as np

from course.engine import Function, Tensor


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.shape, ctx.index = x.shape, index
        return x[index]

    @staticmethod
    def backward(ctx, g):
        out = np.zeros(ctx.shape)
        for row, i in enumerate(ctx.index):
            out[i] -= g.data[row]
        return Tensor(out), None


# %% row_by_row expected: right
# Right: for each row of x, the rows of the cotangent that came from it are summed; declared once differentiable.
import numpy as np

from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.came_from = [np.flatnonzero(index == r) for r in range(x.shape[0])]
        return Tensor(np.take(x.data, index, axis=0))

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        g = grad_output.data
        return Tensor(np.stack([g[places].sum(axis=0) for places in ctx.came_from])), None


# %% bad_second_function_without_repeats expected: wrong-second-derivative
# The gradient is right; the backward of the second Function picks every row only once, in ascending order, so the second derivative is wrong.
import numpy as np

from course.engine import Function, Tensor


class Scatter(Function):
    @staticmethod
    def forward(ctx, g, index, shape):
        total = np.zeros(shape)
        np.add.at(total, index, g.data)
        ctx.index = index
        return Tensor(total)

    @staticmethod
    def backward(ctx, outer):
        picked = np.resize(np.unique(ctx.index), ctx.index.shape)
        return EngineTake.apply(outer, picked), None, None


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.index, ctx.shape = index, x.shape
        return x[index]

    @staticmethod
    def backward(ctx, grad_output):
        return Scatter.apply(grad_output, ctx.index, ctx.shape), None


# %% bad_sorted_in_place expected: mutates-input
# The first backward is right, but it sorts the caller's index in place.
import numpy as np

from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save = (x.shape, index)
        return x[index]

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        shape, index = ctx.save
        order = np.argsort(index, kind="stable")
        rows = grad_output.data[order]
        index.sort()
        starts = np.flatnonzero(np.r_[True, index[1:] != index[:-1]])
        total = np.zeros(shape)
        total[index[starts]] = np.add.reduceat(rows, starts, axis=0)
        return Tensor(total), None


# %% bad_average_of_the_copies expected: mean-instead-of-sum
# A row that was picked k times gets the mean of its k gradients instead of their sum.
import numpy as np

from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.rows, ctx.index = x.shape[0], index
        return x[index]

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        g = grad_output.data
        picks = (np.arange(ctx.rows)[:, None] == ctx.index[None, :]).astype(float)
        weights = picks / np.maximum(picks.sum(axis=1, keepdims=True), 1)
        return Tensor(weights @ g), None


# %% bad_differences_of_a_cumulative_sum expected: not-precise
import numpy as np
from course.engine import Function, Tensor, broadcast_to, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.index, ctx.rows = index, x.shape[0]
        return x[index]

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        order = np.argsort(ctx.index, kind="stable")
        summed = np.concatenate([np.zeros((1, *g.shape[1:])), np.cumsum(g.data[order], axis=0)])
        rows = np.arange(ctx.rows)
        start = np.searchsorted(ctx.index[order], rows, "left")
        stop = np.searchsorted(ctx.index[order], rows, "right")
        return Tensor(summed[stop] - summed[start]), None


# %% bad_one_entry_is_a_number expected: forward-value
# An index of one entry is taken for a number: k = 1 gives shape (columns,) and not (1, columns) ("Return
# x[index], with as many rows as the index has entries").
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.shape, ctx.index = x.shape, index
        return Tensor(x.data[index] if index.size > 1 else x.data[index.item()])

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        total = np.zeros(ctx.shape)
        np.add.at(total, ctx.index, grad_output.data)
        return Tensor(total), None
