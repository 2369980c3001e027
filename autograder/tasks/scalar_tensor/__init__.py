"""scalar_tensor: a type with __torch_function__."""
