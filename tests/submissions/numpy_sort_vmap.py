# %% batch_back_where_it_was expected: right
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.from_numpy(np.sort(x.detach().numpy()))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        ranks = x.detach().numpy().argsort(-1).argsort(-1)
        return torch.from_numpy(np.take_along_axis(g.numpy(), ranks, -1))

    @staticmethod
    def vmap(info, in_dims, x):
        (bdim,) = in_dims
        if bdim == x.dim() - 1:
            return NumpySortVmap.apply(x.movedim(bdim, 0)), 0
        return NumpySortVmap.apply(x), bdim


# %% indices_as_outputs expected: right
import numpy as np
import torch


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        order = np.argsort(a, axis=-1)
        back = np.argsort(order, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, order, -1)), torch.from_numpy(back)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, back = output
        ctx.mark_non_differentiable(back)
        ctx.save_for_backward(back)

    @staticmethod
    def backward(ctx, g, _):
        (back,) = ctx.saved_tensors
        return g.gather(-1, back)

    @staticmethod
    def vmap(info, in_dims, x):
        (axis,) = in_dims
        return NumpySortVmap.apply(x.movedim(axis, 0)), (0, 0)


# %% row_by_row expected: right
import numpy as np
import torch


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        order = torch.from_numpy(x.numpy(force=True).argsort(axis=-1))
        return torch.take_along_dim(x, order, -1), order

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, g, _g_order):
        order = ctx.saved_tensors[0]
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        pairs = [NumpySortVmap.apply(row) for row in x.unbind(in_dims[0])]
        values, orders = zip(*pairs)
        return (torch.stack(values), torch.stack(orders)), (0, 0)


# %% scatter_with_order expected: right
import numpy as np
import torch


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, order, -1)), torch.from_numpy(order)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, order = output
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)

    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)


# %% sorted_again_in_backward_once expected: right
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.tensor(np.sort(x.detach().cpu().numpy(), axis=-1))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        order = np.argsort(x.detach().numpy(), axis=-1)
        out = np.empty(x.shape, dtype=g.numpy().dtype)
        np.put_along_axis(out, order, g.numpy(), axis=-1)
        return torch.from_numpy(out)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), 0


# %% take_as_a_second_function expected: right
import numpy as np
import torch
from torch.autograd import Function


def to_numpy(tensor):
    return tensor.detach().cpu().numpy()


class Take(Function):
    @staticmethod
    def forward(x, index, inverse):
        return torch.tensor(np.take_along_axis(to_numpy(x), to_numpy(index), -1))

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, index, inverse = inputs
        ctx.save_for_backward(index, inverse)

    @staticmethod
    def backward(ctx, g):
        index, inverse = ctx.saved_tensors
        return Take.apply(g, inverse, index), None, None

    @staticmethod
    def vmap(info, in_dims, *tensors):
        front = [
            t.expand(info.batch_size, *t.shape) if axis is None else t.movedim(axis, 0)
            for t, axis in zip(tensors, in_dims)
        ]
        return Take.apply(*front), 0


class NumpySortVmap(Function):
    @staticmethod
    def forward(x):
        index = np.argsort(to_numpy(x), axis=-1)
        inverse = np.argsort(index, axis=-1)
        values = np.take_along_axis(to_numpy(x), index, -1)
        return torch.tensor(values), torch.tensor(index), torch.tensor(inverse)

    @staticmethod
    def setup_context(ctx, inputs, outputs):
        _, index, inverse = outputs
        ctx.mark_non_differentiable(index, inverse)
        ctx.save_for_backward(index, inverse)

    @staticmethod
    def backward(ctx, g, *_):
        index, inverse = ctx.saved_tensors
        return Take.apply(g, inverse, index)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0, 0)


# %% bad_axis expected: forward-value from: scatter_with_order
# -         order = np.argsort(a, axis=-1)
# -         return torch.from_numpy(np.take_along_axis(a, order, -1)), torch.from_numpy(order)
# +         order = np.argsort(a, axis=0)
# +         return torch.from_numpy(np.take_along_axis(a, order, 0)), torch.from_numpy(order)

# -         return torch.zeros_like(g).scatter(-1, order, g)
# +         return torch.zeros_like(g).scatter(0, order, g)


# %% bad_batch_not_moved expected: wrong-axis from: scatter_with_order
# -         return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)
# +         return NumpySortVmap.apply(x), (0, 0)


# %% bad_combined_forward expected: no-setup-context
import numpy as np
import torch


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        order = torch.from_numpy(np.argsort(x.detach().numpy(), axis=-1))
        ctx.save_for_backward(order)
        return x.gather(-1, order)

    @staticmethod
    def backward(ctx, g):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), 0


# %% bad_descending expected: forward-value from: scatter_with_order
# -         order = np.argsort(a, axis=-1)
# +         order = np.argsort(-a, axis=-1)


# %% bad_gathered_by_the_order expected: inverse-permutation from: scatter_with_order
# -         return torch.zeros_like(g).scatter(-1, order, g)
# +         return g.gather(-1, order)


# %% bad_generated_rule expected: no-vmap-rule from: scatter_with_order
#   class NumpySortVmap(torch.autograd.Function):
# +     generate_vmap_rule = True

# -     @staticmethod
# -     def vmap(info, in_dims, x):
# -         return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)


# %% bad_gradient_left_in_order expected: cotangent-passed-on from: scatter_with_order
# -         return torch.zeros_like(g).scatter(-1, order, g)
# +         return g.clone()


# %% bad_in_dims_as_out_dims expected: wrong-axis from: scatter_with_order
# -         return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)
# +         return NumpySortVmap.apply(x), (in_dims[0], in_dims[0])


# %% bad_no_vmap expected: no-vmap-rule from: scatter_with_order
# -     @staticmethod
# -     def vmap(info, in_dims, x):
# -         return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)


# %% bad_numpy_in_vmap expected: wrong from: scatter_with_order
# -         return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)
# +         a = x.movedim(in_dims[0], 0).detach().numpy()
# +         order = np.argsort(a, axis=-1)
# +         return (torch.from_numpy(np.sort(a, axis=-1)), torch.from_numpy(order)), (0, 0)


# %% bad_numpy_undeclared expected: numpy-in-backward from: scatter_with_order
# -         return torch.zeros_like(g).scatter(-1, order, g)
# +         out = np.zeros(g.shape)
# +         np.put_along_axis(out, order.numpy(), g.detach().numpy(), -1)
# +         return torch.from_numpy(out).to(g.dtype)


# %% bad_one_cotangent expected: one-grad-output-per-output from: scatter_with_order
# -     def backward(ctx, g, _):
# +     def backward(ctx, g):


# %% bad_one_out_dim_for_two expected: wrong from: scatter_with_order
# -         return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)
# +         x = x.movedim(in_dims[0], 0)
# +         values, order = NumpySortVmap.apply(x)
# +         return values, 0


# %% bad_out_dims_none expected: wrong from: scatter_with_order
# -         return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)
# +         x = x.movedim(in_dims[0], 0)
# +         return NumpySortVmap.apply(x), (None, None)


# %% bad_out_dims_of_the_input expected: wrong-axis from: scatter_with_order
# -         return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)
# +         x = x.movedim(in_dims[0], 0)
# +         return NumpySortVmap.apply(x), (in_dims[0], in_dims[0])


# %% bad_torch_sort_and_generated_rule expected: wrong
import numpy as np
import torch


class NumpySortVmap(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        values, order = torch.sort(x, dim=-1)
        return values, order

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, order = output
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)

    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(-1, order, g)


# %% bad_vmap_signature expected: wrong from: scatter_with_order
# -     def vmap(info, in_dims, x):
# -         return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)
# +     def vmap(x):
# +         return NumpySortVmap.apply(x), (0, 0)


# %% bad_vmap_without_gradient expected: called-forward-not-apply from: scatter_with_order
# -         return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)
# +         x = x.movedim(in_dims[0], 0)
# +         values, order = NumpySortVmap.forward(x)
# +         return (values, order), (0, 0)


# %% sample_by_sample expected: right
# vmap is a loop over the samples.
import numpy as np
import torch
from torch.autograd import Function


class NumpySortVmap(Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, order, axis=-1)), torch.from_numpy(order)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        onehot = (order.unsqueeze(-1) == torch.arange(order.shape[-1])).to(g.dtype)
        return (g.unsqueeze(-2) @ onehot).squeeze(-2)

    @staticmethod
    def vmap(info, in_dims, x):
        results = [NumpySortVmap.apply(sample) for sample in x.unbind(in_dims[0])]
        values, orders = zip(*results)
        return (torch.stack(values), torch.stack(orders)), (0, 0)


# %% bad_sorts_the_callers_array expected: mutates-input
# ndarray.sort sorts in place, in the memory of x.
import numpy as np
import torch
from torch.autograd import Function


class NumpySortVmap(Function):
    @staticmethod
    def forward(x):
        array = x.detach().numpy()
        order = torch.from_numpy(array.argsort(axis=-1))
        array.sort(axis=-1)
        return torch.from_numpy(array.copy()), order

    @staticmethod
    def setup_context(ctx, inputs, output):
        result, order = output
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)

    @staticmethod
    def backward(ctx, g, unused):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter_add(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(torch.movedim(x, in_dims[0], 0)), (0, 0)


# %% bad_out_dims_like_in_dims expected: wrong-axis
# The batch is moved to the front, but out_dims says that it is where it came from.
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function


class NumpySortVmap(Function):
    @staticmethod
    def forward(x: Tensor) -> tuple[Tensor, ...]:
        values = x.detach().numpy()
        places = np.argsort(values, axis=-1)
        return torch.from_numpy(np.take_along_axis(values, places, axis=-1)), torch.from_numpy(places)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Any) -> None:
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> Tensor | None:
        (places,) = ctx.saved_tensors
        return grad_outputs[0].gather(-1, places.argsort(-1))

    @staticmethod
    def vmap(info: Any, in_dims: tuple[int | None, ...], x: Tensor) -> tuple[Any, Any]:
        at = in_dims[0]
        return NumpySortVmap.apply(x.movedim(at, 0)), (at, at)


# %% bad_sorted_along_the_batch expected: wrong-axis
import numpy as np
import torch
from torch.autograd import Function


class NumpySortVmap(Function):
    @staticmethod
    def forward(x):
        order = torch.from_numpy(np.argsort(x.detach().numpy(), axis=-1))
        return torch.take_along_dim(x, order, -1), order

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output[1])
        ctx.mark_non_differentiable(output[1])

    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(x), (in_dims[0], in_dims[0])


# %% bad_scatter_first_axis expected: wrong-axis
import numpy as np
import torch
from torch.autograd import Function


class NumpySortVmap(Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        idx = np.argsort(a, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, idx, axis=-1)), torch.from_numpy(idx)

    @staticmethod
    def setup_context(ctx, inputs, output):
        idx = output[1]
        ctx.mark_non_differentiable(idx)
        ctx.save_for_backward(idx)

    @staticmethod
    def backward(ctx, *grad_outputs):
        g, _ = grad_outputs
        (idx,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(0, idx, g)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)


# %% bad_order_as_floats expected: not-marked-non-differentiable
import numpy as np
import torch
from torch.autograd import Function


class NumpySortVmap(Function):
    @staticmethod
    def forward(x):
        array = x.detach().numpy()
        order = np.argsort(array, axis=-1)
        values = np.take_along_axis(array, order, axis=-1)
        return torch.from_numpy(values), torch.from_numpy(order.astype(array.dtype))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, grad_values, grad_order):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(grad_values).scatter(-1, order.long(), grad_values)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(torch.movedim(x, in_dims[0], 0)), (0, 0)


# %% bad_rows_by_view expected: assumes-contiguous
import numpy as np
import torch


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        o = np.argsort(a, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, o, axis=-1)), torch.from_numpy(o)

    @staticmethod
    def setup_context(ctx, inputs, output):
        y, o = output
        ctx.mark_non_differentiable(o)
        ctx.save_for_backward(o)

    @staticmethod
    def backward(ctx, g, unused):
        (o,) = ctx.saved_tensors
        n = g.shape[-1]
        rows = g.view(-1, n)
        places = o.reshape(-1, n)
        out = torch.zeros_like(rows).scatter(1, places, rows)
        return out.reshape(g.shape)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0)


# %% bad_axis_by_batch_size expected: wrong-axis
# the batch axis is found by its size, not by in_dims: wrong for 5 samples of shape (5,) along the last
# axis; 'right for every axis that the batch may have'.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class NumpySortVmap(Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, order, -1)), torch.from_numpy(order)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        axis = list(x.shape).index(info.batch_size)
        return NumpySortVmap.apply(x.movedim(axis, 0)), (0, 0)


# %% bad_batch_in_float64 expected: wrong-dtype
# the Function for the batch writes into np.empty, float64 whatever the input is: vmap of float32 gives
# float64; 'results have the dtype of the inputs'.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class SortBatch(Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        out = np.empty(a.shape)
        order = np.empty(a.shape, dtype=np.int64)
        for i, sample in enumerate(a):
            order[i] = np.argsort(sample, axis=-1)
            out[i] = np.take_along_axis(sample, order[i], -1)
        return torch.from_numpy(out), torch.from_numpy(order)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        return SortBatch.apply(x.movedim(in_dims[0], 0)), (0, 0)


class NumpySortVmap(Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, order, -1)), torch.from_numpy(order)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        return SortBatch.apply(x.movedim(in_dims[0], 0)), (0, 0)


# %% bad_batch_sorted_in_place expected: mutates-input
# the Function for the batch sorts the array of the caller in place.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class SortBatch(Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        order = np.argsort(a, axis=-1)
        a.sort(axis=-1)
        return torch.from_numpy(a.copy()), torch.from_numpy(order)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        return SortBatch.apply(x.movedim(in_dims[0], 0)), (0, 0)


class NumpySortVmap(Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, order, -1)), torch.from_numpy(order)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        return SortBatch.apply(x.movedim(in_dims[0], 0)), (0, 0)
