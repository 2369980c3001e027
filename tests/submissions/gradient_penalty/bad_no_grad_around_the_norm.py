# expected: missing-gradient
import torch


def gradient_penalty(critic, x):
    g = torch.autograd.grad(critic(x).sum(), x, create_graph=True)[0]
    with torch.no_grad():
        return ((g.norm(dim=1) - 1) ** 2).mean()
