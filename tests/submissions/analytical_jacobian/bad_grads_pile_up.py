# expected: wrong
import torch


def analytical_jacobian(fn, inputs):
    leaves = [x.detach().clone().requires_grad_() for x in inputs]
    flat = fn(*leaves).flatten()
    Js = [torch.zeros(flat.numel(), x.numel(), dtype=x.dtype) for x in inputs]
    for i in range(flat.numel()):
        flat[i].backward(retain_graph=True)
        for J, leaf in zip(Js, leaves):
            if leaf.grad is not None:
                J[i] = leaf.grad.flatten()
    return tuple(Js)
