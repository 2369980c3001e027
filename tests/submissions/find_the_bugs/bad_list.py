# expected: cannot run
find_the_bugs = [
    "missing-unbroadcast",
    "mutates-grad-output",
    "state-on-class",
    "output-kept-on-ctx",
    "overwrites-instead-of-accumulates",
    "inverse-permutation",
    "mean-instead-of-sum",
    "wrong-needs-input-grad-index",
]
