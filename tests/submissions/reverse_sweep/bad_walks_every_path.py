# expected: wrong
def reverse_sweep(tape, seed):
    steps = {step.name: step for step in tape}
    adjoints = {step.name: 0.0 for step in tape}
    waiting = [(tape[-1].name, seed)]
    while waiting:
        name, amount = waiting.pop()
        adjoints[name] += amount
        for operand, partial in zip(steps[name].operands, steps[name].partials):
            waiting.append((operand, partial * amount))
    return adjoints
