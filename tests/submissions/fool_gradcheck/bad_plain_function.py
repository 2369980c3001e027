# expected: cannot run
def FoolGradcheck(x):
    return x * x
