# expected: right
import torch

a = torch.tensor(0.5, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
p = a * b
s = p.sin()
t = s * b
y = p + t
found = torch.autograd.grad(y, [a, b, p, s, t, y])
adjoints_diamond = dict(zip("abpsty", found))
