# expected: cannot run
adjoints = {"x1": 5.5}
