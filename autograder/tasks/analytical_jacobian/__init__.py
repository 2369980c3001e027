"""analytical_jacobian: a Jacobian from backward passes."""
