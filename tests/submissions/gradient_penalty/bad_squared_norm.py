# expected: wrong
import torch


def gradient_penalty(critic, x):
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (((g**2).sum(1) - 1) ** 2).mean()
