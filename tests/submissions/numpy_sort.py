# %% backward_as_second_function expected: right
import numpy as np
import torch
from torch.autograd import Function


class Unsort(Function):
    @staticmethod
    def forward(ctx, g, order):
        ctx.order = order
        out = np.empty_like(g.detach().numpy())
        np.put_along_axis(out, order, g.detach().numpy(), -1)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx, h):
        return torch.take_along_dim(h, torch.from_numpy(ctx.order), -1), None


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, -1)
        return torch.from_numpy(np.sort(a, -1))

    @staticmethod
    def backward(ctx, g):
        return Unsort.apply(g, ctx.order)


# %% inverse_order_gathered expected: right
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        array = x.cpu().numpy()
        ctx.save_for_backward(torch.from_numpy(array.argsort(-1).argsort(-1)))
        return torch.as_tensor(np.sort(array, axis=-1))

    @staticmethod
    def backward(ctx, g):
        (inverse,) = ctx.saved_tensors
        return g.gather(-1, inverse), None


# %% lexsort_with_searchsorted expected: right
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = np.asarray(x.detach())
        y = np.partition(a, range(a.shape[-1]), axis=-1)
        ctx.save_for_backward(x)
        return torch.tensor(y)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        ordered = x.sort(-1).values
        return g.take_along_dim(torch.searchsorted(ordered.contiguous(), x.contiguous()), -1)


# %% permutation_matrix expected: right
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        order = np.argsort(a)
        matrix = np.eye(a.shape[-1], dtype=a.dtype)[order]
        ctx.matrix = torch.from_numpy(matrix)
        return torch.from_numpy(np.einsum("...ij,...j->...i", matrix, a))

    @staticmethod
    def vjp(ctx, g):
        return torch.einsum("...ij,...i->...j", ctx.matrix, g)


# %% put_along_axis expected: right
import numpy as np
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, ctx.order, axis=-1))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros(g.shape, dtype=g.numpy().dtype)
        np.put_along_axis(out, ctx.order, g.numpy(), axis=-1)
        return torch.from_numpy(out)


# %% python_loops expected: right
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = np.array(x.detach())
        rows = a.reshape(-1, a.shape[-1])
        ctx.orders = [np.argsort(row) for row in rows]
        return torch.from_numpy(np.stack([np.sort(row) for row in rows]).reshape(a.shape))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        gradient = torch.zeros(g.shape, dtype=g.dtype)
        cot = g.reshape(-1, g.shape[-1])
        rows = gradient.view(-1, g.shape[-1])
        for r, order in enumerate(ctx.orders):
            for rank, place in enumerate(order):
                rows[r, place] = cot[r, rank]
        return gradient


# %% bad_view_of_what_is_like_the_cotangent expected: assumes-contiguous from: python_loops
# -         gradient = torch.zeros(g.shape, dtype=g.dtype)
# +         gradient = torch.zeros_like(g)


# %% ranks_by_comparison expected: right
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    """The rank of an entry is the number of smaller ones; its gradient is the cotangent at its rank."""

    @staticmethod
    def forward(x):
        return x.new_tensor(np.sort(x.detach().numpy()))

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        rank = (x.unsqueeze(-1) > x.unsqueeze(-2)).sum(-1)
        return torch.take_along_dim(g, rank, dim=-1)


# %% sparse_by_index_add expected: right
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(x):
        flat = x.detach().cpu().numpy().copy()
        flat.sort(axis=-1)
        return torch.from_numpy(flat)

    @staticmethod
    def setup_context(ctx, inputs, output):
        n = inputs[0].shape[-1]
        order = torch.from_numpy(inputs[0].detach().numpy().reshape(-1, n).argsort(1))
        ctx.places = (order + n * torch.arange(len(order))[:, None]).reshape(-1)
        ctx.shape = inputs[0].shape

    @staticmethod
    def backward(ctx, g):
        zeros = torch.zeros(g.numel(), dtype=g.dtype)
        return zeros.index_add(0, ctx.places, g.reshape(-1)).reshape(ctx.shape)


# %% bad_array_returned expected: gradient-not-a-tensor
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros_like(g.numpy())
        np.put_along_axis(out, ctx.order, g.numpy(), axis=-1)
        return out


# %% bad_first_row_for_all expected: wrong-order
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.ranks = torch.from_numpy(a.argsort(-1).argsort(-1)).reshape(-1, a.shape[-1])[0]
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    def backward(ctx, g):
        return g[..., ctx.ranks]


# %% bad_flat_order expected: wrong-order
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=None)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros(g.numel(), dtype=g.numpy().dtype)
        out[ctx.order] = g.numpy().ravel()
        return torch.from_numpy(out.reshape(g.shape))


# %% bad_gather_by_order expected: inverse-permutation
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.save_for_backward(torch.from_numpy(np.argsort(a)))
        return torch.from_numpy(np.sort(a))

    @staticmethod
    def backward(ctx, g):
        (order,) = ctx.saved_tensors
        return torch.gather(g, -1, order)


# %% bad_order_on_the_class expected: state-on-class
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    order = None

    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        NumpySort.order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros_like(g.numpy())
        np.put_along_axis(out, NumpySort.order, g.numpy(), axis=-1)
        return torch.from_numpy(out)


# %% bad_order_reversed expected: wrong-order
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.save_for_backward(torch.from_numpy(np.argsort(np.argsort(-a))))
        return torch.from_numpy(np.sort(a))

    @staticmethod
    def backward(ctx, g):
        (ranks,) = ctx.saved_tensors
        return torch.gather(g, -1, ranks)


# %% bad_passed_through expected: cotangent-passed-on
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.from_numpy(np.sort(x.detach().numpy()))

    @staticmethod
    def backward(ctx, g):
        return g.clone()


# %% bad_same_order_again expected: inverse-permutation
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return torch.from_numpy(np.take_along_axis(g.numpy(), ctx.order, axis=-1))


# %% bad_saves_the_sorted_array expected: state-on-class
import numpy as np
import torch

memory = {}


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        memory["ranks"] = a.argsort(-1).argsort(-1)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    def backward(ctx, g):
        return g.gather(-1, torch.from_numpy(memory["ranks"]))


# %% bad_sign expected: wrong-sign
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.save_for_backward(torch.from_numpy(np.argsort(np.argsort(a))))
        return torch.from_numpy(np.sort(a))

    @staticmethod
    def backward(ctx, g):
        (ranks,) = ctx.saved_tensors
        return -torch.gather(g, -1, ranks)


# %% bad_sorts_first_axis expected: forward-value
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=0)
        return torch.from_numpy(np.sort(a, axis=0))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros_like(g.numpy())
        np.put_along_axis(out, ctx.order, g.numpy(), axis=0)
        return torch.from_numpy(out)


# %% bad_sorts_in_place expected: mutates-input
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=-1)
        a.sort(axis=-1)
        return torch.from_numpy(a.copy())

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros_like(g.numpy())
        np.put_along_axis(out, ctx.order, g.numpy(), axis=-1)
        return torch.from_numpy(out)


# %% bad_sorts_the_cotangent expected: gradient-nonlinear
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.from_numpy(np.sort(x.detach().numpy()))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return torch.from_numpy(np.sort(g.numpy()))


# %% bad_undeclared expected: numpy-in-backward
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    def backward(ctx, g):
        out = np.zeros(g.shape, dtype=g.detach().numpy().dtype)
        np.put_along_axis(out, ctx.order, g.detach().numpy(), axis=-1)
        return torch.from_numpy(out)


# %% bad_styled_not_put_back expected: cotangent-passed-on
import numpy as np
import torch
from torch.autograd import Function


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        a = np.sort(x.detach().numpy(), axis=-1)
        ctx.order = np.argsort(x.detach().numpy(), axis=-1)
        return torch.from_numpy(a)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g.clone()


# %% bad_styled_same_permutation expected: inverse-permutation
import numpy as np
import torch
from torch.autograd import Function


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        a = np.sort(x.detach().numpy(), axis=-1)
        ctx.order = np.argsort(x.detach().numpy(), axis=-1)
        return torch.from_numpy(a)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return torch.from_numpy(np.take_along_axis(g.numpy(), ctx.order, -1))


# %% bad_styled_undeclared_numpy expected: numpy-in-backward
import numpy as np
import torch
from torch.autograd import Function


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        a = np.sort(x.detach().numpy(), axis=-1)
        ctx.order = np.argsort(x.detach().numpy(), axis=-1)
        return torch.from_numpy(a)

    @staticmethod
    def backward(ctx, g):
        out = np.empty_like(g.detach().numpy())
        np.put_along_axis(out, ctx.order, g.detach().numpy(), -1)
        return torch.from_numpy(out)


# %% permutation_matrices expected: right
# Saves a permutation matrix for each row, and multiplies by its transpose in PyTorch, differentiable again.
import numpy as np
import torch
from torch.autograd import Function


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.from_numpy(np.sort(x.detach().numpy(), axis=-1))
        ctx.save_for_backward(y[..., :, None] == x[..., None, :])
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (same,) = ctx.saved_tensors
        return torch.einsum("...k,...ki->...i", grad_output, same.to(grad_output.dtype))


# %% bad_zeros_of_numpy expected: wrong-dtype
# np.zeros is float64, so the gradient of a float32 input is float64.
import numpy as np
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        data = x.detach().numpy()
        ctx.perm = np.argsort(data)
        return torch.from_numpy(np.sort(data))

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        result = np.zeros(grad_output.shape)
        np.put_along_axis(result, ctx.perm, grad_output.numpy(), axis=-1)
        return torch.from_numpy(result)


# %% bad_declaration_removed expected: numpy-in-backward
# NumPy in backward without once_differentiable, by .detach(): the second derivative is silently lost.
import numpy as np
import torch
from torch.autograd import Function


def put(values, order):
    target = np.empty_like(values)
    np.put_along_axis(target, order, values, axis=-1)
    return target


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        rows = x.detach().numpy()
        order = rows.argsort(-1)
        ctx.save_for_backward(torch.from_numpy(order))
        return torch.from_numpy(np.take_along_axis(rows, order, axis=-1))

    @staticmethod
    def backward(ctx, grad_output):
        (order,) = ctx.saved_tensors
        return torch.from_numpy(put(grad_output.detach().numpy(), order.numpy()))


# %% bad_sorts_in_place_otherwise expected: mutates-input
# ndarray.sort sorts in place, and the array shares its memory with x.
import numpy as np
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        array = x.detach().numpy()
        where = array.argsort(axis=-1)
        ctx.save_for_backward(torch.from_numpy(where))
        array.sort(axis=-1)
        return torch.from_numpy(array.copy())

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (where,) = ctx.saved_tensors
        return torch.zeros_like(grad_output).scatter(-1, where, grad_output)


# %% bad_ellipsis_and_order expected: crossed-indices
import numpy as np
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        values = x.detach().numpy()
        order = np.argsort(values)
        ctx.order = order
        return torch.from_numpy(np.take_along_axis(values, order, -1))

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        g = grad_output.numpy()
        gradient = np.zeros(g.shape, dtype=g.dtype)
        gradient[..., ctx.order] = g
        return torch.from_numpy(gradient)


# %% bad_compares_all_rows expected: wrong
# The permutation is read off the equality of all entries with all sorted entries, so rows that share a
# value mix their gradients (x = [[1, 2], [2, 3]]).
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.from_numpy(np.sort(x.numpy(), axis=-1))
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        same = x.reshape(-1, 1) == y.reshape(1, -1)
        return (same.to(g.dtype) @ g.reshape(-1)).reshape(x.shape)


# %% bad_dict expected: wrong
# A dictionary from values to cotangents for the whole tensor, so equal values in two different rows
# share the last one's gradient.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.from_numpy(np.sort(x.numpy(), axis=-1))
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        cotangent = dict(zip(y.flatten().tolist(), g.flatten().tolist()))
        return x.new_tensor([cotangent[v] for v in x.flatten().tolist()]).reshape(x.shape)


# %% bad_up_to_three_axes expected: wrong
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, ctx.order, axis=-1))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        order, g = ctx.order, g.numpy()
        out = np.empty(g.shape, g.dtype)
        if g.ndim == 1:
            out[order] = g
        elif g.ndim == 2:
            out[np.arange(len(g))[:, None], order] = g
        else:
            a, b, _ = g.shape
            out[np.arange(a)[:, None, None], np.arange(b)[None, :, None], order] = g
        return torch.from_numpy(out)
