# expected: right
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
