"""Lists the named mistakes: why each one matters, and a hint that does not reveal the answer."""

from __future__ import annotations

from typing import NamedTuple

from vjpcheck.result import Finding


class Mistake(NamedTuple):
    """The reason why a mistake matters, and its hint."""

    why: str
    hint: str


MISTAKES: dict[str, Mistake] = {
    "too-few-gradients": Mistake(
        "The engine matches gradients to arguments by position, so every argument of apply needs one.",
        "Count the arguments of apply. Return a tuple of that length; use None where there is no gradient.",
    ),
    "gradients-in-a-list": Mistake(
        "backward must return several gradients as a tuple; a list counts as one value that is not a tensor.",
        "What is the difference between return a, b and return [a, b]?",
    ),
    "too-many-gradients": Mistake(
        "The engine matches gradients to arguments by position; extra values after the last must be None.",
        "Return one value for each argument of apply, in their order.",
    ),
    "gradient-for-non-tensor": Mistake(
        "The engine has nowhere to send a gradient for a number, a string, a shape or a tensor of integers.",
        "What does backward return for an argument without a derivative?",
    ),
    "gradient-not-a-tensor": Mistake(
        "A gradient must be a tensor with the shape of its input, or None.",
        "Does the expression contain the cotangent? A product with the cotangent would be a tensor.",
    ),
    "one-grad-output-per-output": Mistake(
        "The engine calls backward with ctx and one cotangent for each output of forward.",
        "Count what forward returns, and the parameters of backward after ctx.",
    ),
    "called-forward-not-apply": Mistake(
        "Only apply records the Function in the graph; forward alone leaves nothing to differentiate.",
        "Which call records the Function in the graph?",
    ),
    "saved-tensors-not-unpacked": Mistake(
        "ctx.saved_tensors is always a tuple, even if it holds only one tensor.",
        "What is the type of the name on the left of the assignment?",
    ),
    "saved-a-non-tensor": Mistake(
        "save_for_backward accepts only tensors; it checks later that nobody changed them in place.",
        "How can you store a number or a shape on ctx?",
    ),
    "saved-twice": Mistake(
        "The second call of save_for_backward silently replaces the first.",
        "How many tensors can one call take?",
    ),
    "ctx-beside-setup-context": Mistake(
        "If a Function has setup_context, forward gets only the arguments of apply, without ctx.",
        "Which of the two methods gets ctx?",
    ),
    "setup-context-not-unpacked": Mistake(
        "setup_context gets the arguments of apply as one tuple, even if there is only one argument.",
        "What is the type of the name on the left of the assignment?",
    ),
    "forward-value": Mistake(
        "A gradient can be checked only after forward computes the right function.",
        "Compute one entry of the output by hand and compare.",
    ),
    "missing-unbroadcast": Mistake(
        "The engine sums the gradient silently if the shapes allow it, and raises an error if they do not.",
        "Along which axes did forward repeat this input? Sum the gradient along the same axes.",
    ),
    "lost-keepdim": Mistake(
        "The gradient of an input has the input's shape, axes of size 1 included.",
        "Compare the two shapes: which axis is missing, and which operation removed it or has to insert it?",
    ),
    "gradient-too-large": Mistake(
        "The engine silently sums a larger gradient to the input's shape, and that sum is wrong here.",
        "Compare the shape of what you return with the shape of the input.",
    ),
    "gradients-swapped": Mistake(
        "The engine matches gradients to arguments by position.",
        "Compare the order of forward's arguments with the order of backward's return values.",
    ),
    "missing-transpose": Mistake(
        "The rows of a matrix are the columns of its transpose; in a product they are not interchangeable.",
        "Write the shape under each factor of the product. If all of them match, write out one entry.",
    ),
    "wrong-sum-axis": Mistake(
        "The gradient of a repeated input is a sum along the repeated axes only.",
        "Write down the shape before and after the sum. Which axis should disappear?",
    ),
    "term-without-cotangent": Mistake(
        "Each term of a vector-Jacobian product contains the cotangent as a factor; a zero cotangent gives a "
        "zero gradient.",
        "Which term of your return value remains if the cotangent is zero?",
    ),
    "cotangent-passed-on": Mistake(
        "backward multiplies the cotangent, and jvp the tangent, by the derivative of forward, missing here.",
        "How much does each output change when this input changes, and which entry does it depend on?",
    ),
    "cotangents-exchanged": Mistake(
        "backward receives one cotangent for each output, in the order in which forward returns them.",
        "Compare the order of forward's outputs with the order of backward's parameters.",
    ),
    "cotangent-summed": Mistake(
        "Each output has its own cotangent; summing the cotangents before the product mixes the outputs.",
        "Which outputs depend on one entry of the input? Its gradient contains only their cotangents.",
    ),
    "outputs-left-out": Mistake(
        "The gradient of an input is a sum over all outputs that depend on it.",
        "Which outputs depend on one entry of this input?",
    ),
    "gradient-of-another-input": Mistake(
        "Each input has its own derivative; backward returns the gradients in the order of the arguments.",
        "By which factor does forward multiply this input?",
    ),
    "wrong-operand": Mistake(
        "The formula is right, but it uses a different value than forward used.",
        "Which of the values in forward appears in the derivative with respect to this input?",
    ),
    "missing-factor": Mistake(
        "The chain rule multiplies all derivatives along a path; here one of them is missing.",
        "Write forward as a chain of small steps: does each step's derivative appear once?",
    ),
    "extra-factor": Mistake(
        "The chain rule multiplies each derivative along a path exactly once.",
        "Write forward as a chain of small steps: does each step's derivative appear once?",
    ),
    "value-for-derivative": Mistake(
        "The cotangent is multiplied by a value, but it must be multiplied by the derivative of forward.",
        "What is the derivative of forward with respect to this input?",
    ),
    "derivative-of-another-function": Mistake(
        "The formula is a derivative, but not that of forward.",
        "Differentiate forward itself, step by step. Which rule gives each factor?",
    ),
    "missing-term": Mistake(
        "The gradient is a sum with one term for each path from the input to the output; a path is missing.",
        "In how many places does forward use this input? Each place gives a term.",
    ),
    "wrong-sign-of-a-term": Mistake(
        "The terms of a gradient belong to different paths; with one wrong sign their sum is wrong.",
        "Differentiate along each path separately, and check the sign in front of each term.",
    ),
    "wrong-factor-of-a-term": Mistake(
        "The terms of a gradient belong to different paths; with one wrong factor their sum is wrong.",
        "Derive this term alone. Is each sum, mean and constant factor the same as in your code?",
    ),
    "gradient-summed": Mistake(
        "Each entry of the input has its own gradient; after a sum, they all get the same number.",
        "Sum only along axes that forward repeated. Which outputs depend on one entry of this input?",
    ),
    "crossed-indices": Mistake(
        "d[:, t] selects the columns t in every row; d[rows, t] selects one entry in each row.",
        "How many entries does your index select, and how many should change?",
    ),
    "one-sided-difference": Mistake(
        "The error of a one-sided difference is proportional to eps; that of a central one, to eps².",
        "At which two points must the function be evaluated, and how far apart are they?",
    ),
    "wrong-limit": Mistake(
        "Limiting each entry, scaling the whole gradient and blocking entries are different gradients.",
        "Which values may one entry of the gradient have? What happens to an entry above the limit?",
    ),
    "wrong-sign-in-places": Mistake(
        "Some parameters move in the wrong direction, and others in the right one.",
        "What does the sign of the derivative depend on? Try a negative input.",
    ),
    "wrong-mask": Mistake(
        "backward must block the entries that forward blocked, and no others.",
        "Which entries pass a gradient? Compare the condition at each of them, and at its bounds.",
    ),
    "wrong-axis": Mistake(
        "Sums, normalisations and products with a vector must use the same axis in backward as in forward.",
        "Along which axis does forward combine entries, and along which axis does backward?",
    ),
    "wrong-order": Mistake(
        "Gradients return in reverse: each to the entry that it came from, each node after all its users.",
        "Which input entry did output entry i come from? Its gradient goes to that entry.",
    ),
    "not-precise": Mistake(
        "A correct formula agrees to about 13 digits in float64 and 6 in float32; here it does not.",
        "Is a small constant such as eps missing, does an iteration stop early, or is a tensor float32?",
    ),
    "not-finite": Mistake(
        "One nan spreads through the whole backward pass and then into every parameter.",
        "Which division, logarithm or difference of infinities causes it, and for which entry?",
    ),
    "wrong-dtype": Mistake(
        "Results have the dtype of the inputs: digits lost in a silent conversion do not come back.",
        "Which call creates a tensor without a dtype? torch.zeros gives float32; zeros_like keeps the dtype.",
    ),
    "reshaped-gradient": Mistake(
        "The gradient of an input must have the input's shape; the same number of entries is not enough.",
        "Compare the shape of what you return with the shape of the input.",
    ),
    "wrong-shape": Mistake(
        "A gradient has the shape of its input; the text gives the shape of any other result.",
        "Write the shape beside each step. At which step does it become wrong?",
    ),
    "mean-instead-of-sum": Mistake(
        "The gradient is the sum over all paths from an input, not their mean.",
        "Which operation divides by a number of entries? Does the formula contain that division?",
    ),
    "missing-grad-output": Mistake(
        "Without the factor grad_output, the gradient ignores the rest of the graph.",
        "Where does the argument of backward appear in your return value?",
    ),
    "wrong-sign": Mistake(
        "A gradient with the opposite sign moves each parameter the wrong way.",
        "Check each minus sign in the formula of backward.",
    ),
    "wrong-factor": Mistake(
        "The direction is right but the length is wrong, and a changed learning rate hides that.",
        "Which constant factor does the formula of the gradient have?",
    ),
    "overwrites-instead-of-accumulates": Mistake(
        "Each use of a node is a separate path to the output, and the derivatives of all paths are added.",
        "Count the edges that leave this node; each one adds a contribution.",
    ),
    "missing-gradient": Mistake(
        "An input without a gradient never learns, and there is no warning.",
        "Does the output depend on this input? Then its gradient cannot be None or zero everywhere.",
    ),
    "wrong-needs-input-grad-index": Mistake(
        "It works until an input is frozen; then the wrong gradient is left out.",
        "needs_input_grad has one entry for each argument of apply, in the same order.",
    ),
    "gradient-nonlinear": Mistake(
        "A vector-Jacobian product is linear in the cotangent, for every function.",
        "backward must not contain a condition on the cotangent, or a power or norm of it.",
    ),
    "missing-mask": Mistake(
        "backward must block the entries that forward blocked; otherwise they change in training.",
        "Which entries of the input have no effect on the output?",
    ),
    "mutates-grad-output": Mistake(
        "Another branch of the graph may receive the same tensor, and then gets a wrong gradient.",
        "Create a new tensor instead of writing into the cotangent.",
    ),
    "assumes-contiguous": Mistake(
        "Inputs and cotangents are often not contiguous; the cotangent behind a sum(), say, is expanded.",
        "Which call requires contiguous memory? reshape copies where view raises an error.",
    ),
    "mutates-input": Mistake(
        "The caller's tensor changes unexpectedly: whatever else uses it, or has saved it, goes wrong.",
        "Which of your operations ends in an underscore, assigns to an index or sorts in place?",
    ),
    "state-on-class": Mistake(
        "Several calls may come before the first backward, and each call overwrites the state of the last.",
        "Which object is created for each call and passed to both methods?",
    ),
    "deletes-context-state": Mistake(
        "With retain_graph=True, backward may run again on the same graph, and the state is then missing.",
        "What does backward remove from ctx? The engine frees ctx with the graph.",
    ),
    "mutates-saved-tensor": Mistake(
        "The saved tensor may belong to the caller, and a second backward pass would use the changed values.",
        "Which operation in backward modifies a tensor from ctx?",
    ),
    "not-reproducible": Mistake(
        "Two backward passes over the same graph must give the same gradient.",
        "Draw random numbers once, in forward, and save them.",
    ),
    "needless-work": Mistake(
        "Freezing a layer is meant to save this work, which is often half of the backward pass.",
        "ctx.needs_input_grad says for each argument whether its gradient is needed.",
    ),
    "computed-again-in-backward": Mistake(
        "Recomputing is no option if the computation is expensive or does not run in PyTorch.",
        "Which tensors of forward does backward need, and how can you save them with their graph?",
    ),
    "needs-once-differentiable": Mistake(
        "A second derivative through this Function is silently wrong.",
        "Which tensor or cotangent is missing from the graph of the gradient? "
        "If nobody needs a second derivative, you may declare that there is none.",
    ),
    "captured-tensor": Mistake(
        "The engine sees only the arguments of apply; any other tensor never gets a gradient.",
        "Which tensor does forward use that is not one of its arguments?",
    ),
    "tensors-in-a-list": Mistake(
        "apply finds tensors only among its arguments, not inside a list or a dict.",
        "How do you pass the items of a list as separate arguments?",
    ),
    "missing-expand": Mistake(
        "A sum passes its cotangent to every entry that it summed.",
        "What is the shape of the cotangent, and what shape must the gradient have?",
    ),
    "expanded-wrong-axis": Mistake(
        "Each entry gets the cotangent of the sum that it is part of.",
        "Which axis did forward remove by summing, and where must backward insert it again?",
    ),
    "output-for-input": Mistake(
        "The formula is right, but it is applied to the wrong tensor.",
        "Is your derivative written as a function of the input or of the output?",
    ),
    "input-for-output": Mistake(
        "The formula is right, but it is applied to the wrong tensor.",
        "Is your derivative written as a function of the input or of the output?",
    ),
    "diagonal-only": Mistake(
        "Each output depends on several input entries, so the Jacobian has nonzero entries off its diagonal.",
        "If one entry of the input changes, which outputs change?",
    ),
    "missing-normaliser-term": Mistake(
        "The normaliser depends on the input too, so it has its own derivative.",
        "Which quantity do all outputs share, and what is its derivative with respect to the input?",
    ),
    "inverse-permutation": Mistake(
        "backward must undo the permutation of forward; it applies the same permutation again.",
        "Which input entry did output entry i come from? Its gradient goes to that entry.",
    ),
    "conv-not-transposed": Mistake(
        "The gradient of the input needs the kernel reversed; the gradient of the kernel reverses nothing.",
        "Which outputs depend on one entry of this argument, and with which factor?",
    ),
    "mask-on-gradient": Mistake(
        "The input decides which entries pass; the sign of the cotangent is irrelevant.",
        "Which tensor did forward use to decide which entries pass?",
    ),
    "missing-conjugate": Mistake(
        "For complex inputs, PyTorch's gradient contains the conjugate of the derivative.",
        "Which factor of the formula must be conjugated for complex numbers?",
    ),
    "differentiates-one-step": Mistake(
        "The solution depends on the input through every iteration, not only through the last one.",
        "Differentiate both sides of the equation that the solution satisfies.",
    ),
    "dirty-not-returned": Mistake(
        "forward must return the tensor that it marked dirty; otherwise the graph misses the change.",
        "Which tensor did forward change, and which tensor does it return?",
    ),
    "returns-input-unchanged": Mistake(
        "The output shares its memory with the input: an in-place change of one changes the other.",
        "Which call returns a new tensor with the same values?",
    ),
    "output-kept-on-ctx": Mistake(
        "In-place changes go unnoticed, and an output that has a gradient forms a cycle with its node.",
        "Which method stores a tensor for backward, so that PyTorch knows about it?",
    ),
    "input-kept-on-ctx": Mistake(
        "PyTorch does not notice if the tensor is changed in place, and saved-tensor hooks do not see it.",
        "Which method stores a tensor for backward and detects in-place changes?",
    ),
    "none-gradient-unhandled": Mistake(
        "With set_materialize_grads(False), the cotangent of an unused output is None.",
        "What should backward do if a cotangent is None?",
    ),
    "saves-too-much": Mistake(
        "Saved tensors stay in memory from forward until backward, in all layers at the same time.",
        "Which saved tensor is a copy, or can be computed again from another saved tensor?",
    ),
    "materializes-gradients": Mistake(
        "backward gets a tensor of zeros for each unused output, and computes with it for nothing.",
        "Which method of ctx makes PyTorch pass None instead of zeros?",
    ),
    "not-marked-non-differentiable": Mistake(
        "Other code will treat this output as differentiable, although its gradient has no meaning.",
        "Which method of ctx says that an output has no gradient?",
    ),
    "intermediate-kept-on-ctx": Mistake(
        "The graph does not record how it was computed, so its term of the second derivative is lost.",
        "How can backward obtain this value so that the graph records it?",
    ),
    "detached-in-backward": Mistake(
        "A detached tensor counts as a constant in double backward, so its term is silently lost.",
        "Which call in backward detaches a tensor from the graph?",
    ),
    "wrong-second-derivative": Mistake(
        "The gradient is right, but the derivative of the gradient is wrong.",
        "Differentiate the gradient with respect to the input and to the cotangent. Which term is missing?",
    ),
    "further-cotangent-unused": Mistake(
        "backward uses this saved output, so in double backward it receives its own cotangent.",
        "How does the return value of backward depend on the cotangent of this output?",
    ),
    "further-cotangent-wrong": Mistake(
        "backward uses this saved output, so in double backward it receives its own cotangent.",
        "What is the derivative of this output with respect to the input, including its sign?",
    ),
    "further-output-marked": Mistake(
        "A marked output has no history, so double backward treats it as a constant.",
        "Does this output depend on the input?",
    ),
    "graph-cut-in-backward": Mistake(
        "A number, or a tensor made from numbers, has no history: its term of the second derivative is lost.",
        "Which tensor operation computes the same value without converting to numbers?",
    ),
    "second-backward-raises": Mistake(
        "backward works at first order, but differentiating it raises an exception.",
        "What changes in backward when create_graph=True records its operations?",
    ),
    "numpy-in-backward": Mistake(
        "NumPy operations are not recorded: the second derivative is silently wrong or raises an error.",
        "Either declare backward as once differentiable, or write it as a second Function.",
    ),
    "wrongly-once-differentiable": Mistake(
        "A second derivative is asked for, and this declaration forbids it.",
        "Are all operations in backward differentiable? Then the declaration is not needed.",
    ),
    "autograd-in-backward": Mistake(
        "The numbers are right, but you should derive the gradient by hand.",
        "Derive the gradient on paper, then write it with tensor operations.",
    ),
    "no-setup-context": Mistake(
        "torch.func calls forward and setup_context separately.",
        "What does forward look like without ctx, and which lines move to setup_context?",
    ),
    "no-vmap-rule": Mistake(
        "vmap cannot see into a Function; the Function must define how it handles a batch.",
        "Is the rule that PyTorch can generate enough? If not, write the vmap static method.",
    ),
    "missing-tangent": Mistake(
        "The result of jvp is the derivative of forward times the tangents; here they have no effect.",
        "Where do the arguments of jvp after ctx appear in its return value?",
    ),
    "no-jvp": Mistake(
        "Forward mode propagates tangents, so the Function needs a separate rule for them.",
        "Which static method takes ctx and the tangents and returns the Jacobian-vector product?",
    ),
    "transposed-jacobian": Mistake(
        "backward computes g J and jvp computes J t; if J is not symmetric, their formulas differ.",
        "Write one entry of the result as a sum. Does it run over the outputs or over the inputs?",
    ),
    "saved-in-two-orders": Mistake(
        "PyTorch's rule for vmap keeps one list of batch axes, and the second save call overwrites it.",
        "Compare the two calls: which tensors do they save, and in which order?",
    ),
}

# the reasons that speak of a gradient, for a wrong result of jvp
_OF_TANGENTS = {
    "wrong-sign": "A tangent with the opposite sign says that the output falls where it rises.",
    "wrong-factor": "The tangent is the rate at which the output changes; this one has another size.",
    "gradient-nonlinear": "A Jacobian-vector product is linear in the tangent, for every function.",
    "wrong-axis": "Sums, normalisations and products must use the same axis in jvp as in forward.",
    "cotangent-summed": "Each input has its own tangent; a sum before the product mixes the inputs.",
    "missing-term": "The tangent is a sum with one term for each path from the input; a path is missing.",
    "wrong-sign-of-a-term": "Each path from the inputs has its own term; here one has the wrong sign.",
    "wrong-factor-of-a-term": "Each path from the inputs has its own term; here one has the wrong factor.",
    "value-for-derivative": "The tangent must be multiplied by the derivative of forward, not by a value.",
}
_OF_FORWARD_MODE = ("jvp", "forward mode")  # the checks whose findings are about jvp


def why(finding: Finding) -> str:
    """Return the sentence on why the mistake of a finding matters; empty if the finding has no name."""
    if not finding.mistake:
        return ""
    general = MISTAKES[finding.mistake].why
    return _OF_TANGENTS.get(finding.mistake, general) if finding.check in _OF_FORWARD_MODE else general


def named(mistake: str | None, check: str, argument: str | None, message: str) -> Finding:
    """Return a finding with the hint of its mistake; a finding without a mistake has no hint."""
    hint = MISTAKES[mistake].hint if mistake else ""
    return Finding(check, message, mistake, argument, hint)
