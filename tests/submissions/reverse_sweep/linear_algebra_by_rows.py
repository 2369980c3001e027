# expected: right
import numpy as np


def reverse_sweep(tape, seed):
    position = {step.name: i for i, step in enumerate(tape)}
    adjoint = np.zeros(len(tape))
    adjoint[-1] = seed
    for i in range(len(tape) - 1, -1, -1):
        where = [position[o] for o in tape[i].operands]
        np.add.at(adjoint, where, np.array(tape[i].partials) * adjoint[i])
    return dict(zip(position, adjoint.tolist()))
