"""numerical_jacobian: a Jacobian by central differences."""
