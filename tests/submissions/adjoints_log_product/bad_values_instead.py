# expected: wrong
adjoints_log_product = {"v5": 11.652, "v4": 10.693, "v3": -0.9589, "v2": 10, "v1": 0.6931, "x2": 5, "x1": 2}
