# %% adds_in_a_loop_over_entries expected: right
import numpy as np


def unbroadcast(gradient, shape):
    if np.shape(gradient) == shape:
        return gradient
    result = np.zeros(shape)
    view_of = np.broadcast_to(np.arange(result.size).reshape(shape), np.shape(gradient))
    np.add.at(result.reshape(-1), view_of, gradient)
    return result


# %% by_the_engine expected: right
from course.engine import Tensor, broadcast_to, grad


def unbroadcast(gradient, shape):
    import numpy as np

    x = Tensor(np.zeros(shape), requires_grad=True)
    wide = broadcast_to(x, np.shape(gradient)) * 1.0
    return grad(wide, x, Tensor(gradient))[0].data


# %% einsum expected: right
import numpy as np


def unbroadcast(gradient, shape):
    letters = "abcdefgh"[: np.ndim(gradient)]
    extra = len(letters) - len(shape)
    kept = "".join(l for l, n in zip(letters[extra:], shape) if n != 1)
    return np.einsum(f"{letters}->{kept}", gradient).reshape(shape)


# %% one_sum_and_a_reshape expected: right
import numpy as np


def unbroadcast(gradient, shape):
    gradient = np.asarray(gradient)
    padded = (1,) * (gradient.ndim - len(shape)) + tuple(shape)
    axes = tuple(i for i, (have, want) in enumerate(zip(gradient.shape, padded)) if have != want)
    return gradient.sum(axis=axes, keepdims=True).reshape(shape)


# %% recursive_with_star expected: right
def unbroadcast(gradient, shape):
    if gradient.shape == shape:
        return gradient
    if gradient.ndim > len(shape):
        return unbroadcast(gradient.sum(0), shape)
    axis = next(i for i, (n, m) in enumerate(zip(gradient.shape, shape)) if n != m)
    return unbroadcast(gradient.sum(axis, keepdims=True), shape)


# %% reduce_and_a_number_for_no_axes expected: right
from functools import reduce


def unbroadcast(gradient, shape):
    if shape == ():
        return float(gradient.sum())
    offset = gradient.ndim - len(shape)
    stretched = [offset + i for i, n in enumerate(shape) if n == 1 and gradient.shape[offset + i] > 1]
    total = reduce(lambda g, axis: g.sum(axis, keepdims=True), [*range(offset), *stretched], gradient)
    return total.reshape(shape)


# %% sum_front_then_ones expected: right
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient


# %% bad_as_it_is expected: missing-unbroadcast
def unbroadcast(gradient, shape):
    return gradient


# %% bad_axis_numbers_not_shifted expected: wrong-sum-axis
def unbroadcast(gradient, shape):
    extra = gradient.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(i for i, n in enumerate(shape) if n == 1 and i >= extra)
    kept = gradient.sum(axes, keepdims=True)
    return kept.reshape(kept.shape[extra:])


# %% bad_broadcasts_instead expected: wrong
import numpy as np


def unbroadcast(gradient, shape):
    return np.broadcast_to(gradient, shape)


# %% bad_keepdims_in_front expected: reshaped-gradient
def unbroadcast(gradient, shape):
    extra = gradient.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(extra + i for i, n in enumerate(shape) if n == 1)
    return gradient.sum(axes, keepdims=True)


# %% bad_leading_axes_only expected: missing-unbroadcast
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(0)
    return gradient


# %% bad_max expected: outputs-left-out
def unbroadcast(gradient, shape):
    axes = tuple(range(gradient.ndim - len(shape)))
    return gradient.max(axes) if axes else gradient


# %% bad_mean expected: mean-instead-of-sum
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.mean(0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.mean(axis, keepdims=True)
    return gradient


# %% bad_mean_over_ones expected: mean-instead-of-sum
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.mean(axis, keepdims=True)
    return gradient


# %% bad_no_keepdims expected: lost-keepdim
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(0)
    axes = tuple(i for i, n in enumerate(shape) if n == 1)
    return gradient.sum(axes)


# %% bad_one_argument expected: wrong
def unbroadcast(gradient):
    return gradient


# %% bad_one_leading_axis_only expected: missing-unbroadcast
def unbroadcast(gradient, shape):
    if shape == ():
        return gradient.sum()
    if gradient.ndim > len(shape):
        gradient = gradient.sum(0)
    axes = tuple(i for i, n in enumerate(shape) if n == 1)
    return gradient.sum(axes, keepdims=True)


# %% bad_ones_only expected: missing-unbroadcast
def unbroadcast(gradient, shape):
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis, keepdims=True)
    return gradient


# %% bad_prints expected: wrong
def unbroadcast(gradient, shape):
    print(gradient.sum())


# %% bad_reshapes expected: outputs-left-out
import numpy as np


def unbroadcast(gradient, shape):
    return np.resize(gradient, shape)


# %% bad_returns_the_shape expected: wrong
def unbroadcast(gradient, shape):
    return shape


# %% bad_sign expected: wrong-sign
def unbroadcast(gradient, shape):
    return -gradient.sum(tuple(range(gradient.ndim - len(shape))))


# %% bad_stub expected: wrong
def unbroadcast(gradient, shape):
    raise NotImplementedError


# %% bad_sums_all expected: wrong-sum-axis
def unbroadcast(gradient, shape):
    return gradient.sum()


# %% bad_sums_last_axes expected: wrong-sum-axis
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(-1)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis, keepdims=True)
    return gradient


# %% bad_takes_the_first expected: outputs-left-out
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient[0]
    return gradient[tuple(slice(0, n) for n in shape)]


# %% bad_writes_into_the_gradient expected: mutates-grad-output
def unbroadcast(gradient, shape):
    total = gradient.sum(0) if gradient.ndim > len(shape) == gradient.ndim - 1 else gradient
    if gradient.ndim:
        gradient[...] = 0
    return total


# %% bad_text expected: cannot run
unbroadcast = "sum"


# %% bad_remembers_the_axes expected: wrong-sum-axis
import numpy as np

axes_of = {}


def unbroadcast(gradient, shape):
    if np.ndim(gradient) not in axes_of:
        made = np.ndim(gradient) - len(shape)
        axes_of[np.ndim(gradient)] = (*range(made), *(made + i for i, n in enumerate(shape) if n == 1))
    return np.sum(gradient, axis=axes_of[np.ndim(gradient)], keepdims=True).reshape(shape)


# %% bad_single_precision expected: wrong-dtype
import numpy as np


def unbroadcast(gradient, shape):
    made = np.ndim(gradient) - len(shape)
    ones = (made + i for i, n in enumerate(shape) if n == 1)
    total = np.sum(np.float32(gradient), axis=(*range(made), *ones), keepdims=True)
    return total.reshape(shape).astype(float)


# %% bad_in_the_order_of_memory expected: assumes-contiguous
import numpy as np


def unbroadcast(gradient, shape):
    gradient = np.asarray(gradient)
    flat = gradient.ravel(order="K").reshape(gradient.shape)
    made = flat.ndim - len(shape)
    ones = (made + i for i, n in enumerate(shape) if n == 1)
    return np.sum(flat, axis=(*range(made), *ones), keepdims=True).reshape(shape)


# %% bad_sums_into_the_gradient expected: mutates-grad-output
import numpy as np


def unbroadcast(gradient, shape):
    made = np.ndim(gradient) - len(shape)
    ones = (made + i for i, n in enumerate(shape) if n == 1)
    total = np.sum(gradient, axis=(*range(made), *ones), keepdims=True).reshape(shape)
    if np.ndim(gradient):
        gradient[...] = 0
    return total


# %% by_bincount expected: right
import numpy as np


def unbroadcast(gradient, shape):
    """Each entry of the large array is added where its copy came from."""
    gradient = np.asarray(gradient)
    size = int(np.prod(shape))
    source = np.broadcast_to(np.arange(size).reshape(shape), gradient.shape)
    return np.bincount(source.ravel(), weights=gradient.ravel(), minlength=size).reshape(shape)


# %% histogram expected: right
# Right: each entry of the large array knows the number of its original, and bincount adds by number.
import numpy as np


def unbroadcast(gradient, shape):
    count = int(np.prod(shape))
    original = np.broadcast_to(np.arange(count).reshape(shape), np.shape(gradient))
    sums = np.bincount(original.ravel(), weights=np.ravel(gradient), minlength=count)
    return sums.reshape(shape)


# %% bad_folded_in_front expected: wrong-sum-axis
# The copies are folded into a new first axis: right if they are leading axes, wrong numbers (of the right shape) if an axis of size 1 follows a larger one.
import numpy as np


def unbroadcast(gradient: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    pile = np.reshape(gradient, (-1, *shape))
    return pile.sum(axis=0)


# %% bad_single_precision_otherwise expected: wrong-dtype
# The sums are collected in a float32 array.
import itertools

import numpy as np


def unbroadcast(gradient, shape):
    total = np.zeros(shape, dtype="f")
    lead = np.ndim(gradient) - len(shape)
    for place in itertools.product(*map(range, np.shape(gradient))):
        home = tuple(k if n > 1 else 0 for k, n in zip(place[lead:], shape))
        total[home] += gradient[place]
    return total


# %% bad_adds_into_the_first_slice expected: mutates-grad-output
# The slices are added into the first slice of the gradient itself, which must not be written to.
import numpy as np


def unbroadcast(gradient, shape):
    def collapse(array, axis):
        slices = np.moveaxis(array, axis, 0)
        for k in range(1, len(slices)):
            slices[0, ...] += slices[k]
        return np.moveaxis(slices[:1], 0, axis)

    while np.ndim(gradient) > len(shape):
        gradient = collapse(gradient, 0)[0]
    for axis, size in enumerate(shape):
        if size == 1 and gradient.shape[axis] > 1:
            gradient = collapse(gradient, axis)
    return gradient


# %% bad_one_copy_of_each_size_one_axis expected: outputs-left-out
# Along axes of size 1 it takes the gradient of the first copy instead of the sum over all copies.
import numpy as np


def unbroadcast(gradient, shape):
    gradient = np.asarray(gradient)
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    pick = tuple(slice(0, size) for size in shape)
    return gradient[pick]


# %% bad_axes_not_shifted expected: wrong-sum-axis
import numpy as np


def unbroadcast(gradient, shape):
    made = np.ndim(gradient) - len(shape)
    axes = {*range(made), *(i for i, n in enumerate(shape) if n == 1)}
    return np.sum(gradient, axis=tuple(axes), keepdims=True).reshape(shape)


# %% bad_last_copy expected: overwrites-instead-of-accumulates
import numpy as np


def unbroadcast(gradient, shape):
    result = np.zeros(shape)
    number = np.broadcast_to(np.arange(result.size).reshape(shape), np.shape(gradient))
    result.reshape(-1)[number.ravel()] = np.ravel(gradient)
    return result


# %% bad_spread_again expected: gradient-too-large
import numpy as np


def unbroadcast(gradient, shape):
    made = np.ndim(gradient) - len(shape)
    axes = (*range(made), *(made + i for i, n in enumerate(shape) if n == 1))
    total = np.sum(gradient, axis=axes, keepdims=True)
    return total * np.ones_like(gradient)


# %% bad_axes_move_while_summing expected: lost-keepdim
import numpy as np


def unbroadcast(gradient, shape):
    while np.ndim(gradient) > len(shape):
        gradient = gradient.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1:
            gradient = gradient.sum(axis=i)
    return np.reshape(gradient, shape)


# %% bad_assigns_entry_by_entry expected: overwrites-instead-of-accumulates
import numpy as np


def unbroadcast(gradient, shape):
    gradient = np.asarray(gradient)
    result = np.zeros(shape)
    made = gradient.ndim - len(shape)
    for place in np.ndindex(gradient.shape):
        source = tuple(0 if n == 1 else i for i, n in zip(place[made:], shape))
        result[source] = gradient[place]
    return result


# %% bad_axes_by_size expected: missing-unbroadcast
# Finds the repeated axes by their sizes ("sizes that the shape does not have"), so with two equal sizes
# nothing is summed: (3, 3) to (3,) or (1, 3) and (3, 2, 3) to (2, 3) raise; "sum it to the shape of the
# small array".
import numpy as np


def unbroadcast(gradient, shape):
    axes = tuple(i for i, n in enumerate(np.shape(gradient)) if n not in shape)
    return np.sum(gradient, axis=axes).reshape(shape)


# %% bad_strips_sizes_from_a_list expected: wrong-sum-axis
# Keeps an axis where its size is the next one of the shape's, from the left, so (2, 2) to (2,) keeps the
# first axis and sums the second: silently the wrong numbers; "axes that b does not have (they are added
# at the left, since shapes are aligned at the right)".
import numpy as np


def unbroadcast(gradient, shape):
    wanted = [n for n in shape if n != 1]
    axes = []
    for axis, n in enumerate(np.shape(gradient)):
        if wanted and n == wanted[0]:
            wanted.pop(0)
        else:
            axes.append(axis)
    return np.sum(gradient, axis=tuple(axes)).reshape(shape)


# %% bad_buffer expected: state-on-class
# the result lies in an array kept by shape, which the next call overwrites; 'Return the gradient summed
# over ...'.
import numpy as np

_buffers = {}


def unbroadcast(gradient, shape):
    if shape not in _buffers:
        _buffers[shape] = np.zeros(shape)
    out = _buffers[shape]
    gradient = np.asarray(gradient)
    extra = gradient.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(extra + i for i, n in enumerate(shape) if n == 1)
    out[...] = gradient.sum(axis=axes).reshape(shape)
    return out


# %% bad_equal_gradients_once expected: outputs-left-out
import numpy as np


def unbroadcast(gradient, shape):
    gradient, result = np.asarray(gradient), np.zeros(shape)
    copies = {}
    for index in np.ndindex(gradient.shape):
        kept = index[gradient.ndim - len(shape) :]
        target = tuple(0 if size == 1 else place for place, size in zip(kept, shape))
        copies.setdefault(target, set()).add(gradient[index])  # a set holds equal numbers once
    for target, numbers in copies.items():
        result[target] = sum(numbers)
    return result
