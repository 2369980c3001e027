# %% numpy_and_the_saved_mean expected: right
import torch
from torch import Tensor


@torch.library.custom_op("right1::moments", mutates_args=())
def moments_op(x: Tensor) -> tuple[Tensor, Tensor]:
    rows = x.numpy()
    return x.new_tensor(rows.mean(-1)), x.new_tensor(rows.var(-1))


@moments_op.register_fake
def _(x):
    return x.new_empty(x.shape[:-1]), x.new_empty(x.shape[:-1])


def setup_context(ctx, inputs, output):
    (x,) = inputs
    mean, _ = output
    ctx.save_for_backward(x, mean)


def backward(ctx, grad_mean, grad_variance):
    x, mean = ctx.saved_tensors
    centred = x - mean.unsqueeze(-1)
    total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
    return total / x.shape[-1]


moments_op.register_autograd(backward, setup_context=setup_context)


# %% mean_again_in_backward expected: right
import numpy as np
import torch


@torch.library.custom_op("right2::moments", mutates_args=(), schema="(Tensor x) -> (Tensor, Tensor)")
def moments_op(x):
    array = x.numpy()
    n = array.shape[-1]
    mean = array.sum(axis=-1) / n
    deviation = array - np.expand_dims(mean, -1)
    variance = (deviation * deviation).sum(axis=-1) / n
    return torch.as_tensor(mean, dtype=x.dtype), torch.as_tensor(variance, dtype=x.dtype)


torch.library.register_fake("right2::moments")(
    lambda x: (torch.empty_like(x[..., 0]), torch.empty_like(x[..., 0]))
)


def setup_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def backward(ctx, m, v):
    (x,) = ctx.saved_tensors
    slope = 2 * (x - x.mean(-1, keepdim=True))
    return (m[..., None] + v[..., None] * slope).div(x.size(-1))


torch.library.register_autograd("right2::moments", backward, setup_context=setup_context)


# %% unused_outputs_are_none expected: right
import torch
from torch import Tensor


@torch.library.custom_op("right3::moments", mutates_args=())
def _moments(x: Tensor) -> tuple[Tensor, Tensor]:
    mean = x.mean(-1)
    return mean, (x * x).mean(-1) - mean * mean


@_moments.register_fake
def _(x):
    return x.new_empty(x.shape[:-1]), x.new_empty(x.shape[:-1])


def _setup(ctx, inputs, output):
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(inputs[0])
    ctx.n = inputs[0].shape[-1]


def _backward(ctx, grad_mean, grad_variance):
    (x,) = ctx.saved_tensors
    gradient = torch.zeros_like(x)
    if grad_mean is not None:
        gradient = gradient + grad_mean.unsqueeze(-1) / ctx.n
    if grad_variance is not None:
        centred = x - x.mean(-1, keepdim=True)
        gradient = gradient + 2 / ctx.n * grad_variance.unsqueeze(-1) * centred
    return gradient


_moments.register_autograd(_backward, setup_context=_setup)


def moments_op(x):
    """Return mean and variance of the last axis."""
    return _moments(x)


# %% bad_mean_left_out expected: outputs-left-out from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad1::moments", mutates_args=())

# -     total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
# +     total = 2 * grad_variance.unsqueeze(-1) * centred


# %% bad_variance_left_out expected: outputs-left-out from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad2::moments", mutates_args=())

# -     total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
# +     total = grad_mean.unsqueeze(-1).expand_as(x)


# %% bad_cotangents_exchanged expected: cotangents-exchanged from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad3::moments", mutates_args=())

# - def backward(ctx, grad_mean, grad_variance):
# + def backward(ctx, grad_variance, grad_mean):


# %% bad_none_for_an_unused_output expected: none-gradient-unhandled from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad4::moments", mutates_args=())

# -     ctx.save_for_backward(x, mean)
# +     ctx.set_materialize_grads(False)
# +     ctx.save_for_backward(x, mean)


# %% bad_mean_not_divided expected: missing-factor from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad5::moments", mutates_args=())

# -     total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
# -     return total / x.shape[-1]
# +     return grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred / x.shape[-1]


# %% bad_variance_not_divided expected: missing-factor from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad6::moments", mutates_args=())

# -     total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
# -     return total / x.shape[-1]
# +     return grad_mean.unsqueeze(-1) / x.shape[-1] + 2 * grad_variance.unsqueeze(-1) * centred


# %% bad_nothing_divided expected: wrong-factor from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad7::moments", mutates_args=())

# -     return total / x.shape[-1]
# +     return total


# %% bad_two_forgotten expected: missing-factor from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad8::moments", mutates_args=())

# -     total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
# +     total = grad_mean.unsqueeze(-1) + grad_variance.unsqueeze(-1) * centred


# %% bad_not_centred expected: wrong-operand from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad9::moments", mutates_args=())

# -     centred = x - mean.unsqueeze(-1)
# +     centred = x


# %% bad_saved_variance_as_mean expected: wrong-operand from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad10::moments", mutates_args=())

# -     mean, _ = output
# +     _, mean = output


# %% bad_sign_of_the_variance expected: wrong-sign-of-a-term from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad11::moments", mutates_args=())

# -     centred = x - mean.unsqueeze(-1)
# +     centred = mean.unsqueeze(-1) - x


# %% bad_sign expected: wrong-sign from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad12::moments", mutates_args=())

# -     return total / x.shape[-1]
# +     return -total / x.shape[-1]


# %% bad_sums_over_the_batch expected: cotangent-summed from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad13::moments", mutates_args=())

# -     total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
# +     total = grad_mean.sum() + 2 * grad_variance.sum() * centred


# %% bad_unbiased_backward expected: derivative-of-another-function from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad14::moments", mutates_args=())

# -     total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
# -     return total / x.shape[-1]
# +     n = x.shape[-1]
# +     return grad_mean.unsqueeze(-1) / n + 2 * grad_variance.unsqueeze(-1) * centred / (n - 1)


# %% bad_cotangents_ignored expected: missing-grad-output from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad15::moments", mutates_args=())

# -     total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
# +     total = 1 + 2 * centred


# %% bad_zero_gradient expected: missing-gradient from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad16::moments", mutates_args=())

# -     return total / x.shape[-1]
# +     return torch.zeros_like(x)


# %% bad_gradient_of_the_outputs_shape expected: wrong-shape from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad17::moments", mutates_args=())

# -     return total / x.shape[-1]
# +     return total.sum(-1) / x.shape[-1]


# %% bad_two_gradients expected: too-many-gradients from: numpy_and_the_saved_mean
# One for each output, where one for each argument is asked for.
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad18::moments", mutates_args=())

# -     return total / x.shape[-1]
# +     return total / x.shape[-1], total


# %% bad_one_cotangent expected: wrong from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad19::moments", mutates_args=())

# - def backward(ctx, grad_mean, grad_variance):
# + def backward(ctx, grad_mean):

# -     total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
# +     total = grad_mean.unsqueeze(-1) + 2 * centred


# %% bad_input_on_ctx expected: input-kept-on-ctx from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad20::moments", mutates_args=())

# -     ctx.save_for_backward(x, mean)
# +     ctx.x = x
# +     ctx.save_for_backward(mean)

# -     x, mean = ctx.saved_tensors
# +     x, (mean,) = ctx.x, ctx.saved_tensors


# %% bad_mean_on_ctx expected: output-kept-on-ctx from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad21::moments", mutates_args=())

# -     ctx.save_for_backward(x, mean)
# +     ctx.mean = mean
# +     ctx.save_for_backward(x)

# -     x, mean = ctx.saved_tensors
# +     (x,), mean = ctx.saved_tensors, ctx.mean


# %% bad_deviation_saved_without_history expected: graph-cut-in-backward from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad22::moments", mutates_args=())

# -     ctx.save_for_backward(x, mean)
# +     ctx.save_for_backward(x, x - mean.unsqueeze(-1))

# -     x, mean = ctx.saved_tensors
# -     centred = x - mean.unsqueeze(-1)
# +     x, centred = ctx.saved_tensors


# %% bad_detached expected: graph-cut-in-backward from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad23::moments", mutates_args=())

# -     centred = x - mean.unsqueeze(-1)
# +     centred = (x - mean.unsqueeze(-1)).detach()


# %% bad_mean_is_a_constant expected: wrong-second-derivative from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad40::moments", mutates_args=())

# -     centred = x - mean.unsqueeze(-1)
# +     centred = x - mean.detach().unsqueeze(-1)


# %% bad_numpy_in_backward expected: graph-cut-in-backward from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad24::moments", mutates_args=())

# -     centred = x - mean.unsqueeze(-1)
# +     centred = torch.from_numpy(x.detach().numpy() - mean.detach().numpy()[..., None])


# %% bad_single_precision expected: forward-value from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad25::moments", mutates_args=())

# -     rows = x.numpy()
# +     rows = x.float().numpy()


# %% bad_double_for_all expected: forward-value from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad26::moments", mutates_args=())

# -     rows = x.numpy()
# -     return x.new_tensor(rows.mean(-1)), x.new_tensor(rows.var(-1))
# +     rows = x.double().numpy()
# +     return torch.tensor(rows.mean(-1)), torch.tensor(rows.var(-1))


# %% bad_gradient_in_single_precision expected: wrong-dtype from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad27::moments", mutates_args=())

# -     return total / x.shape[-1]
# +     return (total / x.shape[-1]).float().double()


# %% bad_unbiased expected: forward-value from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad28::moments", mutates_args=())

# -     return x.new_tensor(rows.mean(-1)), x.new_tensor(rows.var(-1))
# +     return x.new_tensor(rows.mean(-1)), x.new_tensor(rows.var(-1, ddof=1))


# %% bad_outputs_exchanged expected: forward-value from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad29::moments", mutates_args=())

# -     return x.new_tensor(rows.mean(-1)), x.new_tensor(rows.var(-1))
# +     return x.new_tensor(rows.var(-1)), x.new_tensor(rows.mean(-1))


# %% bad_first_axis expected: forward-value from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad30::moments", mutates_args=())

# -     return x.new_tensor(rows.mean(-1)), x.new_tensor(rows.var(-1))
# +     return x.new_tensor(rows.mean(0)), x.new_tensor(rows.var(0))


# %% bad_writes_into_the_input expected: mutates-input from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad31::moments", mutates_args=())

# -     return x.new_tensor(rows.mean(-1)), x.new_tensor(rows.var(-1))
# +     mean = x.new_tensor(rows.mean(-1))
# +     rows -= rows.mean(-1, keepdims=True)
# +     return mean, x.new_tensor((rows**2).mean(-1))


# %% bad_variance_in_the_memory_of_the_input expected: returns-input-unchanged from: numpy_and_the_saved_mean
# The last column of x takes the variance and is returned.
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad32::moments", mutates_args=())

# -     return x.new_tensor(rows.mean(-1)), x.new_tensor(rows.var(-1))
# +     return x.new_tensor(rows.mean(-1)), x[..., 0]


# %% bad_writes_into_the_cotangent expected: mutates-input from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad33::moments", mutates_args=())

# -     total = grad_mean.unsqueeze(-1) + 2 * grad_variance.unsqueeze(-1) * centred
# +     total = grad_mean.unsqueeze(-1) + grad_variance.mul_(2).unsqueeze(-1) * centred


# %% bad_last_mean expected: state-on-class from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + LAST = {}
# + @torch.library.custom_op("bad34::moments", mutates_args=())

# -     ctx.save_for_backward(x, mean)
# +     ctx.save_for_backward(x)
# +     LAST["mean"] = mean

# -     x, mean = ctx.saved_tensors
# +     (x,), mean = ctx.saved_tensors, LAST["mean"]


# %% bad_centres_the_saved_tensor expected: mutates-saved-tensor from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad35::moments", mutates_args=())

# -     ctx.save_for_backward(x, mean)
# +     ctx.save_for_backward(x, mean)
# +     ctx.centred = x - mean.unsqueeze(-1)

# -     centred = x - mean.unsqueeze(-1)
# +     centred = ctx.centred.mul_(1.0)
# +     ctx.centred = 3 * centred


# %% bad_fake_of_x expected: wrong-shape from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad36::moments", mutates_args=())

# -     return x.new_empty(x.shape[:-1]), x.new_empty(x.shape[:-1])
# +     return x.new_empty(x.shape), x.new_empty(x.shape[:-1])


# %% bad_fake_of_the_default_dtype expected: wrong-dtype from: numpy_and_the_saved_mean
# - @torch.library.custom_op("right1::moments", mutates_args=())
# + @torch.library.custom_op("bad37::moments", mutates_args=())

# -     return x.new_empty(x.shape[:-1]), x.new_empty(x.shape[:-1])
# +     return x.new_empty(x.shape[:-1]), torch.empty(x.shape[:-1])


# %% bad_one_tensor expected: wrong
import torch
from torch import Tensor


@torch.library.custom_op("bad38::moments", mutates_args=())
def moments_op(x: Tensor) -> Tensor:
    return torch.stack([x.mean(-1), x.var(-1, correction=0)])


# %% bad_no_autograd expected: wrong
import torch
from torch import Tensor


@torch.library.custom_op("bad39::moments", mutates_args=())
def moments_op(x: Tensor) -> tuple[Tensor, Tensor]:
    return x.mean(-1), x.var(-1, correction=0)


# %% bad_plain_function expected: wrong
def moments_op(x):
    return x.mean(-1), x.var(-1, correction=0)


# %% bad_stub expected: wrong
def moments_op(x):
    raise NotImplementedError


# %% bad_none expected: cannot run
moments_op = None
