# expected: wrong
adjoints_log_product = {"v5": None, "v4": ..., "v3": "", "v2": [], "v1": None, "x2": None, "x1": None}
