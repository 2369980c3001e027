# expected: right
import numpy as np


def unbroadcast(gradient, shape):
    letters = "abcdefgh"[: np.ndim(gradient)]
    extra = len(letters) - len(shape)
    kept = "".join(l for l, n in zip(letters[extra:], shape) if n != 1)
    return np.einsum(f"{letters}->{kept}", gradient).reshape(shape)
