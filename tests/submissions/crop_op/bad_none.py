# expected: cannot run
crop_op = None
