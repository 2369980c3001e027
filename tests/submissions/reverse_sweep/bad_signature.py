# expected: wrong
def reverse_sweep(tape):
    return {step.name: 1.0 for step in tape}
