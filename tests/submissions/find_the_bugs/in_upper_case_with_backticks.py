# expected: right
find_the_bugs = {
    "Linear": " `MISSING-UNBROADCAST`",
    "Relu": " `MUTATES-GRAD-OUTPUT`",
    "Multiply": " `STATE-ON-CLASS`",
    "Exp": " `OUTPUT-KEPT-ON-CTX`",
    "TakeRows": " `OVERWRITES-INSTEAD-OF-ACCUMULATES`",
    "Reorder": " `INVERSE-PERMUTATION`",
    "AddBias": " `MEAN-INSTEAD-OF-SUM`",
    "ScaleAndShift": " `WRONG-NEEDS-INPUT-GRAD-INDEX`",
}
