# expected: right
import sys


def topological_order(tensor):
    sys.setrecursionlimit(1_000_000)
    seen, order = set(), []

    def visit(node):
        seen.add(node)
        for parent, _ in node.next_functions:
            if parent is not None and parent not in seen:
                visit(parent)
        order.append(node)

    visit(tensor.grad_fn)
    return order[::-1]
