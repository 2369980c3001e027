# expected: right
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
