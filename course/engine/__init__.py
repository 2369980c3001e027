"""A small engine of reverse accumulation, to be read in one sitting.

Read in this order:

1. `values`: floats and arrays, and how a gradient is summed back to the shape that was broadcast.
2. `core`: Tensor and Node, the graph that a computation leaves behind.
3. `operation`, `elementwise`: how an operation enters the graph, and the operations, a few lines each.
4. `reverse`: the backward pass, one loop without recursion; `backward` and `grad`.
5. `function`: operations of one's own, with PyTorch's names and rules.
6. `arrays`: sums, products of matrices, changes of shape.
7. `methods`, `gradcheck`, `tape`: what a Tensor can do, checks by finite differences, a graph as a list.

For those who draw the graph: `tensor.grad_fn` is the node (`ctx` itself). `node.name()`, `node.next_functions`,
`node.saved_tensors`, `node.register_hook(hook)` mean what they mean in PyTorch; a leaf's node is called
'AccumulateGrad' and has `.variable` (None once nobody holds the leaf). Beyond PyTorch, `node.shape` and
`node.dtype` tell the output's, and `node.value` is the output itself, as a float or an array, if it has at
most 16 entries; else, and for Functions of several outputs, it is None.
"""

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
from course.engine.core import Node, Tensor, no_grad
from course.engine.elementwise import cos, exp, log, maximum, relu, sigmoid, sin, sqrt, tanh, where
from course.engine.function import Function, once_differentiable
from course.engine.gradcheck import GradcheckError, gradcheck, gradgradcheck
from course.engine.methods import Methods as _Methods  # noqa: F401  gives Tensor its operators
from course.engine.reverse import grad

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
