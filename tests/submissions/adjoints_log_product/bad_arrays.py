# expected: wrong
import numpy as np
import torch

adjoints_log_product = {
    "v5": torch.ones(2),
    "v4": np.ones(3),
    "v3": -1,
    "v2": 1,
    "v1": 1j,
    "x2": 1.7163,
    "x1": 5.5,
}
