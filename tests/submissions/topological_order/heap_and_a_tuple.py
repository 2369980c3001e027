# expected: right
import heapq


def topological_order(tensor):
    heap, found, order = [(-tensor.grad_fn.number, tensor.grad_fn)], {id(tensor.grad_fn)}, ()
    result = []
    while heap:
        _, node = heapq.heappop(heap)
        result += [node]
        for parent, _ in node.next_functions:
            if parent and id(parent) not in found:
                found.add(id(parent))
                heapq.heappush(heap, (-parent.number, parent))
    return tuple(result)
