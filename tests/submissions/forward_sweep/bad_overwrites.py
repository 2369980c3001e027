# expected: overwrites-instead-of-accumulates
def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    for step in tape:
        for operand, partial in zip(step.operands, step.partials):
            tangents[step.name] = partial * tangents[operand]
    return tangents
