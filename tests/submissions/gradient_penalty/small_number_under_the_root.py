# expected: right
import torch


def gradient_penalty(critic, x):
    x.requires_grad_(True)
    out = critic(x)
    grads = torch.autograd.grad([out.sum()], [x], create_graph=True)[0]
    slopes = (grads.reshape(grads.shape[0], -1).pow(2).sum(1) + 1e-8).sqrt()
    return torch.mean((slopes - 1.0) ** 2)
