# expected: right
import torch


def gradient_penalty(critic, x):
    y = critic(x)
    g = torch.autograd.grad(
        outputs=y,
        inputs=x,
        grad_outputs=torch.ones(y.size(), dtype=y.dtype),
        create_graph=True,
        only_inputs=True,
    )[0]
    g = g.view(g.size(0), -1)
    norm = torch.sqrt(torch.sum(g**2, dim=1) + 1e-12)
    return ((norm - 1) ** 2).mean()
