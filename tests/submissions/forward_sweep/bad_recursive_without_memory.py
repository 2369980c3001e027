# expected: wrong
def forward_sweep(tape, inputs, seed):
    steps = {step.name: step for step in tape}
    seeds = dict(zip(inputs, seed))

    def tangent(name):
        step = steps[name]
        return seeds.get(name, 0.0) + sum(p * tangent(o) for o, p in zip(step.operands, step.partials))

    return {step.name: tangent(step.name) for step in tape}
