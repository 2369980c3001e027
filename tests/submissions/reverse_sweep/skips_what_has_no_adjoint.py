# expected: right
from collections import defaultdict


def reverse_sweep(tape, seed):
    adjoints = defaultdict(float, {tape[-1].name: seed})
    for name, operands, partials in tape[::-1]:
        if adjoints[name] == 0:
            continue
        for operand, partial in zip(operands, partials):
            adjoints[operand] += partial * adjoints[name]
    return {step.name: adjoints[step.name] for step in tape}
