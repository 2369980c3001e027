# expected: mutates-input
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    x.data.add_(g.detach())
    return ((g.norm(dim=1) - 1) ** 2).mean()
