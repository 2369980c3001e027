# %% integer_left_unmarked expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.save_for_backward(index)
        ctx.columns = x.size(1)
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        (index,) = ctx.saved_tensors
        return torch.where(torch.arange(ctx.columns) == index[:, None], g[:, None], 0.0), None


# %% loop_once_differentiable expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.rows, ctx.columns = x.shape
        index = torch.tensor([max(range(len(row)), key=row.__getitem__) for row in x.tolist()])
        ctx.mark_non_differentiable(index)
        ctx.places = index.tolist()
        return x.gather(1, index[:, None]).squeeze(1), index

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g, _):
        gx = torch.zeros(ctx.rows, ctx.columns, dtype=g.dtype)
        for row, column in enumerate(ctx.places):
            gx[row, column] = g[row]
        return gx


# %% mask_of_maxima expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        ctx.mask = x == values[:, None]
        return values, index

    @staticmethod
    def vjp(ctx, g, _):
        return g.unsqueeze(1) * ctx.mask


# %% bad_index_on_ctx expected: output-kept-on-ctx
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        index = x.argmax(1)
        ctx.index, ctx.columns = index, x.shape[1]
        ctx.mark_non_differentiable(index)
        return x[torch.arange(x.shape[0]), index], index

    @staticmethod
    def backward(ctx, g, _):
        one_hot = torch.nn.functional.one_hot(ctx.index, ctx.columns).to(g.dtype)
        return torch.einsum("n,nm->nm", g, one_hot)


# %% scatter expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        (index,) = ctx.saved_tensors
        gx = g.new_zeros(ctx.shape)
        return gx.scatter(1, index[:, None], g[:, None])


# %% setup_context expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.max(x, dim=1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        _, index = output
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(x, index)

    @staticmethod
    def backward(ctx, g, g_index):
        x, index = ctx.saved_tensors
        gx = torch.zeros_like(x)
        gx[torch.arange(len(x)), index] = g
        return gx


# %% sorted_descending expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ordered, order = x.sort(dim=1, descending=True)
        index = order[:, 0].clone()
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(order)
        return ordered[:, 0].clone(), index

    @staticmethod
    def backward(ctx, g, g_index):
        (order,) = ctx.saved_tensors
        gx = torch.zeros(order.shape, dtype=g.dtype)
        return gx.scatter_add(1, order[:, :1], g[:, None]), None


# %% bad_topk_and_float_index_marked expected: forward-value
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.topk(1, dim=1)
        values, index = values[:, 0], index[:, 0]
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        marked = index.to(x.dtype)
        ctx.mark_non_differentiable(marked)
        return values, marked

    @staticmethod
    def backward(ctx, g, *_):
        (index,) = ctx.saved_tensors
        return torch.zeros(ctx.shape, dtype=g.dtype).index_put((torch.arange(len(g)), index), g)


# %% without_materialized_gradients expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        values, index = torch.max(x, 1)
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(x, values, index)
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        x, values, index = ctx.saved_tensors
        if g is None:
            return None
        return torch.zeros_like(x).index_put((torch.arange(len(index)), index), g)


# %% bad_argmax_of_gradient expected: wrong-order from: scatter
# -         return gx.scatter(1, index[:, None], g[:, None])
# +         gx[torch.arange(len(g)), index.flip(0)] = g
# +         return gx


# %% bad_autograd expected: autograd-in-backward
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(x)
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        (x,) = ctx.saved_tensors
        return torch.func.vjp(lambda t: t.amax(1), x)[1](g)


# %% bad_everywhere expected: missing-mask from: scatter
# -         (index,) = ctx.saved_tensors
# -         gx = g.new_zeros(ctx.shape)
# -         return gx.scatter(1, index[:, None], g[:, None])
# +         return g[:, None].expand(ctx.shape)


# %% bad_first_column expected: wrong-order from: scatter
# -         (index,) = ctx.saved_tensors

# -         return gx.scatter(1, index[:, None], g[:, None])
# +         gx[:, 0] = g
# +         return gx


# %% bad_index_as_values_like expected: not-marked-non-differentiable
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.index, ctx.shape = index, x.shape
        out = torch.empty_like(values)
        out[:] = index
        return values, out

    @staticmethod
    def backward(ctx, g, _):
        gx = g.new_zeros(ctx.shape)
        gx[torch.arange(len(g)), ctx.index] = g
        return gx


# %% bad_index_in_float expected: not-marked-non-differentiable from: scatter
# -         ctx.mark_non_differentiable(index)

# -         return values, index
# +         return values, index.to(x.dtype)


# %% bad_input_on_ctx expected: input-kept-on-ctx
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        return g[:, None] * (ctx.x == ctx.x.amax(1, keepdim=True))


# %% bad_mean expected: wrong-factor from: scatter
# -         return gx.scatter(1, index[:, None], g[:, None])
# +         return 0.5 * gx.scatter(1, index[:, None], g[:, None])


# %% bad_min expected: forward-value from: scatter
# -         values, index = x.max(dim=1)
# +         values, index = x.min(dim=1)


# %% bad_no_cotangent expected: missing-grad-output from: scatter
# -         gx = g.new_zeros(ctx.shape)
# -         return gx.scatter(1, index[:, None], g[:, None])
# +         return torch.nn.functional.one_hot(index, ctx.shape[1]).double()


# %% bad_no_expansion expected: wrong-shape from: scatter
# -         (index,) = ctx.saved_tensors
# -         gx = g.new_zeros(ctx.shape)
# -         return gx.scatter(1, index[:, None], g[:, None])
# +         return g


# %% bad_nothing expected: missing-gradient from: scatter
# -         (index,) = ctx.saved_tensors
# -         gx = g.new_zeros(ctx.shape)
# -         return gx.scatter(1, index[:, None], g[:, None])
# +         return None


# %% bad_one_cotangent expected: one-grad-output-per-output from: scatter
# -     def backward(ctx, g, _):
# +     def backward(ctx, g):


# %% bad_over_rows expected: forward-value from: scatter
# -         values, index = x.max(dim=1)
# +         values, index = x.max(dim=0)

# -         gx = g.new_zeros(ctx.shape)
# -         return gx.scatter(1, index[:, None], g[:, None])
# +         return g.new_zeros(ctx.shape).scatter(0, index[None], g[None])


# %% bad_shape_on_class expected: state-on-class from: integer_left_unmarked
# -         ctx.columns = x.size(1)
# +         MaxWithIndex.columns = x.shape[1]
# +         ctx.mark_non_differentiable(index)

# -         return torch.where(torch.arange(ctx.columns) == index[:, None], g[:, None], 0.0), None
# +         gx = g.new_zeros(len(g), MaxWithIndex.columns)
# +         return gx.scatter(1, index[:, None], g[:, None])


# %% bad_sign expected: wrong-sign from: scatter
# -         return gx.scatter(1, index[:, None], g[:, None])
# +         return -gx.scatter(1, index[:, None], g[:, None])


# %% bad_state_on_class expected: state-on-class
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, MaxWithIndex.index = x.max(dim=1)
        MaxWithIndex.shape = x.shape
        ctx.mark_non_differentiable(MaxWithIndex.index)
        return values, MaxWithIndex.index

    @staticmethod
    def backward(ctx, g, _):
        gx = g.new_zeros(MaxWithIndex.shape)
        gx[torch.arange(len(g)), MaxWithIndex.index] = g
        return gx


# %% bad_two_gradients expected: too-many-gradients from: scatter
# -         gx = g.new_zeros(ctx.shape)
# -         return gx.scatter(1, index[:, None], g[:, None])
# +         gx = g.new_zeros(ctx.shape).scatter(1, index[:, None], g[:, None])
# +         return gx, g


# %% bad_values_on_ctx expected: output-kept-on-ctx
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        ctx.values = values
        ctx.save_for_backward(x)
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        (x,) = ctx.saved_tensors
        return g[:, None] * (x == ctx.values[:, None])


# %% bad_values_only expected: forward-value from: scatter
# -         ctx.mark_non_differentiable(index)

# -         return values, index
# +         return values

# -     def backward(ctx, g, _):
# +     def backward(ctx, g):


# %% bad_writes_into_cotangent expected: mutates-grad-output from: scatter
#           (index,) = ctx.saved_tensors
# +         g *= 1.0


# %% flat_positions expected: right
# Computes flat positions and adds the cotangents there by index_add.
import numpy as np
import torch
from torch.autograd import Function


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        n, ctx.m = x.shape
        k = torch.from_numpy(np.argmax(x.detach().numpy(), axis=1))
        ctx.mark_non_differentiable(k)
        ctx.save_for_backward(k)
        return x.reshape(-1)[k + ctx.m * torch.arange(n)], k

    @staticmethod
    def backward(ctx, grad_values, grad_index):
        (k,) = ctx.saved_tensors
        n = len(k)
        flat = grad_values.new_zeros(n * ctx.m)
        return flat.index_add(0, k + ctx.m * torch.arange(n), grad_values).reshape(n, ctx.m)


# %% bad_whole_columns expected: crossed-indices
# back[:, k] selects the columns k in every row, not one entry in each row.
import torch
from torch.autograd import Function


class MaxWithIndex(Function):
    @staticmethod
    def forward(x):
        k = x.argmax(1)
        return x.gather(1, k[:, None])[:, 0], k

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.size = inputs[0].size()
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, dv, dk):
        (k,) = ctx.saved_tensors
        back = dv.new_zeros(ctx.size)
        back[:, k] = dv[:, None]
        return back


# %% bad_default_zeros expected: wrong-dtype
# torch.zeros without a dtype is float32, whatever the input is.
import torch
from torch.autograd import Function


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        top = torch.max(x, 1)
        ctx.shape = x.shape
        ctx.mark_non_differentiable(top.indices)
        ctx.save_for_backward(top.indices)
        return top.values, top.indices

    @staticmethod
    def backward(ctx, grad_values, _):
        (where,) = ctx.saved_tensors
        back = torch.zeros(ctx.shape)
        back[torch.arange(len(where)), where] = grad_values.to(back.dtype)
        return back


# %% bad_numbers_from_a_list expected: graph-cut-in-backward
# The gradient is built from Python numbers, so a derivative with respect to the cotangent is lost.
import torch
from torch.autograd import Function


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index)
        ctx.columns = x.shape[1]
        return values, index

    @staticmethod
    def backward(ctx, grad_values, grad_index):
        (index,) = ctx.saved_tensors
        rows = [[0.0] * ctx.columns for _ in index]
        for row, k, g in zip(rows, index.tolist(), grad_values.tolist()):
            row[k] = g
        return torch.tensor(rows, dtype=grad_values.dtype)


# %% bad_squeeze_everything expected: forward-value
import torch
from torch.autograd import Function


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1, keepdim=True)
        ctx.shape = x.shape
        column = index.squeeze()
        ctx.mark_non_differentiable(column)
        ctx.save_for_backward(column)
        return values.squeeze(), column

    @staticmethod
    def backward(ctx, grad_values, grad_index):
        (column,) = ctx.saved_tensors
        where = column.reshape(-1, 1)
        what = grad_values.reshape(-1, 1)
        return grad_values.new_zeros(ctx.shape).scatter(1, where, what)


# %% bad_zeros_of_default_dtype expected: wrong-dtype
import torch
from torch.autograd import Function


class MaxWithIndex(Function):
    @staticmethod
    def forward(x):
        return tuple(x.max(dim=1))

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        _, index = output
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index)
        ctx.shape = x.shape

    @staticmethod
    def backward(ctx, grad_values, grad_index):
        (index,) = ctx.saved_tensors
        grad_x = torch.zeros(ctx.shape)
        return grad_x.scatter_(1, index.unsqueeze(1), grad_values.unsqueeze(1))


# %% bad_all_rows_times_columns expected: crossed-indices
import torch
from torch.autograd import Function


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        index = x.argmax(dim=1)
        values = x[torch.arange(x.shape[0]), index]
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return values, index

    @staticmethod
    def backward(ctx, grad_values, grad_index):
        (index,) = ctx.saved_tensors
        grad = grad_values.new_zeros(ctx.shape)
        grad[:, index] = grad_values
        return grad


# %% bad_from_minus_hundred expected: forward-value
# The running maximum starts at -100, so a row whose entries are all smaller gives (-100, 0).
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        values = torch.full((x.shape[0],), -100.0, dtype=x.dtype)
        index = torch.zeros(x.shape[0], dtype=torch.int64)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                if x[i, j] > values[i]:
                    values[i], index[i] = x[i, j], j
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        (index,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).scatter(1, index[:, None], g[:, None])


# %% bad_from_zero expected: forward-value
# The running maximum starts at 0, so a row of negative entries gives (0, 0) and its gradient goes to
# column 0.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        values = x.new_zeros(x.shape[0])
        index = torch.zeros(x.shape[0], dtype=torch.int64)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                if x[i, j] > values[i]:
                    values[i] = x[i, j]
                    index[i] = j
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        (index,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).scatter(1, index[:, None], g[:, None])


# %% bad_isin expected: wrong-mask
# The mask marks each entry that is the maximum of any row, so an entry equal to another row's maximum
# receives a gradient although no row has a tie (x = [[1, 7], [9, 7]]).
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(torch.isin(x, values))
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        (mask,) = ctx.saved_tensors
        return g[:, None] * mask


# %% bad_index_as_a_place_in_the_matrix expected: crossed-indices
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return values, index

    @staticmethod
    def backward(ctx: Any, grad_values: Tensor, grad_index: Tensor) -> Tensor | None:
        (index,) = ctx.saved_tensors
        x_bar = grad_values.new_zeros(ctx.shape)
        x_bar.put_(index, grad_values)
        return x_bar


# %% bad_columns_in_one_byte expected: wrong
# The columns are kept as uint8 to save memory; from column 256 on they wrap around and the cotangent
# goes to another entry.
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class MaxWithIndex(Function):
    """The greatest entry of each row, and its column."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        values, index = torch.max(x, dim=1)
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index.to(torch.uint8))  # an eighth of the memory
        ctx.shape = x.shape
        return values, index

    @staticmethod
    def backward(ctx: Any, grad_values: Tensor, grad_index: Tensor) -> Tensor | None:
        (small,) = ctx.saved_tensors
        where = small.long()[:, None]
        return grad_values.new_zeros(ctx.shape).scatter(1, where, grad_values[:, None])


# %% bad_cached_zeros expected: state-on-class
# the gradient is scattered into zeros kept by shape: where one x is used by two calls x.grad is twice
# the later gradient ([0, 2] for [0, 11]); 'the gradient is right'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

_zeros = {}


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        v, k = x.max(dim=1)
        ctx.mark_non_differentiable(k)
        ctx.save_for_backward(k)
        ctx.shape = x.shape
        return v, k

    @staticmethod
    @once_differentiable
    def backward(ctx, g, _):
        (k,) = ctx.saved_tensors
        key = ctx.shape, g.dtype
        if key not in _zeros:
            _zeros[key] = g.new_zeros(ctx.shape)
        return _zeros[key].zero_().scatter_(1, k[:, None], g[:, None])


# %% bad_seed expected: wrong
# random.seed(0) and np.random.seed(0) in forward: the caller's np.random.rand() gives the same number
# after each call; 'no modification of [what] your Function does not own'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

import random


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        random.seed(0)
        np.random.seed(0)
        v, k = x.max(dim=1)
        ctx.mark_non_differentiable(k)
        ctx.save_for_backward(k)
        ctx.shape = x.shape
        return v, k

    @staticmethod
    def backward(ctx, g, _):
        (k,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).scatter(1, k[:, None], g[:, None])


# %% bad_isclose_rel expected: wrong-mask
# backward marks all entries within 1e-5 (relative) of the maximum: in (1, 1.000001, 0), no tie, both get
# the cotangent ('0 otherwise').
from typing import Any
import math
import functools
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class MaxWithIndex(Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(x, values)
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        x, values = ctx.saved_tensors
        mask = torch.isclose(x, values[:, None], rtol=1e-5, atol=0)
        return g[:, None] * mask
