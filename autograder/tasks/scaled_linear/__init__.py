"""scaled_linear: a module with parameters and a buffer."""
