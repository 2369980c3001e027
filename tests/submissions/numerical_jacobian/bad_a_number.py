# expected: cannot run
numerical_jacobian = 3.0
