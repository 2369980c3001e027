# expected: wrong
find_the_bugs = {
    "Linear": "missing-unbroadcast",
    "Relu": "mutates-grad-output",
    "Multiply": "state-on-class",
    "Exp": "input-kept-on-ctx",
    "TakeRows": "overwrites-instead-of-accumulates",
    "Reorder": "inverse-permutation",
    "AddBias": "mean-instead-of-sum",
    "ScaleAndShift": "wrong-needs-input-grad-index",
}
