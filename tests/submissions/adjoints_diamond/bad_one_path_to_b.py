# expected: overwrites-instead-of-accumulates
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1.2122, "b": 0.997495, "a": 3.6366}
