# expected: wrong
adjoints_log_product = dict.fromkeys(["v5", "v4", "v3", "v2", "v1", "x2", "x1"], float("nan"))
