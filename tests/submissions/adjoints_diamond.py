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


# %% bad_error_carried_on expected: overwrites-instead-of-accumulates
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1, "b": 0.5 + 0.9975, "a": 3}


# %% bad_local_derivative_of_s expected: missing-grad-output
import math

adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1 + math.cos(1.5), "b": 1.6036, "a": 3.6366}


# %% bad_one_path_to_b expected: overwrites-instead-of-accumulates
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1.2122, "b": 0.997495, "a": 3.6366}


# %% bad_one_path_to_p expected: overwrites-instead-of-accumulates
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1, "b": 1.6036, "a": 3.6366}


# %% bad_other_path_to_p expected: overwrites-instead-of-accumulates
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 0.212212, "b": 1.6036, "a": 3.6366}


# %% bad_seed expected: wrong
adjoints_diamond = {"y": 2, "t": 2, "s": 6, "p": 2.4244, "b": 3.2072, "a": 7.2732}
