"""Has the course's own small engine differentiate forward.

exercise: kill_head
"""

from course import engine


class KillHead(KillHead):
    @staticmethod
    def backward(ctx, grad_output):
        x = engine.Tensor(torch.zeros_like(grad_output).numpy(), requires_grad=True)
        mask = (torch.arange(x.shape[1]) >= ctx.n).to(grad_output.dtype).numpy()
        (found,) = engine.grad((x * mask).sum(), [x])
        return grad_output * torch.tensor(found.data), None
