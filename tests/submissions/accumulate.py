# %% adds_to_the_variables expected: right
def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


from collections import defaultdict


def accumulate(tensor, seed):
    incoming = defaultdict(list)
    incoming[tensor.grad_fn].append(seed)
    for node in nodes_of(tensor):
        total = sum(incoming[node][1:], start=incoming[node][0])
        if node.name() == "AccumulateGrad":
            leaf = node.variable
            leaf.grad = total if leaf.grad is None else leaf.grad + total
            continue
        for (parent, _), gradient in zip(node.next_functions, node(total)):
            if parent:
                incoming[parent].append(gradient)


# %% heap_of_nodes expected: right
import heapq


class Pass:
    def __init__(self):
        self.heap, self.adjoints = [], {}

    def receive(self, node, gradient):
        if node in self.adjoints:
            self.adjoints[node] += gradient
        else:
            self.adjoints[node] = gradient
            heapq.heappush(self.heap, (-node.number, node))

    def run(self):
        while self.heap:
            node = heapq.heappop(self.heap)[1]
            gradients = node(self.adjoints.pop(node))
            for (parent, _), gradient in zip(node.next_functions, gradients):
                if parent is not None:
                    self.receive(parent, gradient)


def accumulate(tensor, seed):
    sweep = Pass()
    sweep.receive(tensor.grad_fn, seed)
    sweep.run()


# %% lets_the_leaves_add expected: right
def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    adjoints = {tensor.grad_fn: seed}
    for node in nodes_of(tensor):
        gradients = node(adjoints.pop(node))
        for (parent, _), gradient in zip(node.next_functions, gradients):
            if parent is not None and gradient is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% seed_a_plain_number expected: right
from course.engine import Tensor


def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    numbers = dict.fromkeys(nodes_of(tensor), 0.0)
    numbers[tensor.grad_fn] = seed
    for node, number in list(numbers.items()):
        parents = [parent for parent, _ in node.next_functions]
        for parent, gradient in zip(parents, node(Tensor(numbers[node]))):
            if parent is not None:
                numbers[parent] += gradient.item()


# %% seed_made_a_tensor expected: right
from course.engine import Tensor


def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed=1.0):
    if not isinstance(seed, Tensor):
        seed = Tensor(float(seed))
    grads = {node: Tensor(0.0) for node in nodes_of(tensor)}
    grads[tensor.grad_fn] = seed
    for (node,) in zip(grads):
        for index, gradient in enumerate(node(grads[node])):
            parent = node.next_functions[index][0]
            if parent in grads:
                grads[parent] = grads[parent] + gradient


# %% users_counted expected: right
def accumulate(tensor, seed):
    root = tensor.grad_fn
    users, stack = {root: 0}, [root]
    while stack:
        for parent, _ in stack.pop().next_functions:
            if parent is None:
                continue
            if parent not in users:
                users[parent] = 0
                stack.append(parent)
            users[parent] += 1
    adjoint, ready = {root: seed}, [root]
    while ready:
        node = ready.pop()
        for (parent, _), gradient in zip(node.next_functions, node(adjoint.pop(node)), strict=True):
            if parent is None:
                continue
            adjoint[parent] = gradient if parent not in adjoint else gradient + adjoint[parent]
            users[parent] -= 1
            if users[parent] == 0:
                ready.append(parent)


# %% bad_breadth_first expected: wrong-order
def accumulate(tensor, seed):
    adjoints, order = {tensor.grad_fn: seed}, [tensor.grad_fn]
    for node in order:
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is None:
                continue
            if parent in adjoints:
                adjoints[parent] = adjoints[parent] + gradient
            else:
                adjoints[parent] = gradient
                order.append(parent)


# %% bad_calls_backward expected: autograd-in-backward
def accumulate(tensor, seed):
    tensor.backward(seed)


# %% bad_calls_backward_retaining expected: autograd-in-backward
def accumulate(tensor, seed):
    tensor.backward(seed, retain_graph=True)


# %% bad_calls_grad expected: autograd-in-backward
from course.engine import grad


def accumulate(tensor, seed):
    leaves, waiting = set(), [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None:
                if parent.name() == "AccumulateGrad":
                    leaves.add(parent.variable)
                else:
                    waiting.append(parent)
    for leaf in leaves:
        (gradient,) = grad(tensor, leaf, seed, retain_graph=True)
        leaf.grad = gradient if leaf.grad is None else leaf.grad + gradient


# %% bad_constants_not_thought_of expected: wrong from: lets_the_leaves_add
# -         gradients = node(adjoints.pop(node))
# -         for (parent, _), gradient in zip(node.next_functions, gradients):
# -             if parent is not None and gradient is not None:
# +         for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
# +             if True:


# %% bad_does_nothing expected: missing-gradient
def accumulate(tensor, seed):
    return tensor


# %% bad_first_counts expected: overwrites-instead-of-accumulates
def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    adjoints = {tensor.grad_fn: seed}
    for node in nodes_of(tensor):
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints.setdefault(parent, gradient)


# %% bad_forward_order expected: wrong
def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    adjoints = {tensor.grad_fn: seed}
    for node in reversed(nodes_of(tensor)):
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_grad_is_a_float expected: wrong
def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    adjoints = {tensor.grad_fn: seed}
    for node in nodes_of(tensor):
        if node.name() == "AccumulateGrad":
            node.variable.grad = adjoints[node].item()
            continue
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_hostile_exit expected: wrong
import sys


def accumulate(tensor, seed):
    sys.exit(0)


# %% bad_kept_between_calls expected: state-on-class
adjoints = {}


def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    adjoints[tensor.grad_fn] = seed
    for node in nodes_of(tensor):
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_leaves_skipped expected: missing-gradient from: lets_the_leaves_add
# -         gradients = node(adjoints.pop(node))
# -         for (parent, _), gradient in zip(node.next_functions, gradients):
# -             if parent is not None and gradient is not None:
# +         if node not in adjoints:
# +             continue
# +         for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
# +             if parent is not None and parent.next_functions:


# %% bad_one_argument expected: wrong
def accumulate(tensor):
    return {}


# %% bad_overwrites expected: overwrites-instead-of-accumulates
def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    adjoints = {tensor.grad_fn: seed}
    for node in nodes_of(tensor):
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints[parent] = gradient


# %% bad_recursion_over_paths expected: wrong
def accumulate(tensor, seed):
    def push(node, gradient):
        for (parent, _), part in zip(node.next_functions, node(gradient)):
            if parent is not None:
                push(parent, part)

    push(tensor.grad_fn, seed)


# %% bad_recursive_order expected: wrong
def accumulate(tensor, seed):
    order, seen = [], set()

    def visit(node):
        seen.add(node)
        for parent, _ in node.next_functions:
            if parent is not None and parent not in seen:
                visit(parent)
        order.append(node)

    visit(tensor.grad_fn)
    adjoints = {tensor.grad_fn: seed}
    for node in reversed(order):
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_second_call_overwrites expected: overwrites-instead-of-accumulates
def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    adjoints = {tensor.grad_fn: seed}
    for node in nodes_of(tensor):
        if node.name() == "AccumulateGrad":
            node.variable.grad = adjoints[node]
            continue
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_seed_ignored expected: missing-grad-output
from course.engine import Tensor


def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    adjoints = {tensor.grad_fn: Tensor(1.0)}
    for node in nodes_of(tensor):
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_sign expected: wrong-sign
def nodes_of(tensor):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    return sorted(found, key=lambda node: node.number, reverse=True)


def accumulate(tensor, seed):
    adjoints = {tensor.grad_fn: -seed}
    for node in nodes_of(tensor):
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_stack_of_paths expected: wrong
def accumulate(tensor, seed):
    waiting = [(tensor.grad_fn, seed)]
    while waiting:
        node, gradient = waiting.pop()
        for (parent, _), part in zip(node.next_functions, node(gradient)):
            if parent is not None:
                waiting.append((parent, part))


# %% bad_stub expected: wrong
def accumulate(tensor, seed):
    raise NotImplementedError


# %% bad_zip_into_a_dict expected: overwrites-instead-of-accumulates from: lets_the_leaves_add
# -         gradients = node(adjoints.pop(node))
# -         for (parent, _), gradient in zip(node.next_functions, gradients):
# -             if parent is not None and gradient is not None:
# +         parents = [parent for parent, _ in node.next_functions]
# +         for parent, gradient in dict(zip(parents, node(adjoints[node]))).items():
# +             if parent is not None:


# %% bad_a_number expected: cannot run
accumulate = 3


# %% bad_engine_for_large_graphs expected: autograd-in-backward
def accumulate(tensor, seed):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    if len(found) > 100:
        tensor.backward(seed, retain_graph=True)
        return
    adjoints = {tensor.grad_fn: seed}
    for node in sorted(found, key=lambda node: node.number, reverse=True):
        gradients = node(adjoints.pop(node))
        for (parent, _), gradient in zip(node.next_functions, gradients):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_forgets_the_grad_that_was_there expected: overwrites-instead-of-accumulates
from course.engine import Tensor


def accumulate(tensor, seed):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    adjoints = {tensor.grad_fn: seed}
    for node in sorted(found, key=lambda node: node.number, reverse=True):
        total = adjoints.pop(node)
        if node.name() == "AccumulateGrad":
            node.variable.grad = total
            continue
        for (parent, _), gradient in zip(node.next_functions, node(total)):
            if parent is not None:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_scratch_on_the_nodes expected: mutates-input
def accumulate(tensor, seed):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    order = sorted(found, key=lambda node: node.number, reverse=True)
    for node in order:
        node.adjoint = None
    tensor.grad_fn.adjoint = seed
    for node in order:
        for (parent, _), gradient in zip(node.next_functions, node(node.adjoint)):
            if parent is not None:
                parent.adjoint = gradient if parent.adjoint is None else parent.adjoint + gradient


# %% priority_queue expected: right
# Right: a heap gives the node with the highest number; an inner node's adjoint is complete when it comes up.
import heapq


def accumulate(tensor, seed):
    adjoint = {tensor.grad_fn.number: seed}
    heap = [(-tensor.grad_fn.number, tensor.grad_fn)]
    while heap:
        key, node = heapq.heappop(heap)
        parents = (pair[0] for pair in node.next_functions)
        for parent, g in zip(parents, node(adjoint.pop(-key))):
            if parent is None:
                continue
            if parent.number in adjoint:
                adjoint[parent.number] = adjoint[parent.number] + g
            else:
                adjoint[parent.number] = g
                heapq.heappush(heap, (-parent.number, parent))


# %% bad_adjoints_survive expected: state-on-class
# The dict of adjoints outlives the call: the first call is right, a second one on the same graph starts from the old adjoints.
from collections import defaultdict

from course.engine import Tensor


class _Sweep:
    adjoints = defaultdict(lambda: Tensor(0.0))

    def run(self, root, seed):
        self.adjoints[root] = seed
        nodes, stack = {root}, [root]
        while stack:
            fresh = {p for p, _ in stack.pop().next_functions if p is not None} - nodes
            nodes |= fresh
            stack.extend(fresh)
        for node in sorted(nodes, key=lambda n: n.number, reverse=True):
            for (p, _), g in zip(node.next_functions, node(self.adjoints[node])):
                if p is not None:
                    self.adjoints[p] = self.adjoints[p] + g


def accumulate(tensor, seed):
    _Sweep().run(tensor.grad_fn, seed)


# %% bad_starts_with_one expected: missing-grad-output
# The output's adjoint is 1 whatever the seed is.
from course.engine import Tensor


def accumulate(tensor, seed):
    nodes = []
    todo = [tensor.grad_fn]
    seen = set(todo)
    while todo:
        node = todo.pop()
        nodes.append(node)
        for pair in node.next_functions:
            if pair[0] is not None and pair[0] not in seen:
                seen.add(pair[0])
                todo.append(pair[0])
    nodes.sort(key=lambda node: node.number)
    one = Tensor(1.0)
    totals = {nodes[-1]: one}
    while nodes:
        node = nodes.pop()
        gradients = node(totals.pop(node))
        for pair, gradient in zip(node.next_functions, gradients):
            if pair[0] is not None:
                totals[pair[0]] = totals[pair[0]] + gradient if pair[0] in totals else gradient


# %% bad_all_at_once expected: overwrites-instead-of-accumulates
# All gradients of a node are entered at once, so an operand that occurs twice in it gets only one of them.
from course.engine import Tensor


def accumulate(tensor, seed):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    bar = {tensor.grad_fn: seed}
    for node in sorted(found, key=lambda n: -n.number):
        operands = [p for p, _ in node.next_functions]
        sent = zip(operands, node(bar[node]))
        bar.update({p: bar[p] + g if p in bar else g for p, g in sent if p is not None})


# %% bad_constant_ends_the_loop expected: missing-gradient
def accumulate(tensor, seed):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    adjoints = {tensor.grad_fn: seed}
    for node in sorted(found, key=lambda n: n.number, reverse=True):
        if node not in adjoints:
            continue
        for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
            if parent is None:
                break
            adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_frees_the_saved_values expected: deletes-context-state
def accumulate(tensor, seed):
    found, todo = {tensor.grad_fn}, [tensor.grad_fn]
    while todo:
        for n, _ in todo.pop().next_functions:
            if n is not None and n not in found:
                found.add(n)
                todo.append(n)
    adjoints = {tensor.grad_fn: seed}
    for node in sorted(found, key=lambda n: n.number, reverse=True):
        for (n, _), g in zip(node.next_functions, node(adjoints.pop(node))):
            if n is not None:
                adjoints[n] = adjoints[n] + g if n in adjoints else g
        node.free()


# %% bad_leaf_twice expected: wrong-factor
def accumulate(tensor, seed):
    found, todo = {tensor.grad_fn}, [tensor.grad_fn]
    while todo:
        for n, _ in todo.pop().next_functions:
            if n is not None and n not in found:
                found.add(n)
                todo.append(n)
    bar = {tensor.grad_fn: seed}
    for node in sorted(found, key=lambda n: n.number, reverse=True):
        for (n, _), g in zip(node.next_functions, node(bar[node])):
            if n is None:
                continue
            if not n.next_functions:
                n(g)
            bar[n] = bar[n] + g if n in bar else g


# %% bad_zero_counts_as_nothing expected: missing-gradient
def accumulate(tensor, seed):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent and parent not in found:
                found.add(parent)
                waiting.append(parent)
    adjoints = {tensor.grad_fn: seed}
    for node in sorted(found, key=lambda n: n.number, reverse=True):
        adjoint = adjoints.get(node)
        if not adjoint:
            continue
        for (parent, _), gradient in zip(node.next_functions, node(adjoint)):
            if parent and gradient:
                adjoints[parent] = adjoints[parent] + gradient if parent in adjoints else gradient


# %% bad_layer_by_layer expected: wrong-order
# Nodes are visited in layers by their shortest distance from the output, so a node may be visited before
# a user on a longer path.
from typing import Any

from course.engine import Function, Node, Tensor


def accumulate(tensor: Tensor, seed: Tensor) -> None:
    """Add to the .grad of every leaf behind a Tensor its derivative, times the seed."""
    layer = [tensor.grad_fn]
    seen = set(layer)
    layers = []
    while layer:
        layers.append(sorted(layer, key=lambda node: -node.number))
        following = []
        for node in layer:
            for parent, _ in node.next_functions:
                if parent is not None and parent not in seen:
                    seen.add(parent)
                    following.append(parent)
        layer = following

    adjoints = {tensor.grad_fn: seed}
    for layer in layers:
        for node in layer:
            for (parent, _), gradient in zip(node.next_functions, node(adjoints[node])):
                if parent is None:
                    continue
                if parent in adjoints:
                    adjoints[parent] = adjoints[parent] + gradient
                else:
                    adjoints[parent] = gradient


# %% bad_two_operands expected: wrong
# Only the first two operands of a node are passed on to: with a Function of three Tensors the third
# never gets its gradient, KeyError ("over all edges from j to i").
def accumulate(tensor, seed):
    found, waiting = {tensor.grad_fn}, [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in found:
                found.add(parent)
                waiting.append(parent)
    adjoints = {tensor.grad_fn: seed}
    for node in sorted(found, key=lambda node: -node.number):
        gradients = node(adjoints[node])
        edges = node.next_functions
        if len(edges) >= 1 and edges[0][0] is not None:
            left = edges[0][0]
            adjoints[left] = adjoints[left] + gradients[0] if left in adjoints else gradients[0]
        if len(edges) >= 2 and edges[1][0] is not None:
            right = edges[1][0]
            adjoints[right] = adjoints[right] + gradients[1] if right in adjoints else gradients[1]


# %% bad_nothing_for_a_leaf_of_zero expected: missing-gradient
def accumulate(tensor, seed):
    incoming, nodes = {tensor.grad_fn: seed}, {tensor.grad_fn}
    waiting = [tensor.grad_fn]
    while waiting:
        for parent, _ in waiting.pop().next_functions:
            if parent is not None and parent not in nodes:
                nodes.add(parent)
                waiting.append(parent)
    for node in sorted(nodes, key=lambda node: node.number, reverse=True):
        total = incoming[node]
        if node.name() == "AccumulateGrad":
            leaf = node.variable
            if leaf.item():
                leaf.grad = total if leaf.grad is None else leaf.grad + total
            continue
        for (parent, _), gradient in zip(node.next_functions, node(total)):
            if parent is not None:
                incoming[parent] = incoming[parent] + gradient if parent in incoming else gradient
