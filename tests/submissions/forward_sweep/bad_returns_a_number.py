# expected: wrong
def forward_sweep(tape, inputs, seed):
    return 1.0
