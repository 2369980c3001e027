"""Right solutions with one thing in backward changed: what is no longer the same function must not pass.

Whether a mutant is still right is decided here, by native autograd on the exercise's forward and by the
engine's own refusals, and not by the autograder's probe or verdict.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from autograder.capture import captured_output
from autograder.exercises import find
from autograder.feedback import judge
from autograder.function.exercise import FunctionExercise

SUBMISSIONS = Path(__file__).parents[1] / "submissions"
EXERCISES = ["kill_head", "abs_product", "affine", "scale_rows", "linear"]
# one style of each kind; the others of the corpus would only repeat what these say
STYLES = {
    "kill_head": ["combined_in_place_on_own_clone", "setup_context_saving_a_mask", "vjp_by_concatenation"],
    "abs_product": ["sign_of_the_product", "output_saved_and_divided", "guarded_list_and_copysign"],
    "affine": ["plain", "in_place_on_a_fresh_gradient"],
    "scale_rows": ["sum_over_columns", "einsum", "diagonal_matrix", "unbroadcast_helper"],
    "linear": ["from_the_notes", "setup_context_with_default", "backward_as_second_function"],
}

Change = Callable[[ast.expr], Iterator[ast.expr]]


def expressions(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what one slip makes of an expression."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult() | ast.MatMult() | ast.Div(), right=right):
            yield from (left, right)
            yield ast.UnaryOp(ast.USub(), node)
            yield ast.BinOp(ast.Constant(2), ast.Mult(), node)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from (left, right, ast.BinOp(left, ast.Sub(), right))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield operand
        case ast.Call(func=ast.Attribute(value=value, attr="sum" | "sign" | "clone" | "t" | "squeeze")):
            yield value
            if node.func.attr == "sum" and node.args:
                yield ast.Call(node.func, [ast.Constant(1 - node.args[0].value)], node.keywords)
                yield ast.Call(ast.Attribute(value, "mean", ast.Load()), node.args, node.keywords)
        case ast.Call(func=ast.Attribute(attr="sign"), args=[argument]):
            yield argument
        case ast.Attribute(value=value, attr="T"):
            yield value
        case ast.Subscript(value=ast.Attribute(attr="needs_input_grad"), slice=ast.Constant(value=index)):
            yield ast.Subscript(node.value, ast.Constant((index + 1) % 2), ast.Load())
            yield ast.Constant(True)
        case ast.Slice(lower=None, upper=ast.expr() as upper):
            yield ast.Slice(upper, None)
            yield ast.Slice(None, ast.BinOp(upper, ast.Add(), ast.Constant(1)))
        case ast.Slice(lower=ast.expr() as lower, upper=None):
            yield ast.Slice(None, lower)
        case ast.Constant(value="ij,kj->ik" | "ij,i->ij" | "ij,ij->i" as pattern):
            other = {"ij,kj->ik": "ij,kj->ij", "ij,i->ij": "ij,j->ij", "ij,ij->i": "ij,ij->j"}[pattern]
            yield ast.Constant(other)


def returned(node: ast.Return) -> Iterator[ast.Return]:
    """Yield what one slip makes of a returned tuple."""
    if not isinstance(node.value, ast.Tuple):
        return
    parts = node.value.elts
    for i in range(len(parts)):
        yield ast.Return(ast.Tuple([*parts[:i], ast.Constant(None), *parts[i + 1 :]], ast.Load()))
        yield ast.Return(ast.Tuple([*parts[:i], *parts[i + 1 :]], ast.Load()))
        for j in range(i):
            swapped = [*parts]
            swapped[i], swapped[j] = parts[j], parts[i]
            yield ast.Return(ast.Tuple(swapped, ast.Load()))


def dropped(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield what is left of a statement that writes into a tensor of its own."""
    if isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
    ):
        yield ast.Pass()


def mutants(source: str) -> Iterator[str]:
    """Yield the source with one change somewhere in the first backward (or vjp)."""
    tree = ast.parse(source)
    backward = next(
        n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name in ("backward", "vjp")
    )
    body = [node for statement in backward.body for node in ast.walk(statement)]
    for place, node in enumerate(body):
        makers = [(ast.expr, expressions), (ast.Return, returned), (ast.stmt, dropped)]
        changes = [made for kind, maker in makers if isinstance(node, kind) for made in maker(node)]
        for number in range(len(changes)):
            copied = copy.deepcopy(tree)
            there = next(
                n for n in ast.walk(copied) if isinstance(n, ast.FunctionDef) and n.name == backward.name
            )
            target = [n for statement in there.body for n in ast.walk(statement)][place]
            made = [m for kind, maker in makers if isinstance(target, kind) for m in maker(target)][number]
            yield ast.unparse(ast.fix_missing_locations(_Put(target, made).visit(copied)))


class _Put(ast.NodeTransformer):
    def __init__(self, target: ast.AST, made: ast.AST) -> None:
        self.target, self.made = target, made

    def visit(self, node: ast.AST) -> Any:
        return self.made if node is self.target else self.generic_visit(node)


def defined(source: str, name: str) -> Any:
    module = ModuleType("mutant")
    exec(compile(source, "<mutant>", "exec"), vars(module))
    return getattr(module, name)


def still_right(exercise: FunctionExercise, work: Any) -> bool:
    """Compare with native autograd for every sample and every choice of inputs; a refusal is not right."""
    for arguments in exercise.samples(np.random.default_rng(99)):
        positions = [p for p, a in enumerate(arguments) if isinstance(a, np.ndarray)]
        for choice in range(1, 2 ** len(positions)):
            wanted = [p for i, p in enumerate(positions) if choice >> i & 1]
            try:
                mine = _gradients(work.apply, arguments, wanted)
                kept = _keeps_the_contract(exercise, work, arguments, wanted)
            except Exception:
                return False
            if not kept or not all(map(_equal, mine, _gradients(exercise.forward, arguments, wanted))):
                return False
    return True


def _gradients(function: Any, arguments: Any, wanted: list[int]) -> list[torch.Tensor | None]:
    """Return the gradients of first and of second order, for cotangents that are not all alike."""
    tensors = [torch.tensor(a) if isinstance(a, np.ndarray) else a for a in arguments]
    leaves = [tensors[p].requires_grad_() for p in wanted]
    output = function(*tensors)
    cotangent = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).reshape(output.shape).cos()
    cotangent.requires_grad_()
    before = cotangent.detach().clone()
    first = torch.autograd.grad(output, leaves, cotangent, create_graph=True, allow_unused=True)
    loss = sum(
        (g * torch.linspace(1, 2, g.numel(), dtype=g.dtype).reshape(g.shape)).sum()
        for g in first
        if g is not None
    )
    second: tuple[torch.Tensor | None, ...] = ()
    if isinstance(loss, torch.Tensor) and "Error" not in _names(first):  # not declared once differentiable
        second = torch.autograd.grad(loss, [*leaves, cotangent], allow_unused=True)
    if not torch.equal(cotangent.detach(), before):
        raise ValueError("backward has written into the cotangent")
    return [*first, *second]


def _names(gradients: tuple[torch.Tensor | None, ...]) -> str:
    return " ".join(g.grad_fn.name() for g in gradients if g is not None and g.grad_fn is not None)


def _equal(one: torch.Tensor | None, other: torch.Tensor | None) -> bool:
    some = next((t for t in (one, other) if t is not None), None)
    if some is None:
        return True
    one, other = (torch.zeros_like(some) if t is None else t for t in (one, other))
    return one.shape == other.shape and torch.allclose(one, other)


def _keeps_the_contract(exercise: FunctionExercise, work: Any, arguments: Any, wanted: list[int]) -> bool:
    """Call backward by hand and look at the shapes, which the engine would repair, and at frozen inputs."""
    given = [
        torch.tensor(a, requires_grad=p in wanted) if isinstance(a, np.ndarray) else a
        for p, a in enumerate(arguments)
    ]
    output = work.apply(*given)
    back = output.grad_fn.apply(torch.ones_like(output))
    for tensor, gradient in zip(given, back if isinstance(back, tuple) else (back,), strict=False):
        if isinstance(tensor, torch.Tensor) and gradient is not None:
            if tensor.requires_grad and gradient.shape != tensor.shape:
                return False
            if not tensor.requires_grad and "frozen inputs" in exercise.points:
                return False
    return True


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_every_mutant_that_is_not_right_fails(exercise_id: str) -> None:
    exercise = find(exercise_id)
    assert isinstance(exercise, FunctionExercise)
    killed, survivors, accused = 0, [], []
    for style in STYLES[exercise_id]:
        source = (SUBMISSIONS / exercise_id / f"{style}.py").read_text()
        for mutant in mutants(source):
            work = defined(mutant, exercise.object_name)
            with captured_output():
                right = still_right(exercise, work)
                passed = judge(exercise, exercise.probe(work), seed=1).passed
            killed += not right and not passed
            if passed and not right:
                survivors.append(mutant)
            if right and not passed:
                accused.append(mutant)
    assert not survivors, "\n\n".join(survivors)
    assert killed >= 10, "too few mutants to prove anything"
    assert not accused, "\n\n".join(accused)
