# expected: cannot run
topological_order = []
