# expected: cannot run
def EngineMul(a, b):
    return a * b
