# %% by_class_and_with_a_further_key expected: right
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


# %% filled_in_one_by_one expected: right
from collections import OrderedDict

find_the_bugs = OrderedDict()
find_the_bugs["ScaleAndShift"] = "wrong_needs_input_grad_index"
find_the_bugs["AddBias"] = "mean_instead_of_sum"
find_the_bugs["Reorder"] = "inverse_permutation"
find_the_bugs["TakeRows"] = "overwrites_instead_of_accumulates"
find_the_bugs["Exp"] = "output_kept_on_ctx"
find_the_bugs["Multiply"] = "state_on_class"
find_the_bugs["Relu"] = "mutates_grad_output"
find_the_bugs["Linear"] = "missing_unbroadcast"


# %% in_upper_case_with_backticks expected: right
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


# %% plain expected: right
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


# %% bad_all_the_same expected: wrong
find_the_bugs = dict.fromkeys(
    "Linear Relu Multiply Exp TakeRows Reorder AddBias ScaleAndShift".split(), "wrong-factor"
)


# %% bad_consequence_for_cause expected: wrong from: plain
# -     "Multiply": "state-on-class",
# +     "Multiply": "not-reproducible",


# %% bad_empty expected: wrong
find_the_bugs = {}


# %% bad_first_wrong expected: wrong from: plain
# -     "Linear": "missing-unbroadcast",
# +     "Linear": "wrong-sum-axis",


# %% bad_input_for_output_kept expected: wrong from: plain
# -     "Exp": "output-kept-on-ctx",
# +     "Exp": "input-kept-on-ctx",


# %% bad_missing_gradient expected: wrong from: plain
# -     "ScaleAndShift": "wrong-needs-input-grad-index",
# +     "ScaleAndShift": "missing-gradient",


# %% bad_name_misspelt expected: wrong from: plain
# -     "TakeRows": "overwrites-instead-of-accumulates",

#       "ScaleAndShift": "wrong-needs-input-grad-index",
# +     "TakeRow": "overwrites-instead-of-accumulates",


# %% bad_one_left_out expected: wrong from: plain
# -     "TakeRows": "overwrites-instead-of-accumulates",


# %% bad_saved_for_cotangent expected: wrong from: plain
# -     "Relu": "mutates-grad-output",
# +     "Relu": "mutates-saved-tensor",


# %% bad_swapped expected: wrong from: plain
# -     "TakeRows": "overwrites-instead-of-accumulates",
# -     "Reorder": "inverse-permutation",
# +     "TakeRows": "inverse-permutation",
# +     "Reorder": "overwrites-instead-of-accumulates",


# %% bad_unknown_id expected: wrong from: plain
# -     "Reorder": "inverse-permutation",
# +     "Reorder": "inverse permutation matrix",


# %% bad_untouched expected: wrong
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


# %% bad_wrong_factor_for_mean expected: wrong from: plain
# -     "AddBias": "mean-instead-of-sum",
# +     "AddBias": "wrong-factor",


# %% bad_list expected: cannot run
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


# %% zipped expected: right
# All eight, zipped from two lists in another order.
functions = "ScaleAndShift AddBias Reorder TakeRows Exp Multiply Relu Linear".split()
ids = [
    "wrong-needs-input-grad-index",
    "mean-instead-of-sum",
    "inverse-permutation",
    "overwrites-instead-of-accumulates",
    "output-kept-on-ctx",
    "state-on-class",
    "mutates-grad-output",
    "missing-unbroadcast",
]
find_the_bugs = dict(zip(functions, ids))
