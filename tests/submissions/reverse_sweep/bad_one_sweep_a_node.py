# expected: wrong
def reverse_sweep(tape, seed):
    result = {}
    for target in tape[-200:]:
        adjoints = {step.name: 0.0 for step in tape}
        adjoints[tape[-1].name] = seed
        for step in reversed(tape):
            for operand, partial in zip(step.operands, step.partials):
                adjoints[operand] += adjoints[step.name] * partial
        result.update(adjoints)
    return result
