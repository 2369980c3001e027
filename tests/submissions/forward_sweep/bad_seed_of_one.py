# expected: wrong
def forward_sweep(tape, inputs, seed):
    tangents = {name: 1.0 for name in inputs}
    for step in tape:
        if step.operands:
            tangents[step.name] = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
    return tangents
