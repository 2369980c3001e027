"""The code of PyTorch's functions that an exercise asks the student to write."""

from importlib import import_module
from types import CodeType, FunctionType

import torch
from torch.autograd import functional

from autograder.tasks.watch import codes_of

# torch.autograd.gradcheck is a function, and hides the module of that name
_gradcheck = import_module("torch.autograd.gradcheck")

GRADCHECK: dict[CodeType, str] = codes_of(
    value
    for value in vars(_gradcheck).values()
    if isinstance(value, FunctionType) and value.__module__ == _gradcheck.__name__
)
JACOBIANS: dict[CodeType, str] = codes_of(
    [functional.jacobian, functional.hessian, torch.func.jacrev, torch.func.jacfwd, torch.func.hessian]
)
HESSIAN_PRODUCTS: dict[CodeType, str] = codes_of([functional.hvp, functional.vhp])
