# expected: overwrites-instead-of-accumulates
def forward_sweep(tape, inputs, seed):
    tangents = {step.name: 0.0 for step in tape} | dict(zip(inputs, seed))
    for step in tape:
        if step.operands:
            slopes = dict(zip(step.operands, step.partials))
            tangents[step.name] = sum(p * tangents[o] for o, p in slopes.items())
    return tangents
