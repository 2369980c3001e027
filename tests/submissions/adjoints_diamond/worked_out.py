# expected: right
import math

a, b = 0.5, 3.0
p = a * b
s = math.sin(p)
t_bar = 1
y_bar = 1
s_bar = t_bar * b
p_bar = y_bar + s_bar * math.cos(p)
adjoints_diamond = {
    "a": p_bar * b,
    "b": p_bar * a + t_bar * s,
    "p": p_bar,
    "s": s_bar,
    "t": t_bar,
    "y": y_bar,
}
