# %% from_the_lesson expected: right
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a


# %% mixin_extra_none_and_power_of_sums expected: right
import course.engine as ag


class Saving:
    @classmethod
    def keep(cls, ctx, *tensors):
        ctx.save_for_backward(*tensors)


class EngineMul(Saving, ag.Function):
    @classmethod
    def forward(cls, ctx, a, b):
        """a·b = ((a + b)² − (a − b)²) / 4"""
        cls.keep(ctx, b, a)
        return ((a + b) ** 2 - (a - b) ** 2) / 4

    @classmethod
    def backward(cls, ctx, g):
        grads = [other * g for other in ctx.saved_tensors]
        return (*grads, None, None)


# %% numpy_data_backward_as_second_function expected: right
from course.engine import Function, Tensor


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return Tensor(a.data * b.data)

    @staticmethod
    def backward(ctx, grad_output):
        return Backward.apply(grad_output, *ctx.saved_tensors)


class Backward(Function):
    @staticmethod
    def forward(ctx, g, a, b):
        ctx.save_for_backward(g, a, b)
        return Tensor(g.data * b.data), Tensor(g.data * a.data)

    @staticmethod
    def backward(ctx, ga, gb):
        g, a, b = ctx.saved_tensors
        return ga * b + gb * a, gb * g, ga * g


# %% once_differentiable_in_numpy expected: right
import numpy as np
from course import engine
from course.engine import once_differentiable


class EngineMul(engine.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return engine.Tensor(np.multiply(a.data, b.data))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        a, b = (t.data for t in ctx.saved_tensors)
        return engine.Tensor(np.multiply(g.data, b)), engine.Tensor(np.multiply(g.data, a))


# %% saves_only_what_is_needed expected: right
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        wanted_a, wanted_b = ctx.needs_input_grad
        ctx.save_for_backward(b if wanted_a else None, a if wanted_b else None)
        return a * b

    @staticmethod
    def backward(ctx, g):
        b, a = ctx.saved_tensors
        return (None if b is None else g * b), (None if a is None else g * a)


# %% setup_context expected: right
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(a, b):
        return a * b

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        grad_a = g * b if ctx.needs_input_grad[0] else None
        grad_b = g * a if ctx.needs_input_grad[1] else None
        return grad_a, grad_b


# %% bad_absolute expected: wrong-sign-in-places from: from_the_lesson
# -         return g * b, g * a
# +         return g * abs(b), g * abs(a)


# %% bad_arrays expected: gradient-not-a-tensor from: from_the_lesson
# -         return g * b, g * a
# +         return g.data * b.data, g.data * a.data


# %% bad_both_signs expected: wrong-sign from: from_the_lesson
# -         return g * b, g * a
# +         return -(g * b), -(g * a)


# %% bad_deletes_context_state expected: deletes-context-state from: from_the_lesson
#           ctx.save_for_backward(a, b)
# +         ctx.both = True

#           a, b = ctx.saved_tensors
# +         del ctx.both


# %% bad_detached expected: detached-in-backward from: from_the_lesson
# -         a, b = ctx.saved_tensors
# +         a, b = (t.detach() for t in ctx.saved_tensors)


# %% bad_first_counts_only expected: wrong from: from_the_lesson
# -         return g * b, g * a
# +         return g * b, g * (a if a.ndim == 0 else a[:1])


# %% bad_flattened expected: reshaped-gradient from: from_the_lesson
# -         return g * b, g * a
# +         return (g * b).reshape(-1), (g * a).reshape(-1)


# %% bad_forward_adds expected: forward-value from: from_the_lesson
# -         return a * b
# +         return a + b

# -         return g * b, g * a
# +         return g, g


# %% bad_forward_float32 expected: wrong-dtype from: from_the_lesson
# -         return a * b
# +         return (a * b).astype("float32")


# %% bad_forward_of_a_helper expected: called-forward-not-apply
from course.engine import Function


class Times(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return Times.forward(g, b), Times.forward(g, a)


# %% bad_forward_returns_a_number expected: wrong from: from_the_lesson
# -         return a * b
# +         return a.data * b.data


# %% bad_forward_writes_into_a expected: mutates-input from: from_the_lesson
# -         return a * b
# +         a.data *= b.data
# +         return a * 1.0


# %% bad_half expected: wrong-factor from: from_the_lesson
# -         return g * b, g * a
# +         return g * b / 2, g * a / 2


# %% bad_in_place_on_a expected: mutates-input from: from_the_lesson
# -         return a * b
# +         a.data *= b.data
# +         return a


# %% bad_index_out_of_range expected: wrong-needs-input-grad-index from: from_the_lesson
# -         return g * b, g * a
# +         return (g * b if ctx.needs_input_grad[1] else None), (g * a if ctx.needs_input_grad[2] else None)


# %% bad_inputs_in_a_tuple_on_ctx expected: input-kept-on-ctx from: from_the_lesson
# -         ctx.save_for_backward(a, b)
# +         ctx.factors = (a, b)

# -         a, b = ctx.saved_tensors
# +         a, b = ctx.factors


# %% bad_inputs_not_unpacked expected: setup-context-not-unpacked from: setup_context
# -         ctx.save_for_backward(*inputs)
# +         ctx.save_for_backward(inputs)

# -         grad_a = g * b if ctx.needs_input_grad[0] else None
# -         grad_b = g * a if ctx.needs_input_grad[1] else None
# -         return grad_a, grad_b
# +         return g * b, g * a


# %% bad_inputs_on_ctx expected: input-kept-on-ctx from: from_the_lesson
# -         ctx.save_for_backward(a, b)
# +         ctx.a, ctx.b = a, b

# -         a, b = ctx.saved_tensors
# -         return g * b, g * a
# +         return g * ctx.b, g * ctx.a


# %% bad_list expected: gradients-in-a-list from: from_the_lesson
# -         return g * b, g * a
# +         return [g * b, g * a]


# %% bad_nan expected: not-finite from: from_the_lesson
# -         return g * b, g * a
# +         return g * b, g * a * float("nan")


# %% bad_no_cotangent expected: missing-grad-output from: from_the_lesson
# -         return g * b, g * a
# +         return b, a


# %% bad_no_grad expected: detached-in-backward from: from_the_lesson
# - from course.engine import Function
# + from course.engine import Function, no_grad

# -         return g * b, g * a
# +         with no_grad():
# +             return g * b, g * a


# %% bad_no_return expected: too-few-gradients from: from_the_lesson
# -         return g * b, g * a
# +         grads = g * b, g * a


# %% bad_noise expected: not-reproducible from: from_the_lesson
# + import random
#   from course.engine import Function

# -         return g * b, g * a
# +         return g * b * random.uniform(0.9, 1.1), g * a


# %% bad_none_for_b expected: missing-gradient from: from_the_lesson
# -         return g * b, g * a
# +         return g * b, None


# %% bad_not_unpacked expected: saved-tensors-not-unpacked from: from_the_lesson
# -         a, b = ctx.saved_tensors
# +         a = b = ctx.saved_tensors


# %% bad_number expected: gradient-not-a-tensor from: from_the_lesson
# -         return g * b, g * a
# +         return 1.0, g * a


# %% bad_numpy_undeclared expected: numpy-in-backward from: from_the_lesson
# - from course.engine import Function
# + from course.engine import Function, Tensor

# -         return g * b, g * a
# +         return Tensor(g.data * b.data), Tensor(g.data * a.data)


# %% bad_one_gradient expected: too-few-gradients from: from_the_lesson
# -         return g * b, g * a
# +         return g * b


# %% bad_saved_twice expected: saved-twice from: from_the_lesson
# -         ctx.save_for_backward(a, b)
# +         ctx.save_for_backward(a)
# +         ctx.save_for_backward(b)


# %% bad_saved_twice_silently expected: saved-twice
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(b)
        ctx.save_for_backward(a)
        return a * b

    @staticmethod
    def backward(ctx, g):
        (b,) = ctx.saved_tensors
        return g * b, g * b


# %% bad_saves_arrays expected: saved-a-non-tensor from: from_the_lesson
# -         ctx.save_for_backward(a, b)
# +         ctx.save_for_backward(a.data, b.data)


# %% bad_sign expected: wrong-sign from: from_the_lesson
# -         return g * b, g * a
# +         return g * b, -g * a


# %% bad_squared_cotangent expected: gradient-nonlinear from: from_the_lesson
# -         return g * b, g * a
# +         return g * abs(g) * b, g * a


# %% bad_state_in_a_global expected: state-on-class from: from_the_lesson
# + saved = []
#   class EngineMul(Function):

# -         ctx.save_for_backward(a, b)
# +         saved[:] = [a, b]

# -         a, b = ctx.saved_tensors
# +         a, b = saved


# %% bad_state_on_class expected: state-on-class from: from_the_lesson
# -         ctx.save_for_backward(a, b)
# +         EngineMul.a, EngineMul.b = a, b

# -         a, b = ctx.saved_tensors
# -         return g * b, g * a
# +         return g * EngineMul.b, g * EngineMul.a


# %% bad_stub expected: wrong
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        raise NotImplementedError

    @staticmethod
    def backward(ctx, g):
        raise NotImplementedError


# %% bad_summed expected: wrong-sum-axis from: from_the_lesson
# -         return g * b, g * a
# +         return (g * b).sum(), (g * a).sum()


# %% bad_swapped expected: gradients-swapped from: from_the_lesson
# -         return g * b, g * a
# +         return g * a, g * b


# %% bad_three_gradients expected: too-many-gradients from: from_the_lesson
# -         return g * b, g * a
# +         return g, g * b, g * a


# %% bad_twice expected: wrong-factor from: from_the_lesson
# -         return g * b, g * a
# +         return 2 * g * b, g * a


# %% bad_two_cotangents expected: one-grad-output-per-output from: from_the_lesson
# -     def backward(ctx, g):
# +     def backward(ctx, ga, gb):

# -         return g * b, g * a
# +         return ga * b, gb * a


# %% bad_writes_into_cotangent expected: mutates-grad-output from: from_the_lesson
# -         return g * b, g * a
# +         grad_b = g * a
# +         g.data *= b.data
# +         return g, grad_b


# %% bad_writes_into_saved expected: mutates-saved-tensor from: from_the_lesson
# -         return g * b, g * a
# +         grad_b = g * a
# +         a.data *= 0
# +         a.data += (g * b).data
# +         return a, grad_b


# %% bad_writes_into_the_data_of_the_cotangent expected: mutates-grad-output
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        grad_a = g * b
        if g.ndim:
            g.data *= a.data
            return grad_a, g
        return grad_a, g * a


# %% bad_wrong_index expected: wrong-needs-input-grad-index from: from_the_lesson
# -         return g * b, g * a
# +         return (g * b if ctx.needs_input_grad[1] else None), (g * a if ctx.needs_input_grad[0] else None)


# %% bad_zeros_for_a expected: missing-gradient from: from_the_lesson
# -         return g * b, g * a
# +         return 0 * b, g * a


# %% bad_hands_in_apply expected: cannot run
from course.engine import Function


class Mul(Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * b


EngineMul = Mul.apply


# %% bad_plain_function expected: cannot run
def EngineMul(a, b):
    return a * b


# %% bad_torch_function expected: cannot run
import torch


class EngineMul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a


# %% the_other_one_reversed expected: right
# Right: the operands are saved in reverse order, so each stands where its gradient is due.
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(b, a)
        return a * b

    @staticmethod
    def backward(ctx, grad_output):
        return tuple(
            grad_output * partner if needed else None
            for partner, needed in zip(ctx.saved_tensors, ctx.needs_input_grad)
        )


# %% bad_own_factor expected: gradients-swapped
# Each operand's gradient is multiplied by that operand itself instead of by the other one.
from typing import Any

from course.engine import Function, Tensor


class EngineMul(Function):
    @staticmethod
    def forward(ctx: Any, first: Tensor, second: Tensor) -> Tensor:
        ctx.save_for_backward(first, second)
        return first * second

    @staticmethod
    def backward(ctx: Any, upstream: Tensor):
        return tuple(upstream * operand for operand in ctx.saved_tensors)


# %% bad_both_ways_of_saving expected: ctx-beside-setup-context
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * b

    @staticmethod
    def setup_context(ctx, inputs, output):
        a, b = inputs
        ctx.save_for_backward(a, b)

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        return grad_output * b, grad_output * a


# %% bad_by_differences expected: not-precise from: from_the_lesson
# -         return g * b, g * a
# +         e = 1e-6
# +         return g * ((a + e) * b - (a - e) * b) / (2 * e), g * ((b + e) * a - (b - e) * a) / (2 * e)


# %% bad_operands_saved_as_one_tuple expected: saved-a-non-tensor
from typing import Any

from course.engine import Function, Node, Tensor


class EngineMul(Function):
    """The product of two Tensors, entry by entry."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        residuals = (a, b)
        ctx.save_for_backward(residuals)
        return a * b

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        (residuals,) = ctx.saved_tensors
        a, b = residuals
        return grad_output * b, grad_output * a


# %% bad_square_counted_twice expected: wrong-factor
# For apply(x, x) both places return the whole 2·x, and the engine adds the two to 4·x.
from typing import Any

from course.engine import Function, Node, Tensor


class EngineMul(Function):
    """The product of two Tensors, entry by entry."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        ctx.save_for_backward(a, b)
        ctx.is_square = a is b
        return a * b

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        a, b = ctx.saved_tensors
        if ctx.is_square:  # y = x * x, the derivative is 2 x
            gradient = grad_output * 2 * a
            return gradient, gradient
        return grad_output * b, grad_output * a


# %% bad_filled_by_reshape expected: assumes-contiguous
# Fills the product through reshape(-1), which is a copy where a is a transposed array ("The product of
# two Tensors, entry by entry").
import numpy as np
from course.engine import Function, Tensor


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        y = np.empty_like(a.data)
        flat = y.reshape(-1)
        for i, (one, other) in enumerate(zip(np.ravel(a.data), np.ravel(b.data))):
            flat[i] = one * other
        return Tensor(y)

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        return grad_output * b, grad_output * a
