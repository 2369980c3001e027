# expected: right
from collections import defaultdict


def forward_sweep(tape, inputs, seed):
    t = defaultdict(float)
    for i, name in enumerate(inputs):
        t[name] = seed[i]
    for name, operands, partials in tape:
        t[name] += sum(t[o] * d for o, d in zip(operands, partials))
    return t
