"""Calls a student's crop_op, and runs torch.library.opcheck and torch.compile on its custom op."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NotRequired, TypedDict, cast

import numpy as np
import torch

from autograder.tasks.calls import FunctionProbe, called
from autograder.tasks.crop_op.frame_evaluation import restoring_frame_evaluation
from autograder.tasks.tensors import leaf, tensor_values
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import Array, Request, Schema, UnlessRaised, maybe, schema_of
from vjpcheck.errors import StudentError, student_errors
from vjpcheck.probe.backends import backend_of
from vjpcheck.probe.callers_world import Changes
from vjpcheck.probe.saved_state import inside, shared
from vjpcheck.probe.torch_tensors import as_array
from vjpcheck.torch_internals import dispatched_to, map_tree

OF_PYTORCH = {"aten", "prim", "prims", "quantized", "inductor", "rngprims", "profiler"}


class CropAnswer(TypedDict):
    """The output; whether it shares the image's memory; the changes of the call; the called custom ops."""

    output: UnlessRaised[np.ndarray]
    dtype: str
    shares_memory: bool
    changes: Changes
    ops: list[str]
    error: NotRequired[StudentError]


class PullAnswer(TypedDict):
    """The gradient for the image, for one cotangent, in two passes over one graph; None if it is missing.

    `overwritten` is true if the second pass has written into the gradient of the first. `changes` are those
    of the calls forwards and backwards. `image_on_ctx` names the places on ctx that hold the image.
    """

    requires_grad: bool
    image_on_ctx: list[str]
    gradient: np.ndarray | None
    again: np.ndarray | None
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
    """Calls a student's op."""

    def crop(self, image: np.ndarray, box: Sequence[int], in_a_batch: bool = False) -> CropAnswer:
        """Call the op, with the box as a tuple, and record the custom ops that it calls.

        The image may be one of a batch: contiguous, and not at the beginning of its storage.
        """
        answer = blank(CropAnswer)
        batch = np.stack([image + 1, image]) if in_a_batch else image[None]
        tensor = leaf(batch, False)[-1]
        with torch.no_grad(), called(answer, self._name, image=tensor):
            with _custom_ops() as calls:
                returned = self._work(tensor, tuple(box))
            answer["ops"] = [operation.name() for operation, _, _ in calls]
            answer["output"] = tensor_values(returned, self._name)
            answer["dtype"] = str(returned.dtype).removeprefix("torch.")
            same = returned.untyped_storage().data_ptr() == tensor.untyped_storage().data_ptr()
            answer["shares_memory"] = bool(same and returned.numel())
        return answer

    def pull(
        self,
        image: np.ndarray,
        box: Sequence[int],
        cotangent: np.ndarray,
        by_columns: bool,
        later: Sequence[int],
    ) -> PullAnswer:
        """Return the gradient for the image; crop the box `later` from it before the backward pass."""
        answer, output = blank(PullAnswer), cast(Any, None)
        tensor, seed = leaf(image), leaf(cotangent, False, by_columns)
        with called(answer, self._name, image=tensor):
            output = self._work(tensor, tuple(box))
            self._work(tensor, tuple(later))
        if "error" in answer:
            return answer
        with student_errors(answer, self._name):
            answer["requires_grad"] = output.requires_grad
            answer["image_on_ctx"] = _holding(output.grad_fn, tensor)
        if answer["requires_grad"]:
            gradient = again = None
            with called(answer, "backward", image=tensor, grad_output=seed):
                gradient, *_ = torch.autograd.grad(output, tensor, seed, True, allow_unused=True)
            first = None if gradient is None else as_array(gradient)
            answer["gradient"] = first
            if first is not None and "error" not in answer:
                twice = -2 * seed
                with called(answer, "a second backward over the same graph", image=tensor, grad_output=twice):
                    again, *_ = torch.autograd.grad(output, tensor, twice, allow_unused=True)
                answer["again"] = None if again is None else as_array(again)
                answer["overwritten"] = as_array(gradient).tobytes() != first.tobytes()
        return answer

    def opcheck(self, test: str, image: np.ndarray, box: Sequence[int]) -> OpcheckAnswer:
        """Run one test of torch.library.opcheck on the custom op that crop_op is or calls."""
        answer = blank(OpcheckAnswer)
        with student_errors(answer, "torch.library.opcheck"), restoring_frame_evaluation():
            with torch.no_grad(), _custom_ops() as calls:
                self._work(torch.tensor(image), tuple(box))
            func, args, kwargs = calls[0]
            # opcheck uses anomaly detection, which makes PyTorch warn
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = torch.library.opcheck(
                    func, _leaves(args), _leaves(kwargs), test_utils=test, raise_exception=False
                )[test]
            answer["failure"] = "" if result == "SUCCESS" else f"{type(result).__name__}: {_one_line(result)}"
        return answer

    def compile(self, image: np.ndarray, box: Sequence[int], cotangent: np.ndarray) -> PullAnswer:
        """Return the gradient through the op inside a function compiled without a graph break."""
        answer = blank(PullAnswer)
        source, size, seed = leaf(image), tuple(box), torch.tensor(cotangent)
        work = self._work

        def doubled(tensor: torch.Tensor) -> Any:
            return work(tensor * 2, size)

        compiling = called(answer, "torch.compile(fullgraph=True)", image=source, grad_output=seed)
        with compiling, restoring_frame_evaluation():
            torch.compiler.reset()
            output = torch.compile(doubled, fullgraph=True, backend="aot_eager")(source)
            answer["requires_grad"] = output.requires_grad
            gradient = torch.autograd.grad(output, source, seed, allow_unused=True)[0]
            answer["gradient"] = None if gradient is None else as_array(gradient)
        return answer


def _holding(node: Any, image: torch.Tensor) -> list[str]:
    """Return the places on ctx, which is the node, and in its containers that hold the image or a copy."""
    backend = backend_of("torch")
    memory = backend.memory(image)
    return [
        where
        for name, attribute in vars(node).items()
        for where, value in inside(backend, attribute, f"ctx.{name}")
        if shared(backend.memory(value), memory) or _is_copy(value, image)
    ]


def _is_copy(value: Any, image: torch.Tensor) -> bool:
    return (
        isinstance(value, torch.Tensor)
        and value.numel() == image.numel()
        and torch.equal(value.detach().reshape(-1), image.detach().reshape(-1).to(value.dtype))
    )


def pull(
    image: np.ndarray, box: Sequence[int], cotangent: np.ndarray, by_columns: bool, later: Sequence[int]
) -> Request[PullAnswer]:
    """Return the request for the gradient for the image."""
    return Request("pull", (image, box, cotangent, by_columns, later), _pulled(image))


def compiled(image: np.ndarray, box: Sequence[int], cotangent: np.ndarray) -> Request[PullAnswer]:
    """Return the request for the gradient through the compiled op."""
    return Request("compile", (image, box, cotangent), _pulled(image))


def _pulled(image: np.ndarray) -> Schema:
    array = maybe(Array(image.shape, "float64"))
    return schema_of(PullAnswer, gradient=array, again=array)


def _leaves(arguments: Any) -> Any:
    """Return the arguments of an op with leaves that require grad in place of its tensors."""

    def fresh(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return value.detach().clone().requires_grad_(value.is_floating_point())
        return value

    return map_tree(fresh, arguments)


def _one_line(error: object) -> str:
    return " ".join(str(error).split())[:400]
