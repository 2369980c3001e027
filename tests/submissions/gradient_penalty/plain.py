# expected: right
import torch


def gradient_penalty(critic, x):
    scores = critic(x)
    (gradient,) = torch.autograd.grad(scores, x, torch.ones_like(scores), create_graph=True)
    return ((gradient.norm(2, dim=1) - 1) ** 2).mean()
