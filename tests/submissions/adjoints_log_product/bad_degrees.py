# expected: wrong
import math

adjoints_log_product = {
    "v5": 1,
    "v4": 1,
    "v3": -1,
    "v2": 1,
    "v1": 1,
    "x2": 2 - math.cos(math.radians(5)),
    "x1": 5.5,
}
