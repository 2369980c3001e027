# expected: right
import torch


def analytical_jacobian(fn, inputs):
    leaves = [x.detach().clone().requires_grad_() for x in inputs]
    flat = fn(*leaves).flatten()
    rows = [[] for _ in leaves]
    for element in flat:
        for leaf in leaves:
            leaf.grad = None
        element.backward(retain_graph=True)
        for collected, leaf in zip(rows, leaves):
            grad = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad.clone()
            collected.append(grad.flatten())
    return tuple(torch.stack(r) for r in rows)
