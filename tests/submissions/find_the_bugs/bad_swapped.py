# expected: wrong
find_the_bugs = {
    "Linear": "missing-unbroadcast",
    "Relu": "mutates-grad-output",
    "Multiply": "state-on-class",
    "Exp": "output-kept-on-ctx",
    "TakeRows": "inverse-permutation",
    "Reorder": "overwrites-instead-of-accumulates",
    "AddBias": "mean-instead-of-sum",
    "ScaleAndShift": "wrong-needs-input-grad-index",
}
