# expected: right
import torch


def gradient_penalty(critic, x):
    total = 0.0
    for row in x:
        row = row.detach()[None].requires_grad_()
        (g,) = torch.autograd.grad(critic(row).sum(), row, create_graph=True)
        total = total + (torch.linalg.vector_norm(g) - 1).square()
    return total / x.shape[0]
