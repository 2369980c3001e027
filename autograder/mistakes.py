"""The named mistakes: why each matters, one hint that does not give the answer away, and its lesson."""

from __future__ import annotations

from typing import NamedTuple

from autograder.result import Finding


class Mistake(NamedTuple):
    """Why a mistake matters, the hint that goes with it, and the lesson that teaches what it is about.

    Without a lesson it is that of the exercise in which the mistake was made.
    """

    why: str
    hint: str
    lesson: int | None


MISTAKES: dict[str, Mistake] = {
    "too-few-gradients": Mistake(
        "The engine matches gradients to arguments by position, so every argument of apply needs one.",
        "Count the arguments of apply and return a tuple of that length, None where there is no gradient.",
        lesson=4,
    ),
    "gradients-in-a-list": Mistake(
        "apply takes a tuple for several gradients; a list counts as one value, which is no tensor.",
        "What is the difference between return a, b and return [a, b]?",
        lesson=4,
    ),
    "too-many-gradients": Mistake(
        "The engine matches gradients to arguments by position; only None may stand beyond the last one.",
        "Return one value for each argument of apply, in their order.",
        lesson=4,
    ),
    "gradient-for-non-tensor": Mistake(
        "The engine has nowhere to send a gradient for a number, a string or a shape.",
        "What does backward return for an argument that is not a tensor?",
        lesson=4,
    ),
    "gradient-not-a-tensor": Mistake(
        "A gradient is a tensor of its input's shape; the engine accepts nothing else but None.",
        "Does the expression still contain the cotangent? A product with it would be a tensor.",
        lesson=4,
    ),
    "one-grad-output-per-output": Mistake(
        "The engine calls backward with ctx and one cotangent for each output of forward.",
        "Count what forward returns, and the parameters of backward after ctx.",
        lesson=6,
    ),
    "called-forward-not-apply": Mistake(
        "Only apply records the Function in the graph; forward alone leaves nothing to differentiate.",
        "Which call makes the context that forward expects?",
        lesson=4,
    ),
    "saved-tensors-not-unpacked": Mistake(
        "ctx.saved_tensors is a tuple, with one tensor in it too.",
        "What is the type of the name on the left of the assignment?",
        lesson=4,
    ),
    "saved-a-non-tensor": Mistake(
        "save_for_backward is there for tensors, which it guards against later changes.",
        "Where may a number or a shape be kept on ctx?",
        lesson=6,
    ),
    "saved-twice": Mistake(
        "The second call of save_for_backward replaces the first, without a word.",
        "How many tensors can one call take?",
        lesson=6,
    ),
    "ctx-beside-setup-context": Mistake(
        "Where there is a setup_context, forward is called with the arguments of apply alone.",
        "Which of the two methods gets ctx?",
        lesson=11,
    ),
    "setup-context-not-unpacked": Mistake(
        "setup_context gets the arguments of apply as one tuple, also if it is only one.",
        "What is the type of the name on the left of the assignment?",
        lesson=4,
    ),
    "forward-value": Mistake(
        "A gradient can only be judged once forward computes the function asked for.",
        "Work out one entry of the output by hand and compare.",
        lesson=None,
    ),
    "missing-unbroadcast": Mistake(
        "Where the shapes allow it the engine sums it down silently; elsewhere it stops.",
        "Along which axes did forward repeat this input? The gradient adds up along the same axes.",
        lesson=3,
    ),
    "lost-keepdim": Mistake(
        "The gradient of an input has the input's shape, axes of size 1 included.",
        "Which axis of size 1 has the input, and where did it go?",
        lesson=3,
    ),
    "gradient-too-large": Mistake(
        "The engine sums it down silently, and the sum is not the gradient.",
        "Compare the shape of what you return with the shape of the input.",
        lesson=3,
    ),
    "gradients-swapped": Mistake(
        "The engine matches gradients to arguments by position.",
        "Read the order of forward's arguments and of backward's return side by side.",
        lesson=3,
    ),
    "missing-transpose": Mistake(
        "The gradient of an input has the input's shape, axis by axis.",
        "Write the shapes under each factor of the product; where do they not fit?",
        lesson=3,
    ),
    "wrong-sum-axis": Mistake(
        "The gradient of a repeated input adds up along the axes of repetition, and along no other.",
        "Write down the shape before and after the sum; which axis should have gone?",
        lesson=3,
    ),
    "term-without-cotangent": Mistake(
        "Each term of a vector-Jacobian product has the cotangent as a factor; where it is zero, so is the "
        "gradient.",
        "Which term of what you return is still there when the cotangent is zero?",
        lesson=3,
    ),
    "cotangent-passed-on": Mistake(
        "backward owes the cotangent times the derivative of forward; only an identity passes it on.",
        "How much does each output change with this input, and from which entry does it come?",
        lesson=3,
    ),
    "cotangents-exchanged": Mistake(
        "backward receives one cotangent for each output, in the order in which forward returns them.",
        "Read forward's return and the parameters of backward side by side.",
        lesson=6,
    ),
    "cotangent-summed": Mistake(
        "Each output has a cotangent of its own; a sum over them before the product mixes the outputs.",
        "For one entry of the input: which outputs depend on it? Only their cotangents may enter.",
        lesson=3,
    ),
    "outputs-left-out": Mistake(
        "Every output that depends on an input sends back its part, and the parts add up.",
        "Which outputs does one entry of this input reach?",
        lesson=3,
    ),
    "gradient-of-another-input": Mistake(
        "Each input has a derivative of its own, and backward returns them in the order of the arguments.",
        "Which factor does forward multiply this input by?",
        lesson=3,
    ),
    "wrong-operand": Mistake(
        "The formula is right and was given another value than the one that forward used.",
        "Which of forward's values does the derivative for this input contain?",
        lesson=3,
    ),
    "missing-factor": Mistake(
        "The chain rule multiplies the derivatives along a path; each of them counts.",
        "Write forward as a chain of small steps: does each step's derivative appear once?",
        lesson=1,
    ),
    "extra-factor": Mistake(
        "The chain rule multiplies the derivatives along a path; each of them once.",
        "Write forward as a chain of small steps: does each step's derivative appear once?",
        lesson=1,
    ),
    "value-for-derivative": Mistake(
        "The cotangent is multiplied by a value at hand, where the derivative of forward belongs.",
        "What is the derivative of the function that forward computes, by this input?",
        lesson=1,
    ),
    "wrong-sign-in-places": Mistake(
        "Some entries go down where they should go up.",
        "On what does the sign of the derivative depend? Try it with a negative input.",
        lesson=4,
    ),
    "wrong-mask": Mistake(
        "What forward lets through, backward must let through, and nothing else.",
        "For which entries of the input does the output change?",
        lesson=4,
    ),
    "wrong-axis": Mistake(
        "Sums, means and normalisations in backward run along the axis along which forward ran.",
        "Along which axis does forward add up, and along which one does backward?",
        lesson=9,
    ),
    "wrong-order": Mistake(
        "Each gradient belongs to the place that its input came from.",
        "Entry i of the output came from which entry of the input? The gradient goes there.",
        lesson=8,
    ),
    "not-precise": Mistake(
        "In float64 a formula is right to some 13 digits; what is not is another function's derivative.",
        "Is a small constant such as eps missing, does an iteration stop early, or is something float32?",
        lesson=5,
    ),
    "not-finite": Mistake(
        "One nan spreads through the whole backward pass, and then into every parameter.",
        "Which division, logarithm or difference of infinities is it, and for which entry?",
        lesson=5,
    ),
    "wrong-dtype": Mistake(
        "The engine casts the gradient back without a word, and the digits are lost.",
        "Where is a tensor made without saying like which? torch.zeros gives float32, zeros_like does not.",
        lesson=4,
    ),
    "reshaped-gradient": Mistake(
        "The gradient of an input has the input's shape, axis by axis, and not only its number of entries.",
        "Compare the shape of what you return with the shape of the input.",
        lesson=3,
    ),
    "wrong-shape": Mistake(
        "The gradient of an input has the input's shape.",
        "Write the shape beside each step of backward; where does it part from that of the input?",
        lesson=3,
    ),
    "mean-instead-of-sum": Mistake(
        "Contributions along the paths from one input add up; nothing divides them.",
        "Does forward divide by the number of entries anywhere?",
        lesson=3,
    ),
    "missing-grad-output": Mistake(
        "backward owes a vector-Jacobian product; without the cotangent the rest of the graph is ignored.",
        "Where in your return value does the argument of backward appear?",
        lesson=3,
    ),
    "wrong-sign": Mistake(
        "Gradient descent would climb.",
        "Differentiate once more, and keep an eye on minus signs.",
        lesson=1,
    ),
    "wrong-factor": Mistake(
        "The direction is right and the length is not, which learning rates hide.",
        "Which constant does the derivative of forward have in front?",
        lesson=1,
    ),
    "overwrites-instead-of-accumulates": Mistake(
        "Each use of a node is a path of its own to the output, and derivatives along paths add up.",
        "Count the edges that leave this node; each of them contributes.",
        lesson=2,
    ),
    "missing-gradient": Mistake(
        "An input without gradient never learns, and nothing warns of it.",
        "Does the output depend on this input? Then its place in the return value cannot be None or zero.",
        lesson=4,
    ),
    "wrong-needs-input-grad-index": Mistake(
        "It works until somebody freezes an input; then the wrong one is left out.",
        "needs_input_grad has one entry for each argument of apply, in their order.",
        lesson=4,
    ),
    "gradient-nonlinear": Mistake(
        "A vector-Jacobian product is linear in the cotangent, whatever the function.",
        "A condition, a power or a norm of the cotangent has no place in backward.",
        lesson=3,
    ),
    "missing-mask": Mistake(
        "What forward blocks, backward must block too, or those entries move in training.",
        "For which entries of the input does the output not change at all?",
        lesson=4,
    ),
    "mutates-grad-output": Mistake(
        "The same tensor may be on its way to another branch, which then gets a damaged gradient.",
        "Make a new tensor instead of writing into the one that you are given.",
        lesson=6,
    ),
    "assumes-contiguous": Mistake(
        "Transposed and expanded tensors come without asking, such as the cotangent behind every sum().",
        "Which call asks for one block of memory? reshape makes one where view refuses.",
        lesson=6,
    ),
    "mutates-input": Mistake(
        "The caller's tensor changes behind their back, and gradients of others that saved it are wrong.",
        "Which operation of yours ends in an underscore, or assigns into an index?",
        lesson=6,
    ),
    "state-on-class": Mistake(
        "Many calls may come before the first backward, and what one call keeps there, the next overwrites.",
        "Which object is made anew for every call and handed to both methods?",
        lesson=6,
    ),
    "deletes-context-state": Mistake(
        "With retain_graph=True a backward pass may run over the same graph again, and finds nothing there.",
        "What does backward take away from ctx, and who frees it if you do not?",
        lesson=6,
    ),
    "mutates-saved-tensor": Mistake(
        "The saved tensor may be the caller's own, and a second pass over the graph finds it changed.",
        "Which operation in backward writes into a tensor that came from ctx?",
        lesson=6,
    ),
    "not-reproducible": Mistake(
        "Two backward passes over one graph must give the same gradient.",
        "Draw random numbers once, in forward, and keep what was drawn.",
        lesson=6,
    ),
    "needless-work": Mistake(
        "A frozen layer is there to save this work; it is often half of the backward pass.",
        "ctx.needs_input_grad says, argument by argument, which gradients anybody will use.",
        lesson=4,
    ),
    "needs-once-differentiable": Mistake(
        "Whoever differentiates twice gets a wrong number, and nothing warns of it.",
        "Which tensor or which cotangent does the graph of the gradient not see? "
        "Only where no second derivative is asked for can it be declared that there is none.",
        lesson=7,
    ),
    "captured-tensor": Mistake(
        "The engine sees only the arguments of apply; a tensor taken from elsewhere never gets a gradient.",
        "Which tensor does forward use that is not among its arguments?",
        lesson=4,
    ),
    "tensors-in-a-list": Mistake(
        "apply looks for tensors among its arguments, and not inside a list or a dict.",
        "How can a list be spread over the arguments of a call?",
        lesson=4,
    ),
    "missing-expand": Mistake(
        "A sum sends its cotangent to each entry that it summed.",
        "Which shape has the cotangent, and which shape must the gradient have?",
        lesson=3,
    ),
    "expanded-wrong-axis": Mistake(
        "Each entry gets the cotangent of the sum that it went into, and of no other.",
        "Which axis did forward sum away, and where must it come back?",
        lesson=3,
    ),
    "output-for-input": Mistake(
        "The formula is right for one tensor and was given the other.",
        "Is the derivative that you wrote a function of the input or of the output?",
        lesson=6,
    ),
    "input-for-output": Mistake(
        "The formula is right for one tensor and was given the other.",
        "Is the derivative that you wrote a function of the input or of the output?",
        lesson=6,
    ),
    "diagonal-only": Mistake(
        "Each output depends on several entries, and the Jacobian has entries off its diagonal.",
        "Change one entry of the input: which outputs move?",
        lesson=9,
    ),
    "missing-normaliser-term": Mistake(
        "The normaliser is computed from the input too, and has a derivative of its own.",
        "Which quantity do all outputs share, and what is its derivative?",
        lesson=9,
    ),
    "inverse-permutation": Mistake(
        "The gradient goes back the way that the entries came; the same order once more moves them on.",
        "Entry i of the output came from which entry of the input? The gradient goes there.",
        lesson=8,
    ),
    "conv-not-transposed": Mistake(
        "Each input entry gets back what every output took from it, the kernel's entries in reverse order.",
        "Which outputs does one entry of the input reach, and through which entry of the kernel?",
        lesson=9,
    ),
    "mask-on-gradient": Mistake(
        "Whether an entry passes depends on the input; the sign of the cotangent has nothing to do with it.",
        "Which tensor decided in forward what was let through?",
        lesson=6,
    ),
    "missing-conjugate": Mistake(
        "PyTorch's gradient of a real function of z is taken with the conjugate of the derivative.",
        "Where does the formula for complex numbers have a conjugate?",
        lesson=None,
    ),
    "differentiates-one-step": Mistake(
        "The solution depends on the input through every iteration, not only through the last.",
        "Differentiate the equation that the solution fulfils, on both sides.",
        lesson=10,
    ),
    "dirty-not-returned": Mistake(
        "What is marked dirty must be what forward returns, or the graph does not know of the change.",
        "Which tensor did you change, and which one do you return?",
        lesson=6,
    ),
    "returns-input-unchanged": Mistake(
        "An output that is the input itself is the same tensor: who changes one in place changes the other.",
        "Which call gives a new tensor with the same values?",
        lesson=6,
    ),
    "output-kept-on-ctx": Mistake(
        "The output holds the node and the node the output: a cycle, freed only when the collector runs.",
        "Which method keeps a tensor for backward without such a cycle?",
        lesson=6,
    ),
    "input-kept-on-ctx": Mistake(
        "Nobody notices when the tensor is changed in place before backward, and saved-tensor hooks miss it.",
        "Which method keeps a tensor for backward and watches over it?",
        lesson=6,
    ),
    "none-gradient-unhandled": Mistake(
        "With set_materialize_grads(False) an output that no loss used has None as its cotangent.",
        "What does backward return where nothing came in?",
        lesson=6,
    ),
    "saves-too-much": Mistake(
        "What is kept for backward stays in memory from forward until backward, in every layer at once.",
        "Which of the saved tensors is a copy, or can be computed again from the others?",
        lesson=6,
    ),
    "materializes-gradients": Mistake(
        "An output that nobody used gets an array of zeros, made and multiplied for nothing.",
        "Which method of ctx lets None through?",
        lesson=6,
    ),
    "not-marked-non-differentiable": Mistake(
        "Others will take it for something that has a gradient, and wait for one.",
        "Which method of ctx says that an output has no gradient?",
        lesson=6,
    ),
    "intermediate-kept-on-ctx": Mistake(
        "The graph does not know where it came from, so its part of the second derivative is lost.",
        "How could backward get this value in a way that the graph records?",
        lesson=7,
    ),
    "detached-in-backward": Mistake(
        "What is detached is a constant to whoever differentiates backward, and its part is lost silently.",
        "Which call in backward leaves the graph?",
        lesson=7,
    ),
    "wrong-second-derivative": Mistake(
        "The gradient is right, and whoever differentiates it again gets another number than the true one.",
        "Differentiate the gradient by the input and by the cotangent: which of the two parts is not there?",
        lesson=7,
    ),
    "further-cotangent-unused": Mistake(
        "backward saves this output, so the second derivative comes back to it as a cotangent of its own.",
        "What does a change of this output's cotangent do to what backward returns?",
        lesson=7,
    ),
    "further-cotangent-wrong": Mistake(
        "backward saves this output, so the second derivative comes back to it as a cotangent of its own.",
        "What is the derivative of this output by the input, with its sign?",
        lesson=7,
    ),
    "further-output-marked": Mistake(
        "The graph ends at an output that is marked, so what is saved of it counts as a constant.",
        "Does this output change with the input?",
        lesson=7,
    ),
    "graph-cut-in-backward": Mistake(
        "A number, or a tensor made from numbers, has no history: its part of the second derivative is lost.",
        "Which operation on tensors gives the same value without leaving them?",
        lesson=7,
    ),
    "second-backward-raises": Mistake(
        "Backward runs once; whoever differentiates it again gets an exception.",
        "What is different about the tensors in backward when a graph is recorded there?",
        lesson=7,
    ),
    "numpy-in-backward": Mistake(
        "NumPy records nothing: the second derivative is lost without a word, or it is refused.",
        "Either declare that backward is differentiable once, or make it a Function of its own.",
        lesson=7,
    ),
    "wrongly-once-differentiable": Mistake(
        "The second derivative was asked for, and the declaration refuses it.",
        "Are all operations in backward differentiable? Then nothing needs declaring.",
        lesson=7,
    ),
    "autograd-in-backward": Mistake(
        "The numbers are right, and the derivative was never derived: that is the exercise.",
        "Write the derivative down with pencil and paper, and then in operations on tensors.",
        lesson=None,
    ),
    "no-setup-context": Mistake(
        "torch.func calls forward and setup_context apart from each other.",
        "What does forward look like without ctx, and what is left for setup_context?",
        lesson=11,
    ),
    "no-vmap-rule": Mistake(
        "vmap cannot look into a Function: it has to be told what a batch means.",
        "Would PyTorch's own rule do, which vmaps forward and backward? Else write the static method.",
        lesson=11,
    ),
    "no-jvp": Mistake(
        "Forward mode carries tangents along with the values and needs a rule of its own.",
        "The static method that takes ctx and the tangents returns the Jacobian times them.",
        lesson=11,
    ),
}


def named(mistake: str | None, check: str, argument: str | None, message: str) -> Finding:
    """Return a finding with the hint of its mistake; without a name it has no hint."""
    hint = MISTAKES[mistake].hint if mistake else ""
    return Finding(check, message, mistake, argument, hint)
