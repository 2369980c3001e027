# expected: right
def reverse_sweep(tape, seed):
    """Each node gathers from those that use it."""
    users = {step.name: [] for step in tape}
    for step in tape:
        for operand, partial in zip(step.operands, step.partials):
            users[operand].append((step.name, partial))
    adjoints = {}
    for step in reversed(tape):
        adjoints[step.name] = sum(partial * adjoints[user] for user, partial in users[step.name])
        if step is tape[-1]:
            adjoints[step.name] += seed
    return adjoints
