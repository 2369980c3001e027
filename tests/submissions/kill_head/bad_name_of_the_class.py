# expected: cannot run
import torch


class Killhead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        return x
