"""Numbers for samples and small cases."""

import numpy as np


def whole_numbers(numbers: np.random.Generator, *shape: int, most: int = 9) -> np.ndarray:
    """Return different whole numbers of both signs, none of them 0, for a case to follow by hand."""
    values = 1 + numbers.permutation(most)[: int(np.prod(shape))]
    drawn: np.ndarray = (values * np.resize([1.0, -1.0, 1.0], values.size)).reshape(shape)
    return drawn


def away_from_zero(numbers: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Return values of magnitude 0.5 to 2 in both signs."""
    signs = np.resize([1.0, *numbers.permutation([1.0, -1.0, -1.0, 1.0])], shape)
    values: np.ndarray = numbers.uniform(0.5, 2.0, shape) * signs
    return values
