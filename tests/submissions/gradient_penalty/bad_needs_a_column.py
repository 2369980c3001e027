# expected: wrong
import torch


def gradient_penalty(critic, x):
    y = critic(x)
    (g,) = torch.autograd.grad(y, x, torch.ones(len(x), 1, dtype=x.dtype), create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()
