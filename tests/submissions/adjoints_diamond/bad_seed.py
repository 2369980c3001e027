# expected: wrong
adjoints_diamond = {"y": 2, "t": 2, "s": 6, "p": 2.4244, "b": 3.2072, "a": 7.2732}
