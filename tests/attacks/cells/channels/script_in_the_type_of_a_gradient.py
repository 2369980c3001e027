"""Returns objects whose type is named like a script, which findings quote."""

SCRIPT = "<script>document.title='wyob-attack'</script>"
Odd = type(SCRIPT, (), {"__repr__": lambda self: SCRIPT, "__class__": property(lambda self: str)})


def backward(ctx, grad_output):
    return Odd(), Odd()


KillHead.backward = staticmethod(backward)
