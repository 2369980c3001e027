# %% class_with_call_and_print expected: right
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


# %% comprehension_and_tuple_fields expected: right
from collections import defaultdict


def forward_sweep(tape, inputs, seed):
    t = defaultdict(float)
    for i, name in enumerate(inputs):
        t[name] = seed[i]
    for name, operands, partials in tape:
        t[name] += sum(t[o] * d for o, d in zip(operands, partials))
    return t


# %% loop expected: right
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


# %% numpy_dot expected: right
import numpy as np


def forward_sweep(tape, inputs, seed):
    index = {step.name: i for i, step in enumerate(tape)}
    tangents = np.zeros(len(tape))
    tangents[[index[name] for name in inputs]] = seed
    for i, step in enumerate(tape):
        if step.operands:
            tangents[i] = np.dot(np.array(step.partials), tangents[[index[o] for o in step.operands]])
    return {step.name: tangents[i] for i, step in enumerate(tape)}


# %% torch_numbers expected: right
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


# %% bad_empties_the_tape expected: mutates-input
def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    while tape:
        step = tape.pop(0)
        if step.operands:
            tangents[step.name] = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
    return tangents


# %% bad_no_chain expected: missing-tangent
def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    for step in tape:
        if step.operands:
            tangents[step.name] = sum(step.partials)
    return tangents


# %% bad_only_the_output expected: wrong
def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    for step in tape:
        if step.operands:
            tangents[step.name] = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
    return {tape[-1].name: tangents[tape[-1].name]}


# %% bad_overwrites expected: overwrites-instead-of-accumulates
def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    for step in tape:
        for operand, partial in zip(step.operands, step.partials):
            tangents[step.name] = partial * tangents[operand]
    return tangents


# %% bad_recursive_with_memory expected: wrong
from functools import cache


def forward_sweep(tape, inputs, seed):
    steps = {step.name: step for step in tape}
    seeds = dict(zip(inputs, seed))

    @cache
    def tangent(name):
        step = steps[name]
        return seeds.get(name, 0.0) + sum(p * tangent(o) for o, p in zip(step.operands, step.partials))

    return {step.name: tangent(step.name) for step in reversed(tape)}


# %% bad_recursive_without_memory expected: wrong
def forward_sweep(tape, inputs, seed):
    steps = {step.name: step for step in tape}
    seeds = dict(zip(inputs, seed))

    def tangent(name):
        step = steps[name]
        return seeds.get(name, 0.0) + sum(p * tangent(o) for o, p in zip(step.operands, step.partials))

    return {step.name: tangent(step.name) for step in tape}


# %% bad_repeated_operand_once expected: overwrites-instead-of-accumulates
def forward_sweep(tape, inputs, seed):
    tangents = {step.name: 0.0 for step in tape} | dict(zip(inputs, seed))
    for step in tape:
        if step.operands:
            slopes = dict(zip(step.operands, step.partials))
            tangents[step.name] = sum(p * tangents[o] for o, p in slopes.items())
    return tangents


# %% bad_returns_a_number expected: wrong
def forward_sweep(tape, inputs, seed):
    return 1.0


# %% bad_seed_of_one expected: missing-tangent
def forward_sweep(tape, inputs, seed):
    tangents = {name: 1.0 for name in inputs}
    for step in tape:
        if step.operands:
            tangents[step.name] = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
    return tangents


# %% bad_stub expected: wrong
def forward_sweep(tape, inputs, seed):
    # YOUR CODE HERE
    raise NotImplementedError()


# %% bad_number expected: cannot run
forward_sweep = 3


# %% bad_two_operands_at_most expected: missing-term
def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    for step in tape:
        if not step.operands:
            tangents.setdefault(step.name, 0.0)
        elif len(step.operands) == 1:
            tangents[step.name] = step.partials[0] * tangents[step.operands[0]]
        else:
            (a, b), (p, q) = step.operands[:2], step.partials[:2]
            tangents[step.name] = p * tangents[a] + q * tangents[b]
    return tangents


# %% bad_seeds_in_the_order_of_the_tape expected: wrong-order
def forward_sweep(tape, inputs, seed):
    seeds = iter(seed)
    tangents = {}
    for step in tape:
        if step.operands:
            tangents[step.name] = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
        else:
            tangents[step.name] = next(seeds) if step.name in inputs else 0.0
    return tangents


# %% bad_tangents_left_over expected: state-on-class
tangents = {}


def forward_sweep(tape, inputs, seed):
    tangents.update(zip(inputs, seed))
    for step in tape:
        if step.operands:
            tangents[step.name] = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
        else:
            tangents.setdefault(step.name, 0.0)
    return dict(tangents)


# %% bad_leaves_first expected: wrong
def forward_sweep(tape, inputs, seed):
    tangents = {step.name: 0.0 for step in tape}
    tangents.update(zip(inputs, seed))
    for step in sorted(tape, key=lambda step: step.name):
        for operand, partial in zip(step.operands, step.partials):
            tangents[step.name] += partial * tangents[operand]
    return tangents


# %% adds_edge_by_edge expected: right
def forward_sweep(tape, inputs, seed):
    values = [0.0] * len(tape)
    place = {step.name: i for i, step in enumerate(tape)}
    for name, tangent in zip(inputs, seed):
        values[place[name]] = tangent
    for i, step in enumerate(tape):
        for j in range(len(step.operands)):
            values[i] += values[place[step.operands[j]]] * step.partials[j]
    return {name: values[i] for name, i in place.items()}


# %% numbered_registers expected: right
# Right: a list of registers, one for each position on the tape, and the names only at the end.
def forward_sweep(tape, inputs, seed):
    where, registers = {}, []
    for position, (name, operands, partials) in enumerate(tape):
        where[name] = position
        if operands:
            value = 0.0
            for operand, partial in zip(operands, partials):
                value = value + registers[where[operand]] * partial
        elif name in inputs:
            value = seed[list(inputs).index(name)]
        else:
            value = 0.0
        registers.append(value)
    return {name: registers[position] for name, position in where.items()}


# %% bad_seeds_in_tape_order expected: wrong-order
# The seeds are dealt out in the order of the leaves on the tape, not in the order of `inputs`.
from course.engine.tape import Step


def forward_sweep(tape, inputs, seed):
    wanted = set(inputs)
    queue = list(seed)
    out = {}
    for step in tape:
        if len(step.operands) == 0:
            out[step.name] = queue.pop(0) if step.name in wanted else 0.0
            continue
        acc = 0.0
        for k in range(len(step.operands)):
            acc += step.partials[k] * out[step.operands[k]]
        out[step.name] = acc
    return out


# %% bad_local_dict expected: overwrites-instead-of-accumulates
# The operands of a step become keys of a dict, so an operand that stands twice in a step keeps only its last partial.
from collections.abc import Sequence

from course.engine.tape import Step


def forward_sweep(tape: list[Step], inputs: Sequence[str], seed: Sequence[float]) -> dict[str, float]:
    dots = dict(zip(inputs, seed))
    for name, operands, partials in tape:
        slope = dict(zip(operands, partials))
        if slope:
            dots[name] = sum(slope[o] * dots[o] for o in slope)
        else:
            dots.setdefault(name, 0.0)
    return dots


# %% bad_default_dict_argument expected: state-on-class
# The dict is a mutable default: seeds of an earlier call stay in it, and the dict returned before changes too.
def forward_sweep(tape, inputs, seed, tangents={}):
    for name, value in zip(inputs, seed):
        tangents[name] = value
    for s in tape:
        if s.operands:
            tangents[s.name] = sum([d * tangents[o] for o, d in zip(s.operands, s.partials)])
        elif s.name not in tangents:
            tangents[s.name] = 0.0
    return tangents


# %% bad_single_precision_vector expected: wrong-dtype
# The tangents are kept in a float32 array: only seven digits remain.
import numpy as np


def forward_sweep(tape, inputs, seed):
    where = {}
    dots = np.zeros(len(tape), dtype=np.float32)
    given = dict(zip(inputs, seed))
    for i, (name, operands, partials) in enumerate(tape):
        where[name] = i
        if operands:
            dots[i] = np.dot(dots[[where[o] for o in operands]], partials)
        else:
            dots[i] = given.get(name, 0.0)
    return {name: float(dots[i]) for name, i in where.items()}


# %% bad_tangents_without_derivatives expected: missing-factor
import functools
import operator


def forward_sweep(tape, inputs, seed):
    tangents = dict(zip(inputs, seed))
    for step in tape:
        if step.operands:
            tangents[step.name] = functools.reduce(operator.add, [tangents[o] for o in step.operands])
        elif step.name not in tangents:
            tangents[step.name] = 0.0
    return tangents


# %% bad_kept_tangents expected: state-on-class
def forward_sweep(tape, inputs, seed, tangents={}):
    tangents.update(zip(inputs, seed))
    for step in tape:
        if step.operands:
            tangents[step.name] = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
        elif step.name not in tangents:
            tangents[step.name] = 0.0
    return {step.name: tangents[step.name] for step in tape}


# %% bad_unit_direction expected: gradient-nonlinear
import math


def forward_sweep(tape, inputs, seed):
    length = math.hypot(*seed) or 1.0
    tangents = {name: s / length for name, s in zip(inputs, seed)}
    for name, operands, partials in tape:
        if operands:
            tangents[name] = math.fsum(tangents[o] * p for o, p in zip(operands, partials))
        else:
            tangents[name] = tangents.get(name, 0.0)
    return tangents


# %% bad_product_of_sums expected: cotangent-summed
def forward_sweep(tape, inputs, seed):
    t = dict(zip(inputs, seed))
    for step in tape:
        if len(step.operands) > 0:
            t[step.name] = sum(step.partials) * sum(t[o] for o in step.operands)
        else:
            t[step.name] = t.get(step.name, 0.0)
    return t


# %% bad_three_decimals expected: not-precise
# rounds every tangent to three decimals
def forward_sweep(tape, inputs, seed):
    tangents = {}
    for step in tape:
        if step.operands:
            value = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
        else:
            value = dict(zip(inputs, seed)).get(step.name, 0)
        tangents[step.name] = round(float(value), 3)
    return tangents


# %% bad_a_sweep_for_each_input expected: wrong
# runs one whole sweep per input and adds the results, so the tape is read len(inputs) times as soon as
# there are two inputs: "The tape is read once" / "One sweep gives the derivative of all nodes along one
# direction".
def forward_sweep(tape, inputs, seed):
    tangents = {}
    for chosen, tangent in zip(inputs, seed):
        moved = {}
        for step in tape:
            if step.operands:
                moved[step.name] = sum((p * moved[o] for o, p in zip(step.operands, step.partials)), 0.0)
            else:
                moved[step.name] = tangent if step.name == chosen else 0.0
        for name, value in moved.items():
            tangents[name] = tangents.get(name, 0.0) + value
    return tangents or {step.name: 0.0 for step in tape}


# %% bad_global_result expected: state-on-class
# one dict for all calls: the result of an earlier call is overwritten by the next; 'return the tangent
# of every node on the tape'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

_tangents = {}


def forward_sweep(tape, inputs, seed):
    _tangents.clear()
    _tangents.update(zip(inputs, seed))
    for step in tape:
        if step.operands:
            _tangents[step.name] = sum(p * _tangents[o] for o, p in zip(step.operands, step.partials))
        else:
            _tangents.setdefault(step.name, 0.0)
    return _tangents


# %% bad_seeds_without_their_signs expected: wrong-sign
def forward_sweep(tape, inputs, seed):
    tangents = {}
    for step in tape:
        if step.operands:
            tangents[step.name] = sum(p * tangents[o] for o, p in zip(step.operands, step.partials))
        else:
            tangents[step.name] = abs(seed[inputs.index(step.name)]) if step.name in inputs else 0.0
    return tangents


# %% bad_sixty_passes_over_plain_floats expected: wrong
def forward_sweep(tape, inputs, seed):
    for _ in range(60):
        tangents = dict(zip(inputs, seed))
        for step in tape:
            pairs = zip(step.operands, map(float, step.partials))
            total = sum(partial * tangents[operand] for operand, partial in pairs)
            tangents.setdefault(step.name, total)
    return tangents


# %% bad_a_pass_over_arrays_for_each_step expected: wrong
import numpy as np


def forward_sweep(tape, inputs, seed):
    place = {step.name: i for i, step in enumerate(tape)}
    to = np.array([place[step.name] for step in tape for _ in step.operands], dtype=int)
    of = np.array([place[operand] for step in tape for operand in step.operands], dtype=int)
    partials = np.array([partial for step in tape for partial in step.partials])
    start = np.zeros(len(tape))
    start[[place[name] for name in inputs]] = seed
    tangent = start
    for _ in tape:
        tangent = start + np.bincount(to, partials * tangent[of], len(tape))
    return dict(zip(place, tangent.tolist()))
