"""Takes all the memory it can get through PyTorch and anonymous maps, in backward."""

import mmap

import torch

hoard = []


def backward(ctx, grad_output):
    while True:
        hoard.append(torch.ones(10_000_000))
        room = mmap.mmap(-1, 50_000_000)
        room.write(b"x" * 50_000_000)
        hoard.append(room)


KillHead.backward = staticmethod(backward)
