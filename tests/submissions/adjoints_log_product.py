# %% by_the_engine_with_a_further_key expected: right
from course.engine import Tensor, grad, log, sin

x1, x2 = Tensor(2.0, requires_grad=True), Tensor(5.0, requires_grad=True)
v1, v2, v3 = log(x1), x1 * x2, sin(x2)
v4 = v1 + v2
v5 = v4 - v3
names = dict(x1=x1, x2=x2, v1=v1, v2=v2, v3=v3, v4=v4, v5=v5)
adjoints_log_product = {name: value for name, value in zip(names, grad(v5, list(names.values())))}
adjoints_log_product["y"] = 1


# %% computed_with_math expected: right
import math

x1, x2 = 2, 5
adjoints_log_product = {}
adjoints_log_product["v5"] = 1
adjoints_log_product["v4"] = adjoints_log_product["v5"]
adjoints_log_product["v3"] = -adjoints_log_product["v5"]
adjoints_log_product.update(v1=adjoints_log_product["v4"], v2=adjoints_log_product["v4"])
adjoints_log_product["x1"] = 1 / x1 + x2
adjoints_log_product["x2"] = x1 - math.cos(x2)


# %% numpy_torch_and_fractions expected: right
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


# %% plain expected: right
adjoints_log_product = {
    "v5": 1.0,
    "v4": 1.0,
    "v3": -1.0,
    "v2": 1.0,
    "v1": 1.0,
    "x2": 1.7163,
    "x1": 5.5,
}


# %% bad_a_node_is_missing expected: wrong
adjoints_log_product = {"v5": 1, "v4": 1, "v3": -1, "v2": 1, "x2": 1.7163, "x1": 5.5}


# %% bad_arrays expected: wrong
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


# %% bad_blanks expected: wrong
adjoints_log_product = {"v5": None, "v4": ..., "v3": "", "v2": [], "v1": None, "x2": None, "x1": None}


# %% bad_degrees expected: wrong-operand
import math

adjoints_log_product = {
    "v5": 1,
    "v4": 1,
    "v3": -1,
    "v2": 1,
    "v1": 1,
    "x2": 2 - math.cos(math.radians(5)),
    "x1": 5.5,
}


# %% bad_local_derivative expected: missing-grad-output
adjoints_log_product = {"v5": 1, "v4": 1, "v3": -1, "v2": 1, "v1": 1, "x2": 0.28366, "x1": 5.5}


# %% bad_nan expected: wrong
adjoints_log_product = dict.fromkeys(["v5", "v4", "v3", "v2", "v1", "x2", "x1"], float("nan"))


# %% bad_one_path_only expected: missing-term
adjoints_log_product = {"v5": 1, "v4": 1, "v3": -1, "v2": 1, "v1": 1, "x2": 1.7163, "x1": 5}


# %% bad_other_names expected: wrong
adjoints_log_product = {"w7": 1, "w6": 1, "w5": -1, "w4": 1, "w3": 1, "w2": 1.7163, "w1": 5.5}


# %% bad_other_path_only expected: missing-term
adjoints_log_product = {"v5": 1, "v4": 1, "v3": -1, "v2": 1, "v1": 1, "x2": -0.28366, "x1": 5.5}


# %% bad_rounded_too_far expected: not-precise
adjoints_log_product = {"v5": 1, "v4": 1, "v3": -1, "v2": 1, "v1": 1, "x2": 1.7, "x1": 5.5}


# %% bad_sign_of_the_difference expected: wrong-sign
adjoints_log_product = {"v5": 1, "v4": 1, "v3": 1, "v2": 1, "v1": 1, "x2": 2.28366, "x1": 5.5}


# %% bad_text expected: wrong
adjoints_log_product = {"v5": "1", "v4": "1", "v3": "-1", "v2": "1", "v1": "1", "x2": "1.7163", "x1": "5.5"}


# %% bad_values_instead expected: value-for-derivative
adjoints_log_product = {"v5": 11.652, "v4": 10.693, "v3": -0.9589, "v2": 10, "v1": 0.6931, "x2": 5, "x1": 2}


# %% bad_zero_for_a_leaf expected: missing-gradient
adjoints_log_product = {"v5": 1, "v4": 1, "v3": -1, "v2": 1, "v1": 1, "x2": 1.7163, "x1": 0}


# %% bad_list expected: cannot run
adjoints_log_product = [5.5, 1.7163, 1, 1, -1, 1, 1]


# %% bad_missing expected: cannot run
adjoints = {"x1": 5.5}


# %% edges_and_a_loop expected: right
# Right: a list of edges, walked from the output back.
import math

EDGES = [
    ("v5", "v4", 1.0),
    ("v5", "v3", -1.0),
    ("v4", "v1", 1.0),
    ("v4", "v2", 1.0),
    ("v3", "x2", math.cos(5.0)),
    ("v2", "x1", 5.0),
    ("v2", "x2", 2.0),
    ("v1", "x1", 0.5),
]
adjoints_log_product = {name: 0.0 for name in ("x1", "x2", "v1", "v2", "v3", "v4", "v5")}
adjoints_log_product["v5"] = 1.0
for user, used, slope in EDGES:
    adjoints_log_product[used] += slope * adjoints_log_product[user]


# %% bad_leaves_crossed expected: gradients-swapped
# The two leaves have got each other's adjoint.
import math


def walk(p, q):
    top = 1.0
    left, right = top, -top
    return [top, left, right, left, left, 1 / p * left + q * left, p * left + right * math.cos(q)]


adjoints_log_product = {k: v for k, v in zip(("v5", "v4", "v3", "v2", "v1", "x2", "x1"), walk(2, 5))}


# %% bad_local_derivative_at_v1 expected: extra-factor
# v1 holds the local derivative 1/x1 of the step ln x1, not the adjoint of v1; all other nodes, leaves included, are right.
import numpy as np

adjoints_log_product = {
    "v5": 1.0,
    "v4": 1.0,
    "v3": -1.0,
    "v2": 1.0,
    "v1": 1.0 / 2.0,
    "x2": float(2.0 - np.cos(5.0)),
    "x1": 0.5 + 5.0,
}


# %% bad_minus_dropped expected: wrong-sign
# v5 = v4 - v3, but both operands are given +1: v3 has the wrong sign, and x2 follows from it.
from math import cos

names = ["v5", "v4", "v3", "v2", "v1"]
adjoints_log_product = dict.fromkeys(names, 1)
adjoints_log_product["x2"] = 2 * adjoints_log_product["v2"] + cos(5) * adjoints_log_product["v3"]
adjoints_log_product["x1"] = 5 + 1 / 2


# %% bad_tangents_instead expected: wrong
adjoints_log_product = {
    "x1": 1.0,
    "x2": 0.0,
    "v1": 0.5,
    "v2": 5.0,
    "v3": 0.0,
    "v4": 5.5,
    "v5": 5.5,
}


# %% bad_own_factor expected: gradient-of-another-input
import math

x1, x2 = 2.0, 5.0
adjoints_log_product = {
    "v5": 1.0,
    "v4": 1.0,
    "v3": -1.0,
    "v2": 1.0,
    "v1": 1.0,
    "x2": x2 - math.cos(x2),
    "x1": 1 / x1 + x1,
}


# %% bad_sine_derives_to_minus_cosine expected: wrong-sign-of-a-term
import math

x1, x2 = 2, 5
v5_bar = 1
v4_bar = v5_bar
v3_bar = -v5_bar
v2_bar = v4_bar
v1_bar = v4_bar
x2_bar = v2_bar * x1 + v3_bar * (-math.cos(x2))
x1_bar = v1_bar / x1 + v2_bar * x2

adjoints_log_product = {
    "v5": v5_bar,
    "v4": v4_bar,
    "v3": v3_bar,
    "v2": v2_bar,
    "v1": v1_bar,
    "x2": x2_bar,
    "x1": x1_bar,
}
