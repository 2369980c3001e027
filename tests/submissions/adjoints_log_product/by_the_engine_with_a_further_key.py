# expected: right
from course.engine import Tensor, grad, log, sin

x1, x2 = Tensor(2.0, requires_grad=True), Tensor(5.0, requires_grad=True)
v1, v2, v3 = log(x1), x1 * x2, sin(x2)
v4 = v1 + v2
v5 = v4 - v3
names = dict(x1=x1, x2=x2, v1=v1, v2=v2, v3=v3, v4=v4, v5=v5)
adjoints_log_product = {name: value for name, value in zip(names, grad(v5, list(names.values())))}
adjoints_log_product["y"] = 1
