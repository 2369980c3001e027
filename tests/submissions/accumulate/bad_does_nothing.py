# expected: wrong
def accumulate(tensor, seed):
    return tensor
