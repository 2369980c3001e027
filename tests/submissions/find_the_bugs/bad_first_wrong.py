# expected: wrong
find_the_bugs = {
    "Linear": "wrong-sum-axis",
    "Relu": "mutates-grad-output",
    "Multiply": "state-on-class",
    "Exp": "output-kept-on-ctx",
    "TakeRows": "overwrites-instead-of-accumulates",
    "Reorder": "inverse-permutation",
    "AddBias": "mean-instead-of-sum",
    "ScaleAndShift": "wrong-needs-input-grad-index",
}
