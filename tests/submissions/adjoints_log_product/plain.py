# expected: right
adjoints_log_product = {
    "v5": 1.0,
    "v4": 1.0,
    "v3": -1.0,
    "v2": 1.0,
    "v1": 1.0,
    "x2": 1.7163,
    "x1": 5.5,
}
