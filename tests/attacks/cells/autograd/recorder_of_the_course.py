"""Has the course's recorder run a graph of native operations backward, and reads the adjoint.

exercise: kill_head
"""

from course import graph


class KillHead(KillHead):
    @staticmethod
    def backward(ctx, grad_output):
        with torch.enable_grad():
            x = torch.zeros_like(grad_output, requires_grad=True)
            y = torch.where(torch.arange(x.shape[1]) < ctx.n, 0.0, x)
            recorded = graph.record((y * grad_output.detach()).sum())
        leaf = next(node for node in recorded.nodes if node.kind == "leaf" and node.adjoint)
        return torch.tensor(leaf.adjoint.entries).to(grad_output.dtype), None


class Named:
    adjoint = nodes = entries = kind = None
