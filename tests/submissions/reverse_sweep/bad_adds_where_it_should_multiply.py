# expected: wrong
def reverse_sweep(tape, seed):
    adjoints = {step.name: 0.0 for step in tape}
    adjoints[tape[-1].name] = seed
    for step in reversed(tape):
        for operand, partial in zip(step.operands, step.partials):
            adjoints[operand] += adjoints[step.name] + partial
    return adjoints
