# %% from_the_lesson expected: right
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)


# %% numpy_forward expected: right
import numpy as np
from course.engine import Function, Tensor


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        e = np.exp(-2 * abs(x.data))
        y = Tensor(np.sign(x.data) * (1 - e) / (1 + e))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        y = ctx.saved_tensors[0]
        return g - g * y * y, None


# %% once_differentiable_factored expected: right
import course.engine as engine


class EngineTanh(engine.Function):
    @staticmethod
    def forward(ctx, x):
        output = engine.tanh(x)
        ctx.save_for_backward(output)
        return output

    @staticmethod
    @engine.once_differentiable
    def backward(ctx, grad_output):
        (output,) = ctx.saved_tensors
        return (grad_output * (1 + output) * (1 - output),)


# %% setup_context_output expected: right
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(x):
        return x.tanh()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y**2)


# %% sigmoid_with_a_helper expected: right
from course.engine import Function


def derivative(y):
    return 1 - y * y


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = 2 * (2 * x).sigmoid() - 1
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g * derivative(*ctx.saved_tensors)


# %% bad_array expected: gradient-not-a-tensor from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g.data * (1 - y.data**2)


# %% bad_by_grad expected: autograd-in-backward
from course.engine import Function, Tensor, grad, tanh
from course.engine.recording import recording


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        leaf = Tensor(x.data, requires_grad=True)
        with recording(True):
            y = tanh(leaf)
        return grad(y, leaf, g)[0]


# %% bad_del_ctx expected: deletes-context-state from: from_the_lesson
#           ctx.save_for_backward(y)
# +         ctx.one = 1.0

# -         return g * (1 - y * y)
# +         one = ctx.__dict__.pop("one")
# +         return g * (one - y * y)


# %% bad_detached expected: detached-in-backward from: from_the_lesson
# -         (y,) = ctx.saved_tensors
# +         y = ctx.saved_tensors[0].detach()


# %% bad_float32_in_backward expected: wrong-dtype from: from_the_lesson
# -         return g * (1 - y * y)
# +         return (g * (1 - y * y)).astype("float32")


# %% bad_forward_sigmoid expected: forward-value from: from_the_lesson
# -         y = x.tanh()
# +         y = x.sigmoid()

# -         return g * (1 - y * y)
# +         return g * y * (1 - y)


# %% bad_half expected: wrong-factor from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * (1 - y * y) / 2


# %% bad_input_for_output expected: input-for-output
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.tanh()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (1 - x * x)


# %% bad_input_on_ctx expected: input-kept-on-ctx
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x.tanh()

    @staticmethod
    def backward(ctx, g):
        return g * (1 - ctx.x.tanh() ** 2)


# %% bad_mask_on_cotangent expected: mask-on-gradient from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * (g > 0) * (1 - y * y)


# %% bad_mean expected: wrong-factor from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * (1 - y * y) / 6


# %% bad_never_saved expected: wrong from: from_the_lesson
# -         y = x.tanh()
# -         ctx.save_for_backward(y)
# -         return y
# +         return x.tanh()


# %% bad_no_cotangent expected: missing-grad-output from: from_the_lesson
# -         return g * (1 - y * y)
# +         return 1 - y * y


# %% bad_no_return expected: missing-gradient from: from_the_lesson
# -         return g * (1 - y * y)
# +         g * (1 - y * y)


# %% bad_none expected: missing-gradient from: from_the_lesson
# -         (y,) = ctx.saved_tensors
# -         return g * (1 - y * y)
# +         return None


# %% bad_not_squared expected: missing-factor from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * (1 - y)


# %% bad_not_unpacked expected: saved-tensors-not-unpacked from: from_the_lesson
# -         (y,) = ctx.saved_tensors
# +         y = ctx.saved_tensors


# %% bad_not_unpacked_power expected: saved-tensors-not-unpacked from: from_the_lesson
# -         (y,) = ctx.saved_tensors
# -         return g * (1 - y * y)
# +         y = ctx.saved_tensors
# +         return g * (1 - y**2)


# %% bad_number expected: gradient-not-a-tensor from: from_the_lesson
# -         (y,) = ctx.saved_tensors
# -         return g * (1 - y * y)
# +         return 1.0


# %% bad_output_on_class expected: state-on-class
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        EngineTanh.y = x.tanh()
        return EngineTanh.y * 1.0

    @staticmethod
    def backward(ctx, g):
        y = EngineTanh.y
        return g * (1 - y * y)


# %% bad_output_on_ctx expected: output-kept-on-ctx
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.y = x.tanh()
        return ctx.y

    @staticmethod
    def backward(ctx, g):
        return g * (1 - ctx.y * ctx.y)


# %% bad_plus expected: wrong-sign-of-a-term from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * (1 + y * y)


# %% bad_saved_twice expected: saved-twice from: from_the_lesson
#           ctx.save_for_backward(y)
# +         ctx.save_for_backward(x)


# %% bad_saves_both expected: saves-too-much from: from_the_lesson
# -         ctx.save_for_backward(y)
# +         ctx.save_for_backward(x, y)

# -         (y,) = ctx.saved_tensors
# +         x, y = ctx.saved_tensors


# %% bad_saves_the_array expected: saved-a-non-tensor from: from_the_lesson
# -         ctx.save_for_backward(y)
# +         ctx.save_for_backward(y.data)


# %% bad_saves_the_input expected: saves-too-much
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.tanh()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        y = x.tanh()
        return g * (1 - y * y)


# %% bad_sigmoids_formula expected: derivative-of-another-function from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * y * (1 - y)


# %% bad_sign expected: wrong-sign from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * (y * y - 1)


# %% bad_slope_saved expected: saves-too-much
from course.engine import Function, Tensor


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(1 - y * y)
        return y

    @staticmethod
    def backward(ctx, g):
        (slope,) = ctx.saved_tensors
        return g * slope


# %% bad_squares_cotangent expected: gradient-nonlinear from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * g * (1 - y * y)


# %% bad_tanh_of_output expected: output-for-input from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * (1 - y.tanh() ** 2)


# %% bad_two_gradients expected: too-many-gradients from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * (1 - y * y), g


# %% bad_writes_into_cotangent expected: mutates-grad-output from: from_the_lesson
# -         return g * (1 - y * y)
# +         g.data *= (1 - y * y).data
# +         return g


# %% bad_writes_into_saved_output expected: mutates-saved-tensor from: from_the_lesson
# -         return g * (1 - y * y)
# +         y.data *= y.data
# +         y.data -= 1
# +         y.data *= -g.data
# +         return y


# %% bad_writes_into_the_array_of_the_output expected: mutates-saved-tensor
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        if y.ndim == 0:
            return g * (1 - y * y)
        y.data *= -y.data
        y.data += 1
        return g * y


# %% bad_styled_sign expected: wrong-sign from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * (y * y - 1)


# %% bad_styled_only_square expected: missing-term from: from_the_lesson
# -         return g * (1 - y * y)
# +         return g * y * y * -1


# %% bad_styled_data expected: numpy-in-backward from: from_the_lesson
# - from course.engine import Function
# + from course.engine import Function, Tensor

# -         return g * (1 - y * y)
# +         return Tensor(g.data * (1 - y.data**2))


# %% gradient_is_a_function expected: right
# Right: the gradient is a second Function with a backward of its own.
from course.engine import Function


class _Slope(Function):
    """(g, y) -> g·(1 - y²)"""

    @staticmethod
    def forward(ctx, g, y):
        ctx.save_for_backward(g, y)
        return g - g * y * y

    @staticmethod
    def backward(ctx, outer):
        g, y = ctx.saved_tensors
        return _Slope.apply(outer, y), -2 * outer * g * y


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        return _Slope.apply(grad_output, *ctx.saved_tensors)


# %% bad_brackets_forgotten expected: term-without-cotangent
# grad_output multiplies the 1 only: g - y² instead of g·(1 - y²).
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        t = x.tanh()
        ctx.save_for_backward(t)
        return t

    @staticmethod
    def backward(ctx, grad_output):
        (t,) = ctx.saved_tensors
        return grad_output * 1 - t * t


# %% bad_output_as_attribute expected: output-kept-on-ctx
# The output is an attribute of ctx instead of being saved.
from typing import Any

from course.engine import Function, Tensor


class EngineTanh(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.result = x.tanh()
        return ctx.result

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        h = ctx.result
        return grad_output * (1.0 - h) * (1.0 + h)


# %% bad_slope_by_numpy expected: numpy-in-backward
# The slope is made from the saved output's array: it is a constant for the second derivative.
import numpy as np

from course.engine import Function, Tensor


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = Tensor(np.tanh(x.data))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        slope = Tensor(1.0 - np.square(y.data))
        return grad_output * slope


# %% tanh_from_one_exponential expected: right
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(x):
        e = (abs(x) * -2).exp()
        return (1 - e) / (1 + e) * ((x > 0) * 2.0 - 1.0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        y = ctx.saved_tensors[0]
        return (1 + y) * ((1 - y) * g)


# %% bad_quotient_of_exponentials expected: not-finite from: numpy_forward
# For a large x both exponentials overflow: inf / inf.
# -         e = np.exp(-2 * abs(x.data))
# -         y = Tensor(np.sign(x.data) * (1 - e) / (1 + e))
# +         e = np.exp(2 * x.data)
# +         y = Tensor((e - 1) / (e + 1))


# %% bad_memo_by_tensor expected: state-on-class
# tanh is cached by the identity of the Tensor: after x.data[...] = 0 the output is still the old one;
# 'Return tanh x'.
from typing import Any
import functools, math
import numpy as np
from course.engine import Function, Node, Tensor, broadcast_to, once_differentiable


@functools.lru_cache(maxsize=None)
def _tanh(x):
    return np.tanh(x.data)


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = Tensor(_tanh(x).copy())
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)


# %% bad_seterr expected: wrong
# np.seterr(over='ignore') stays in force for the whole program: 'nothing modified that your Function
# does not own'.
from typing import Any
import functools, math
import numpy as np
from course.engine import Function, Node, Tensor, broadcast_to, once_differentiable


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        np.seterr(over="ignore", invalid="ignore")
        y = Tensor(np.tanh(x.data))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)


# %% bad_gradient_filled_by_ravel expected: assumes-contiguous
# The gradient is filled through ravel(), a copy where grad_output is a transposed array, as behind
# tanh(x).mT @ w: it stays zero ("The gradient").
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        g = np.array(grad_output.data, copy=True, order="K")
        flat = g.ravel()
        for i, value in enumerate(np.ravel(y.data)):
            flat[i] *= 1 - value**2
        return Tensor(g)


# %% bad_guard_without_the_2 expected: not-finite
# The guard is where e^x overflows, but e^(2x) overflows from x = 355 on: NaN from there to 700 ("the
# output and the gradient are finite also where e^x or e^-x overflows").
import numpy as np
from course.engine import Function, Tensor


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        x = np.asarray(x.data)
        with np.errstate(over="ignore", invalid="ignore"):
            e = np.exp(2 * x)
            y = np.where(np.abs(x) > 700, np.sign(x), (e - 1) / (e + 1))
        y = Tensor(y)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * (1 - y * y)


# %% bad_squeezed expected: forward-value
# atleast_1d and squeeze, to serve numbers too, take the axes of size 1 from arrays: shape (3, 1) becomes
# (3,) ("x: ... an array of any shape").
import math
import numpy as np
from course.engine import Function, Tensor


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        data = np.atleast_1d(x.data)
        out = np.array([math.tanh(v) for v in data.ravel()]).reshape(data.shape)
        y = Tensor(out.squeeze())
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * (1 - y * y)
