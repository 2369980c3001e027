"""A small engine of reverse accumulation, to be read in one sitting.

Read in this order:

1. `values`: floats and arrays, and how a gradient is summed back to the shape that was broadcast.
2. `node`, `tensor`, `saved`: the graph that a computation leaves behind, and what it keeps.
3. `operation`: how an operation enters the graph; `elementwise`: what operations look like.
4. `reverse`: the backward pass, one loop without recursion.
5. `function`: operations of one's own, as in PyTorch.
6. `arrays`: operations on shapes, over axes and of matrices; `methods`: all that a Tensor can do.
7. `gradcheck`, `tape`: two ways to look at a gradient.

For those who walk the graph: `tensor.grad_fn` is the node; that of a Function has its `ctx`. `node.name()`,
`node.next_functions`, `node.saved_tensors`, `node.register_hook(hook)` mean what they mean in PyTorch, and
`node(gradient)` runs its backward alone, always returning a tuple. A leaf's node is called 'AccumulateGrad'
and has `.variable` (None once nobody holds the leaf). Beyond PyTorch, `node.number` tells the order of
creation, `node.shape` and `node.dtype` are the output's, and `node.value` is the output itself, a float or
an array, if it has at most 16 entries. Else, and for Functions of several outputs, it is None.
"""

import course.engine.methods  # noqa: F401  gives Tensor its operators
from course.engine.arrays import (
    broadcast_to,
    concatenate,
    logsumexp,
    matmul,
    max,
    mean,
    reshape,
    sum,
    transpose,
)
from course.engine.elementwise import cos, exp, log, maximum, relu, sigmoid, sin, sqrt, tanh, where
from course.engine.function import Function, once_differentiable
from course.engine.gradcheck import GradcheckError, gradcheck, gradgradcheck
from course.engine.node import Node, no_grad
from course.engine.reverse import grad
from course.engine.tensor import Tensor

__all__ = [
    "Function",
    "GradcheckError",
    "Node",
    "Tensor",
    "broadcast_to",
    "concatenate",
    "cos",
    "exp",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "log",
    "logsumexp",
    "matmul",
    "max",
    "maximum",
    "mean",
    "no_grad",
    "once_differentiable",
    "relu",
    "reshape",
    "sigmoid",
    "sin",
    "sqrt",
    "sum",
    "tanh",
    "transpose",
    "where",
]
