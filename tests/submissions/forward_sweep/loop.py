# expected: right
def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    for step in tape:
        if step.operands:
            total = 0.0
            for operand, partial in zip(step.operands, step.partials):
                total += partial * tangents[operand]
            tangents[step.name] = total
        else:
            tangents.setdefault(step.name, 0.0)
    return tangents
