"""logging_tensor: a subclass of Tensor that logs."""
