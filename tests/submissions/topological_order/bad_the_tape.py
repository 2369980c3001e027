# expected: wrong
from course.engine.tape import tape


def topological_order(tensor):
    return tape(tensor)[::-1]
