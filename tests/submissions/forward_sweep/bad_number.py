# expected: cannot run
forward_sweep = 3
