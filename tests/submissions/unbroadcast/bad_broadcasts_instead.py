# expected: wrong
import numpy as np


def unbroadcast(gradient, shape):
    return np.broadcast_to(gradient, shape)
