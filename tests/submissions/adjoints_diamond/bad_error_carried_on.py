# expected: overwrites-instead-of-accumulates
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1, "b": 0.5 + 0.9975, "a": 3}
