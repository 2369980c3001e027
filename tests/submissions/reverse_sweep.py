# %% linear_algebra_by_rows expected: right
import numpy as np


def reverse_sweep(tape, seed):
    position = {step.name: i for i, step in enumerate(tape)}
    adjoint = np.zeros(len(tape))
    adjoint[-1] = seed
    for i in range(len(tape) - 1, -1, -1):
        where = [position[o] for o in tape[i].operands]
        np.add.at(adjoint, where, np.array(tape[i].partials) * adjoint[i])
    return dict(zip(position, adjoint.tolist()))


# %% loop expected: right
def reverse_sweep(tape, seed):
    adjoints = {step.name: 0.0 for step in tape}
    adjoints[tape[-1].name] = seed
    for step in reversed(tape):
        for operand, partial in zip(step.operands, step.partials):
            adjoints[operand] += adjoints[step.name] * partial
    return adjoints


# %% pops_a_copy_and_doubles_products expected: right
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


# %% skips_what_has_no_adjoint expected: right
from collections import defaultdict


def reverse_sweep(tape, seed):
    adjoints = defaultdict(float, {tape[-1].name: seed})
    for name, operands, partials in tape[::-1]:
        if adjoints[name] == 0:
            continue
        for operand, partial in zip(operands, partials):
            adjoints[operand] += partial * adjoints[name]
    return {step.name: adjoints[step.name] for step in tape}


# %% users_first expected: right
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


# %% bad_adds_where_it_should_multiply expected: wrong from: loop
# -             adjoints[operand] += adjoints[step.name] * partial
# +             adjoints[operand] += adjoints[step.name] + partial


# %% bad_dict_of_partials expected: overwrites-instead-of-accumulates
def reverse_sweep(tape, seed):
    adjoints = {step.name: 0.0 for step in tape}
    adjoints[tape[-1].name] = seed
    for step in reversed(tape):
        for operand in set(step.operands):
            adjoints[operand] += adjoints[step.name] * step.partials[step.operands.index(operand)]
    return adjoints


# %% bad_exits expected: wrong
import sys


def reverse_sweep(tape, seed):
    sys.exit(0)


# %% bad_first_counts expected: overwrites-instead-of-accumulates
def reverse_sweep(tape, seed):
    adjoints = {tape[-1].name: seed}
    for step in reversed(tape):
        for operand, partial in zip(step.operands, step.partials):
            adjoints.setdefault(operand, adjoints[step.name] * partial)
    return adjoints


# %% bad_forward_order expected: wrong-order from: loop
# -     for step in reversed(tape):
# +     for step in tape:


# %% bad_leaves_out_the_unreachable expected: wrong
def reverse_sweep(tape, seed):
    adjoints = {tape[-1].name: seed}
    for step in reversed(tape):
        if step.name in adjoints:
            for operand, partial in zip(step.operands, step.partials):
                adjoints[operand] = adjoints.get(operand, 0) + adjoints[step.name] * partial
    return adjoints


# %% bad_one_sweep_a_node expected: wrong
def reverse_sweep(tape, seed):
    result = {}
    for target in tape[-200:]:
        adjoints = {step.name: 0.0 for step in tape}
        adjoints[tape[-1].name] = seed
        for step in reversed(tape):
            for operand, partial in zip(step.operands, step.partials):
                adjoints[operand] += adjoints[step.name] * partial
        result.update(adjoints)
    return result


# %% bad_only_reverses_the_tape expected: mutates-input from: loop
# -     for step in reversed(tape):
# +     tape.reverse()
# +     for step in tape:


# %% bad_overwrites expected: overwrites-instead-of-accumulates from: loop
# -             adjoints[operand] += adjoints[step.name] * partial
# +             adjoints[operand] = adjoints[step.name] * partial


# %% bad_prints_only expected: wrong
def reverse_sweep(tape, seed):
    print({step.name: seed for step in tape})


# %% bad_recursion expected: wrong
def reverse_sweep(tape, seed):
    steps = {step.name: step for step in tape}
    adjoints = {step.name: 0.0 for step in tape}

    def push(name, amount):
        adjoints[name] += amount
        for operand, partial in zip(steps[name].operands, steps[name].partials):
            push(operand, partial * amount)

    push(tape[-1].name, seed)
    return adjoints


# %% bad_returns_a_list expected: wrong
def reverse_sweep(tape, seed):
    return [seed for _ in tape]


# %% bad_seed_of_one expected: missing-grad-output from: loop
# -     adjoints[tape[-1].name] = seed
# +     adjoints[tape[-1].name] = 1.0


# %% bad_signature expected: wrong
def reverse_sweep(tape):
    return {step.name: 1.0 for step in tape}


# %% bad_walks_every_path expected: wrong
def reverse_sweep(tape, seed):
    steps = {step.name: step for step in tape}
    adjoints = {step.name: 0.0 for step in tape}
    waiting = [(tape[-1].name, seed)]
    while waiting:
        name, amount = waiting.pop()
        adjoints[name] += amount
        for operand, partial in zip(steps[name].operands, steps[name].partials):
            waiting.append((operand, partial * amount))
    return adjoints


# %% bad_sorted_by_name expected: wrong from: loop
# -     for step in reversed(tape):
# +     for step in sorted(tape, key=lambda step: step.name, reverse=True):


# %% bad_two_operands_at_most expected: missing-term
def reverse_sweep(tape, seed):
    adjoints = {step.name: 0.0 for step in tape}
    adjoints[tape[-1].name] = seed
    for step in reversed(tape):
        if step.operands:
            adjoints[step.operands[0]] += adjoints[step.name] * step.partials[0]
        if len(step.operands) > 1:
            adjoints[step.operands[1]] += adjoints[step.name] * step.partials[1]
    return adjoints


# %% bad_dict_left_over expected: state-on-class
def reverse_sweep(tape, seed, adjoints={}):
    for step in tape:
        adjoints[step.name] = 0.0
    adjoints[tape[-1].name] = seed
    for step in reversed(tape):
        for operand, partial in zip(step.operands, step.partials):
            adjoints[operand] += adjoints[step.name] * partial
    return dict(adjoints)


# %% bad_recursion_with_a_raised_limit expected: wrong
import sys


def reverse_sweep(tape, seed):
    sys.setrecursionlimit(100_000)
    adjoints = {step.name: 0.0 for step in tape}
    adjoints[tape[-1].name] = seed

    def go(i):
        if i < 0:
            return
        name, operands, partials = tape[i]
        for operand, partial in zip(operands, partials):
            adjoints[operand] += adjoints[name] * partial
        go(i - 1)

    go(len(tape) - 1)
    return adjoints


# %% bad_pops_the_tape_and_refills_it expected: mutates-input
def reverse_sweep(tape, seed):
    adjoints = {step.name: 0.0 for step in tape}
    adjoints[tape[-1].name] = seed
    seen = []
    while tape:
        step = tape.pop()
        seen.append(step)
        for operand, partial in zip(step.operands, step.partials):
            adjoints[operand] += adjoints[step.name] * partial
    tape.extend(seen)
    return adjoints


# %% stack_of_steps_and_get expected: right
def reverse_sweep(tape, seed):
    """Products collected for each node, summed when its turn comes."""
    received = {tape[-1].name: [seed]}
    adjoints = {}
    rest = list(tape)
    while rest:
        name, operands, partials = rest.pop()
        adjoints[name] = sum(received.pop(name, []), 0.0)
        for operand, partial in zip(operands, partials):
            received.setdefault(operand, []).append(adjoints[name] * partial)
    return {step.name: adjoints[step.name] for step in tape}


# %% index_from_the_end expected: right
# Right: a while loop over positions, contributions through dict.get.
def reverse_sweep(tape, seed):
    k = len(tape) - 1
    sent = {tape[k].name: seed}
    while k >= 0:
        step = tape[k]
        here = sent.setdefault(step.name, 0.0)
        for pair in zip(step.operands, step.partials):
            sent[pair[0]] = sent.get(pair[0], 0.0) + here * pair[1]
        k -= 1
    return sent


# %% bad_breadth_first expected: wrong-order
# Steps are visited breadth first from the output, so a node can send its adjoint on before all its users have contributed.
from collections import deque

from course.engine.tape import Step


def reverse_sweep(tape: list[Step], seed: float) -> dict[str, float]:
    by_name = {step.name: step for step in tape}
    adjoint = {name: 0.0 for name in by_name}
    last = tape[-1].name
    adjoint[last] = seed
    todo, seen = deque([last]), {last}
    while todo:
        step = by_name[todo.popleft()]
        for operand, partial in zip(step.operands, step.partials):
            adjoint[operand] += adjoint[step.name] * partial
            if operand not in seen:
                seen.add(operand)
                todo.append(operand)
    return adjoint


# %% bad_turned_around expected: mutates-input
# list.reverse() turns the caller's tape around.
def reverse_sweep(tape, seed):
    adjoints = dict.fromkeys((s.name for s in tape), 0.0)
    adjoints[tape[-1].name] = seed
    tape.reverse()
    for s in tape:
        w = adjoints[s.name]
        for i, o in enumerate(s.operands):
            adjoints[o] += w * s.partials[i]
    return adjoints


# %% bad_seed_only_at_the_end expected: missing-grad-output
# The sweep runs with 1 and the seed is written into the output's entry afterwards, so it scales nothing else.
def reverse_sweep(tape, seed):
    out = tape[-1].name
    adj = {out: 1.0}
    for node in reversed(tape):
        mine = adj.setdefault(node.name, 0.0)
        for operand, local in zip(node.operands, node.partials):
            adj[operand] = adj.get(operand, 0.0) + mine * local
    adj[out] = seed
    return adj


# %% bad_seed_on_leaves_only expected: missing-grad-output
# The sweep starts from 1 and multiplies only the leaves by the seed; the inner nodes lack it.
def reverse_sweep(tape, seed):
    grads = {s.name: 0.0 for s in tape}
    grads[tape[-1].name] = 1.0
    for s in reversed(tape):
        for o, p in zip(s.operands, s.partials):
            grads[o] += grads[s.name] * p
    for s in tape:
        if s.operands == ():
            grads[s.name] *= seed
    return grads


# %% bad_skips_what_is_not_positive expected: mask-on-gradient
def reverse_sweep(tape, seed):
    adjoints = {step.name: 0.0 for step in tape}
    adjoints[tape[-1].name] = seed
    for step in reversed(tape):
        if adjoints[step.name] > 0:
            for operand, partial in zip(step.operands, step.partials):
                adjoints[operand] += adjoints[step.name] * partial
    return adjoints


# %% bad_seed_on_every_edge expected: missing-factor
def reverse_sweep(tape, seed):
    adjoints = {step.name: 0.0 for step in tape}
    adjoints[tape[-1].name] = seed
    for name, operands, partials in tape[::-1]:
        if adjoints[name] != 0.0:
            for o, p in zip(operands, partials):
                adjoints[o] += seed * p
    return adjoints


# %% bad_averaged expected: mean-instead-of-sum
from collections import defaultdict


def reverse_sweep(tape, seed):
    received = defaultdict(list)
    received[tape[-1].name].append(seed)
    bar = {}
    for step in reversed(tape):
        got = received[step.name]
        bar[step.name] = sum(got) / max(len(got), 1)
        for operand, partial in zip(step.operands, step.partials):
            received[operand].append(bar[step.name] * partial)
    return bar


# %% bad_seed_at_each_edge expected: extra-factor
# the seed is multiplied in again at every edge
def reverse_sweep(tape, seed):
    bar = {s.name: 0.0 for s in tape}
    bar[tape[-1].name] = seed
    for s in tape[::-1]:
        for o, p in zip(s.operands, s.partials):
            bar[o] += seed * bar[s.name] * p
    return bar


# %% bad_skips_small_adjoints expected: gradient-nonlinear
def reverse_sweep(tape, seed):
    out = {}
    for step in tape:
        out[step.name] = 0.0
    out[tape[-1].name] = seed
    for step in reversed(tape):
        upstream = out[step.name]
        if abs(upstream) < 1e-3:
            continue
        for operand, partial in zip(step.operands, step.partials):
            out[operand] += upstream * partial
    return out


# %% bad_partial_found_by_index expected: wrong-operand
def reverse_sweep(tape, seed):
    bar = dict.fromkeys((step.name for step in tape), 0.0)
    bar[tape[-1].name] += seed
    for step in tape[::-1]:
        for operand in step.operands:
            partial = step.partials[step.operands.index(operand)]
            bar[operand] += bar[step.name] * partial
    return bar


# %% bad_stops_at_the_first_leaf expected: missing-term
def reverse_sweep(tape, seed):
    adjoints = {s.name: 0.0 for s in tape}
    adjoints[tape[-1].name] = float(seed)
    i = len(tape) - 1
    while i >= 0 and tape[i].operands:
        name, operands, partials = tape[i]
        for k in range(len(operands)):
            adjoints[operands[k]] += adjoints[name] * partials[k]
        i -= 1
    return adjoints


# %% array_by_position expected: right
def reverse_sweep(tape, seed):
    place = {step.name: i for i, step in enumerate(tape)}
    bars = [0.0] * len(tape)
    bars[-1] = seed
    for i in range(len(tape) - 1, -1, -1):
        if bars[i] == 0.0:
            continue
        step = tape[i]
        for k in range(len(step.operands)):
            bars[place[step.operands[k]]] += bars[i] * step.partials[k]
    return dict(zip(place, bars))


# %% bad_no_seed_of_zero expected: gradient-nonlinear
def reverse_sweep(tape, seed=None):
    adjoints = {step.name: 0.0 for step in tape}
    adjoints[tape[-1].name] = seed or 1.0
    for step in reversed(tape):
        for operand, partial in zip(step.operands, step.partials):
            adjoints[operand] += adjoints[step.name] * partial
    return adjoints


# %% bad_depth_first_on_a_stack expected: wrong-order
# A step sends its adjoint on when it is first found, before all of its users have sent theirs.
import math
from collections.abc import Sequence

from course.engine.tape import Step


def reverse_sweep(tape: list[Step], seed: float) -> dict[str, float]:
    by_name = {step.name: step for step in tape}
    adjoints = dict.fromkeys(by_name, 0.0)
    last = tape[-1].name
    adjoints[last] = seed

    stack, seen = [last], {last}
    while stack:
        step = by_name[stack.pop()]
        for operand, partial in zip(step.operands, step.partials):
            adjoints[operand] += adjoints[step.name] * partial
            if operand not in seen:
                seen.add(operand)
                stack.append(operand)
    return adjoints


# %% bad_unused_leaf_not_in_the_dict expected: wrong
import math
from collections.abc import Sequence

from course.engine.tape import Step

from collections import defaultdict


def reverse_sweep(tape: list[Step], seed: float) -> dict[str, float]:
    adjoints: defaultdict[str, float] = defaultdict(float)
    adjoints[tape[-1].name] = seed
    for step in tape[::-1]:
        for operand, partial in zip(step.operands, step.partials):
            adjoints[operand] += adjoints[step.name] * partial
    return dict(adjoints)


# %% bad_memo expected: state-on-class
# adjoints are cached by names and operands, the partials forgotten: the same graph at another point gets
# the old adjoints; 'the adjoint of every node'.
from typing import Any
import functools, math
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

_known = {}


def reverse_sweep(tape, seed):
    key = tuple((s.name, s.operands) for s in tape)
    if key not in _known:
        adjoints = {s.name: 0.0 for s in tape}
        adjoints[tape[-1].name] = 1.0
        for step in reversed(tape):
            for o, p in zip(step.operands, step.partials):
                adjoints[o] += adjoints[step.name] * p
        _known[key] = adjoints
    return {k: v * seed for k, v in _known[key].items()}


# %% bad_seed_or_one expected: gradient-nonlinear
# A seed of 0.0 is falsy and is replaced by 1.0, so that it gives the adjoints of the seed 1.
import math
from collections.abc import Sequence

from course.engine.tape import Step


def reverse_sweep(tape: list[Step], seed: float) -> dict[str, float]:
    """Return the adjoint of every node on the tape, by name."""
    *rest, output = (step.name for step in tape)
    adjoints = dict.fromkeys(rest, 0.0)
    adjoints[output] = seed or 1.0  # like backward() without an argument
    for step in tape[::-1]:
        for k, operand in enumerate(step.operands):
            adjoints[operand] = adjoints[operand] + step.partials[k] * adjoints[step.name]
    return adjoints


# %% bad_seed_without_its_sign expected: wrong-sign from: loop
# -     adjoints[tape[-1].name] = seed
# +     adjoints[tape[-1].name] = abs(seed)


# %% bad_sixty_passes_over_plain_floats expected: wrong
def reverse_sweep(tape, seed):
    for _ in range(60):
        adjoints = {step.name: 0.0 for step in tape}
        adjoints[tape[-1].name] = seed
        for step in reversed(tape):
            for operand, partial in zip(step.operands, step.partials):
                adjoints[operand] += adjoints[step.name] * (partial + 0.0)
    return adjoints


# %% bad_a_pass_over_arrays_for_each_step expected: wrong
import numpy as np


def reverse_sweep(tape, seed):
    # few lines run, but all edges are multiplied as often as the longest path has steps
    place = {step.name: i for i, step in enumerate(tape)}
    to = np.array([place[operand] for step in tape for operand in step.operands], dtype=int)
    of = np.array([place[step.name] for step in tape for _ in step.operands], dtype=int)
    partials = np.array([partial for step in tape for partial in step.partials])
    start = np.zeros(len(tape))
    start[-1] = seed
    adjoint, before = start, None
    while before is None or (adjoint != before).any():
        before = adjoint
        adjoint = start + np.bincount(to, partials * adjoint[of], len(tape))
    return dict(zip(place, adjoint.tolist()))


# %% names_are_searched_in_a_list expected: right
def reverse_sweep(tape, seed):
    # slow, but each edge is multiplied once
    names = [step.name for step in tape]
    adjoints = [0.0] * len(tape)
    adjoints[-1] = seed
    for i in range(len(tape) - 1, -1, -1):
        for operand, partial in zip(tape[i].operands, tape[i].partials):
            adjoints[names.index(operand)] += partial * adjoints[i]
    return dict(zip(names, adjoints))
