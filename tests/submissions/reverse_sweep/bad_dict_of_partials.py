# expected: wrong
def reverse_sweep(tape, seed):
    adjoints = {step.name: 0.0 for step in tape}
    adjoints[tape[-1].name] = seed
    for step in reversed(tape):
        for operand in set(step.operands):
            adjoints[operand] += adjoints[step.name] * step.partials[step.operands.index(operand)]
    return adjoints
