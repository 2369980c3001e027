# expected: right
find_the_bugs = {
    "Linear": "missing-unbroadcast",
    "Relu": "mutates-grad-output",
    "Multiply": "state-on-class",
    "Exp": "output-kept-on-ctx",
    "TakeRows": "overwrites-instead-of-accumulates",
    "Reorder": "inverse-permutation",
    "AddBias": "mean-instead-of-sum",
    "ScaleAndShift": "wrong-needs-input-grad-index",
}
