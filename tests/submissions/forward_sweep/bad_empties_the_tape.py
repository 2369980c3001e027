# expected: mutates-input
def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    while tape:
        step = tape.pop(0)
        if step.operands:
            tangents[step.name] = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
    return tangents
