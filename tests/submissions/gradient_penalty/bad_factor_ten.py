# expected: wrong
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return 10 * ((g.norm(dim=1) - 1) ** 2).mean()
