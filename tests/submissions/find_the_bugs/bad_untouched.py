# expected: wrong
find_the_bugs = {
    "Linear": None,
    "Relu": None,
    "Multiply": None,
    "Exp": None,
    "TakeRows": None,
    "Reorder": None,
    "AddBias": None,
    "ScaleAndShift": None,
}
