"""topological_order: the nodes behind a Tensor, each before those that it sends gradients to."""
