# expected: wrong
def reverse_sweep(tape, seed):
    adjoints = {tape[-1].name: seed}
    for step in reversed(tape):
        if step.name in adjoints:
            for operand, partial in zip(step.operands, step.partials):
                adjoints[operand] = adjoints.get(operand, 0) + adjoints[step.name] * partial
    return adjoints
