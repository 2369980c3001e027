# expected: right
import torch


def gradient_penalty(critic, x):
    J = torch.autograd.functional.jacobian(lambda z: critic(z).reshape(-1), x, create_graph=True)
    rows = torch.stack([J[i, i] for i in range(x.shape[0])])
    return ((rows.norm(dim=1) - 1) ** 2).mean()
