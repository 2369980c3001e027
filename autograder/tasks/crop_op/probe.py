"""Calls a student's crop_op and hands the custom op behind it to torch.library.opcheck and torch.compile."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NotRequired, TypedDict, cast

import numpy as np
import torch

from autograder.tasks.calling import FunctionProbe, called
from autograder.tasks.crop_op.frame_evaluation import frame_evaluation_put_back
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


class Cropped(TypedDict):
    """The output; whether it shares the image's memory; what the call has changed; the custom ops called."""

    output: UnlessRaised[np.ndarray]
    dtype: str
    shares_memory: bool
    changes: Changes
    ops: list[str]
    error: NotRequired[StudentError]


class Pulled(TypedDict):
    """The gradient for the image, for one cotangent, twice over one graph; None where nothing arrived.

    `overwritten` says whether the second pass has written into what the first one gave, `changes` is what the
    calls forwards and backwards have changed; `image_on_ctx` names the places on ctx that hold the image.
    """

    requires_grad: bool
    image_on_ctx: list[str]
    gradient: np.ndarray | None
    again: np.ndarray | None
    overwritten: bool
    changes: Changes
    error: NotRequired[StudentError]


class Checked(TypedDict):
    """What one of opcheck's tests says: an empty text, or what is wrong."""

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

    def crop(self, image: np.ndarray, box: Sequence[int], in_a_batch: bool = False) -> Cropped:
        """Call the op, the box as a tuple, and note which custom ops that calls.

        The image may be one of a batch: contiguous, and not at the beginning of its storage.
        """
        answer = blank(Cropped)
        batch = np.stack([image + 1, image]) if in_a_batch else image[None]
        given = leaf(batch, False)[-1]
        with torch.no_grad(), called(answer, self._name, image=given):
            with _custom_ops() as calls:
                returned = self._work(given, tuple(box))
            answer["ops"] = [operation.name() for operation, _, _ in calls]
            answer["output"] = tensor_values(returned, self._name)
            answer["dtype"] = str(returned.dtype).removeprefix("torch.")
            same = returned.untyped_storage().data_ptr() == given.untyped_storage().data_ptr()
            answer["shares_memory"] = bool(same and returned.numel())
        return answer

    def pull(
        self,
        image: np.ndarray,
        box: Sequence[int],
        cotangent: np.ndarray,
        by_columns: bool,
        later: Sequence[int],
    ) -> Pulled:
        """Return the gradient for the image; the box `later` is cropped from it before the backward pass."""
        answer, output = blank(Pulled), cast(Any, None)
        given, seed = leaf(image), leaf(cotangent, False, by_columns)
        with called(answer, self._name, image=given):
            output = self._work(given, tuple(box))
            self._work(given, tuple(later))
        if "error" in answer:
            return answer
        with student_errors(answer, self._name):
            answer["requires_grad"] = output.requires_grad
            answer["image_on_ctx"] = _holding(output.grad_fn, given)
        if answer["requires_grad"]:
            found = again = None
            with called(answer, "backward", image=given, grad_output=seed):
                found, *_ = torch.autograd.grad(output, given, seed, True, allow_unused=True)
            first = None if found is None else as_array(found)
            answer["gradient"] = first
            if first is not None and "error" not in answer:
                twice = -2 * seed
                with called(answer, "a second backward over the same graph", image=given, grad_output=twice):
                    again, *_ = torch.autograd.grad(output, given, twice, allow_unused=True)
                answer["again"] = None if again is None else as_array(again)
                answer["overwritten"] = as_array(found).tobytes() != first.tobytes()
        return answer

    def opcheck(self, test: str, image: np.ndarray, box: Sequence[int]) -> Checked:
        """Run one test of torch.library.opcheck on the custom op that crop_op is or calls."""
        answer = blank(Checked)
        with student_errors(answer, "torch.library.opcheck"), frame_evaluation_put_back():
            with torch.no_grad(), _custom_ops() as calls:
                self._work(torch.tensor(image), tuple(box))
            func, args, kwargs = calls[0]
            # opcheck looks for anomalies, of which PyTorch warns at length
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                said = torch.library.opcheck(
                    func, _leaves(args), _leaves(kwargs), test_utils=test, raise_exception=False
                )[test]
            answer["failure"] = "" if said == "SUCCESS" else f"{type(said).__name__}: {_told(said)}"
        return answer

    def compile(self, image: np.ndarray, box: Sequence[int], cotangent: np.ndarray) -> Pulled:
        """Return the gradient through the op inside a function compiled without a graph break."""
        answer = blank(Pulled)
        given, size, seed = leaf(image), tuple(box), torch.tensor(cotangent)
        work = self._work

        def doubled(tensor: torch.Tensor) -> Any:
            return work(tensor * 2, size)

        compiling = called(answer, "torch.compile(fullgraph=True)", image=given, grad_output=seed)
        with compiling, frame_evaluation_put_back():
            torch.compiler.reset()
            output = torch.compile(doubled, fullgraph=True, backend="aot_eager")(given)
            answer["requires_grad"] = output.requires_grad
            found = torch.autograd.grad(output, given, seed, allow_unused=True)[0]
            answer["gradient"] = None if found is None else as_array(found)
        return answer


def _holding(node: Any, image: torch.Tensor) -> list[str]:
    """Return the places on ctx, which is the node, that hold the image or a copy, containers included."""
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
) -> Request[Pulled]:
    """Ask for the gradient for the image."""
    return Request("pull", (image, box, cotangent, by_columns, later), _pulled(image))


def compiled(image: np.ndarray, box: Sequence[int], cotangent: np.ndarray) -> Request[Pulled]:
    """Ask for the gradient through the compiled op."""
    return Request("compile", (image, box, cotangent), _pulled(image))


def _pulled(image: np.ndarray) -> Schema:
    array = maybe(Array(image.shape, "float64"))
    return schema_of(Pulled, gradient=array, again=array)


def _leaves(arguments: Any) -> Any:
    """Return the arguments of an op with leaves that require grad in place of its tensors."""

    def fresh(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return value.detach().clone().requires_grad_(value.is_floating_point())
        return value

    return map_tree(fresh, arguments)


def _told(error: object) -> str:
    return " ".join(str(error).split())[:400]
