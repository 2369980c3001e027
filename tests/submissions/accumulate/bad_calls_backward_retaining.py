# expected: autograd-in-backward
def accumulate(tensor, seed):
    tensor.backward(seed, retain_graph=True)
