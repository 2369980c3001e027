# expected: wrong
find_the_bugs = {
    "Linear": "missing-unbroadcast",
    "Relu": "mutates-grad-output",
    "Multiply": "state-on-class",
    "Exp": "output-kept-on-ctx",
    "Reorder": "inverse-permutation",
    "AddBias": "mean-instead-of-sum",
    "ScaleAndShift": "wrong-needs-input-grad-index",
    "TakeRow": "overwrites-instead-of-accumulates",
}
