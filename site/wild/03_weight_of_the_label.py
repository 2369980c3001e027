"""The weight of the label in every column

Softmax with a weight for each class learns from data in which some classes are rare. In the gradient, each
column has the weight of its own class. Here every column of a row has the weight of that row's label. The
source is a collection of losses whose gradients are written by hand, to save memory on a GPU. The fault
matters if the weights differ, which is their purpose; if all weights are 1, it has no effect.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = ""  # the table has no name for it
INPUTS = "randn(2, 3), tensor([0, 2]), tensor([1, 2, 4])"
SOURCE = (
    "https://github.com/CoinCheung/pytorch-loss/blob/67d015844e4597c3ff6895fc831cd22ac7d59299"
    "/pytorch_loss/pc_softmax.py#L104"
)


class WeightedLoss(Function):
    @staticmethod
    def forward(ctx, x, label, weight):
        ctx.save_for_backward(x, label, weight)
        return reference(x, label, weight)

    @staticmethod
    def backward(ctx, grad_output):
        x, label, weight = ctx.saved_tensors
        share = x.exp() / (weight * x.exp()).sum(1, keepdim=True)
        one_hot = torch.nn.functional.one_hot(label, x.size(1))
        return grad_output * (weight[label][:, None] * share - one_hot), None, None


class Repaired(WeightedLoss):
    @staticmethod
    def backward(ctx, grad_output):
        x, label, weight = ctx.saved_tensors
        share = x.exp() / (weight * x.exp()).sum(1, keepdim=True)
        one_hot = torch.nn.functional.one_hot(label, x.size(1))
        return grad_output * (weight * share - one_hot), None, None


def reference(x: Tensor, label: Tensor, weight: Tensor) -> Tensor:
    return (weight * x.exp()).sum(1).log().sum() - x.gather(1, label[:, None]).sum()


def in_use(f):
    """The gradient for equal scores and label 0, with eight times the weight on class 2"""
    x = torch.zeros(1, 3, requires_grad=True)
    return torch.autograd.grad(f(x, torch.tensor([0]), torch.tensor([1, 1, 8])), x)[0]
