# expected: cannot run
def KillHead(x, n):
    y = x.clone()
    y[:, :n] = 0
    return y
