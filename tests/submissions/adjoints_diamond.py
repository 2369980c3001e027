# %% four_digits expected: right
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1.2122, "b": 1.6036, "a": 3.6366}


# %% from_torch expected: right
import torch

a = torch.tensor(0.5, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
p = a * b
s = p.sin()
t = s * b
y = p + t
found = torch.autograd.grad(y, [a, b, p, s, t, y])
adjoints_diamond = dict(zip("abpsty", found))


# %% worked_out expected: right
import math

a, b = 0.5, 3.0
p = a * b
s = math.sin(p)
t_bar = 1
y_bar = 1
s_bar = t_bar * b
p_bar = y_bar + s_bar * math.cos(p)
adjoints_diamond = {
    "a": p_bar * b,
    "b": p_bar * a + t_bar * s,
    "p": p_bar,
    "s": s_bar,
    "t": t_bar,
    "y": y_bar,
}


# %% bad_error_carried_on expected: missing-term
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1, "b": 0.5 + 0.9975, "a": 3}


# %% bad_local_derivative_of_s expected: term-without-cotangent
import math

adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1 + math.cos(1.5), "b": 1.6036, "a": 3.6366}


# %% bad_one_path_to_b expected: missing-term
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1.2122, "b": 0.997495, "a": 3.6366}


# %% bad_one_path_to_p expected: missing-term
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1, "b": 1.6036, "a": 3.6366}


# %% bad_other_path_to_p expected: missing-term
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 0.212212, "b": 1.6036, "a": 3.6366}


# %% bad_seed expected: wrong-factor
adjoints_diamond = {"y": 2, "t": 2, "s": 6, "p": 2.4244, "b": 3.2072, "a": 7.2732}


# %% linear_system expected: right
# Right: the adjoints solve (I - M) adjoint = seed, with M the matrix of local derivatives.
import numpy as np

order = ["a", "b", "p", "s", "t", "y"]
M = np.zeros((6, 6))  # M[i, j]: derivative of node j with respect to node i
M[0, 2], M[1, 2] = 3.0, 0.5
M[2, 3] = np.cos(1.5)
M[3, 4], M[1, 4] = 3.0, np.sin(1.5)
M[2, 5] = M[4, 5] = 1.0
seed = np.eye(6)[5]
adjoints_diamond = dict(zip(order, np.linalg.solve(np.eye(6) - M, seed).tolist()))


# %% bad_seeded_with_the_value expected: value-for-derivative
# The output starts with its value 4.4925 instead of the seed 1, so every adjoint is 4.4925 times too large.
import math

prod = 0.5 * 3
seed = prod + math.sin(prod) * 3
via_s = 3 * math.cos(prod)
adjoints_diamond = dict(
    y=seed,
    t=seed,
    s=seed * 3,
    p=seed * (1 + via_s),
    b=seed * ((1 + via_s) * 0.5 + math.sin(prod)),
    a=seed * (1 + via_s) * 3,
)


# %% bad_sent_too_early expected: wrong-order
# p passes its adjoint on to a and b when only y has contributed; p itself is right in the end, a and b lack the path through s.
from math import cos, sin

y_ = 1.0
t_ = y_
p_ = y_
a_ = p_ * 3
b_ = p_ * 0.5 + t_ * sin(1.5)
s_ = t_ * 3
p_ += s_ * cos(1.5)
adjoints_diamond = {"y": y_, "t": t_, "s": s_, "p": p_, "b": b_, "a": a_}


# %% bad_minus_cosine expected: wrong-sign-of-a-term
# The derivative of the sine is taken as -cos, so the second term of p has the wrong sign; a and b follow from p.
import math

adjoints_diamond = {"y": 1, "t": 1, "s": 3}
adjoints_diamond["p"] = 1 - 3 * math.cos(1.5)
adjoints_diamond["b"] = adjoints_diamond["p"] * 0.5 + math.sin(1.5)
adjoints_diamond["a"] = adjoints_diamond["p"] * 3


# %% bad_argument_of_the_sine expected: wrong-operand
# t = s*b: the term of b through t is p where it should be s = sin p
from math import cos

pbar = 1 + 3 * cos(1.5)
adjoints_diamond = {"a": 3 * pbar, "b": 0.5 * pbar + 1.5, "p": pbar, "s": 3, "t": 1, "y": 1}


# %% bad_one_path_twice expected: wrong-factor-of-a-term
# the path of b through t is counted twice: once as 'explicit b', once as 't uses b'
from math import cos, sin


def bar():
    pbar = 1 + 3 * cos(1.5)
    by_product, explicit, by_t = pbar * 0.5, sin(1.5), sin(1.5)
    return {"y": 1, "t": 1, "s": 3, "p": pbar, "b": by_product + explicit + by_t, "a": pbar * 3}


adjoints_diamond = bar()


# %% bad_cosine_of_a expected: wrong-operand
from math import cos, sin

a, b = 0.5, 3
bar = {"y": 1, "t": 1}
bar["s"] = bar["t"] * b
bar["p"] = bar["y"] + bar["s"] * cos(a)
bar["b"] = bar["p"] * a + bar["t"] * sin(a * b)
bar["a"] = bar["p"] * b
adjoints_diamond = bar


# %% bad_p_counted_twice expected: wrong-factor
import math

p_adjoint = 1 + 3 * math.cos(1.5)
adjoints_diamond = {
    "y": 1,
    "t": 1,
    "s": 3,
    "p": p_adjoint,
    "b": 2 * (p_adjoint * 0.5) + math.sin(1.5),
    "a": 2 * (p_adjoint * 3),
}


# %% bad_factors_exchanged expected: gradient-of-another-input
import math


a, b = 0.5, 3
p = a * b
s = math.sin(p)

y_bar = 1
t_bar = y_bar
s_bar = t_bar * s
p_bar = y_bar + s_bar * math.cos(p)
b_bar = p_bar * a + t_bar * b
a_bar = p_bar * b

adjoints_diamond = {"y": y_bar, "t": t_bar, "s": s_bar, "p": p_bar, "b": b_bar, "a": a_bar}


# %% bad_slope_of_tanh expected: derivative-of-another-function
import math
from collections.abc import Sequence

from course.engine.tape import Step

s_value = math.sin(1.5)
p_adjoint = 1 + 3 * (1 - s_value**2)

adjoints_diamond = {
    "y": 1,
    "t": 1,
    "s": 3,
    "p": p_adjoint,
    "b": p_adjoint * 0.5 + s_value,
    "a": p_adjoint * 3,
}


# %% bad_p_sends_its_total_twice expected: wrong-order
# The recursion lets p send its whole accumulated adjoint on each time that something arrives, before and
# after s has contributed.
import math
from collections.abc import Sequence

from course.engine.tape import Step


uses = {
    "y": [("p", 1.0), ("t", 1.0)],
    "t": [("s", 3.0), ("b", math.sin(1.5))],
    "s": [("p", math.cos(1.5))],
    "p": [("a", 3.0), ("b", 0.5)],
    "b": [],
    "a": [],
}
adjoints_diamond = dict.fromkeys(uses, 0.0)


def receive(node, amount):
    adjoints_diamond[node] += amount
    for operand, local in uses[node]:
        receive(operand, adjoints_diamond[node] * local)


receive("y", 1.0)
