# expected: wrong
adjoints_log_product = {"v5": 1, "v4": 1, "v3": -1, "v2": 1, "x2": 1.7163, "x1": 5.5}
