# expected: cannot run
accumulate = 3
