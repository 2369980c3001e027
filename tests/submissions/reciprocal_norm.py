# %% backward_as_second_function expected: right
import torch
from torch.autograd import Function


class _Back(Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        n = x.norm(dim=-1, keepdim=True)
        return -g[..., None] * x / n**3

    @staticmethod
    def backward(ctx, a):
        g, x = ctx.saved_tensors
        n = x.norm(dim=-1, keepdim=True)
        along = (a * x).sum(-1, keepdim=True)
        for_g = -(along / n**3).squeeze(-1)
        for_x = g[..., None] * (3 * along * x / n**5 - a / n**3)
        return for_g, for_x


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.norm(dim=-1).reciprocal()

    @staticmethod
    def backward(ctx, g):
        return _Back.apply(g, *ctx.saved_tensors)


# %% built_of_three_functions expected: right
import torch
from torch.autograd import Function


class SquaredLength(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.square().sum(-1)

    @staticmethod
    def backward(ctx, g):
        return 2 * g.unsqueeze(-1) * ctx.saved_tensors[0]


class InverseRoot(Function):
    @staticmethod
    def forward(ctx, s):
        r = s.rsqrt()
        ctx.save_for_backward(s, r)
        return r

    @staticmethod
    def backward(ctx, g):
        s, r = ctx.saved_tensors
        return -0.5 * g * r / s


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return InverseRoot.apply(SquaredLength.apply(x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        r = InverseRoot.apply(SquaredLength.apply(x))
        return -(g * r**3).unsqueeze(-1) * x


# %% from_input_and_output expected: right
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        r = torch.rsqrt((x * x).sum(-1))
        ctx.save_for_backward(x, r)
        return r

    @staticmethod
    def backward(ctx, g):
        x, r = ctx.saved_tensors
        return -(g * r**3)[..., None] * x


# %% from_the_saved_input expected: right
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 1 / x.norm(dim=-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm(dim=-1, keepdim=True)
        return -g.unsqueeze(-1) * x / n**3


# %% loop_over_rows expected: right
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.linalg.vector_norm(x, dim=-1).pow(-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        rows, weights = x.reshape(-1, x.shape[-1]), g.reshape(-1)
        parts = [-w * row / (row @ row) ** 1.5 for row, w in zip(rows, weights)]
        return torch.stack(parts).reshape(x.shape)


# %% norm_as_further_thing_recomputed_by_einsum expected: right
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.einsum("...i,...i->...", x, x) ** -0.5

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        cubed = torch.einsum("...i,...i->...", x, x) ** -1.5
        return -torch.einsum("...,...,...i->...i", g, cubed, x)


# %% bad_axis_kept expected: forward-value from: from_the_saved_input
# -         return 1 / x.norm(dim=-1)
# +         return 1 / x.norm(dim=-1, keepdim=True)

# -         n = x.norm(dim=-1, keepdim=True)
# -         return -g.unsqueeze(-1) * x / n**3
# +         return -g * x / x.norm(dim=-1, keepdim=True) ** 3


# %% bad_declared_once expected: wrongly-once-differentiable
import torch
from torch.autograd.function import once_differentiable


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 1 / x.norm(dim=-1)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -g.unsqueeze(-1) * x / x.norm(dim=-1, keepdim=True) ** 3


# %% bad_detached_input_saved expected: intermediate-kept-on-ctx from: from_the_saved_input
# -         ctx.save_for_backward(x)
# +         ctx.save_for_backward(x.detach())

# -         n = x.norm(dim=-1, keepdim=True)
# -         return -g.unsqueeze(-1) * x / n**3
# +         return -g.unsqueeze(-1) * x / x.norm(dim=-1, keepdim=True) ** 3


# %% bad_helper_detaches expected: detached-in-backward
import torch


def inverse_cube(x):
    n = torch.detach(x).norm(dim=-1, keepdim=True)
    return 1 / n**3


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 1 / x.norm(dim=-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -g.unsqueeze(-1) * x * inverse_cube(x)


# %% bad_no_grad_decorator expected: detached-in-backward from: from_the_saved_input
# +     @torch.no_grad()
#       def backward(ctx, g):

# -         n = x.norm(dim=-1, keepdim=True)
# -         return -g.unsqueeze(-1) * x / n**3
# +         return -g.unsqueeze(-1) * x / x.norm(dim=-1, keepdim=True) ** 3


# %% bad_norm_of_all expected: forward-value from: from_the_saved_input
# -         return 1 / x.norm(dim=-1)
# +         return 1 / x.norm()

# -         n = x.norm(dim=-1, keepdim=True)
# -         return -g.unsqueeze(-1) * x / n**3
# +         return -g * x / x.norm() ** 3


# %% bad_norm_on_ctx expected: intermediate-kept-on-ctx from: from_the_saved_input
# -         return 1 / x.norm(dim=-1)
# +         ctx.n = x.norm(dim=-1, keepdim=True)
# +         return 1 / ctx.n.squeeze(-1)

# -         n = x.norm(dim=-1, keepdim=True)
# -         return -g.unsqueeze(-1) * x / n**3
# +         return -g[..., None] * x / ctx.n**3


# %% bad_norm_saved expected: intermediate-kept-on-ctx
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        n = x.norm(dim=-1)
        ctx.save_for_backward(x, n)
        return 1 / n

    @staticmethod
    def backward(ctx, g):
        x, n = ctx.saved_tensors
        return -(g / n**3).unsqueeze(-1) * x


# %% bad_numpy expected: numpy-in-backward from: from_the_saved_input
#   import torch
# + import numpy as np

# -         n = x.norm(dim=-1, keepdim=True)
# -         return -g.unsqueeze(-1) * x / n**3
# +         n = np.linalg.norm(x.detach().cpu().numpy(), axis=-1, keepdims=True)
# +         return -g.unsqueeze(-1) * x / torch.from_numpy(n**3)


# %% bad_numpy_in_a_helper expected: numpy-in-backward
import numpy as np
import torch


def cubes(t):
    return np.linalg.norm(np.asarray(t.detach()), axis=-1, keepdims=True) ** 3


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.norm(dim=-1).pow(-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -(g[..., None] * x) / torch.as_tensor(cubes(x))


# %% bad_output_detached expected: detached-in-backward from: from_input_and_output
# -         r = torch.rsqrt((x * x).sum(-1))
# +         r = 1 / x.norm(dim=-1)

# -         return -(g * r**3)[..., None] * x
# +         return -(g * r.detach() ** 3)[..., None] * x


# %% bad_power expected: missing-factor from: from_the_saved_input
# -         n = x.norm(dim=-1, keepdim=True)
# -         return -g.unsqueeze(-1) * x / n**3
# +         return -g.unsqueeze(-1) * x / x.norm(dim=-1, keepdim=True) ** 2


# %% bad_python_numbers expected: graph-cut-in-backward from: from_the_saved_input
# -         n = x.norm(dim=-1, keepdim=True)
# -         return -g.unsqueeze(-1) * x / n**3
# +         rows = x.reshape(-1, x.shape[-1])
# +         cubes = [row.norm().item() ** 3 for row in rows]
# +         parts = [-w * row / c for row, w, c in zip(rows, g.reshape(-1), cubes)]
# +         return torch.stack(parts).reshape(x.shape)


# %% bad_second_function_wrong expected: wrong-second-derivative from: backward_as_second_function
# -         along = (a * x).sum(-1, keepdim=True)
# -         for_g = -(along / n**3).squeeze(-1)
# -         for_x = g[..., None] * (3 * along * x / n**5 - a / n**3)
# -         return for_g, for_x
# +         return -(a * x / n**3).sum(-1), -g[..., None] * a / n**3


# %% bad_sign expected: wrong-sign from: from_the_saved_input
# -         n = x.norm(dim=-1, keepdim=True)
# -         return -g.unsqueeze(-1) * x / n**3
# +         return g.unsqueeze(-1) * x / x.norm(dim=-1, keepdim=True) ** 3


# %% bad_stores_with_numpy expected: intermediate-kept-on-ctx
import numpy as np
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.cubed = torch.as_tensor(np.linalg.norm(x.detach().numpy(), axis=-1) ** 3)
        return 1 / x.norm(dim=-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -(g / ctx.cubed)[..., None] * x


# %% bad_unit_vector_kept_in_a_dict expected: intermediate-kept-on-ctx
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        n = x.norm(dim=-1)
        ctx.cache = {"unit": x / n[..., None]}
        ctx.save_for_backward(1 / n)
        return 1 / n

    @staticmethod
    def backward(ctx, g):
        (r,) = ctx.saved_tensors
        return -(g * r * r)[..., None] * ctx.cache["unit"]


# %% bad_own_tensor_changed_in_place expected: second-backward-raises from: from_the_saved_input
# -         n = x.norm(dim=-1, keepdim=True)
# -         return -g.unsqueeze(-1) * x / n**3
# +         cubed = x.norm(dim=-1, keepdim=True)
# +         cubed **= 3
# +         return -g[..., None] * x / cubed


# %% bad_styled_sign expected: wrong-sign
import torch
from torch.autograd import Function


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.norm(dim=-1).reciprocal()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return torch.einsum("...,...i->...i", g * y**3, x)


# %% bad_styled_squared expected: missing-factor
import torch
from torch.autograd import Function


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.norm(dim=-1).reciprocal()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return -torch.einsum("...,...i->...i", g * y**2, x)


# %% bad_styled_twice expected: wrong-factor
from torch.autograd import Function


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.norm(dim=-1).reciprocal()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return -2 * (g * y**3).unsqueeze(-1) * x


# %% axis_moved_to_the_front expected: right
# forward by NumPy; backward moves the last axis to the front, where broadcasting needs no new axis.
import numpy as np
import torch
from torch.autograd import Function


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        length = np.sqrt(np.square(x.detach().numpy()).sum(axis=-1))
        y = torch.as_tensor(np.asarray(1 / length, dtype=length.dtype))
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        front = torch.movedim(x, -1, 0)
        parts = [-(part * y) * (y * y) * grad_output for part in front]
        return torch.stack(parts, dim=-1)


# %% bad_small_constant expected: not-precise
# A constant of 1e-6 is added to the denominator in backward only.
import torch
from torch.autograd import Function


class ReciprocalNorm(Function):
    @staticmethod
    def forward(x):
        return 1 / torch.linalg.vector_norm(x, dim=-1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        r = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        return -g[..., None] * x / (r**3 + 1e-6)


# %% bad_second_axis_fixed expected: expanded-wrong-axis
# [:, None] inserts the missing axis at position 1: right for matrices, wrong for vectors and for three axes.
import torch
from torch.autograd import Function


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.pow(2).sum(-1).rsqrt()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        weight = -grad_output * y**3
        return weight[:, None] * x


# %% bad_rows_by_view expected: assumes-contiguous
# view raises an error where x or the cotangent has several leading axes and is not contiguous (a permuted 3-D x).
import torch
from torch.autograd import Function


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.square().sum(dim=-1).rsqrt()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        rows = x.view(-1, x.shape[-1])
        factor = grad_output.view(-1, 1) * y.view(-1, 1) ** 3
        return -(factor * rows).view(x.shape)


# %% bad_unsqueeze_one expected: expanded-wrong-axis
import torch
from torch import Tensor


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x.square().sum(dim=-1).rsqrt()

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        (x,) = inputs
        ctx.save_for_backward(x, output)

    @staticmethod
    def backward(ctx, g: Tensor) -> Tensor:
        x, y = ctx.saved_tensors
        weight = (g * y.pow(3)).unsqueeze(1)
        return -weight * x


# %% bad_axis_one expected: wrong-axis
import torch
from torch.autograd import Function


class ReciprocalNorm(Function):
    @staticmethod
    def forward(x):
        return 1.0 / torch.sqrt(torch.sum(x**2, dim=1))

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x, output)

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        coefficient = grad_output * y * y * y
        return -(coefficient.unsqueeze(1) * x)


# %% bad_factor_with_its_axis_in_front expected: expanded-wrong-axis
import torch
from torch.autograd import Function


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / x.square().sum(-1).sqrt()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        scale = grad_output * y**3
        return -scale.unsqueeze(0) * x


# %% bad_new_axis_second expected: expanded-wrong-axis
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class ReciprocalNorm(Function):
    """One over the Euclidean norm, over the last axis."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = 1 / torch.sqrt((x * x).sum(axis=-1))
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        x, y = ctx.saved_tensors
        return -(grad_output * y**3)[:, None] * x


# %% bad_helper_state_on_class expected: state-on-class
# the second Function keeps its tensors on its class: two first derivatives before a second one mix.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class Helper(Function):
    @staticmethod
    def forward(ctx, g, x):
        Helper.g, Helper.x = g.detach(), x.detach()
        return -g[..., None] * x / x.norm(dim=-1, keepdim=True) ** 3

    @staticmethod
    def backward(ctx, c):
        g, x = Helper.g[..., None], Helper.x
        n = x.norm(dim=-1, keepdim=True)
        inner = (c * x).sum(-1, keepdim=True)
        return (-inner / n**3)[..., 0], -g * c / n**3 + 3 * g * inner * x / n**5


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 1 / x.norm(dim=-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return Helper.apply(g, x)


# %% bad_second_in_float64 expected: wrong-dtype
# the Hessian of the second Function is made with a float64 identity: the second derivative raises for
# float32.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class Helper(Function):
    @staticmethod
    def forward(ctx, g, x, y):
        ctx.save_for_backward(g, x, y)
        return -(g * y**3)[..., None] * x

    @staticmethod
    def backward(ctx, c):
        g, x, y = ctx.saved_tensors
        eye = torch.eye(x.shape[-1], dtype=torch.float64)
        hessian = 3 * (y**5)[..., None, None] * x[..., None] * x[..., None, :] - (y**3)[..., None, None] * eye
        return -(y**3) * (c * x).sum(-1), g[..., None] * (hessian @ c[..., None])[..., 0], None


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / x.norm(dim=-1)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        return Helper.apply(g, *ctx.saved_tensors)


# %% bad_three_axes expected: wrong
# one einsum for each of 1, 2 and 3 axes: four axes raise ("x: shape (..., n)").
import torch
from torch.autograd import Function


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / x.square().sum(-1).sqrt()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        c = -g * y**3
        spec = {1: ",k->k", 2: "i,ik->ik", 3: "ij,ijk->ijk"}[x.dim()]
        return torch.einsum(spec, c, x)
