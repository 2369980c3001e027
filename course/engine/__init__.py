"""A small engine for reverse accumulation, short enough to read in one sitting.

Read in this order:

1. `core`: the Tensor, the nodes of the recorded graph, and the backward pass, one loop without recursion
   (`propagate`).
2. `ops`: how an operation is recorded, and all operations with their vector-Jacobian products.
3. `function`: your own operations, as in PyTorch.
4. `gradcheck`, `tape`, `hooks`: three ways to inspect a gradient.

All of them use `values` (floats and arrays) and `recording` (whether operations are recorded).

To walk the graph: `tensor.grad_fn` is the node; the node of a Function has its `ctx`. `node.name()`,
`node.next_functions`, `node.saved_tensors` and `node.register_hook(hook)` are the same as in PyTorch.
`node(gradient)` runs only this node's backward and always returns a tuple. The node of a leaf is called
'AccumulateGrad' and has `.variable` (None if the leaf no longer exists). Beyond PyTorch, `node.number` gives
the order of creation, `node.shape` is the shape of the output, and `node.value` is the output itself, a float
or an array, if it has at most 16 entries, else None.
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
