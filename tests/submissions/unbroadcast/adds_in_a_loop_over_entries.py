# expected: right
import numpy as np


def unbroadcast(gradient, shape):
    if np.shape(gradient) == shape:
        return gradient
    result = np.zeros(shape)
    view_of = np.broadcast_to(np.arange(result.size).reshape(shape), np.shape(gradient))
    np.add.at(result.reshape(-1), view_of, gradient)
    return result
