# expected: cannot run
adjoints_log_product = [5.5, 1.7163, 1, 1, -1, 1, 1]
