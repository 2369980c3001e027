# expected: autograd-in-backward
from course.engine import grad


def accumulate(tensor, seed):
    leaves, waiting = set(), [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None:
                if parent.name() == "AccumulateGrad":
                    leaves.add(parent.variable)
                else:
                    waiting.append(parent)
    for leaf in leaves:
        (gradient,) = grad(tensor, leaf, seed, retain_graph=True)
        leaf.grad = gradient if leaf.grad is None else leaf.grad + gradient
