# The gradient by forward mode: the Jacobian is diagonal, so what it makes of grad_output is the answer.
def by_tangents(reach):
    """Return a backward made of four functions of PyTorch, which `reach` finds by dotted names."""
    enter, leave = reach("_C._enter_dual_level"), reach("_C._exit_dual_level")
    make, look = reach("_make_dual"), reach("_unpack_dual")

    def backward(ctx, grad_output):
        level = enter()
        x = make(torch.zeros_like(grad_output), grad_output, level=level)
        y = torch.where(torch.arange(x.shape[1]) < ctx.n, 0.0, x)
        (_, found) = look(y, level=level)
        leave(level=level)
        return found, None

    return staticmethod(backward)
