"""Raises errors whose type, message and traceback hold a script."""

SCRIPT = "<script>document.title='wyob-attack'</script></pre></div>"


def backward(ctx, grad_output):
    raise type(SCRIPT, (Exception,), {"__str__": lambda self: SCRIPT + "\x1b[31m" + "\ud800" + "\x00"})(
        SCRIPT
    )


KillHead.backward = staticmethod(backward)
KillHead.__name__ = KillHead.__qualname__ = SCRIPT
