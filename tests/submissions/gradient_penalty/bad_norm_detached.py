# expected: wrong-factor
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    n = g.norm(dim=1)
    return ((n - 1) * (n.detach() - 1)).mean()
