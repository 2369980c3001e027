# expected: right
import torch


def analytical_jacobian(fn, inputs):
    output = fn(*inputs)
    jacobians = tuple(x.new_zeros(output.numel(), x.numel()) for x in inputs)
    for row in range(output.numel()):
        cotangent = torch.zeros_like(output).reshape(-1)
        cotangent[row] = 1
        gradients = torch.autograd.grad(
            output, inputs, cotangent.reshape(output.shape), retain_graph=True, allow_unused=True
        )
        for jacobian, gradient in zip(jacobians, gradients):
            if gradient is not None:
                jacobian[row] = gradient.reshape(-1)
    return jacobians
