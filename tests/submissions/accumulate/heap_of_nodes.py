# expected: right
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
