# expected: cannot run
hessian_vector_product = "H v"
