"""A small engine of reverse accumulation, to be read in one sitting.

Read in this order:

1. `values`: floats and arrays, and how a gradient is summed back to the shape that was broadcast.
2. `node`, `tensor`: the graph that a computation leaves behind.
3. `operation`, `arithmetic`: how an operation enters the graph, and what one looks like.
4. `reverse`, `hooks`: the backward pass, one loop without recursion.
5. `function`, and with it `saved`, `contract`, `once`: operations of one's own, as in PyTorch.
6. `functions`, `choices`, `shapes`, `reductions`: all other operations, a few lines each.
7. `methods`, `gradcheck`, `tape`: what a Tensor can do, and two ways to look at a gradient.

For those who walk the graph: `tensor.grad_fn` is the node, and the `ctx` of its Function. `node.name()`,
`node.next_functions`, `node.saved_tensors`, `node.register_hook(hook)` mean what they mean in PyTorch, and
`node(gradient)` runs its backward alone, always returning a tuple. A leaf's node is called 'AccumulateGrad'
and has `.variable` (None once nobody holds the leaf). Beyond PyTorch, `node.number` tells the order of
creation, `node.shape` and `node.dtype` are the output's, and `node.value` is the output itself, a float or
an array, if it has at most 16 entries. Else, and for Functions of several outputs, it is None.
"""

from course.engine.choices import maximum, relu, where
from course.engine.function import Function
from course.engine.functions import cos, exp, log, sigmoid, sin, sqrt, tanh
from course.engine.gradcheck import GradcheckError, gradcheck, gradgradcheck
from course.engine.methods import Methods as _Methods  # noqa: F401  gives Tensor its operators
from course.engine.node import Node, no_grad
from course.engine.once import once_differentiable
from course.engine.reductions import logsumexp, matmul, max, mean, sum
from course.engine.reverse import grad
from course.engine.shapes import broadcast_to, concatenate, reshape, transpose
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
