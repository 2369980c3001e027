"""The named mistakes: why each matters, and one hint that does not give the answer away."""

from __future__ import annotations

from typing import NamedTuple

from autograder.result import Finding


class Mistake(NamedTuple):
    """Why a mistake matters, and the hint that goes with it."""

    why: str
    hint: str


MISTAKES: dict[str, Mistake] = {
    "too-few-gradients": Mistake(
        "The engine matches gradients to arguments by position, so every argument of apply needs one.",
        "Count the arguments of apply and return a tuple of that length, None where there is no gradient.",
    ),
    "too-many-gradients": Mistake(
        "The engine matches gradients to arguments by position; only None may stand beyond the last one.",
        "Return one value for each argument of apply, in their order.",
    ),
    "gradient-for-non-tensor": Mistake(
        "The engine has nowhere to send a gradient for a number, a string or a shape.",
        "What does backward return for an argument that is not a tensor?",
    ),
    "gradient-not-a-tensor": Mistake(
        "A gradient is a tensor of its input's shape; the engine accepts nothing else but None.",
        "Does the expression still contain the cotangent? A product with it would be a tensor.",
    ),
    "one-grad-output-per-output": Mistake(
        "The engine calls backward with ctx and one cotangent for each output of forward.",
        "Count what forward returns, and the parameters of backward after ctx.",
    ),
    "called-forward-not-apply": Mistake(
        "Only apply records the Function in the graph; forward alone leaves nothing to differentiate.",
        "Which call makes the context that forward expects?",
    ),
    "saved-tensors-not-unpacked": Mistake(
        "ctx.saved_tensors is a tuple, with one tensor in it too.",
        "What is the type of the name on the left of the assignment?",
    ),
    "saved-a-non-tensor": Mistake(
        "save_for_backward is there for tensors, which it guards against later changes.",
        "Where may a number or a shape be kept on ctx?",
    ),
    "saved-twice": Mistake(
        "The second call of save_for_backward replaces the first, without a word.",
        "How many tensors can one call take?",
    ),
    "setup-context-not-unpacked": Mistake(
        "setup_context gets the arguments of apply as one tuple, also if it is only one.",
        "What is the type of the name on the left of the assignment?",
    ),
    "forward-value": Mistake(
        "A gradient can only be judged once forward computes the function asked for.",
        "Work out one entry of the output by hand and compare.",
    ),
    "missing-unbroadcast": Mistake(
        "Where the shapes allow it the engine sums it down silently; elsewhere it stops.",
        "Along which axes did forward repeat this input? The gradient adds up along the same axes.",
    ),
    "lost-keepdim": Mistake(
        "The gradient of an input has the input's shape, axes of size 1 included.",
        "Which axis of size 1 has the input, and where did it go?",
    ),
    "gradient-too-large": Mistake(
        "The engine sums it down silently, and the sum is not the gradient.",
        "Compare the shape of what you return with the shape of the input.",
    ),
    "gradients-swapped": Mistake(
        "The engine matches gradients to arguments by position.",
        "Read the order of forward's arguments and of backward's return side by side.",
    ),
    "missing-transpose": Mistake(
        "The gradient of an input has the input's shape, axis by axis.",
        "Write the shapes under each factor of the product; where do they not fit?",
    ),
    "wrong-sum-axis": Mistake(
        "The gradient of a repeated input adds up along the axes of repetition, and along no other.",
        "Write down the shape before and after the sum; which axis should have gone?",
    ),
    "mean-instead-of-sum": Mistake(
        "Contributions along the paths from one input add up; nothing divides them.",
        "Does forward divide by the number of entries anywhere?",
    ),
    "missing-grad-output": Mistake(
        "backward owes a vector-Jacobian product; without the cotangent the rest of the graph is ignored.",
        "Where in your return value does the argument of backward appear?",
    ),
    "wrong-sign": Mistake(
        "Gradient descent would climb.", "Differentiate once more, and keep an eye on minus signs."
    ),
    "wrong-factor": Mistake(
        "The direction is right and the length is not, which learning rates hide.",
        "Which constant does the derivative of forward have in front?",
    ),
    "overwrites-instead-of-accumulates": Mistake(
        "Each use of a node is a path of its own to the output, and derivatives along paths add up.",
        "Count the edges that leave this node; each of them contributes.",
    ),
    "missing-gradient": Mistake(
        "An input without gradient never learns, and nothing warns of it.",
        "Does the output depend on this input? Then its place in the return value cannot be None or zero.",
    ),
    "wrong-needs-input-grad-index": Mistake(
        "It works until somebody freezes an input; then the wrong one is left out.",
        "needs_input_grad has one entry for each argument of apply, in their order.",
    ),
    "gradient-nonlinear": Mistake(
        "A vector-Jacobian product is linear in the cotangent, whatever the function.",
        "A condition, a power or a norm of the cotangent has no place in backward.",
    ),
    "missing-mask": Mistake(
        "What forward blocks, backward must block too, or those entries move in training.",
        "For which entries of the input does the output not change at all?",
    ),
    "mutates-grad-output": Mistake(
        "The same tensor may be on its way to another branch, which then gets a damaged gradient.",
        "Make a new tensor instead of writing into the one that you are given.",
    ),
    "mutates-input": Mistake(
        "The caller's tensor changes behind their back, and gradients of others that saved it are wrong.",
        "Which operation of yours ends in an underscore, or assigns into an index?",
    ),
    "state-on-class": Mistake(
        "Many calls may come before the first backward, and what one call keeps there, the next overwrites.",
        "Which object is made anew for every call and handed to both methods?",
    ),
    "deletes-context-state": Mistake(
        "With retain_graph=True a backward pass may run over the same graph again, and finds nothing there.",
        "What does backward take away from ctx, and who frees it if you do not?",
    ),
    "mutates-saved-tensor": Mistake(
        "The saved tensor may be the caller's own, and a second pass over the graph finds it changed.",
        "Which operation in backward writes into a tensor that came from ctx?",
    ),
    "not-reproducible": Mistake(
        "Two backward passes over one graph must give the same gradient.",
        "Draw random numbers once, in forward, and keep what was drawn.",
    ),
    "needless-work": Mistake(
        "A frozen layer is there to save this work; it is often half of the backward pass.",
        "ctx.needs_input_grad says, argument by argument, which gradients anybody will use.",
    ),
    "needs-once-differentiable": Mistake(
        "Whoever differentiates twice gets a wrong number without any warning.",
        "Either build the gradient of differentiable operations on saved tensors, or declare that it is not.",
    ),
}


def named(mistake: str | None, check: str, argument: str | None, message: str) -> Finding:
    """Return a finding with the hint of its mistake; without a name it has no hint."""
    hint = MISTAKES[mistake].hint if mistake else ""
    return Finding(check, message, mistake, argument, hint)
