# expected: right
from collections import OrderedDict
from fractions import Fraction

import numpy as np
import torch

adjoints_log_product = OrderedDict(
    x1=Fraction(11, 2),
    x2=2 - torch.cos(torch.tensor(5.0, dtype=torch.float64, requires_grad=True)),
    v1=np.float32(1),
    v2=np.array(1),
    v3=torch.tensor([-1.0]),
    v4=np.ones((1, 1)),
    v5=True + 0,
)
