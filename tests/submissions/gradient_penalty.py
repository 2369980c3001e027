# %% fresh_leaf_and_flatten expected: right
import torch


def gradient_penalty(critic, x):
    x = x.detach().clone().requires_grad_(True)
    gradient = torch.autograd.grad(critic(x).sum(), x, create_graph=True, retain_graph=True)[0]
    norms = gradient.flatten(start_dim=1).square().sum(dim=1).sqrt()
    return torch.mean((norms - 1.0).pow(2))


# %% func_and_vmap expected: right
import torch
from torch.func import grad, vmap


def gradient_penalty(critic, x):
    gradients = vmap(grad(lambda row: critic(row.unsqueeze(0)).squeeze()))(x)
    return torch.nn.functional.mse_loss(gradients.norm(dim=-1), torch.ones(len(x), dtype=x.dtype))


# %% jacobian_diagonal_blocks expected: right
import torch


def gradient_penalty(critic, x):
    J = torch.autograd.functional.jacobian(lambda z: critic(z).reshape(-1), x, create_graph=True)
    rows = torch.stack([J[i, i] for i in range(x.shape[0])])
    return ((rows.norm(dim=1) - 1) ** 2).mean()


# %% loop_over_samples expected: right
import torch


def gradient_penalty(critic, x):
    total = 0.0
    for row in x:
        row = row.detach()[None].requires_grad_()
        (g,) = torch.autograd.grad(critic(row).sum(), row, create_graph=True)
        total = total + (torch.linalg.vector_norm(g) - 1).square()
    return total / x.shape[0]


# %% norm_with_a_tiny_epsilon expected: right
import torch


def gradient_penalty(critic, x):
    y = critic(x)
    g = torch.autograd.grad(
        outputs=y,
        inputs=x,
        grad_outputs=torch.ones(y.size(), dtype=y.dtype),
        create_graph=True,
        only_inputs=True,
    )[0]
    g = g.view(g.size(0), -1)
    norm = torch.sqrt(torch.sum(g**2, dim=1) + 1e-12)
    return ((norm - 1) ** 2).mean()


# %% plain expected: right
import torch


def gradient_penalty(critic, x):
    scores = critic(x)
    (gradient,) = torch.autograd.grad(scores, x, torch.ones_like(scores), create_graph=True)
    return ((gradient.norm(2, dim=1) - 1) ** 2).mean()


# %% bad_small_number_under_the_root expected: not-precise
import torch


def gradient_penalty(critic, x):
    x.requires_grad_(True)
    out = critic(x)
    grads = torch.autograd.grad([out.sum()], [x], create_graph=True)[0]
    slopes = (grads.reshape(grads.shape[0], -1).pow(2).sum(1) + 1e-8).sqrt()
    return torch.mean((slopes - 1.0) ** 2)


# %% bad_absolute expected: forward-value
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (g.norm(dim=1) - 1).abs().mean()


# %% bad_detached expected: missing-gradient
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return ((g.detach().norm(dim=1) - 1) ** 2).mean()


# %% bad_factor_ten expected: wrong-factor
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return 10 * ((g.norm(dim=1) - 1) ** 2).mean()


# %% bad_implicit_scalar expected: wrong
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x), x, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


# %% bad_item expected: wrong
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean().item()


# %% bad_l1_norm expected: forward-value
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return ((g.norm(1, dim=1) - 1) ** 2).mean()


# %% bad_last_layer_only expected: missing-gradient
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    for p in critic.parameters():
        if p.dim() == 1:
            g = g + 0 * p.sum()
    n = (g * g).sum(1).sqrt().detach()
    return ((n - 1) ** 2).mean() + 0 * g.sum()


# %% bad_mean_before_the_square expected: forward-value
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (g.norm(dim=1).mean() - 1) ** 2


# %% bad_mean_of_the_critic expected: mean-instead-of-sum
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).mean(), x, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


# %% bad_needs_a_column expected: wrong-shape
import torch


def gradient_penalty(critic, x):
    y = critic(x)
    (g,) = torch.autograd.grad(y, x, torch.ones(len(x), 1, dtype=x.dtype), create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


# %% bad_no_create_graph expected: missing-gradient
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x)
    return ((g.norm(dim=1) - 1) ** 2).mean()


# %% bad_no_grad_around_the_norm expected: missing-gradient
import torch


def gradient_penalty(critic, x):
    g = torch.autograd.grad(critic(x).sum(), x, create_graph=True)[0]
    with torch.no_grad():
        return ((g.norm(dim=1) - 1) ** 2).mean()


# %% bad_no_one expected: forward-value
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (g.norm(dim=1) ** 2).mean()


# %% bad_no_return expected: wrong
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    penalty = ((g.norm(dim=1) - 1) ** 2).mean()


# %% bad_norm_detached expected: wrong-factor
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    n = g.norm(dim=1)
    return ((n - 1) * (n.detach() - 1)).mean()


# %% bad_not_averaged expected: wrong-shape
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (g.norm(dim=1) - 1) ** 2


# %% bad_parameters_instead_of_x expected: wrong
import torch


def gradient_penalty(critic, x):
    gs = torch.autograd.grad(critic(x).sum(), list(critic.parameters()), create_graph=True)
    return (torch.cat([g.flatten() for g in gs]).norm() - 1) ** 2


# %% bad_squared_norm expected: forward-value
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (((g**2).sum(1) - 1) ** 2).mean()


# %% bad_stub expected: wrong
import torch


def gradient_penalty(critic, x):
    raise NotImplementedError


# %% bad_sum expected: wrong-factor
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).sum()


# %% bad_whole_batch expected: wrong-axis
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (g.norm() - 1) ** 2


# %% bad_writes_into_x expected: mutates-input
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    x.data.add_(g.detach())
    return ((g.norm(dim=1) - 1) ** 2).mean()


# %% bad_wrong_axis expected: wrong-axis
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return ((g.norm(dim=0) - 1) ** 2).mean()


# %% bad_backward_into_the_parameters expected: mutates-input
import torch


def gradient_penalty(critic, x):
    point = x.detach().clone().requires_grad_()
    critic(point).sum().backward(create_graph=True)
    return (point.grad.norm(dim=1) - 1).square().mean()


# %% bad_finite_differences expected: not-precise
import torch


def gradient_penalty(critic, x):
    h = 1e-6
    x = x.detach()
    steps = h * torch.eye(x.shape[1], dtype=x.dtype)
    slopes = torch.stack(
        [(critic(x + step) - critic(x - step)).reshape(-1) / (2 * h) for step in steps], dim=1
    )
    return (slopes.norm(dim=1) - 1).square().mean()


# %% bad_freezes_the_samples expected: mutates-input
import torch


def gradient_penalty(critic, x):
    (gradient,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    x.requires_grad_(False)
    return (gradient.norm(dim=1) - 1).square().mean()


# %% bad_leaves_the_critic_in_eval expected: wrong
import torch


def gradient_penalty(critic, x):
    critic.eval()
    (gradient,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (gradient.norm(dim=1) - 1).square().mean()


# %% bad_interpolates_at_random expected: wrong
import torch


def gradient_penalty(critic, x):
    weights = torch.rand(len(x), 1, dtype=x.dtype)
    between = (weights * x + (1 - weights) * x.flip(0)).detach().requires_grad_()
    (gradient,) = torch.autograd.grad(critic(between).sum(), between, create_graph=True)
    return (gradient.norm(dim=1) - 1).square().mean()


# %% hypot_of_columns expected: right
import torch


def gradient_penalty(critic, x):
    ones = torch.ones(len(x), dtype=x.dtype)
    (g,) = torch.autograd.grad(critic(x).reshape(-1), x, ones, create_graph=True)
    lengths = torch.einsum("ij,ij->i", g, g) ** 0.5
    return ((lengths - 1) @ (lengths - 1)) / len(x)


# %% mean_squared_distance_to_one expected: right
# The mean of squares is mse_loss against ones; works on a leaf of its own, with a cotangent of ones by expand.
import torch
import torch.nn.functional as F


def gradient_penalty(critic, x):
    samples = x.detach().clone().requires_grad_(True)
    scores = critic(samples)
    g = torch.autograd.grad(scores, samples, scores.new_ones(()).expand_as(scores), create_graph=True)[0]
    lengths = torch.einsum("ij,ij->i", g, g) ** 0.5
    return F.mse_loss(lengths, torch.ones_like(lengths))


# %% bad_constant_under_the_root expected: not-precise
# A constant of 1e-6 stands under the root.
import torch


def gradient_penalty(critic, x):
    scores = critic(x)
    g = torch.autograd.grad(scores, x, torch.ones_like(scores), create_graph=True)[0]
    r = torch.sqrt(torch.einsum("nk,nk->n", g, g) + 1e-6)
    return torch.mean((r - 1) ** 2)


# %% bad_reads_x_grad expected: mutates-input
# The gradient is read from x.grad after backward, which also adds to .grad of all parameters of the critic.
import torch


def gradient_penalty(critic, x):
    x.grad = None
    critic(x).sum().backward(create_graph=True)
    g = x.grad
    x.grad = None
    return (g.pow(2).sum(1).sqrt() - 1).pow(2).mean()


# %% bad_ones_of_one_shape expected: wrong-shape
# The cotangent has shape (n,), so a critic with outputs of shape (n, 1) raises an error.
import torch


def gradient_penalty(critic, x):
    out = critic(x)
    ones = torch.ones(x.size(0), dtype=x.dtype)
    grads = torch.autograd.grad(
        outputs=out, inputs=x, grad_outputs=ones, create_graph=True, retain_graph=True
    )
    return ((grads[0].norm(2, dim=1) - 1) ** 2).mean()


# %% bad_only_above_one expected: forward-value
# Gradients shorter than 1 are not penalised.
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    too_long = torch.relu(torch.linalg.vector_norm(g, dim=1) - 1.0)
    return too_long.pow(2).mean()


# %% bad_mean_of_the_scores expected: mean-instead-of-sum
# The mean of the scores is differentiated, so all gradients are n times too small.
import torch


def gradient_penalty(critic, x):
    average = critic(x).mean()
    (slopes,) = torch.autograd.grad(average, x, create_graph=True)
    excess = torch.linalg.vector_norm(slopes, dim=-1) - 1
    return (excess * excess).mean()


# %% bad_norm_by_column expected: wrong-axis
import torch


def gradient_penalty(critic, x):
    out = critic(x)
    (g,) = torch.autograd.grad(out, x, torch.ones_like(out), create_graph=True)
    return ((torch.sqrt((g * g).sum(0)) - 1) ** 2).mean()


# %% bad_unfreezes_the_critic expected: mutates-input
import torch


def gradient_penalty(critic, x):
    for parameter in critic.parameters():
        parameter.requires_grad_(True)
    (gradient,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (gradient.norm(dim=1) - 1).square().mean()


# %% bad_squeeze expected: wrong-axis
# Squeeze() drops the last axis too where d = 1, so the norm is taken over the whole batch.
import numpy as np
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return ((g.squeeze().norm(2, dim=-1) - 1) ** 2).mean()


# %% bad_forward_called expected: wrong
# critic.forward(x) skips the hooks of the module ("critic: a torch.nn.Module"): with
# torch.nn.utils.spectral_norm the penalty is that of an old weight and does not reach weight_orig.
import torch


def gradient_penalty(critic, x):
    scores = critic.forward(x)
    (g,) = torch.autograd.grad(scores, x, torch.ones_like(scores), create_graph=True)
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


# %% bad_leaves_out_samples_with_a_zero expected: wrong
import torch


def gradient_penalty(critic, x):
    (gradient,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    squares = (gradient.norm(dim=1) - 1) ** 2
    filled = (x != 0).all(dim=1)  # a row of zeros is padding
    return squares[filled].mean()
