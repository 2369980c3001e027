# expected: right
import math

x1, x2 = 2, 5
adjoints_log_product = {}
adjoints_log_product["v5"] = 1
adjoints_log_product["v4"] = adjoints_log_product["v5"]
adjoints_log_product["v3"] = -adjoints_log_product["v5"]
adjoints_log_product.update(v1=adjoints_log_product["v4"], v2=adjoints_log_product["v4"])
adjoints_log_product["x1"] = 1 / x1 + x2
adjoints_log_product["x2"] = x1 - math.cos(x2)
