# expected: wrong
def reverse_sweep(tape, seed):
    return [seed for _ in tape]
