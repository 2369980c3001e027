# %% backward_applies_the_function_itself expected: right
from course.engine import Function, Tensor


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return Tensor(x.data**p)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.p * EnginePower.apply(x, ctx.p - 1), None


# %% exp_and_log expected: right
from course.engine import Function, exp, log


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return exp(log(x) * float(p))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        slope = float(ctx.p) * exp(log(x) * float(ctx.p - 1))
        return slope * g, None, None


# %% from_the_lesson expected: right
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return x**p

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.p * x ** (ctx.p - 1), None


# %% none_for_exponent_zero expected: right
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return x**p

    @staticmethod
    def backward(ctx, g):
        if ctx.p == 0 or not ctx.needs_input_grad[0]:
            return None, None
        (x,) = ctx.saved_tensors
        return g * (ctx.p * x ** (ctx.p - 1)), None


# %% once_differentiable_numpy expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.slope = p * np.power(x.data, p - 1.0)
        return Tensor(np.power(x.data, p))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return Tensor(g.data * ctx.slope), None


# %% output_saved_and_divided expected: right
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        y = x**p
        ctx.save_for_backward(x, y)
        ctx.exponent = float(p)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * ctx.exponent * y / x, None


# %% setup_context expected: right
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(x, p):
        return x**p

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.p = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ctx.p * x ** (ctx.p - 1.0) * g, None


# %% bad_absolute expected: wrong-sign from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * abs(ctx.p) * x ** (ctx.p - 1), None


# %% bad_always_two expected: wrong-operand from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * 2 * x, None


# %% bad_deletes expected: deletes-context-state from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         p = ctx.p
# +         del ctx.p
# +         return g * p * x ** (p - 1), None


# %% bad_detached expected: detached-in-backward from: from_the_lesson
#           (x,) = ctx.saved_tensors
# +         x = x.detach()


# %% bad_exponent_not_lowered expected: extra-factor from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * ctx.p * x**ctx.p, None


# %% bad_exponent_on_class expected: state-on-class from: from_the_lesson
# -         ctx.p = p
# +         EnginePower.p = p
# +         EnginePower.x = x

# -         (x,) = ctx.saved_tensors
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * EnginePower.p * EnginePower.x ** (EnginePower.p - 1), None


# %% bad_factor_raised expected: wrong-factor from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * (ctx.p + 1) * x ** (ctx.p - 1), None


# %% bad_forward_product expected: forward-value from: from_the_lesson
# -         return x**p
# +         return x * p

# -         (x,) = ctx.saved_tensors
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * ctx.p, None


# %% bad_forward_swapped expected: forward-value from: from_the_lesson
# -         return x**p
# +         return p**x


# %% bad_gradient_for_exponent expected: gradient-for-non-tensor from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * ctx.p * x ** (ctx.p - 1), g * x**ctx.p * x.log()


# %% bad_gradient_for_scalar_only expected: wrong-sum-axis from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return (g * ctx.p * x ** (ctx.p - 1)).sum(), None


# %% bad_integer_exponents_only expected: derivative-of-another-function from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * ctx.p * x ** int(ctx.p - 1), None


# %% bad_no_cotangent expected: missing-grad-output from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return ctx.p * x ** (ctx.p - 1), None


# %% bad_no_factor expected: wrong-factor from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * x ** (ctx.p - 1), None


# %% bad_none expected: missing-gradient from: from_the_lesson
# -         (x,) = ctx.saved_tensors
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return None, None


# %% bad_not_unpacked expected: saved-tensors-not-unpacked from: from_the_lesson
# -         (x,) = ctx.saved_tensors
# +         x = ctx.saved_tensors


# %% bad_number expected: gradient-not-a-tensor from: from_the_lesson
# -         (x,) = ctx.saved_tensors
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return ctx.p, None


# %% bad_one_gradient expected: too-few-gradients from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * ctx.p * x ** (ctx.p - 1)


# %% bad_saves_the_exponent expected: saved-a-non-tensor
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x, p)
        return x**p

    @staticmethod
    def backward(ctx, g):
        x, p = ctx.saved_tensors
        return g * p * x ** (p - 1), None


# %% bad_setup_context_inputs expected: setup-context-not-unpacked from: setup_context
# -         x, ctx.p = inputs
# +         x = inputs
# +         ctx.p = inputs[1]

# -         return ctx.p * x ** (ctx.p - 1.0) * g, None
# +         return g * ctx.p * x ** (ctx.p - 1), None


# %% bad_sign expected: wrong-sign from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return -g * ctx.p * x ** (ctx.p - 1), None


# %% bad_slope_kept_from_forward expected: intermediate-kept-on-ctx
from course.engine import Function, Tensor


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(Tensor(p * x.data ** (p - 1.0)))
        return x**p

    @staticmethod
    def backward(ctx, g):
        (slope,) = ctx.saved_tensors
        return g * slope, None


# %% bad_twice expected: wrong-factor from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return 2 * g * ctx.p * x ** (ctx.p - 1), None


# %% bad_writes_into_cotangent expected: mutates-grad-output from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         g.data *= (ctx.p * x ** (ctx.p - 1)).data
# +         return g, None


# %% bad_zero_for_exponent expected: gradient-for-non-tensor from: from_the_lesson
# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g * ctx.p * x ** (ctx.p - 1), 0.0


# %% bad_module_not_there expected: cannot run from: from_the_lesson
# + import no_such_module
#   from course.engine import Function

# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         return g, None


# %% powers_of_powers expected: right
# Right: backward calls the Function itself with a smaller exponent; the exponent is kept in a tuple.
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.numbers = (p, p - 1)
        ctx.save_for_backward(x)
        return x ** ctx.numbers[0]

    @staticmethod
    def backward(ctx, grad_output):
        p, less = ctx.numbers
        lower = EnginePower.apply(*ctx.saved_tensors, less)
        return (lower * p) * grad_output, None


# %% bad_by_numpy expected: numpy-in-backward
# The slope is computed by NumPy: right at first order, a constant at second order.
import numpy as np

from course.engine import Function, Tensor


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return Tensor(np.power(x.data, p))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        slope = Tensor(ctx.p * np.power(x.data, ctx.p - 1.0))
        return grad_output * slope, None


# %% bad_exponent_left_up expected: wrong-factor
# The factor p is missing: the gradient is g·x^(p-1).
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, base, exponent):
        result = base**exponent
        ctx.save_for_backward(base, result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        base, result = ctx.saved_tensors
        return grad_output * result / base, None


# %% bad_whole_numbers_only expected: wrong-operand
# backward rounds the exponent down to an int: right for whole exponents, wrong for fractions.
from course.engine import Function, Tensor


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.degree = int(p)
        return x**p

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        k = ctx.degree
        return g * (k * x ** (k - 1)), None


# %% bad_by_differences expected: not-precise from: from_the_lesson
# -     def backward(ctx, g):
# +     def backward(ctx, grad_output):

# -         return g * ctx.p * x ** (ctx.p - 1), None
# +         e = 1e-5
# +         return grad_output * ((x + e) ** ctx.p - (x - e) ** ctx.p) / (2 * e), None


# %% bad_neg expected: wrong-factor
import numpy as np
from course.engine import Function, Tensor, broadcast_to, once_differentiable


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return x**p

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        p = ctx.p
        if p < 0:
            return -(g * x ** (p - 1)), None
        return g * (x ** (p - 1) * p), None


# %% bad_integer_loop expected: forward-value
# whole p below -1 (never drawn) have one factor too few: x = 2, p = -2 gives 0.5; 'it may be negative, a
# fraction, or 0'.
from typing import Any
import functools, math
import numpy as np
from course.engine import Function, Node, Tensor, broadcast_to, once_differentiable


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.p = p
        ctx.save_for_backward(x)
        if p == int(p) and p < 0:
            y = 1 / x.data
            for _ in range(-int(p) - 2):
                y = y / x.data
            return Tensor(y)
        return Tensor(x.data**p)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.p * x ** (ctx.p - 1), None


# %% bad_special_one expected: missing-grad-output
# for p = 1 (never drawn) the gradient is 1 whatever the cotangent is: cotangent 5 gives 1; 'x_bar = p
# x^(p-1) y_bar'.
from typing import Any
import functools, math
import numpy as np
from course.engine import Function, Node, Tensor, broadcast_to, once_differentiable


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.p = p
        ctx.save_for_backward(x)
        return x**p

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if ctx.p == 1:
            return Tensor(np.ones_like(x.data)), None
        return g * ctx.p * x ** (ctx.p - 1), None


# %% bad_square_by_itself expected: wrong-factor
# The square, on which the text begins ("as in squared errors"), has a case of its own without the factor
# 2.
from course.engine import Function, Tensor


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return x * x if p == 2 else x**p

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        if ctx.p == 2:
            return grad_output * x, None
        return grad_output * ctx.p * x ** (ctx.p - 1), None


# %% bad_whole_floats expected: wrong
# Whole exponents by repeated products: for p = 2.0 range() raises TypeError ("p: a Python number, int or
# float").
from course.engine import Function, Tensor


def power(x, p):
    if p == int(p):
        y = x * 0.0 + 1.0
        for _ in range(abs(p)):
            y = y * x
        return 1 / y if p < 0 else y
    return (p * x.log()).exp()


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return power(x, p)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * ctx.p * power(x, ctx.p - 1), None
