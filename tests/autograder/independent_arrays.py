"""unbroadcast, judged by torch's sum_to_size."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

SHAPES = (
    ((), ()),
    ((4,), ()),
    ((3, 2, 5, 4), ()),
    ((3, 2), (3, 2)),
    ((5, 3), (3,)),
    ((2, 5, 3), (3,)),
    ((5, 3), (1, 3)),
    ((5, 3), (5, 1)),
    ((5, 3), (1, 1)),
    ((5, 3), (1,)),
    ((1, 3), (1,)),
    ((1, 1, 4), (1, 4)),
    ((1, 4), (1, 1)),
    ((2, 1, 5), (1, 1)),
    ((4, 1, 3), (4, 1, 1)),
    ((2, 3, 5), (3, 1)),
    ((2, 3, 5), (1, 5)),
    ((2, 3, 5), (2, 1, 5)),
    ((2, 3, 5), (1, 3, 1)),
    ((2, 3, 4, 5), (3, 1, 5)),
    ((2, 3, 4, 5), (2, 1, 1, 5)),
    ((2, 3, 4, 5), (1, 4, 1)),
)


def unbroadcast(work: Any) -> bool:
    """Sum gradients of many shapes, also transposed ones, and look at the gradients and sums afterwards."""
    generator = np.random.default_rng(5)
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    for wide, shape in [*SHAPES, *SHAPES[:6]]:
        for order in ("C", "F"):
            drawn = generator.standard_normal(wide) + 0.3
            given = np.array(drawn, order=order) if wide else np.float64(drawn)
            found = np.asarray(work(given, shape))
            truth = torch.tensor(np.array(drawn)).sum_to_size(shape).numpy()
            if found.dtype.kind not in "fiu" or found.shape != truth.shape:
                return False
            if not np.allclose(found, truth, rtol=1e-12, atol=1e-12) or not np.array_equal(given, drawn):
                return False
            kept.append((found, truth))
    return all(np.allclose(found, truth, rtol=1e-12, atol=1e-12) for found, truth in kept)
