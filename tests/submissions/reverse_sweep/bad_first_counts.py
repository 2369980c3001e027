# expected: overwrites-instead-of-accumulates
def reverse_sweep(tape, seed):
    adjoints = {tape[-1].name: seed}
    for step in reversed(tape):
        for operand, partial in zip(step.operands, step.partials):
            adjoints.setdefault(operand, adjoints[step.name] * partial)
    return adjoints
