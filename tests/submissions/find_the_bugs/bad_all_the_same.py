# expected: wrong
find_the_bugs = dict.fromkeys(
    "Linear Relu Multiply Exp TakeRows Reorder AddBias ScaleAndShift".split(), "wrong-factor"
)
