# expected: wrong-sign
adjoints_log_product = {"v5": 1, "v4": 1, "v3": 1, "v2": 1, "v1": 1, "x2": 2.28366, "x1": 5.5}
