"""A small engine of reverse accumulation, to be read in one sitting.

Read in this order:

1. `core`: a Tensor; the nodes of the graph that computing with Tensors leaves behind; the backward pass,
   one loop without recursion (`propagate`).
2. `ops`: how an operation enters the graph, and all of them, each with its vector-Jacobian products.
3. `function`: operations of one's own, as in PyTorch.
4. `gradcheck`, `tape`, `hooks`: three ways to look at a gradient.

`values` (floats and arrays) and `recording` (whether the graph is being written) serve all of them.

For those who walk the graph: `tensor.grad_fn` is the node; that of a Function has its `ctx`. `node.name()`,
`node.next_functions`, `node.saved_tensors`, `node.register_hook(hook)` mean what they mean in PyTorch, and
`node(gradient)` runs its backward alone, always returning a tuple. A leaf's node is called 'AccumulateGrad'
and has `.variable` (None once nobody holds the leaf). Beyond PyTorch, `node.number` tells the order of
creation, `node.shape` is the output's, and `node.value` is the output itself, a float or an array, if it has
at most 16 entries, else None.
"""

# fmt: off
# isort: off
from course.engine.core import Node, Tensor, grad
from course.engine.recording import no_grad
from course.engine.ops import broadcast_to, concatenate, reshape, transpose, matmul, mean, sum, where
from course.engine.ops import cos, exp, log, relu, sigmoid, sin, sqrt, tanh
from course.engine.function import Function, once_differentiable
from course.engine.gradcheck import GradcheckError, gradcheck, gradgradcheck

__all__ = [
    "Function", "GradcheckError", "Node", "Tensor", "broadcast_to", "concatenate", "cos", "exp", "grad",
    "gradcheck", "gradgradcheck", "log", "matmul", "mean", "no_grad", "once_differentiable", "relu",
    "reshape", "sigmoid", "sin", "sqrt", "sum", "tanh", "transpose", "where",
]
