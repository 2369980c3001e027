# expected: missing-gradient
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    for p in critic.parameters():
        if p.dim() == 1:
            g = g + 0 * p.sum()
    n = (g * g).sum(1).sqrt().detach()
    return ((n - 1) ** 2).mean() + 0 * g.sum()
