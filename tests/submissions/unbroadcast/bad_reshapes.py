# expected: wrong
import numpy as np


def unbroadcast(gradient, shape):
    return np.resize(gradient, shape)
