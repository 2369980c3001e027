# expected: right
import numpy as np


def unbroadcast(gradient, shape):
    gradient = np.asarray(gradient)
    padded = (1,) * (gradient.ndim - len(shape)) + tuple(shape)
    axes = tuple(i for i, (have, want) in enumerate(zip(gradient.shape, padded)) if have != want)
    return gradient.sum(axis=axes, keepdims=True).reshape(shape)
