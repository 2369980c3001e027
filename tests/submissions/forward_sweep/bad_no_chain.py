# expected: wrong
def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    for step in tape:
        if step.operands:
            tangents[step.name] = sum(step.partials)
    return tangents
