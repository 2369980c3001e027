# expected: missing-unbroadcast
def unbroadcast(gradient, shape):
    extra = gradient.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(i for i, n in enumerate(shape) if n == 1 and i >= extra)
    kept = gradient.sum(axes, keepdims=True)
    return kept.reshape(kept.shape[extra:])
