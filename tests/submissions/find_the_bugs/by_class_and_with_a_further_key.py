# expected: right
from autograder.exercises import eight_bugs as e

find_the_bugs = {
    e.Linear: "missing-unbroadcast",
    e.Relu: "mutates-grad-output",
    e.Multiply: "state-on-class",
    e.Exp: "output-kept-on-ctx",
    e.TakeRows: "overwrites-instead-of-accumulates",
    e.Reorder: "inverse-permutation",
    e.AddBias: "mean-instead-of-sum",
    e.ScaleAndShift: "wrong-needs-input-grad-index",
    "Sigmoid": "not one of them",
}
