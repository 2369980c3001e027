# expected: wrong
def reverse_sweep(tape, seed):
    steps = {step.name: step for step in tape}
    adjoints = {step.name: 0.0 for step in tape}

    def push(name, amount):
        adjoints[name] += amount
        for operand, partial in zip(steps[name].operands, steps[name].partials):
            push(operand, partial * amount)

    push(tape[-1].name, seed)
    return adjoints
