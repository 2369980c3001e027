# expected: right
def reverse_sweep(tape, seed):
    todo = list(tape)
    adjoints = dict.fromkeys((s.name for s in tape), 0)
    adjoints[todo[-1].name] = seed
    while todo:
        step = todo.pop()
        for i, operand in enumerate(step.operands):
            if step.partials[i] * adjoints[step.name] != 0:
                adjoints[operand] = adjoints[operand] + step.partials[i] * adjoints[step.name]
    return adjoints
