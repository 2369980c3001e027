# expected: wrong
adjoints_log_product = {"w7": 1, "w6": 1, "w5": -1, "w4": 1, "w3": 1, "w2": 1.7163, "w1": 5.5}
