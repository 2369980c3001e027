# expected: right
import torch


def forward_sweep(tape, inputs, seed):
    seeds = dict(zip(inputs, torch.tensor(seed, dtype=torch.float64)))
    out = {}
    for name, operands, partials in tape:
        value = seeds.get(name, torch.zeros((), dtype=torch.float64))
        for operand, partial in zip(operands, partials):
            value = torch.add(value, out[operand], alpha=partial)
        out[name] = value
    return out
