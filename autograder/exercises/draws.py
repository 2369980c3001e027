"""What several exercises say of their arguments: how many axes, which sizes, and draws of their own."""

import numpy as np

AXES = (1, 4)  # that `...` stands for where a tensor has no others
SATURATING = (1e-9, 10.0, 1e4)  # what stays finite where an exponential in a formula of its own overflows
AT_REST = (0.01, 10.0)  # an iteration stops when its changes are small in absolute terms


def both_signs(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Return entries of magnitude 0.5 to 1.5 in both signs."""
    entries: np.ndarray = random.uniform(0.5, 1.5, shape) * np.resize([1.0, -1.0, -1.0, 1.0, 1.0], shape)
    return entries


def spread_rows(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Return rows along the last axis whose entries are well apart, each with a mean of its own."""
    spread = random.permuted(np.broadcast_to(np.linspace(-1.5, 1.5, shape[-1]), shape), axis=-1)
    rows: np.ndarray = spread + random.uniform(-0.2, 0.2, shape) + random.standard_normal((*shape[:-1], 1))
    return rows


def contraction(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Return a square matrix of spectral norm 0.4 at most, all of whose directions are about as slow."""
    n = shape[0]
    turned, _ = np.linalg.qr(random.standard_normal((n, n)))
    matrix = turned + 0.1 * random.standard_normal((n, n))
    scaled: np.ndarray = random.uniform(0.399, 0.4) * matrix / np.linalg.norm(matrix, 2)
    return scaled
