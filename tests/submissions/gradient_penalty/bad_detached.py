# expected: missing-gradient
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return ((g.detach().norm(dim=1) - 1) ** 2).mean()
