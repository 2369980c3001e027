# %% applies_itself expected: right
from course.engine import Function, Tensor


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return Tensor(a.data @ b.data)

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        return EngineMatmul.apply(grad_output, b.mT), EngineMatmul.apply(a.mT, grad_output)


# %% einsum_once_differentiable expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return Tensor(np.einsum("...ij,...jk->...ik", a.data, b.data))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        grad_a = np.einsum("...ik,...jk->...ij", g.data, b.data)
        grad_b = np.einsum("...ij,...ik->...jk", a.data, g.data)
        return Tensor(grad_a), Tensor(grad_b)


# %% from_the_lesson expected: right
from course.engine import Function


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g @ b.mT, a.mT @ g


# %% guarded_setup_context expected: right
from course.engine import Function


class EngineMatmul(Function):
    @staticmethod
    def forward(a, b):
        return a @ b

    @staticmethod
    def setup_context(ctx, inputs, output):
        a, b = inputs
        ctx.save_for_backward(a, b)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        grad_a = g @ b.mT if ctx.needs_input_grad[0] else None
        grad_b = a.mT @ g if ctx.needs_input_grad[1] else None
        return grad_a, grad_b


# %% sums_of_products expected: right
from course.engine import Function


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return (a.reshape(*a.shape, 1) * b.reshape(*b.shape[:-2], 1, *b.shape[-2:])).sum(axis=-2)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        wide = g.reshape(*g.shape[:-1], 1, g.shape[-1])
        grad_a = (wide * b.reshape(*b.shape[:-2], 1, *b.shape[-2:])).sum(axis=-1)
        grad_b = (wide * a.reshape(*a.shape, 1)).sum(axis=-3)
        return grad_a, grad_b


# %% transposed_by_axes expected: right
from course import engine


def flip(t):
    order = list(range(t.ndim))
    order[-1], order[-2] = order[-2], order[-1]
    return engine.transpose(t, tuple(order))


class EngineMatmul(engine.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return engine.matmul(a, b)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return flip(b @ flip(g)), flip(flip(g) @ a), None


# %% bad_a_not_transposed expected: missing-transpose from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g @ b.mT, a @ g


# %% bad_absolute_cotangent expected: gradient-nonlinear from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return abs(g) @ b.mT, a.mT @ g


# %% bad_all_axes_reversed expected: missing-transpose from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g @ b.T, a.T @ g


# %% bad_arrays expected: gradient-not-a-tensor from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g.data @ b.mT.data, a.mT.data @ g.data


# %% bad_b_not_transposed expected: missing-transpose from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g @ b, a.mT @ g


# %% bad_deletes expected: deletes-context-state from: from_the_lesson
#           ctx.save_for_backward(a, b)
# +         ctx.order = (1, 0)

#           a, b = ctx.saved_tensors
# +         del ctx.order


# %% bad_detached expected: detached-in-backward from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

#           a, b = ctx.saved_tensors
# +         a = a.detach()


# %% bad_elementwise expected: value-for-derivative from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g * b, g * a


# %% bad_first_of_the_stack expected: wrong-mask
import numpy as np
from course.engine import Function, Tensor


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        grad_a = g @ b.mT
        if grad_a.ndim > 2:
            grad_a = grad_a * (np.arange(grad_a.shape[0]).reshape(-1, *[1] * (grad_a.ndim - 1)) == 0)
        return grad_a, a.mT @ g


# %% bad_flattened expected: reshaped-gradient from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return (g @ b.mT).reshape(-1), (a.mT @ g).reshape(-1)


# %% bad_forward_other_order expected: wrong from: from_the_lesson
# -         return a @ b
# +         return b @ a


# %% bad_forward_transposed expected: forward-value from: from_the_lesson
# -         return a @ b
# +         return (a @ b).mT

# -         return g @ b.mT, a.mT @ g
# +         return g.mT @ b.mT, a.mT @ g.mT


# %% bad_gradient_of_b_transposed expected: missing-transpose from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g @ b.mT, g.mT @ a


# %% bad_gradient_transposed expected: missing-transpose from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return b @ g.mT, a.mT @ g


# %% bad_inputs_not_unpacked expected: setup-context-not-unpacked
from course.engine import Function


class EngineMatmul(Function):
    @staticmethod
    def forward(a, b):
        return a @ b

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g @ b.mT, a.mT @ g


# %% bad_mean_over_rows expected: mean-instead-of-sum from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g @ b.mT, a.mT @ g / a.shape[-2]


# %% bad_no_cotangent expected: missing-grad-output from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         one = Tensor(np.ones(g.shape))
# +         return one @ b.mT, a.mT @ one


# %% bad_none_for_b expected: missing-gradient from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g @ b.mT, None


# %% bad_not_unpacked expected: saved-tensors-not-unpacked
import numpy as np
from course.engine import Function, Tensor


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a = b = ctx.saved_tensors
        return g @ b, a @ g


# %% bad_one_gradient expected: too-few-gradients from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g @ b.mT


# %% bad_saved_twice expected: saved-twice from: from_the_lesson
# -         ctx.save_for_backward(a, b)
# +         ctx.save_for_backward(a)
# +         ctx.save_for_backward(b)


# %% bad_saves_arrays expected: saved-a-non-tensor from: from_the_lesson
# -         ctx.save_for_backward(a, b)
# +         ctx.save_for_backward(a.data, b.data)


# %% bad_sign expected: wrong-sign from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g @ b.mT, -(a.mT @ g)


# %% bad_state_on_class expected: state-on-class from: from_the_lesson
# -         ctx.save_for_backward(a, b)
# +         EngineMatmul.saved_pair = a, b

# -         a, b = ctx.saved_tensors
# +         a, b = EngineMatmul.saved_pair


# %% bad_summed_over_the_stack expected: wrong-shape from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         grad_b = a.mT @ g
# +         return g @ b.mT, grad_b if grad_b.ndim == 2 else grad_b.sum(0)


# %% bad_swapped expected: gradients-swapped from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return a.mT @ g, g @ b.mT


# %% bad_twice expected: wrong-factor from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return 2 * (g @ b.mT), a.mT @ g


# %% bad_writes_into_cotangent expected: mutates-grad-output
import numpy as np
from course.engine import Function, Tensor


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        grad_a, grad_b = g @ b.mT, a.mT @ g
        g.data *= 0
        return grad_a, grad_b


# %% bad_writes_into_saved_b expected: mutates-saved-tensor
import numpy as np
from course.engine import Function, Tensor


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        grad_a, grad_b = g @ b.mT, a.mT @ g
        b.data += 1
        return grad_a, grad_b


# %% bad_wrong_index expected: wrong-needs-input-grad-index
import numpy as np
from course.engine import Function, Tensor


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return (g @ b.mT if ctx.needs_input_grad[1] else None), (
            a.mT @ g if ctx.needs_input_grad[0] else None
        )


# %% bad_styled_swapped expected: gradients-swapped from: from_the_lesson
# -         return g @ b.mT, a.mT @ g
# +         return a.mT @ g, g @ b.mT


# %% bad_styled_no_transpose_b expected: missing-transpose from: from_the_lesson
# -         return g @ b.mT, a.mT @ g
# +         return g @ b, a.mT @ g


# %% bad_styled_none expected: missing-gradient from: from_the_lesson
# - from course.engine import Function
# + import numpy as np
# + from course.engine import Function, Tensor

# -         return g @ b.mT, a.mT @ g
# +         return g @ b.mT, Tensor(np.zeros(b.shape))


# %% triple_indices expected: right
# Right: the index formulas literally, entry by entry products with an inserted axis, then a sum over one index.
from course.engine import Function


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        stack, (n, m), k = a.shape[:-2], a.shape[-2:], b.shape[-1]
        axis = len(stack)
        y_i_k = grad_output.reshape(stack + (n, 1, k))
        b_jk = b.reshape(stack + (1, m, k))
        a_ij = a.reshape(stack + (n, m, 1))
        return (y_i_k * b_jk).sum(axis + 2), (y_i_k * a_ij).sum(axis)


# %% bad_made_to_fit expected: missing-transpose
# The gradient of b is computed transposed and brought to the shape of b by a reshape, which mixes its entries; right if one of its sizes is 1.
from course.engine import Function


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, left, right):
        ctx.save_for_backward(left, right)
        return left @ right

    @staticmethod
    def backward(ctx, g):
        left, right = ctx.saved_tensors
        for_left = g @ right.mT
        for_right = g.mT @ left
        return for_left, for_right.reshape(right.shape)


# %% bad_einsum_undeclared expected: numpy-in-backward
# Right numbers by NumPy's einsum, without a graph and without the declaration.
import numpy as np

from course.engine import Function, Tensor


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return Tensor(np.einsum("...ij,...jk->...ik", a.data, b.data))

    @staticmethod
    def backward(ctx, grad_output):
        a, b = (t.data for t in ctx.saved_tensors)
        g = grad_output.data
        ga = np.einsum("...ik,...jk->...ij", g, b)
        gb = np.einsum("...ij,...ik->...jk", a, g)
        return Tensor(ga), Tensor(gb)


# %% bad_transposed_beforehand expected: input-kept-on-ctx
# b is transposed in forward and the result is kept: right at first order, but this Tensor has no graph, so a term of the second derivative is lost.
from course.engine import Function


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a)
        ctx.b_transposed = b.mT
        return a @ b

    @staticmethod
    def backward(ctx, grad_output):
        (a,) = ctx.saved_tensors
        return grad_output @ ctx.b_transposed, a.mT @ grad_output


# %% bad_matrix_by_matrix expected: missing-transpose
# One loop over the first axis: right for matrices and for one leading axis, but not for two.
import numpy as np

from course.engine import Function, Tensor, once_differentiable


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        a, b = (t.data for t in ctx.saved_tensors)
        g = grad_output.data
        if g.ndim == 2:
            return Tensor(g @ b.T), Tensor(a.T @ g)
        grad_a = np.stack([g[i] @ b[i].T for i in range(len(g))])
        grad_b = np.stack([a[i].T @ g[i] for i in range(len(g))])
        return Tensor(grad_a), Tensor(grad_b)


# %% bad_stack_summed expected: gradient-summed
from course.engine import Function, broadcast_to


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        grad_b = a.mT @ grad_output
        for axis in range(b.ndim - 2):
            grad_b = grad_b.sum(axis, True)
        return grad_output @ b.mT, broadcast_to(grad_b, b.shape)


# %% bad_reshaped_operands expected: missing-transpose from: from_the_lesson
# + def flipped(t):
# +     *front, rows, columns = t.shape
# +     return t.reshape(*front, columns, rows)
#   class EngineMatmul(Function):

# -         return g @ b.mT, a.mT @ g
# +         return g @ flipped(b), flipped(a) @ g


# %% bad_one_for_ctx_too expected: too-many-gradients
from course.engine import Function, matmul


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return matmul(a, b)

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        return None, matmul(grad_output, b.mT), matmul(a.mT, grad_output)


# %% bad_transposed_if_it_does_not_fit expected: wrong
# Transposes an operand only where the product would not fit otherwise, so square matrices are multiplied
# untransposed: a, b of shape (3, 3) give y_bar @ b instead of y_bar @ b.T.
from course.engine import Function


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        if b.shape[-2] != grad_output.shape[-1] or b.shape[-1] != a.shape[-1]:
            b = b.mT
        if a.shape[-1] != grad_output.shape[-2] or a.shape[-2] != ctx.saved_tensors[1].shape[-2]:
            a = a.mT
        return grad_output @ b, a @ grad_output


# %% bad_first_leading_axis_only expected: wrong
# For two and more leading axes the stack is reshaped by the first one only: (2, 3, n, m) raises
# ValueError ("the same leading axes, none or more").
import numpy as np
from course.engine import Function, Tensor


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        if a.ndim == 2:
            return a @ b
        s = a.shape[0]
        y = np.array(
            [x @ z for x, z in zip(a.data.reshape(s, *a.shape[-2:]), b.data.reshape(s, *b.shape[-2:]))]
        )
        return Tensor(y.reshape(*a.shape[:-1], b.shape[-1]))

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        return grad_output @ b.mT, a.mT @ grad_output


# %% bad_node_does_it expected: autograd-in-backward
# backward computes the product again with the engine and calls its node, as exercise 5 of lesson 2
# shows: nothing is derived ("Derive the gradients yourself").
from course.engine import Function, Tensor, once_differentiable
from course.engine.recording import recording


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        a, b = (Tensor(t.data, requires_grad=True) for t in ctx.saved_tensors)
        with recording(True):
            y = a @ b
        return y.grad_fn(grad_output)
