"""Makes a student's ScaledLinear, and returns what it registers and computes."""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict, cast

import numpy as np
import torch
from torch import nn

from autograder.tasks.calls import called
from autograder.tasks.tensors import leaf, tensor_values, with_earlier_gradient
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import UnlessRaised
from vjpcheck.errors import StudentError, student_errors
from vjpcheck.probe.callers_world import GENERATOR, Changes
from vjpcheck.probe.conversion import dtype_name
from vjpcheck.probe.torch_tensors import as_array
from vjpcheck.result import CannotRun


class Registrations(TypedDict):
    """The names and shapes of parameters and buffers, and the names of plain attributes in their place.

    `none` are the parameters registered as None; `saved` are the keys of state_dict; `shared` are tensors in
    the memory of another module's; `dtypes` are those after the module was moved to float64, and `single` is
    the dtype of a new module's output for a float32 input.
    """

    parameters: dict[str, list[int]]
    frozen: list[str]
    none: list[str]
    buffers: dict[str, list[int]]
    plain: dict[str, str]
    saved: list[str]
    shared: list[str]
    dtypes: dict[str, str]
    single: str
    changes: Changes
    error: NotRequired[StudentError]


class Run(TypedDict):
    """The output for a state, the gradients, and the output of a second module with that state.

    `again` is the output of the first module after others were made and called, `evaluated` its output in
    evaluation mode, `without_scale` after loading a scale of 0, and `written` after writing the first scale
    into the buffer. `changes` are those of forward.
    """

    output: UnlessRaised[np.ndarray]
    gradients: dict[str, np.ndarray | None]
    reloaded: UnlessRaised[np.ndarray]
    again: UnlessRaised[np.ndarray]
    evaluated: UnlessRaised[np.ndarray]
    without_scale: UnlessRaised[np.ndarray]
    written: UnlessRaised[np.ndarray]
    changes: Changes
    error: NotRequired[StudentError]


class ReprAnswer(TypedDict):
    """The module's repr and extra_repr, and whether the class defines the latter."""

    extra_repr: str
    own: bool
    shown: str
    error: NotRequired[StudentError]


class Probe:
    """Holds a student's module class; raises CannotRun for anything else."""

    def __init__(self, work: Any, name: str) -> None:
        if not isinstance(work, type) or not issubclass(work, nn.Module):
            kind_of_work = (
                f"the class {work.__name__}" if isinstance(work, type) else f"of type {type(work).__name__}"
            )
            raise CannotRun(f"{name} must be a subclass of torch.nn.Module, but it is {kind_of_work}.")
        self._work = work
        self._name = name

    def registered(self, in_features: int, out_features: int, bias: bool) -> Registrations:
        """Make a module and return what it has registered, before and after a move to float64."""
        answer = blank(Registrations)
        with called(answer, self._name):
            module, other = (self._work(in_features, out_features, bias) for _ in range(2))
            places = {tensor.data_ptr() for tensor in _tensors(other).values() if tensor.numel()}
            answer["shared"] = [n for n, tensor in _tensors(module).items() if tensor.data_ptr() in places]
            answer["parameters"] = {n: list(p.shape) for n, p in module.named_parameters()}
            answer["frozen"] = [n for n, p in module.named_parameters() if not p.requires_grad]
            answer["none"] = [n for n, p in module._parameters.items() if p is None]
            answer["buffers"] = {n: list(b.shape) for n, b in module.named_buffers()}
            answer["plain"] = {
                n: type(vars(module)[n]).__name__ for n in ("weight", "bias", "scale") if n in vars(module)
            }
            answer["saved"] = list(module.state_dict())
        if "error" in answer:
            return answer
        answer["changes"].pop(GENERATOR, None)  # a new module may draw its parameters
        # an exception of forward is reported by `run`
        with student_errors({}, "forward"), torch.no_grad():
            answer["single"] = dtype_name(module(torch.ones(1, in_features)))
        with student_errors(answer, self._name):
            module.to(torch.float64)
            answer["dtypes"] = {name: dtype_name(tensor) for name, tensor in _tensors(module).items()}
        return answer

    def run(self, sizes: Sequence[int], state: Mapping[str, np.ndarray], x: np.ndarray, g: np.ndarray) -> Run:
        """Load a state into a float64 module, run it forwards and backwards, and load its state again."""
        answer, bias, output = blank(Run), "bias" in state, cast(Any, None)
        point, plain, seed = leaf(x), torch.tensor(x), torch.tensor(g)
        with student_errors(answer, "load_state_dict"):
            module = self._work(*sizes, bias).to(torch.float64)
            tensors = {name: torch.tensor(array) for name, array in state.items()}
            module.load_state_dict({**module.state_dict(), **tensors})
        if "error" in answer:
            return answer
        for parameter in module.parameters():
            with_earlier_gradient(parameter)
        with called(answer, "forward", x=point, module=module):
            output = module(point)
            answer["output"] = tensor_values(output, "forward")
        if "error" in answer:
            return answer
        inputs = {"x": point, **dict(module.named_parameters())}
        with called(answer, "backward", module=module, grad_output=seed, x=point):
            gradients: Any = [None] * len(inputs)
            if output.requires_grad and output.shape == g.shape:
                gradients = torch.autograd.grad(output, [*inputs.values()], seed, allow_unused=True)
            answer["gradients"] = {
                name: None if gradient is None else as_array(gradient)
                for name, gradient in zip(inputs, gradients, strict=True)
            }
        with student_errors(answer, "a second module, with the state_dict of the first,"):
            second = self._work(*sizes, bias).to(torch.float64)
            second.load_state_dict(module.state_dict())
            answer["reloaded"] = tensor_values(second(plain), "forward")
        with student_errors(answer, "a third module, with values of its own,"):
            self._work(*sizes, bias).to(torch.float64)(plain)
            answer["again"] = tensor_values(module(plain), "forward")
        with called(answer, "the module, after eval() and with another scale,", x=plain):
            answer["evaluated"] = tensor_values(module.eval()(plain), "forward")
            saved = module.state_dict()
            if "scale" in saved:
                scale = saved["scale"].clone()
                module.load_state_dict({**saved, "scale": torch.zeros_like(saved["scale"])})
                answer["without_scale"] = tensor_values(module(plain), "forward")
                with torch.no_grad():
                    _tensors(module).get("scale", saved["scale"]).copy_(scale)
                answer["written"] = tensor_values(module(plain), "forward")
        return answer

    def shown(self, in_features: int, out_features: int) -> ReprAnswer:
        """Return a module's repr and extra_repr."""
        answer = blank(ReprAnswer)
        with student_errors(answer, "extra_repr"):
            module = self._work(in_features, out_features, True)
            answer["own"] = type(module).extra_repr is not nn.Module.extra_repr
            answer["extra_repr"] = str(module.extra_repr())
            answer["shown"] = repr(module)
        return answer


def _tensors(module: nn.Module) -> dict[str, torch.Tensor]:
    return dict([*module.named_parameters(), *module.named_buffers()])
