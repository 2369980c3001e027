# expected: wrong
def reverse_sweep(tape, seed):
    print({step.name: seed for step in tape})
