# expected: wrong
import torch


class LoggingTensor(torch.Tensor):
    calls = []
