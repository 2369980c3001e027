# %% composed_of_two_pullbacks expected: right
import torch


def log_softmax_pullback(log_p, g):
    return g - log_p.exp() * g.sum(1, keepdim=True)


def nll_pullback(shape, target, g):
    out = torch.zeros(shape, dtype=g.dtype)
    rows = torch.arange(shape[0])
    return out.index_put((rows, target), -g / shape[0] * torch.ones(shape[0], dtype=g.dtype))


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return torch.nn.functional.cross_entropy(logits, target)

    @staticmethod
    def vjp(ctx, g):
        logits, target = ctx.saved_tensors
        log_p = logits - torch.logsumexp(logits, 1, keepdim=True)
        return log_softmax_pullback(log_p, nll_pullback(logits.shape, target, g)), None, None


# %% gather_and_scatter expected: right
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(logits, target):
        lse = torch.logsumexp(logits, 1)
        return (lse - logits.gather(1, target[:, None]).squeeze(1)).mean()

    @staticmethod
    def setup_context(ctx, inputs, output):
        logits, target = inputs
        ctx.save_for_backward(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = (logits - logits.logsumexp(1, keepdim=True)).exp()
        ones = torch.ones_like(p)
        grad = p.scatter_add(1, target.unsqueeze(1), -ones)
        return grad.mul(g / len(target)), None


# %% minus_log_of_picked_probability expected: right
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        n, c = logits.shape
        mask = torch.zeros(n, c, dtype=torch.bool)
        for row, label in enumerate(target.tolist()):
            mask[row, label] = True
        ctx.mask = mask
        ctx.save_for_backward(logits)
        return -torch.log(torch.softmax(logits, -1)[mask]).mean()

    @staticmethod
    def backward(ctx, g):
        (logits,) = ctx.saved_tensors
        p = torch.softmax(logits, -1)
        n = p.shape[0]
        return torch.where(ctx.mask, p - 1, p) * (g / n), None


# %% numpy_and_a_guard expected: right
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        x, t = logits.detach().numpy(), target.numpy()
        shifted = x - x.max(1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
        ctx.save_for_backward(logits, target)
        return torch.as_tensor(-log_p[np.arange(len(t)), t].mean(), dtype=logits.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        if not ctx.needs_input_grad[0]:
            return None, None
        logits, target = ctx.saved_tensors
        x, t = logits.numpy(), target.numpy()
        e = np.exp(x - x.max(1, keepdims=True))
        p = e / e.sum(1, keepdims=True)
        y = np.eye(x.shape[1], dtype=x.dtype)[t]
        return torch.from_numpy((p - y) / len(t)) * g, None


# %% p_minus_y expected: right
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        log_p = F.log_softmax(logits, dim=1)
        ctx.save_for_backward(logits, target)
        return F.nll_loss(log_p, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, dim=1)
        y = F.one_hot(target, logits.shape[1]).to(p.dtype)
        return g * (p - y) / logits.shape[0], None


# %% probabilities_changed_in_a_loop expected: right
import torch
from torch.autograd.function import once_differentiable


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        n = logits.shape[0]
        p = torch.exp(logits - logits.max(dim=1, keepdim=True).values)
        p = p / p.sum(dim=1, keepdim=True)
        loss = -p[torch.arange(n), target].log().sum() / n
        ctx.save_for_backward(p, target)
        return loss

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        p, target = ctx.saved_tensors
        n = p.shape[0]
        grad = p.clone()
        for i in range(n):
            grad[i, target[i]] -= 1.0
        return grad * g / n, None


# %% vectorised_with_eye_lookup expected: right
import torch
from torch.nn.functional import log_softmax


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(logits, target):
        picked = torch.take_along_dim(log_softmax(logits, 1), target.view(-1, 1), 1)
        return picked.mean().neg()

    @staticmethod
    def setup_context(ctx, inputs, output):
        logits, target = inputs
        ctx.save_for_backward(log_softmax(logits.detach(), 1), torch.eye(logits.shape[1])[target])

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        logp, onehot = ctx.saved_tensors
        return g * (logp.exp() - onehot.to(logp)).div_(onehot.shape[0]), None


# %% bad_cotangent_kept_out_of_one_term expected: term-without-cotangent
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, 1)
        return (g * p - F.one_hot(target, p.shape[1])) / len(target), None


# %% bad_float_mean_of_rows expected: wrong-factor
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return torch.nn.functional.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        n, c = logits.shape
        p = logits.softmax(1)
        p = p - torch.nn.functional.one_hot(target, c)
        return 2 * g * p / n, None


# %% bad_guard_of_the_target expected: wrong-needs-input-grad-index
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        grad = None
        if ctx.needs_input_grad[1]:
            p = torch.softmax(logits, 1)
            grad = g * (p - F.one_hot(target, p.shape[1])) / len(target)
        return grad, None


# %% bad_logits_for_probabilities expected: wrong-operand
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        return g * (logits - F.one_hot(target, logits.shape[1])) / len(target), None


# %% bad_mean_of_the_difference expected: gradient-summed
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, 1)
        difference = p - F.one_hot(target, p.shape[1])
        return (g * difference.mean(0)).expand(logits.shape), None


# %% bad_mean_over_classes expected: wrong-factor
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, 1)
        return g * (p - F.one_hot(target, p.shape[1])) / logits.shape[1], None


# %% bad_no_cotangent expected: missing-grad-output
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, 1)
        return (p - F.one_hot(target, p.shape[1])) / len(target), None


# %% bad_no_mean expected: wrong-factor
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, 1)
        return g * (p - F.one_hot(target, p.shape[1])), None


# %% bad_none_for_logits expected: missing-gradient
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return (logits.logsumexp(1) - logits[torch.arange(len(target)), target]).mean()

    @staticmethod
    def backward(ctx, g):
        return None, None


# %% bad_off_by_the_wrong_rows expected: crossed-indices
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return torch.nn.functional.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = logits.softmax(1).clone()
        p[:, target] -= 1
        return g * p / len(target), None


# %% bad_one_gradient expected: too-few-gradients
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, 1)
        return g * (p - F.one_hot(target, p.shape[1])) / len(target)


# %% bad_only_the_picked_logit expected: missing-normaliser-term
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return (logits.logsumexp(1) - logits[torch.arange(len(target)), target]).mean()

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        grad = torch.zeros_like(logits)
        grad[torch.arange(len(target)), target] = -g / len(target)
        return grad, None


# %% bad_sum_in_forward expected: forward-value
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target, reduction="sum")

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, 1)
        return g * (p - F.one_hot(target, p.shape[1])), None


# %% bad_targets_swapped_for_argmax expected: wrong-operand
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = logits.softmax(1)
        return g * (p - F.one_hot(logits.argmax(1), p.shape[1])) / len(target), None


# %% bad_writes_into_saved_probabilities expected: mutates-saved-tensor
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        p = torch.softmax(logits, 1)
        ctx.save_for_backward(p, target)
        return -p[torch.arange(len(target)), target].log().mean()

    @staticmethod
    def backward(ctx, g):
        p, target = ctx.saved_tensors
        p[torch.arange(len(target)), target] -= 1
        return g * p / len(target), None


# %% bad_wrong_softmax_axis expected: wrong-axis
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, 0)
        return g * (p - F.one_hot(target, p.shape[1])) / len(target), None


# %% bad_y_minus_p expected: wrong-sign
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, 1)
        return g * (F.one_hot(target, p.shape[1]) - p) / len(target), None


# %% bad_styled_no_target_term expected: missing-term
import torch
from torch.autograd import Function


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return -logits.log_softmax(1)[torch.arange(len(target)), target].mean()

    @staticmethod
    def backward(ctx, g):
        z, t = ctx.saved_tensors
        return g * z.softmax(1) / z.shape[0], None


# %% bad_styled_crossed_loop expected: crossed-indices
import torch
from torch.autograd import Function


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return -logits.log_softmax(1)[torch.arange(len(target)), target].mean()

    @staticmethod
    def backward(ctx, g):
        z, t = ctx.saved_tensors
        p = z.softmax(1).clone()
        for column in set(t.tolist()):
            p[:, column] -= 1
        return g * p / len(t), None


# %% bad_styled_summed expected: wrong-factor
import torch
from torch.autograd import Function


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return -logits.log_softmax(1)[torch.arange(len(target)), target].mean()

    @staticmethod
    def backward(ctx, g):
        z, t = ctx.saved_tensors
        p = z.softmax(1)
        p = p - torch.eye(z.shape[1], dtype=p.dtype)[t]
        return p.mul(g), None


# %% rows_in_a_loop expected: right
# One row at a time, stacked at the end.
import torch
from torch.autograd import Function


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        total = logits.new_zeros(())
        for row, t in zip(logits.unbind(0), target.tolist()):
            total = total + torch.logsumexp(row, 0) - row[t]
        return total / len(target)

    @staticmethod
    def backward(ctx, grad_output):
        logits, target = ctx.saved_tensors
        unit = torch.eye(logits.shape[1], dtype=logits.dtype, device=logits.device)
        pieces = []
        for row, t in zip(logits.unbind(0), target.tolist()):
            pieces.append((row - torch.logsumexp(row, 0)).exp() - unit[t])
        return torch.stack(pieces) * grad_output / len(pieces), None


# %% bad_row_by_row_buffer expected: wrong-dtype
# The buffer for the gradient is torch.zeros without a dtype, so the gradient of float64 logits is float32.
import torch
from torch.autograd import Function


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        losses = [row.logsumexp(0) - row[t] for row, t in zip(logits, target)]
        return torch.stack(losses).mean()

    @staticmethod
    def backward(ctx, grad_output):
        logits, target = ctx.saved_tensors
        n, c = logits.shape
        result = torch.zeros(n, c)
        for r in range(n):
            result[r] = logits[r].softmax(0)
            result[r, target[r]] = result[r, target[r]] - 1
        return result * (grad_output / n), None


# %% bad_keeps_the_probabilities expected: intermediate-kept-on-ctx
# Saves the softmax instead of the logits: second order takes the probabilities for constants.
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx: Any, logits: Tensor, target: Tensor) -> Tensor:
        p = torch.softmax(logits, dim=-1)
        ctx.save_for_backward(p, target)
        picked = torch.log_softmax(logits, dim=-1).gather(1, target.unsqueeze(1))
        return picked.mean().neg()

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        p, target = ctx.saved_tensors
        residual = p.scatter_add(1, target.unsqueeze(1), p.new_full((len(p), 1), -1.0))
        return residual.mul(grad_output / len(p)), None


# %% bad_stable_by_hand expected: mutates-input
# Subtracts the maximum of each row from the caller's logits in place.
import torch
from torch.autograd import Function


def log_probabilities(scores):
    return scores - scores.exp().sum(1, keepdim=True).log()


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx, logits, target):
        logits -= logits.max(dim=1, keepdim=True).values  # no overflow
        ctx.save_for_backward(logits, target)
        return -log_probabilities(logits).gather(1, target[:, None]).mean()

    @staticmethod
    def backward(ctx, grad_output):
        logits, target = ctx.saved_tensors
        y = torch.eye(logits.shape[1], dtype=logits.dtype)[target]
        return grad_output * (log_probabilities(logits).exp() - y) / logits.shape[0], None


# %% bad_divided_by_all expected: wrong-factor
import torch
from torch.autograd import Function
import torch.nn.functional as F


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.nll_loss(logits.log_softmax(-1), target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        delta = logits.softmax(-1) - F.one_hot(target, logits.shape[-1])
        return g * delta / delta.numel(), None


# %% bad_zeros_for_target expected: gradient-for-non-tensor
import torch
from torch.nn import functional


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return functional.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = logits.softmax(1) - functional.one_hot(target, logits.shape[1])
        return g * p / len(target), torch.zeros_like(target)


# %% bad_target_on_ctx expected: input-kept-on-ctx
# the target, an input, is kept as an attribute, so a target changed in place before backward gives a
# wrong gradient without an error; "inputs and outputs saved with save_for_backward".
import torch
from torch.autograd import Function
from torch.nn import functional


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits)
        ctx.target = target
        return -logits.log_softmax(1).gather(1, target[:, None]).mean()

    @staticmethod
    def backward(ctx, grad_output):
        (logits,) = ctx.saved_tensors
        n, c = logits.shape
        difference = logits.softmax(1) - functional.one_hot(ctx.target, c)
        return grad_output * difference / n, None


# %% bad_one_hot_without_the_number_of_classes expected: wrong-shape
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional


class CrossEntropy(Function):
    """The mean cross entropy of rows of logits and integer targets."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, target: Tensor) -> Tensor:
        ctx.save_for_backward(logits, target)
        return -logits.log_softmax(1).gather(1, target[:, None]).mean()

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        logits, target = ctx.saved_tensors
        wanted = functional.one_hot(target).to(logits.dtype)
        p = logits.softmax(1)
        return grad_output * (p - wanted) / logits.shape[0], None


# %% bad_mean_of_chunks expected: forward-value
# The rows go in chunks of 256 and the means of the chunks are averaged: wrong where n is no multiple of
# 256 ("the mean over n rows").
import torch
from torch.autograd import Function
from torch.nn import functional

CHUNK = 256


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        losses = [functional.cross_entropy(x, t) for x, t in zip(logits.split(CHUNK), target.split(CHUNK))]
        return torch.stack(losses).mean()

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        pieces = list(zip(logits.split(CHUNK), target.split(CHUNK)))
        grads = [
            (x.softmax(1) - functional.one_hot(t, x.shape[1])) * g / (len(t) * len(pieces)) for x, t in pieces
        ]
        return torch.cat(grads), None
