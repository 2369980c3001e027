# expected: wrong
def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    for step in tape:
        if step.operands:
            tangents[step.name] = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
    return {tape[-1].name: tangents[tape[-1].name]}
