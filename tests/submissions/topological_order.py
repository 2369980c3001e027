# %% counts_of_users expected: right
from collections import Counter, deque


def topological_order(tensor):
    users, waiting, seen = Counter(), [tensor.grad_fn], {tensor.grad_fn}
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is None or parent.name() == "AccumulateGrad":
                continue
            users[parent] += 1
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    ready, order = deque([tensor.grad_fn]), []
    while ready:
        node = ready.popleft()
        order.append(node)
        for parent, _ in node.next_functions:
            if parent in users:
                users[parent] -= 1
                if users[parent] == 0:
                    ready.append(parent)
    return order


# %% generator_of_nodes expected: right
from collections import deque


def walk(tensor):
    counts = {tensor.grad_fn: 0}
    queue = deque(counts)
    while queue:
        for parent, _ in queue.popleft().next_functions:
            if parent is not None:
                if parent not in counts:
                    counts[parent] = 0
                    queue.append(parent)
                counts[parent] += 1
    ready = [tensor.grad_fn]
    while ready:
        node = ready.pop()
        yield node
        for parent, _ in node.next_functions:
            if parent is not None:
                counts[parent] -= 1
                if not counts[parent]:
                    ready.append(parent)


def topological_order(tensor):
    return [*walk(tensor)]


# %% heap_and_a_tuple expected: right
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


# %% iterators_on_a_stack_leaves_left_out expected: right
class Walk:
    def __init__(self):
        self.order = []
        self.visited = set()

    def run(self, root):
        self.visited.add(root)
        path = [(root, iter(root.next_functions))]
        while path:
            node, parents = path[-1]
            for parent, _ in parents:
                if parent is not None and parent not in self.visited and parent.next_functions:
                    self.visited.add(parent)
                    path.append((parent, iter(parent.next_functions)))
                    break
            else:
                self.order.insert(len(self.order), node)
                path.pop()
        self.order.reverse()
        return self.order


def topological_order(tensor):
    return Walk().run(tensor.grad_fn)


# %% bad_recursion_with_a_raised_limit expected: wrong
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


# %% sorted_by_number expected: right
def topological_order(tensor):
    nodes = {tensor.grad_fn: None}
    waiting = [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in nodes:
                nodes[parent] = None
                waiting.append(parent)
    return sorted(nodes, key=lambda node: node.number, reverse=True)


# %% stack_with_a_second_visit expected: right
def topological_order(tensor):
    seen, order, stack = set(), [], [(tensor.grad_fn, False)]
    while stack:
        node, finished = stack.pop()
        if finished:
            order.append(node)
        elif node is not None and node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent, _ in node.next_functions)
    return order[::-1]


# %% bad_a_node_and_no_list expected: wrong
def topological_order(tensor):
    return tensor.grad_fn


# %% bad_a_set expected: wrong-order
def topological_order(tensor):
    nodes, stack = set(), [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            stack.extend(parent for parent, _ in node.next_functions)
    return nodes


# %% bad_breadth_first expected: wrong-order
def topological_order(tensor):
    order, seen = [tensor.grad_fn], {tensor.grad_fn}
    for node in order:
        for parent, _ in node.next_functions:
            if parent is not None and parent not in seen:
                seen.add(parent)
                order.append(parent)
    return order


# %% bad_constants_not_thought_of expected: wrong
def topological_order(tensor):
    order, stack = [], [tensor.grad_fn]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += [parent for parent, _ in node.next_functions if parent not in order]
    return order


# %% bad_constants_too expected: wrong
def topological_order(tensor):
    order, seen = [tensor.grad_fn], {tensor.grad_fn}
    for node in order:
        for parent, _ in node.next_functions if node else ():
            if parent not in seen:
                seen.add(parent)
                order.append(parent)
    return order


# %% bad_depth_first expected: wrong-order
def topological_order(tensor):
    order, stack = {}, [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in order:
            order[node] = True
            stack.extend(parent for parent, _ in node.next_functions)
    return list(order)


# %% bad_endless expected: wrong
def topological_order(tensor):
    while True:
        try:
            tensor.grad_fn.name()
        except Exception:
            pass


# %% bad_first_operand_only expected: wrong
def topological_order(tensor):
    order, node = [], tensor.grad_fn
    while node is not None:
        order.append(node)
        node = node.next_functions[0][0] if node.next_functions else None
    return order


# %% bad_from_the_leaves expected: wrong-order
def topological_order(tensor):
    nodes, stack = set(), [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            stack.extend(parent for parent, _ in node.next_functions)
    return sorted(nodes, key=lambda node: node.number)


# %% bad_memory_after_the_walk expected: wrong
def topological_order(tensor):
    paths = [tensor.grad_fn]
    for node in paths:
        paths.extend(parent for parent, _ in node.next_functions if parent is not None)
    return list(dict.fromkeys(reversed(paths)))[::-1]


# %% bad_memory_is_a_list expected: wrong from: stack_with_a_second_visit
# -     seen, order, stack = set(), [], [(tensor.grad_fn, False)]
# +     seen, order, stack = [], [], [(tensor.grad_fn, False)]

# -             seen.add(node)
# +             seen.append(node)


# %% bad_names expected: wrong
def topological_order(tensor):
    return [tensor.grad_fn.name()]


# %% bad_no_memory expected: wrong
def topological_order(tensor):
    order = [tensor.grad_fn]
    for node in order:
        order.extend(parent for parent, _ in node.next_functions if parent is not None)
    return order


# %% bad_only_some_leaves expected: wrong
def topological_order(tensor):
    nodes, stack = {}, [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in nodes:
            nodes[node] = True
            stack.extend(parent for parent, _ in node.next_functions)
    order = sorted(nodes, key=lambda node: -node.number)
    return order[:-1]


# %% bad_output_left_out expected: wrong
def topological_order(tensor):
    nodes, stack = set(), [parent for parent, _ in tensor.grad_fn.next_functions]
    while stack:
        node = stack.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            stack.extend(parent for parent, _ in node.next_functions)
    return sorted(nodes, key=lambda node: -node.number)


# %% bad_pairs expected: wrong
def topological_order(tensor):
    order = [(tensor.grad_fn, 0)]
    for node, _ in order:
        order.extend(pair for pair in node.next_functions if pair[0] is not None)
    return order


# %% bad_prints expected: wrong
def topological_order(tensor):
    print(tensor.grad_fn)


# %% bad_recursive expected: wrong
def topological_order(tensor):
    order, seen = [], set()

    def visit(node):
        if node is None or node in seen:
            return
        seen.add(node)
        for parent, _ in node.next_functions:
            visit(parent)
        order.append(node)

    visit(tensor.grad_fn)
    order.reverse()
    return order


# %% bad_stub expected: wrong
def topological_order(tensor):
    raise NotImplementedError


# %% bad_tensors expected: wrong
def topological_order(tensor):
    return [tensor]


# %% bad_the_tape expected: wrong
from course.engine.tape import tape


def topological_order(tensor):
    return tape(tensor)[::-1]


# %% bad_not_callable expected: cannot run
topological_order = []


# %% bad_set_left_over expected: state-on-class
def topological_order(tensor, found=set()):
    nodes, waiting = [tensor.grad_fn], [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                nodes.append(parent)
                waiting.append(parent)
    return sorted(nodes, key=lambda node: node.number, reverse=True)


# %% bad_marks_the_nodes expected: mutates-input
def topological_order(tensor):
    nodes, waiting = [tensor.grad_fn], [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent.adjoint is None:
                parent.adjoint = 0.0
                nodes.append(parent)
                waiting.append(parent)
    return sorted(nodes, key=lambda node: node.number, reverse=True)


# %% walk_by_iterators_reversed expected: right
def topological_order(tensor):
    """Depth first, each node appended when all below it are done."""
    done, order, path = {tensor.grad_fn}, [], [(tensor.grad_fn, iter(tensor.grad_fn.next_functions))]
    while path:
        node, rest = path[-1]
        for parent, _ in rest:
            if parent and parent not in done:
                done.add(parent)
                path.append((parent, iter(parent.next_functions)))
                break
        else:
            order.insert(len(order), node)
            path.pop()
    order.reverse()
    return order


# %% heap expected: right
# Right: a heap of the nodes found, the highest number first.
import heapq


def topological_order(tensor):
    first = tensor.grad_fn
    heap, known, order = [(-first.number, first)], {id(first)}, []
    while heap:
        _, node = heapq.heappop(heap)
        order.append(node)
        for parent, _ in node.next_functions:
            if parent is not None and id(parent) not in known:
                known.add(id(parent))
                heapq.heappush(heap, (-parent.number, parent))
    return order


# %% bad_remembers_old_graphs expected: state-on-class
# The set of nodes found is global, so a second call on the same or an overlapping graph misses nodes.
SEEN = set()


def topological_order(tensor):
    found, waiting = [], [tensor.grad_fn]
    SEEN.add(tensor.grad_fn)
    while waiting:
        node = waiting.pop()
        found.append(node)
        for parent, _ in node.next_functions:
            if parent is None or parent in SEEN:
                continue
            SEEN.add(parent)
            waiting.append(parent)
    found.sort(key=lambda node: -node.number)
    return found


# %% bad_recursive_postorder expected: wrong
# The order is right, but the recursion fails on a deep graph.
from course.engine import Node, Tensor


def topological_order(tensor: Tensor) -> list[Node]:
    done = {}

    def visit(node):
        if node is None or node in done:
            return
        for parent, _ in node.next_functions:
            visit(parent)
        done[node] = True

    visit(tensor.grad_fn)
    return list(done)[::-1]


# %% bad_users_counted_once expected: wrong-order
# Users of a node are counted without repetition but subtracted once per edge: after c·c, c comes before its other users.
from collections import deque


def topological_order(tensor):
    root = tensor.grad_fn
    users = {root: set()}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for parent, _ in node.next_functions:
            if parent is None:
                continue
            if parent not in users:
                users[parent] = set()
                waiting.append(parent)
            users[parent].add(node)
    left = {node: len(who) for node, who in users.items()}
    ready, order = deque([root]), []
    while ready:
        node = ready.popleft()
        order.append(node)
        for parent, _ in node.next_functions:
            if parent is not None:
                left[parent] -= 1
                if left[parent] == 0:
                    ready.append(parent)
    return order


# %% bad_flag_on_the_nodes expected: mutates-input
from typing import Any

from course.engine import Function, Node, Tensor


def topological_order(tensor: Tensor) -> list[Node]:
    start = tensor.grad_fn
    start.visited = True
    nodes = [start]
    waiting = [start]
    while waiting:
        node = waiting.pop()
        for parent, _ in node.next_functions:
            if parent is None or getattr(parent, "visited", False):
                continue
            parent.visited = True
            nodes.append(parent)
            waiting.append(parent)
    return sorted(nodes, key=lambda n: -n.number)


# %% bad_two_operands expected: wrong
# Looks at the first two operands of a node only: nodes behind a third argument of a Function are missing
# ("list the nodes behind it").
def topological_order(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        edges = waiting.pop().next_functions
        parents = []
        if len(edges) > 0:
            parents.append(edges[0][0])
        if len(edges) > 1:
            parents.append(edges[1][0])
        for parent in parents:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)
