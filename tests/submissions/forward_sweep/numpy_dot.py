# expected: right
import numpy as np


def forward_sweep(tape, inputs, seed):
    index = {step.name: i for i, step in enumerate(tape)}
    tangents = np.zeros(len(tape))
    tangents[[index[name] for name in inputs]] = seed
    for i, step in enumerate(tape):
        if step.operands:
            tangents[i] = np.dot(np.array(step.partials), tangents[[index[o] for o in step.operands]])
    return {step.name: tangents[i] for i, step in enumerate(tape)}
