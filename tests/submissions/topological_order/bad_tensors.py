# expected: wrong
def topological_order(tensor):
    return [tensor]
