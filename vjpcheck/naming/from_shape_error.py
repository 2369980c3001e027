"""Names the mistake behind an error about shapes in backward from the student's line and its tensors."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from vjpcheck.case import Sample
from vjpcheck.errors import StudentError
from vjpcheck.naming.inserted_axes import Shape, broadcasts, inserts_an_axis, with_an_axis
from vjpcheck.torch_internals import Message

REDUCTIONS = {"sum", "mean", "amax", "amin", "norm", "var", "std", "logsumexp", "prod", "nansum"}
ALONG_AN_AXIS = {"gather", "scatter", "scatter_", "scatter_add", "scatter_add_", "index_select"}
ALONG_AN_AXIS |= {"take_along_dim", "take_along_axis", "put_along_axis"}
RESHAPES = {"unsqueeze", "view", "reshape", "expand", "expand_as", "broadcast_to", "unflatten", "view_as"}


def name(error: StudentError, sample: Sample) -> str | None:
    """Return the mistake on this line of backward; None if another one is possible."""
    tree = _line(error)
    for mistake, test in TESTS:
        if tree is not None and test(error, tree, sample):
            return mistake
    return None


def _line(error: StudentError) -> ast.AST | None:
    """Return the parsed line of the student's; None if it is a part of a longer statement."""
    source = error["line"].partition(": ")[2]
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return None


def _product(error: StudentError, tree: ast.AST, sample: Sample) -> bool:
    by_numpy = "matmul: Input operand 1 has a mismatch" in error["message"]
    return by_numpy or Message.FACTORS.find(error["message"]) is not None


def _convolution(error: StudentError, tree: ast.AST, sample: Sample) -> bool:
    """Find conv2d(cotangent, weight): backward needs the weight with its channels swapped."""
    weights = [list(a.shape) for a in sample.arguments if isinstance(a, np.ndarray) and a.ndim == 4]
    for call in _calls(tree):
        if _called(call) == "conv2d" and len(call.args) > 1:
            image, kernel = (_shape(argument, error) for argument in call.args[:2])
            if _is_cotangent(call.args[0], error, sample) and image and kernel in weights:
                return True
    return False


def _axis_elsewhere(error: StudentError, tree: ast.AST, sample: Sample) -> bool:
    """Find a tensor that got an axis of size 1, on this line or before, in a wrong place.

    It does not broadcast with another tensor, but with the axis at another place it would.
    """
    if not _does_not_broadcast(error):
        return False
    names = {node.id: shape for node in _names(tree) if (shape := _shape(node, error))}
    inputs = {f"input {p}": [*a.shape] for p, a in enumerate(sample.arguments) if isinstance(a, np.ndarray)}
    made = [(name, shape) for name, shape in names.items() if name in _unsqueezed_names(error)]
    made += [pair for node in ast.walk(tree) for pair in _inserted(node, error)]
    return any(
        len(other) == len(shape)
        and not broadcasts(shape, other)
        and any(broadcasts(moved, other) for moved in _with_axis_moved(shape))
        for name, shape in made
        for another, other in {**names, **inputs}.items()
        if another != name
    )


def _inserted(node: ast.AST, error: StudentError) -> Iterator[tuple[str, Shape]]:
    """Yield the operand to which a node adds an axis, and its new shape: each, if the axis is unknown."""
    known = inserts_an_axis(node)
    if known is not None and (shape := _shape(known[0], error)):
        yield from [(ast.unparse(known[0]), made) for made in with_an_axis(shape)[known[1] :][:1]]
    elif isinstance(node, ast.Call) and _called(node) == "unsqueeze" and isinstance(node.func, ast.Attribute):
        shape = _shape(node.func.value, error)
        yield from [(ast.unparse(node.func.value), made) for made in (with_an_axis(shape) if shape else [])]


def _unsqueezed_names(error: StudentError) -> set[str]:
    """Return the names to which this function assigns a tensor with a new axis of size 1."""

    def inserted(value: ast.expr) -> bool:
        unsqueezed = isinstance(value, ast.Call) and _called(value) == "unsqueeze"
        return unsqueezed or inserts_an_axis(value) is not None

    return _assigned(error, inserted)


def _with_axis_moved(shape: Shape) -> Iterator[Shape]:
    for axis, size in enumerate(shape):
        if size == 1:
            yield from with_an_axis([*shape[:axis], *shape[axis + 1 :]])


def _entries_along_another_axis(error: StudentError, tree: ast.AST, sample: Sample) -> bool:
    """Find an index that is out of bounds along the axis on the line, but not along another axis."""
    by_numpy = re.search(r"index (\d+) is out of bounds for axis (\d+) with size (\d+)", error["message"])
    match = Message.INDEX.find(error["message"]) or by_numpy
    if match is None or not any(_called(call) in ALONG_AN_AXIS for call in _calls(tree)):
        return False
    index, axis, size = map(int, match.groups())
    shapes = [shape for node in _names(tree) if (shape := _shape(node, error))]
    return any(shape[axis : axis + 1] == [size] and any(index < other for other in shape) for shape in shapes)


def _expansion(error: StudentError, tree: ast.AST, sample: Sample) -> bool:
    expands = any(_called(call) in ("expand", "expand_as", "broadcast_to") for call in _calls(tree))
    by_numpy = "broadcast together with remapped shapes" in error["message"]
    return expands and (by_numpy or Message.EXPANDED.find(error["message"]) is not None)


def _does_not_broadcast(error: StudentError) -> bool:
    by_numpy = "broadcast together with shapes" in error["message"]
    return by_numpy or Message.BROADCAST.find(error["message"]) is not None


def _cotangent_too_small(error: StudentError, tree: ast.AST, sample: Sample) -> bool:
    """Find a cotangent without the axis that forward summed, beside a tensor that has this axis."""
    if not _does_not_broadcast(error) or _reshapes(tree) or _reduces(tree) or _reduced_before(error, tree):
        return False
    inputs = [list(a.shape) for a in sample.arguments if isinstance(a, np.ndarray)]
    return any(
        _is_cotangent(small, error, sample) and error["shapes"][large.id] in inputs
        for small, large in _lacking_pairs(error, tree)
    )


def _axis_lost(error: StudentError, tree: ast.AST, sample: Sample) -> bool:
    """Find a sum without keepdim, or its result, beside a tensor that has the summed axis."""
    if not _does_not_broadcast(error) or _reshapes(tree) or _input_does_not_fit(error, tree, sample):
        return False
    if _reduces(tree) or _reduced_before(error, tree):
        return True
    others = [list(a.shape) for a in (*sample.truth.outputs, *sample.arguments) if isinstance(a, np.ndarray)]
    # a tensor of an output's shape may be an output, whose axis forward summed, and one of an input's shape
    # may be the input
    return any(error["shapes"][small.id] not in others for small, _ in _lacking_pairs(error, tree))


def _input_does_not_fit(error: StudentError, tree: ast.AST, sample: Sample) -> bool:
    """Return whether an input itself does not fit the other operand of an operation on the line."""
    shapes = [list(a.shape) for a in sample.arguments if isinstance(a, np.ndarray)]
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp):
            one, other = _shape(node.left, error), _shape(node.right, error)
            if one and other and _lacks_axis(one, other) and min(one, other, key=len) in shapes:
                return not _reduced_before(error, tree)
    return False


def _reduced_before(error: StudentError, tree: ast.AST) -> bool:
    """Return whether a name on the line is the result of a sum without keepdim in this function."""
    sums = _assigned(error, lambda value: _reduces(value) and not _reshapes(value))
    return any(small.id in sums for small, _ in _lacking_pairs(error, tree))


def _lacking_pairs(error: StudentError, tree: ast.AST) -> Iterator[tuple[ast.Name, ast.Name]]:
    """Yield the pairs of names on the line of which the first lacks an axis of the second."""
    shapes = error["shapes"]
    for pair in combinations([node for node in _names(tree) if shapes.get(node.id)], 2):
        small, large = sorted(pair, key=lambda node: len(shapes[node.id]))
        if _lacks_axis(shapes[small.id], shapes[large.id]):
            yield small, large


def _assigned(error: StudentError, chosen: Callable[[ast.expr], bool]) -> set[str]:
    """Return the names to which the function that raised assigns a value that `chosen` accepts."""
    try:
        body = ast.parse(error["function"])
    except (SyntaxError, ValueError):
        return set()
    return {
        target.id
        for node in ast.walk(body)
        if isinstance(node, ast.Assign) and chosen(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _names(tree: ast.AST) -> list[ast.Name]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _shape(node: ast.AST, error: StudentError) -> Shape | None:
    """Return the shape of a name, or of an elementwise expression of tensors of one shape."""
    if isinstance(node, ast.Name):
        return error["shapes"].get(node.id)
    if isinstance(node, ast.UnaryOp):
        return _shape(node.operand, error)
    if not isinstance(node, ast.BinOp) or isinstance(node.op, ast.MatMult):
        return None
    sides = [node.left, node.right]
    shapes = [_shape(side, error) for side in sides if not isinstance(side, ast.Constant)]
    return shapes[0] if shapes and all(shape == shapes[0] for shape in shapes) else None


def _output_shapes(sample: Sample) -> list[Shape]:
    return [list(output.shape) for output in sample.truth.outputs]


def _is_cotangent(node: ast.AST, error: StudentError, sample: Sample) -> bool:
    is_parameter = isinstance(node, ast.Name) and node.id in error["parameters"]
    return is_parameter and _shape(node, error) in _output_shapes(sample)


def _lacks_axis(one: Shape, other: Shape) -> bool:
    """Return whether the shapes differ by one axis and therefore do not broadcast."""
    small, large = sorted((one, other), key=len)
    if len(large) != len(small) + 1:
        return False
    lacking = any([*large[:axis], *large[axis + 1 :]] == small for axis in range(len(large)))
    return lacking and large[1:] != small


def _reduces(tree: ast.AST) -> bool:
    """Return whether the line sums along an axis without keepdim."""
    for call in _calls(tree):
        module = isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "torch"
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        positional = call.args[1:] if module else call.args
        along = bool(positional) or "dim" in named or "axis" in named
        kept = "keepdim" in named or "keepdims" in named or len(positional) > 1
        if _called(call) in REDUCTIONS and along and not kept:
            return True
    return False


def _reshapes(tree: ast.AST) -> bool:
    """Return whether the line changes the axes of a tensor, so that no mistake is certain."""
    inserts = any(
        isinstance(node, ast.Subscript) and "None" in ast.dump(node.slice) for node in ast.walk(tree)
    )
    return inserts or any(_called(call) in RESHAPES for call in _calls(tree))


TESTS: list[tuple[str, Callable[[StudentError, ast.AST, Sample], bool]]] = [
    ("missing-transpose", _product),
    ("conv-not-transposed", _convolution),
    ("expanded-wrong-axis", _expansion),
    ("expanded-wrong-axis", _axis_elsewhere),
    ("wrong-axis", _entries_along_another_axis),
    ("missing-expand", _cotangent_too_small),
    ("lost-keepdim", _axis_lost),
    ("wrong-axis", _input_does_not_fit),
]
