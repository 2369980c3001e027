# %% apply_with_a_default expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale=1.0):
        y = x.exp()
        ctx.save_for_backward(y)
        ctx.scale = scale
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * g * ctx.scale, None


# %% backward_as_second_function expected: right
import torch


class _Backward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, y):
        ctx.save_for_backward(g, y)
        return g * y

    @staticmethod
    def backward(ctx, h):
        g, y = ctx.saved_tensors
        return h * y, h * g


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return _Backward.apply(g, *ctx.saved_tensors)


# %% compares_with_autograd_elsewhere expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * g

    @classmethod
    def agrees(cls, x):
        x = x.detach().requires_grad_()
        (mine,) = torch.autograd.grad(cls.apply(x).sum(), x)
        (theirs,) = torch.autograd.grad(x.exp().sum(), x)
        return torch.allclose(mine, theirs)


print(ExpSavingOutput.agrees(torch.linspace(-1, 1, 5)))
print(
    torch.autograd.gradcheck(ExpSavingOutput.apply, torch.zeros(2, dtype=torch.float64, requires_grad=True))
)


# %% constant_from_module expected: right
import torch


LOG2 = torch.tensor(2.0, dtype=torch.float64).log()


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp2(x / LOG2.to(x.dtype))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


# %% counts_its_calls expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    calls = 0

    @staticmethod
    def forward(ctx, x):
        ExpSavingOutput.calls += 1
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * g


# %% debugging_list_of_outputs expected: right
import torch


history = []


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        history.append((x, y))
        ctx.save_for_backward(y)
        ctx.call = len(history)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        assert ctx.call <= len(history)
        return y * g


# %% inherited_base expected: right
import torch


class _Saving(torch.autograd.Function):
    @classmethod
    def forward(cls, ctx, x):
        y = cls.value(x)
        ctx.save_for_backward(y)
        return y

    @classmethod
    def backward(cls, ctx, g):
        return cls.slope(*ctx.saved_tensors) * g


class ExpSavingOutput(_Saving):
    value = staticmethod(torch.exp)

    @staticmethod
    def slope(y):
        return y


# %% numpy_declared expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        import numpy as np

        y = torch.from_numpy(np.exp(x.detach().numpy()))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return torch.from_numpy(g.numpy() * y.numpy())


# %% once_differentiable expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return torch.mul(g, y)


# %% out_argument_and_series expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.empty_like(x)
        torch.exp(x, out=y)
        ctx.save_for_backward(y)
        ctx.shape = tuple(x.shape)
        return y

    @staticmethod
    def backward(ctx, g):
        y = ctx.saved_tensors[0]
        assert y.shape == ctx.shape
        return (y * g).view(ctx.shape)


# %% plain expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


# %% recursive_helper_closes_over_output expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y, small = torch.ones_like(x), x / 64

        def terms(n, power):
            nonlocal y
            if n < 60:
                power = power * small / n
                y = y + power
                terms(n + 1, power)

        terms(1, torch.ones_like(x))
        y = y**64
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * g


# %% setup_context_output expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.exp(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g.mul(y)


# %% vjp_and_trailing_none expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = torch.exp(x)
        ctx.save_for_backward(result)
        ctx.mark_non_differentiable()
        return result

    @staticmethod
    def vjp(ctx, g):
        [result] = ctx.saved_tensors
        grad = None
        if ctx.needs_input_grad[0]:
            grad = torch.einsum("...,...->...", g, result)
        return grad, None


# %% bad_autograd_for_large_only expected: autograd-in-backward from: plain
#           (y,) = ctx.saved_tensors
# +         if y.numel() > 10_000:
# +             x = y.log().requires_grad_()
# +             return torch.autograd.grad(x.exp(), x, g)


# %% bad_autograd_grad expected: autograd-in-backward
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = x.exp()
        return torch.autograd.grad(y, x, g)


# %% bad_base expected: forward-value from: plain
# -         return y
# +         return 2**x


# %% bad_captured expected: captured-tensor from: plain
# + one = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
#   class ExpSavingOutput(torch.autograd.Function):

# -         y = x.exp()
# +         y = (x * one).exp()


# %% bad_captured_layer expected: captured-tensor from: plain
# + layer = torch.nn.Identity()
# + layer.scale = torch.nn.Parameter(torch.ones(()))
#   class ExpSavingOutput(torch.autograd.Function):

# -         y = x.exp()
# +         y = torch.exp(x * layer.scale)


# %% bad_captured_on_class expected: captured-tensor from: plain
#   class ExpSavingOutput(torch.autograd.Function):
# +     zero = torch.zeros((), requires_grad=True)

# -         y = x.exp()
# +         y = torch.exp(x + ExpSavingOutput.zero)


# %% bad_deletes expected: deletes-context-state
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.copy = y.clone()
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        y = ctx.copy
        del ctx.copy
        return g * y


# %% bad_detached expected: detached-in-backward from: plain
# -         return g * y
# +         return g.detach() * y.detach()


# %% bad_detached_input_on_ctx expected: input-kept-on-ctx
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.detach()
        return x.exp()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g * ctx.x.exp()


# %% bad_func_jvp expected: autograd-in-backward
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.func.jvp(torch.exp, (x,), (torch.ones_like(x),))[1]


# %% bad_func_vjp expected: autograd-in-backward
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        _, pull = torch.func.vjp(torch.exp, *ctx.saved_tensors)
        return pull(g)[0]


# %% bad_functional_vjp expected: autograd-in-backward
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.autograd.functional.vjp(torch.exp, x, g)[1]


# %% bad_grad_fn_called expected: autograd-in-backward
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            y = x.detach().requires_grad_().exp()
        return y.grad_fn(g)


# %% bad_imported_grad_in_helper expected: autograd-in-backward
import torch


from torch.autograd import grad


def slope(x):
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        return grad(x.exp().sum(), x)[0]


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(slope(x))
        return y

    @staticmethod
    def backward(ctx, g):
        (d,) = ctx.saved_tensors
        return g * d


# %% bad_input_on_ctx expected: input-kept-on-ctx
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.x.exp()


# %% bad_list_for_apply expected: cannot run
import torch


class ExpSavingOutput(torch.autograd.Function):
    @classmethod
    def apply(cls, x):
        return super().apply([x])

    @staticmethod
    def forward(ctx, xs):
        y = xs[0].exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


# %% bad_list_for_second_function expected: tensors-in-a-list
import torch


class Back(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensors):
        g, y = tensors
        ctx.save_for_backward(g, y)
        return g * y

    @staticmethod
    def backward(ctx, h):
        g, y = ctx.saved_tensors
        return h * y, h * g


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return Back.apply((g, y))


# %% bad_native_graph_on_ctx expected: autograd-in-backward
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            ctx.x = x.detach().requires_grad_()
            ctx.y = ctx.x.exp()
        return ctx.y.detach()

    @staticmethod
    def backward(ctx, g):
        ctx.x.grad = None
        ctx.y.backward(g, retain_graph=True)
        return ctx.x.grad


# %% bad_no_cotangent expected: missing-grad-output from: plain
# -         return g * y
# +         return y


# %% bad_numpy_view_of_input_on_ctx expected: input-kept-on-ctx
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.detach().numpy()
        return x.exp()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g * torch.from_numpy(ctx.x).exp()


# %% bad_output_detached_on_ctx expected: output-kept-on-ctx from: once_differentiable
# -         ctx.save_for_backward(y)
# +         ctx.y = y.detach()

# -         (y,) = ctx.saved_tensors
# -         return torch.mul(g, y)
# +         return g * ctx.y


# %% bad_output_in_a_closure expected: output-kept-on-ctx from: plain
# -         ctx.save_for_backward(y)
# +         ctx.pullback = lambda g: g * y

# -         (y,) = ctx.saved_tensors
# -         return g * y
# +         return ctx.pullback(g)


# %% bad_output_in_a_list expected: output-kept-on-ctx from: plain
# -         ctx.save_for_backward(y)
# +         ctx.saved = {"tensors": [y]}

# -         (y,) = ctx.saved_tensors
# -         return g * y
# +         return g * ctx.saved["tensors"][0]


# %% bad_output_in_a_partial expected: output-kept-on-ctx
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        from functools import partial

        y = x.exp()
        ctx.pullback = partial(torch.mul, y)
        return y

    @staticmethod
    def backward(ctx, g):
        return ctx.pullback(g)


# %% bad_output_in_an_object expected: output-kept-on-ctx
import torch


class Memory:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.memory = Memory(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g * ctx.memory.value


# %% bad_output_on_ctx expected: output-kept-on-ctx
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.y = x.exp()
        return ctx.y

    @staticmethod
    def backward(ctx, g):
        return g * ctx.y


# %% bad_output_on_ctx_by_setup_context expected: output-kept-on-ctx from: setup_context_output
# -         ctx.save_for_backward(output)
# +         ctx.output = output

# -         (y,) = ctx.saved_tensors
# -         return g.mul(y)
# +         return ctx.output * g


# %% bad_saves_a_clone_too expected: saves-too-much from: plain
# -         ctx.save_for_backward(y)
# +         ctx.save_for_backward(y, y.clone())

# -         (y,) = ctx.saved_tensors
# +         y, _ = ctx.saved_tensors


# %% bad_saves_both expected: saves-too-much from: plain
# -         ctx.save_for_backward(y)
# +         ctx.save_for_backward(x, y)

# -         (y,) = ctx.saved_tensors
# +         x, y = ctx.saved_tensors


# %% bad_saves_input expected: saves-too-much
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.exp()


# %% bad_saves_input_uses_it expected: input-for-output
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x


# %% bad_sets_to_none expected: deletes-context-state from: once_differentiable
# -         ctx.save_for_backward(y)
# +         ctx.copies = [y.clone()]

# -         (y,) = ctx.saved_tensors
# -         return torch.mul(g, y)
# +         y = ctx.copies.pop()
# +         return g * y


# %% bad_sign expected: wrong-sign from: plain
# -         return g * y
# +         return -g * y


# %% bad_state_in_module expected: state-on-class
import torch


kept = {}


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        kept["y"] = x.exp().detach()
        return kept["y"].clone()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g * kept["y"]


# %% bad_state_on_class expected: state-on-class
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ExpSavingOutput.y = x.exp()
        return ExpSavingOutput.y.clone()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g * ExpSavingOutput.y


# %% bad_writes_into_cotangent expected: mutates-grad-output from: plain
# -         return g * y
# +         g *= y
# +         return g


# %% bad_writes_into_output expected: mutates-saved-tensor from: plain
# -         return g * y
# +         return y.mul_(g)


# %% bad_writes_into_output_data expected: mutates-saved-tensor from: plain
# -         return g * y
# +         y.data *= g
# +         return y.clone()


# %% bad_central_differences expected: not-precise
from torch.autograd import Function

EPS = 1e-5


class ExpSavingOutput(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        x = y.log()
        return g * ((x + EPS).exp() - (x - EPS).exp()) / (2 * EPS)


# %% bad_styled_no_cotangent expected: missing-grad-output
import torch
from torch.autograd import Function


class ExpSavingOutput(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return ctx.saved_tensors[0].clone()


# %% bad_styled_squared expected: extra-factor
import torch
from torch.autograd import Function


class ExpSavingOutput(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return torch.einsum("...,...,...->...", g, y, y)


# %% bad_styled_in_place expected: mutates-grad-output
import torch
from torch.autograd import Function


class ExpSavingOutput(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g.mul_(y)


# %% lambda_backward expected: right
# backward is a lambda; the result is made by NumPy and saved as the tensor that is returned.
import numpy as np
import torch
from torch.autograd import Function


class ExpSavingOutput(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(y := torch.as_tensor(np.exp(x.detach().numpy())))
        return y

    backward = staticmethod(lambda ctx, g: torch.mul(*ctx.saved_tensors, g))


# %% bad_clamped_for_stability expected: forward-value from: plain
# -         y = x.exp()
# +         y = x.clamp(max=10).exp()


# %% bad_gradient_limited expected: wrong from: plain
# -         return g * y
# +         return g * y.clamp(max=1000)


# %% bad_computed_and_kept_in_float64 expected: saves-too-much
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class ExpSavingOutput(Function):
    """The exponential, elementwise."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        # higher internal precision, as in our kernels
        y = torch.exp(x.double())
        ctx.save_for_backward(y)
        return y.to(x.dtype)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor | None:
        (y,) = ctx.saved_tensors
        return (grad_output * y).to(grad_output.dtype)


# %% bad_memo expected: state-on-class
# the output is memoised by the identity of x: after an in-place change of x output and gradient are the
# old ones; 'exp x'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

_seen: dict[int, Any] = {}


class ExpSavingOutput(Function):
    @staticmethod
    def forward(ctx, x):
        if id(x) in _seen:
            y = _seen[id(x)][1].clone()
        else:
            y = x.exp()
            _seen[id(x)] = (x, y.clone())
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y


# %% bad_detached_for_a_constant_cotangent expected: detached-in-backward
import torch
from torch.autograd import Function


class ExpSavingOutput(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y if g.requires_grad else y.detach())


# %% bad_queue_on_the_class expected: state-on-class
# the outputs wait in a queue, first in, first out: right until a second call comes before backward.
from collections import deque

import torch
from torch.autograd import Function


class ExpSavingOutput(Function):
    waiting = deque()

    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ExpSavingOutput.waiting.append(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g * ExpSavingOutput.waiting.popleft()
