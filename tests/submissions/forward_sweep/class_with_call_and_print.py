# expected: right
from operator import mul


class Sweep:
    def __call__(self, tape, inputs, seed):
        print("sweeping", len(tape), "steps")
        known = {}
        for step in tape:
            if step.name in inputs:
                known[step.name] = seed[inputs.index(step.name)]
            else:
                known[step.name] = sum(map(mul, step.partials, (known[o] for o in step.operands)))
        return known


forward_sweep = Sweep()
