# expected: right
import torch


def gradient_penalty(critic, x):
    x = x.detach().clone().requires_grad_(True)
    gradient = torch.autograd.grad(critic(x).sum(), x, create_graph=True, retain_graph=True)[0]
    norms = gradient.flatten(start_dim=1).square().sum(dim=1).sqrt()
    return torch.mean((norms - 1.0).pow(2))
