# expected: right
adjoints_diamond = {"y": 1, "t": 1, "s": 3, "p": 1.2122, "b": 1.6036, "a": 3.6366}
