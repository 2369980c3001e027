# expected: wrong
import torch


def gradient_penalty(critic, x):
    gs = torch.autograd.grad(critic(x).sum(), list(critic.parameters()), create_graph=True)
    return (torch.cat([g.flatten() for g in gs]).norm() - 1) ** 2
