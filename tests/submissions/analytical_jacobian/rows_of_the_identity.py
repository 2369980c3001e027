# expected: right
import torch


def analytical_jacobian(fn, inputs):
    y = fn(*inputs)
    per_output = []
    for unit in torch.eye(y.numel(), dtype=torch.float64):
        g = torch.autograd.grad(
            y,
            inputs,
            grad_outputs=unit.view_as(y),
            retain_graph=True,
            create_graph=True,
            materialize_grads=True,
        )
        per_output.append(torch.cat([t.flatten() for t in g]))
    return torch.stack(per_output).split([x.numel() for x in inputs], dim=1)
