"""hessian_vector_product: H v without H."""
