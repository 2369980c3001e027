"""Calls a student's custom op, and runs torch.library.opcheck and torch.compile on its custom op."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NotRequired, TypedDict, cast

import numpy as np
import torch

from autograder.tasks.calls import FunctionProbe, called
from autograder.tasks.custom_op.frame_evaluation import restoring_frame_evaluation
from autograder.tasks.tensors import leaf, tensor_values
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import Array, Request, UnlessRaised, maybe, schema_of
from vjpcheck.errors import StudentError, WrongReturn, kind, student_errors
from vjpcheck.probe.backends import backend_of
from vjpcheck.probe.callers_world import Changes
from vjpcheck.probe.saved_state import inside, shared
from vjpcheck.probe.torch_tensors import as_array
from vjpcheck.torch_internals import dispatched_to, map_tree

OF_PYTORCH = {"aten", "prim", "prims", "quantized", "inductor", "rngprims", "profiler"}


class ValuesAnswer(TypedDict):
    """The outputs; whether one shares the tensor's memory; the changes of the call; the called custom ops."""

    outputs: UnlessRaised[list[np.ndarray]]
    dtypes: list[str]
    shares_memory: bool
    changes: Changes
    ops: list[str]
    error: NotRequired[StudentError]


class PullAnswer(TypedDict):
    """The gradient for the tensor, for one cotangent, in two passes over one graph; None if it is missing.

    `overwritten` is true if the second pass has written into the gradient of the first. `changes` are those
    of the calls forwards and backwards. `input_on_ctx` and `output_on_ctx` name the places on ctx that hold
    the tensor or an output. `second` is the gradient of the product of the gradient and a direction.
    """

    requires_grad: bool
    input_on_ctx: list[str]
    output_on_ctx: list[str]
    gradient: np.ndarray | None
    again: np.ndarray | None
    second: np.ndarray | None
    overwritten: bool
    changes: Changes
    error: NotRequired[StudentError]


class OpcheckAnswer(TypedDict):
    """The failure of one of opcheck's tests, or an empty text."""

    failure: str
    error: NotRequired[StudentError]


Call = tuple[Any, tuple[Any, ...], Any]  # an op, its arguments and its keywords


@contextmanager
def _custom_ops() -> Iterator[list[Call]]:
    """Collect the calls of ops that are not PyTorch's own."""
    calls: list[Call] = []

    def observe(operation: Any, arguments: tuple[Any, ...], keywords: Any, result: Any) -> None:
        if operation.namespace not in OF_PYTORCH:
            calls.append((operation, arguments, keywords))

    with dispatched_to(observe):
        yield calls


class Probe(FunctionProbe):
    """Calls a student's op on a tensor and the `rest` of its arguments; `argument` is the tensor's name.

    A list in `rest` is given to the op as a tuple.
    """

    def values(
        self, argument: str, array: np.ndarray, rest: Sequence[Any], count: int, in_a_batch: bool = False
    ) -> ValuesAnswer:
        """Call the op, which has `count` outputs, and record the custom ops that it calls.

        The tensor may be one of a batch: contiguous, and not at the beginning of its storage.
        """
        answer = blank(ValuesAnswer)
        batch = np.stack([array + 1, array]) if in_a_batch else array[None]
        tensor = leaf(batch, False)[-1]
        with torch.no_grad(), called(answer, self._name, **{argument: tensor}):
            with _custom_ops() as calls:
                returned = self._outputs(tensor, rest, count)
            answer["ops"] = [operation.name() for operation, _, _ in calls]
            answer["outputs"] = [tensor_values(output, self._name) for output in returned]
            answer["dtypes"] = [str(output.dtype).removeprefix("torch.") for output in returned]
            memory = tensor.untyped_storage().data_ptr()
            answer["shares_memory"] = any(
                output.numel() and output.untyped_storage().data_ptr() == memory for output in returned
            )
        return answer

    def pull(
        self,
        argument: str,
        array: np.ndarray,
        rest: Sequence[Any],
        cotangents: Sequence[np.ndarray | None],
        by_columns: bool,
        later: Sequence[Any],
    ) -> PullAnswer:
        """Return the gradient; call the op with `later`, an array and a rest, before the backward pass."""
        answer, outputs = blank(PullAnswer), cast(Any, ())
        tensor = leaf(array)
        seeds = [None if seed is None else leaf(seed, False, by_columns) for seed in cotangents]
        with called(answer, self._name, **{argument: tensor}):
            outputs = self._outputs(tensor, rest, len(seeds))
            self._outputs(leaf(later[0]), later[1], len(seeds))
        if "error" in answer:
            return answer
        with student_errors(answer, self._name):
            answer["requires_grad"] = all(output.requires_grad for output in outputs)
            node = outputs[0].grad_fn
            answer["input_on_ctx"] = _holding(node, tensor)
            answer["output_on_ctx"] = [place for output in outputs for place in _holding(node, output)]
        if answer["requires_grad"]:
            gradient = again = None
            used = {name: seed for name, seed in zip(_NAMES, seeds, strict=False) if seed is not None}
            with called(answer, "backward", **{argument: tensor}, **used):
                gradient = _pulled(outputs, tensor, seeds)
            first = None if gradient is None else as_array(gradient)
            answer["gradient"] = first
            if first is not None and "error" not in answer:
                twice = [None if seed is None else -2 * seed for seed in seeds]
                with called(answer, "a second backward over the same graph", **{argument: tensor}, **used):
                    again = _pulled(outputs, tensor, twice)
                answer["again"] = None if again is None else as_array(again)
                answer["overwritten"] = (
                    gradient is not None and as_array(gradient).tobytes() != first.tobytes()
                )
        return answer

    def second(
        self, array: np.ndarray, rest: Sequence[Any], cotangents: Sequence[np.ndarray], along: np.ndarray
    ) -> PullAnswer:
        """Return the derivative of the gradient's product with `along`."""
        answer, tensor = blank(PullAnswer), leaf(array)
        with called(answer, "a double backward"):
            seeds = [leaf(seed, False) for seed in cotangents]
            gradient = _pulled(self._outputs(tensor, rest, len(seeds)), tensor, seeds, create_graph=True)
            if gradient is not None and gradient.requires_grad:
                answer["requires_grad"] = True
                second = _pulled((gradient,), tensor, [torch.tensor(along)])
                answer["second"] = None if second is None else as_array(second)
        return answer

    def opcheck(self, test: str, array: np.ndarray, rest: Sequence[Any]) -> OpcheckAnswer:
        """Run one test of torch.library.opcheck on the custom op that the work is or calls."""
        answer = blank(OpcheckAnswer)
        with student_errors(answer, "torch.library.opcheck"), restoring_frame_evaluation():
            with torch.no_grad(), _custom_ops() as calls:
                self._work(torch.tensor(array), *_tuples(rest))
            func, args, kwargs = calls[0]
            # opcheck uses anomaly detection, which makes PyTorch warn
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = torch.library.opcheck(
                    func, _leaves(args), _leaves(kwargs), test_utils=test, raise_exception=False
                )[test]
            answer["failure"] = "" if result == "SUCCESS" else f"{type(result).__name__}: {_one_line(result)}"
        return answer

    def compile(
        self, argument: str, array: np.ndarray, rest: Sequence[Any], cotangents: Sequence[np.ndarray]
    ) -> PullAnswer:
        """Return the gradient through the op inside a function compiled without a graph break."""
        answer = blank(PullAnswer)
        source, others = leaf(array), _tuples(rest)
        seeds = [torch.tensor(seed) for seed in cotangents]
        work = self._work

        def doubled(tensor: torch.Tensor) -> Any:
            return work(tensor * 2, *others)

        used = dict(zip(_NAMES, seeds, strict=False))
        compiling = called(answer, "torch.compile(fullgraph=True)", **{argument: source}, **used)
        with compiling, restoring_frame_evaluation():
            torch.compiler.reset()
            output = torch.compile(doubled, fullgraph=True, backend="aot_eager")(source)
            outputs = (output,) if len(seeds) == 1 else output
            answer["requires_grad"] = all(one.requires_grad for one in outputs)
            gradient = _pulled(outputs, source, seeds)
            answer["gradient"] = None if gradient is None else as_array(gradient)
        return answer

    def _outputs(self, tensor: torch.Tensor, rest: Sequence[Any], count: int) -> tuple[torch.Tensor, ...]:
        """Call the op and return its outputs; raises WrongReturn if they are others than `count` tensors."""
        returned = self._work(tensor, *_tuples(rest))
        outputs = (returned,) if count == 1 else returned
        if not isinstance(outputs, (tuple, list)) or len(outputs) != count:
            raise WrongReturn(f"{self._name} must return {count} Tensors, but returns {kind(returned)}.")
        for output in outputs:
            tensor_values(output, self._name)
        return tuple(outputs)


_NAMES = ("grad_output", "the second grad_output")  # what backward gets


def _tuples(rest: Sequence[Any]) -> list[Any]:
    return [tuple(value) if isinstance(value, list) else value for value in rest]


def _pulled(
    outputs: Sequence[torch.Tensor],
    tensor: torch.Tensor,
    seeds: Sequence[torch.Tensor | None],
    create_graph: bool = False,
) -> torch.Tensor | None:
    """Pull the cotangents of the outputs that have one back to the tensor; the graph stays."""
    used = [(output, seed) for output, seed in zip(outputs, seeds, strict=True) if seed is not None]
    ends, pulled = [output for output, _ in used], [seed for _, seed in used]
    return torch.autograd.grad(ends, tensor, pulled, True, create_graph, allow_unused=True)[0]


def _holding(node: Any, tensor: torch.Tensor) -> list[str]:
    """Return the places on ctx, which is the node, and in its containers that hold the tensor or a copy."""
    backend = backend_of("torch")
    memory = backend.memory(tensor)
    return [
        where
        for name, attribute in vars(node).items()
        for where, value in inside(backend, attribute, f"ctx.{name}")
        if shared(backend.memory(value), memory) or _is_copy(value, tensor)
    ]


def _is_copy(value: Any, tensor: torch.Tensor) -> bool:
    return (
        isinstance(value, torch.Tensor)
        and value.numel() == tensor.numel()
        and torch.equal(value.detach().reshape(-1), tensor.detach().reshape(-1).to(value.dtype))
    )


def asked(method: Any, array: np.ndarray, *arguments: Any) -> Request[PullAnswer]:
    """Return a request whose answer has gradients of the array's shape."""
    gradient = maybe(Array(array.shape, "float64"))
    schema = schema_of(PullAnswer, gradient=gradient, again=gradient, second=gradient)
    return Request(method.__name__, arguments, schema)


def _leaves(arguments: Any) -> Any:
    """Return the arguments of an op with leaves that require grad in place of its tensors."""

    def fresh(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return value.detach().clone().requires_grad_(value.is_floating_point())
        return value

    return map_tree(fresh, arguments)


def _one_line(error: object) -> str:
    return " ".join(str(error).split())[:400]
