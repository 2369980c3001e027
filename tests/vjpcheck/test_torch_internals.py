"""What the autograder asks of PyTorch beyond its documentation is there, name by name and message by message.

Where a new release fails a test here, `vjpcheck/torch_internals.py` is what to change.
"""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import torch
from submissions import Submission, of
from torch import Tensor
from torch.autograd import Function, forward_ad, gradcheck
from torch.autograd.function import once_differentiable
from torch.nn.functional import conv2d, conv_transpose2d, layer_norm, linear
from torch.overrides import TorchFunctionMode
from verdicts import verdict

from autograder import torch_release
from autograder.check import judge
from autograder.exercises import find
from autograder.tasks.custom_op.frame_evaluation import restoring_frame_evaluation
from vjpcheck import diagnose, torch_internals
from vjpcheck.result import Outcome, Result
from vjpcheck.torch_internals import Message, Unavailable
from vjpcheck.worker import SubprocessProbe

ROOT = Path(__file__).resolve().parents[2]
DOUBLE = torch.float64


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * grad_output


def leaf(*shape: int) -> Tensor:
    return torch.ones(shape, requires_grad=True)


# -- names


def test_a_subclass_is_treated_like_a_tensor():
    class Loud(Tensor):
        @classmethod
        def __torch_function__(cls, function, types, arguments=(), keywords=None):
            raise AssertionError("asked")

    loud = torch.ones(2).as_subclass(Loud)
    with torch_internals.as_plain_tensors():
        assert type(torch.exp(loud)) is Tensor


def test_writing_in_place_raises_the_version():
    x = torch.ones(2)
    before = torch_internals.version(x)
    x.add_(1)
    assert torch_internals.version(x) == before + 1


def test_a_tree_is_mapped():
    assert torch_internals.map_tree(lambda n: -n, [1, (2, {"a": 3})]) == [-1, (-2, {"a": -3})]


def test_a_node_leads_to_its_function_and_its_ctx_to_its_class():
    node = Double.apply(leaf(2)).grad_fn
    assert torch_internals.function_of(node) is Double
    assert type(node) is torch_internals.context_class(Double)
    assert torch_internals.function_of(leaf(2).exp().grad_fn) is None


def test_the_flags_are_read_where_the_attribute_is_overridden():
    seen = []

    class Read(Double):
        @staticmethod
        def backward(ctx, grad_output):
            seen.append((ctx.needs_input_grad, torch_internals.needs_input_grad(ctx)))
            return grad_output

    torch_internals.context_class(Read).needs_input_grad = property(lambda ctx: "overridden")
    Read.apply(leaf()).backward()
    assert seen == [("overridden", (True,))]


def test_the_node_of_once_differentiable_is_recognised():
    class Once(Double):
        @staticmethod
        @once_differentiable
        def backward(ctx, grad_output):
            return 2 * grad_output

    def is_error_node(work: type[Function]) -> bool:
        x = leaf()
        (found,) = torch.autograd.grad(work.apply(x), x, leaf(), create_graph=True)
        return torch_internals.is_error_node(found.grad_fn)

    assert is_error_node(Once)
    assert not is_error_node(Double)


def test_an_undefined_gradient_arrives_as_none():
    arrived = []

    class Unmaterialised(Double):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return 2 * x

        @staticmethod
        def backward(ctx, grad_output):
            arrived.append(grad_output)
            return grad_output

    x = leaf()
    end = torch_internals.undefined_gradient(Unmaterialised.apply(x))
    torch.autograd.grad(end, x, torch.zeros_like(end), allow_unused=True)
    assert arrived == [None]


def test_forward_knows_that_it_runs_inside_apply():
    seen: dict[str, bool] = {}

    class Asking(Function):
        @staticmethod
        def forward(x):
            with torch.enable_grad():
                seen["forward"] = torch_internals.inside_forward()
            return 2 * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            seen["setup_context"] = torch_internals.inside_forward()

        @staticmethod
        def backward(ctx, grad_output):
            seen["backward"] = torch_internals.inside_forward()
            return grad_output

    Asking.apply(leaf()).backward()
    assert seen == {"forward": True, "setup_context": True, "backward": False}
    with torch.no_grad():
        assert not torch_internals.inside_forward()
    with torch.inference_mode():
        assert not torch_internals.inside_forward()


def test_a_mode_sees_reads_of_data_and_changes_of_the_grad_mode():
    seen = []

    class Listing(TorchFunctionMode):
        def __torch_function__(self, function, types, arguments=(), keywords=None):
            seen.append(function)
            return function(*arguments, **(keywords or {}))

    with Listing():
        _ = leaf().data
        with torch.no_grad():
            pass
    assert torch_internals.reads_data() in seen
    assert any(function is torch_internals.sets_grad_mode() for function in seen)


def test_a_mode_sees_each_operation_with_its_name_and_result():
    seen = []

    def observe(operation, arguments, keywords, result):
        seen.append((torch_internals.operation_name(operation), operation.namespace, float(result)))

    with torch_internals.dispatched_to(observe):
        torch.ones(()).neg()
    assert seen[-1] == ("neg", "aten", -1)


def profiled(block: Callable[[], Any], question: Callable[..., Any]) -> list[Any]:
    """Return what the question gives for each event of the profile of a block, where that is true."""
    answers = []

    def notice(frame: FrameType, event: str, argument: Any) -> None:
        answers.append(question(frame, event, argument))

    sys.setprofile(notice)
    try:
        block()
    finally:
        sys.setprofile(None)
    return [answer for answer in answers if answer]


@pytest.mark.parametrize(
    "block",
    [
        lambda: torch.autograd.grad(leaf().exp(), leaf(), allow_unused=True),
        lambda: torch.autograd.backward(leaf().exp()),
        lambda: leaf().exp().backward(),
        lambda: forward_ad.dual_level().__enter__() and None,
        lambda: torch.func.grad(torch.exp)(torch.ones(())),
        lambda: torch.func.jvp(torch.exp, (torch.ones(()),), (torch.ones(()),)),
        lambda: torch.func.vjp(torch.exp, torch.ones(()))[1](torch.ones(())),
        lambda: torch.autograd.functional.jacobian(torch.exp, torch.ones(())),
    ],
)
def test_each_way_into_native_autograd_is_seen(block):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of PyTorch's own code, where it loads its rules
            assert profiled(block, torch_internals.enters_autograd)
    finally:
        if forward_ad._current_level >= 0:
            forward_ad.exit_dual_level()


def test_arithmetic_and_a_functions_apply_are_no_way_into_native_autograd():
    assert not profiled(lambda: Double.apply(leaf()).sum(), torch_internals.enters_autograd)


def test_a_call_of_apply_tells_its_function():
    assert set(profiled(lambda: Double.apply(leaf()), torch_internals.applied_function)) == {Double}
    assert not profiled(lambda: torch.ones(2).apply_(abs), torch_internals.applied_function)


def test_functions_in_c_have_no_code():
    assert torch_internals.code_of(torch.exp) is None
    assert torch_internals.code_of(Double.backward) is Double.backward.__code__


# -- messages


class Ctx(Function):
    """Saves for backward what its second argument says."""

    @staticmethod
    def forward(ctx, x, save):
        save(ctx, x)
        return 2 * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None


def returning(*gradients: Any) -> Callable[[], Any]:
    """Return a call of a Function of two arguments whose backward returns this."""

    class Returning(Function):
        @staticmethod
        def forward(ctx, x, n):
            return 2 * x

        @staticmethod
        def backward(ctx, grad_output):
            return gradients

    return lambda: Returning.apply(leaf(3), 2).sum().backward()


class Bare(Function):
    """Has neither forward nor backward."""


class ForwardAlone(Function):
    @staticmethod
    def forward(x):
        return 2 * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)


class Both(Double):
    @staticmethod
    def vjp(ctx, grad_output):
        return grad_output


class Numeric(ForwardAlone):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.from_numpy(x.detach().numpy() * 2)


class OwnVmap(ForwardAlone):
    @staticmethod
    def vmap(info, in_dims, x):
        return 2 * x


class Unreliable(Double):
    @staticmethod
    def backward(ctx, grad_output):
        return 2 * grad_output + 1e-3 * torch.rand(grad_output.shape, dtype=grad_output.dtype)


class TwoRecords(ForwardAlone):
    generate_vmap_rule = True

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs, output)

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * grad_output


def overwritten() -> None:
    x = leaf(2)
    y = x.exp()
    y.add_(1)
    y.sum().backward()


def written_where_expanded() -> None:
    torch.zeros(1).expand(3).add_(1)


def without_history() -> None:
    class Marked(Double):
        @staticmethod
        def forward(ctx, x):
            y = 2 * x
            ctx.mark_non_differentiable(y)
            return y

    torch.autograd.grad(Marked.apply(leaf()), leaf())


def op(name: str, body: Callable[[Tensor], Tensor]) -> Any:
    body.__annotations__ = {"x": Tensor, "return": Tensor}
    return torch.library.custom_op(f"torch_internals::{name}", body, mutates_args=())


def aliasing() -> None:
    op("aliasing", lambda x: x)(torch.ones(2))


def without_formula() -> None:
    op("without_formula", lambda x: 2 * x)(leaf(2)).sum().backward()


def not_traced() -> None:
    doubled = op("not_traced", lambda x: 2 * x)
    doubled.register_fake(torch.empty_like)
    doubled.register_autograd(lambda ctx, g: torch.from_numpy(2 * g.detach().numpy()))
    with restoring_frame_evaluation():
        torch.compile(lambda x: doubled(x * 2), fullgraph=True, backend="aot_eager")(leaf(2)).sum().backward()


def writing_under_vmap() -> None:
    held = torch.zeros(2)
    torch.func.grad(lambda x: held.add_(x).sum())(torch.ones(2))


wide, narrow = torch.ones(2, 3), torch.ones(2, 2)
double, single = torch.ones(2, 2, dtype=DOUBLE), torch.ones(2, 2)
image = torch.ones(1, 2, 3, 3)

# what makes PyTorch say each message
PROVOKED: dict[Message, list[Callable[[], Any]]] = {
    Message.MISSING_METHOD: [lambda: Bare.apply(leaf()), lambda: ForwardAlone.apply(leaf()).backward()],
    Message.MISSING_JVP: [lambda: torch.func.jvp(ForwardAlone.apply, (leaf(),), (leaf(),))],
    Message.MISSING_BACKWARD: [lambda: torch.func.grad(ForwardAlone.apply)(leaf())],
    Message.BACKWARD_AND_VJP: [lambda: Both.apply(leaf()).backward()],
    Message.SAVED_A_TUPLE: [lambda: Ctx.apply(leaf(), lambda ctx, x: ctx.save_for_backward((x,)))],
    Message.SAVED_A_NON_TENSOR: [lambda: Ctx.apply(leaf(), lambda ctx, x: ctx.save_for_backward(x, 2.0))],
    Message.SAVED_FOR_FORWARD: [lambda: Ctx.apply(leaf(), lambda ctx, x: ctx.save_for_forward((x,)))],
    Message.DIRTY_NOT_RETURNED: [lambda: Ctx.apply(leaf().clone(), lambda ctx, x: ctx.mark_dirty(x))],
    Message.NUMBER_OF_GRADIENTS: [returning(torch.ones(3)), returning(torch.ones(3), None, torch.ones(3))],
    Message.GRADIENT_FOR_NON_TENSOR: [returning(torch.ones(3), torch.ones(3))],
    Message.GRADIENT_OF_ANOTHER_SHAPE: [returning(torch.ones(4), None)],
    Message.COTANGENT_OF_ANOTHER_SHAPE: [lambda: leaf(3).exp().backward(torch.ones(4))],
    Message.WITHOUT_HISTORY: [without_history, lambda: torch.ones(()).backward()],
    Message.OUTPUT_WITHOUT_GRAD: [
        without_history,
        lambda: torch.autograd.backward([leaf(), torch.ones(())]),
    ],
    Message.UNUSED_INPUT: [lambda: torch.autograd.grad(leaf().exp(), leaf())],
    Message.SAVED_AND_OVERWRITTEN: [overwritten],
    Message.EXPANDED_AND_WRITTEN: [written_where_expanded],
    Message.LEAF_OVERWRITTEN: [lambda: leaf(2).add_(1)],
    Message.GRADCHECK_NOT_REENTRANT: [lambda: gradcheck(Unreliable.apply, leaf(2).double(), atol=1)],
    Message.WITHOUT_SETUP_CONTEXT: [lambda: torch.func.grad(Double.apply)(torch.ones(()))],
    Message.WITHOUT_VMAP: [lambda: torch.vmap(ForwardAlone.apply)(torch.ones(2))],
    Message.CAPTURED_AND_WRITTEN: [writing_under_vmap],
    Message.NO_STORAGE: [lambda: torch.vmap(Numeric.apply)(torch.ones(2))],
    Message.NO_NUMBER_OF_A_BATCH: [lambda: torch.vmap(lambda x: x * x.item())(torch.ones(2))],
    Message.NOTHING_BATCHED: [lambda: torch.vmap(TwoRecords.apply)(leaf(3)).sum().backward()],
    Message.ONE_RETURN_OF_VMAP: [lambda: torch.vmap(OwnVmap.apply)(torch.ones(2))],
    Message.ALIASES_AN_INPUT: [aliasing],
    Message.NO_AUTOGRAD_FORMULA: [without_formula],
    Message.NOT_TRACED: [not_traced],
    Message.FACTORS: [lambda: wide @ wide, lambda: torch.ones(2, 2, 3) @ torch.ones(2, 2, 3)],
    Message.BROADCAST: [lambda: torch.ones(3) + torch.ones(4), lambda: torch.where(wide > 0, wide, narrow)],
    Message.EXPANDED: [lambda: torch.ones(3).expand(2, 4), lambda: torch.broadcast_to(torch.ones(3), (2, 4))],
    Message.SHAPES: [
        lambda: torch.ones(3).expand(2, 4),
        lambda: torch.ones(3) + torch.ones(4),
        lambda: torch.ones(6).view(4),
        lambda: torch.ones(3).add_(wide),
        lambda: torch.mv(wide, torch.ones(2)),
        lambda: torch.dot(torch.ones(2), torch.ones(3)),
        lambda: torch.cat([wide, torch.ones(3, 2)]),
        lambda: torch.stack([wide, narrow]),
        lambda: torch.ones(3)[torch.ones(4) > 0],
        lambda: torch.einsum("ij,jk->ik", wide, wide),
        lambda: torch.linalg.cross(torch.ones(3), wide),
        lambda: torch.zeros(3, 2).index_copy_(0, torch.tensor([0]), torch.ones(1, 3)),
        lambda: torch.linalg.solve(torch.eye(3), torch.ones(2)),
        lambda: wide @ wide,
        lambda: conv2d(image, torch.ones(1, 3, 2, 2)),
        lambda: torch.masked_select(torch.ones(3), torch.ones(4) > 0),
        lambda: torch.ones(2, 2).index_add_(0, torch.tensor([0, 1]), wide),
        lambda: torch.ones(3).index_put_((torch.tensor([0, 1]),), torch.ones(3)),
        lambda: wide[torch.tensor([0, 1]), torch.tensor([0, 1, 2])],
        lambda: torch.tensordot(wide, wide, dims=1),
        lambda: torch.cdist(wide, narrow),
    ],
    Message.CONVOLUTION: [
        lambda: conv2d(image, torch.ones(1, 3, 2, 2)),
        lambda: conv_transpose2d(image, torch.ones(3, 1, 2, 2)),
    ],
    Message.INDEX: [lambda: wide[5], lambda: torch.gather(torch.ones(2, 2), 1, torch.tensor([[5]]))],
    Message.AXIS: [lambda: wide.sum(3), lambda: wide.unsqueeze(5)],
    Message.VIEW: [lambda: wide.mT.view(6)],
    Message.TUPLE_FOR_A_TENSOR: [lambda: torch.exp((wide,)), lambda: wide * (wide, wide)],
    Message.TWO_DTYPES: [
        lambda: single @ double,
        lambda: double @ single,
        lambda: torch.dot(single[0], double[0]),
        lambda: torch.mv(single, double[0]),
        lambda: torch.bmm(single[None], double[None]),
        lambda: torch.addmm(single, single, double),
        lambda: linear(single, double),
        lambda: conv2d(single[None, None], double[None, None]),
        lambda: layer_norm(single, (2,), double[0]),
        lambda: torch.ones(3).index_add_(0, torch.tensor([0]), double[0, :1]),
        lambda: torch.ones(3).scatter_(0, torch.tensor([0]), double[0, :1]),
        lambda: torch.ones(3).index_put_((torch.tensor([0]),), double[0, :1]),
        lambda: torch.lerp(single, double, 0.5),
        lambda: torch.linalg.solve(single + torch.eye(2), double),
        lambda: torch.complex(single, double),
    ],
    Message.ABOUT_DTYPES: [
        lambda: single @ double,
        lambda: double @ single,
        lambda: conv2d(single[None, None], double[None, None]),
    ],
    Message.INTEGERS: [
        lambda: single @ torch.ones(2, 2, dtype=torch.int64),
        lambda: torch.dot(single[0], torch.ones(2, dtype=torch.int32)),
        lambda: conv2d(single[None, None], torch.ones(1, 1, 2, 2, dtype=torch.int64)),
    ],
}


def said(block: Callable[[], Any]) -> str:
    """Return what PyTorch says of a mistake, the words on one line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            block()
        except Exception as error:
            if not str(error):
                pytest.skip(f"PyTorch {torch.__version__} raises {type(error).__name__} without a message")
            return " ".join(str(error).split())
    pytest.fail(f"PyTorch {torch.__version__} accepts it")


CASES = [(message, place) for message, blocks in PROVOKED.items() for place in range(len(blocks))]


@pytest.mark.parametrize(("message", "place"), CASES, ids=[f"{m.name}-{place}" for m, place in CASES])
def test_pytorch_says_each_message(message: Message, place: int):
    told = said(PROVOKED[message][place])
    assert message.find(told), f"PyTorch {torch.__version__} says now: {told}"


@pytest.mark.parametrize("message", Message, ids=lambda message: message.name)
def test_each_pattern_of_a_message_is_in_use(message: Message):
    told = [said(block) for block in PROVOKED[message]]
    for pattern in message.value:
        assert any(re.search(pattern, text) for text in told), (pattern, told)


# -- nothing else in the two packages asks

PRIVATE = re.compile(
    r"torch\.(\w+\.)*_(?!_)\w+|\b_(saved_[a-z]\w*|forward_cls|backward_cls|input_metadata|sequence_nr)\b(?!\()"
    r"|\b_(python_dispatch|pytree|FunctionBase)\b|\._version\b|\bBackwardCFunction\b"
)
MAY_NAME = {"torch_internals.py", "guards.py"}  # the other asks what students may use


@pytest.mark.parametrize("package", ["autograder", "course/graph"])
def test_private_names_stand_in_one_module(package):
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.name not in MAY_NAME
        for name in private_names(path)
    ]
    assert not found, found


def private_names(path: Path) -> Iterator[str]:
    """Yield the private names of PyTorch's in the code of a file, which defines none of them itself."""
    text = path.read_text(encoding="utf-8")
    for found in PRIVATE.finditer(re.sub(r'""".*?"""|#[^\n]*', "", text, flags=re.DOTALL)):
        if f"def {found[0]}(" not in text:
            yield found[0]


# -- a release that has taken something away


NAMES = [
    "_is_fwd_grad_enabled",
    "DisableTorchFunctionSubclass",
    "TensorBase.data",
    "_set_grad_enabled",
    "_FunctionBase.needs_input_grad",
    "_functions.UndefinedGrad",
]


FOR_WRONG_WORK = {"_is_fwd_grad_enabled", "TensorBase.data", "_set_grad_enabled"}


@pytest.fixture
def taken_away(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Return a function that makes a name of PyTorch's missing, whatever was found before."""
    caches = (torch_internals._dispatch_mode, torch_internals.entrances)
    find = torch_internals._lookup

    def take_away(gone: str) -> None:
        def found(module: str, name: str) -> Any:
            if name == gone:
                raise Unavailable(f"{module}.{name}")
            return find(module, name)

        monkeypatch.setattr(torch_internals, "_lookup", found)
        for cached in caches:
            cached.cache_clear()

    yield take_away
    for cached in caches:
        cached.cache_clear()


def sentence(name: str) -> str:
    return f"which has no {name}."


def not_made(outcomes: Iterable[Outcome], name: str) -> set[str]:
    return {outcome.check for outcome in outcomes if outcome.unavailable.endswith(sentence(name))}


def right(exercise: str) -> Submission:
    return next(s for s in of(exercise) if s.expected == "right" and not s.hostile)


def checked(exercise: str) -> Result:
    return verdict(right(exercise), 0)


def test_a_check_that_needs_what_is_gone_says_so_and_the_others_are_made(taken_away):
    assert checked("crop_op").passed
    taken_away("tree_map")
    result = checked("crop_op")
    gone = "torch.utils._pytree.tree_map"
    assert not_made(result.outcomes, gone) == {"opcheck"}
    assert {"forward", "gradient"} <= {outcome.check for outcome in result.outcomes if outcome.passed}
    assert result.for_a_person
    assert sentence(gone) in str(result)


@pytest.mark.parametrize("name", NAMES)
def test_no_check_raises_where_a_name_is_gone(taken_away, name):
    taken_away(name)
    results = [checked(exercise) for exercise in ("silu_recompute", "crop_op", "linear")]
    outcomes = [outcome for result in results for outcome in result.outcomes]
    assert bool(not_made(outcomes, f"torch._C.{name}")) is (name not in FOR_WRONG_WORK)
    assert all(outcome.passed or outcome.unavailable or outcome.needed for outcome in outcomes)
    diagnosed = diagnose(Double, torch.ones(3))
    assert diagnosed.passed or sentence(f"torch._C.{name}") in " ".join(str(diagnosed).split())


def test_a_process_with_the_work_says_what_it_lacks(tmp_path):
    work = right("silu_recompute")
    path = tmp_path / "work.py"
    path.write_text(TAKEN_AWAY + work.source, encoding="utf-8")
    exercise = find(work.exercise)
    with SubprocessProbe(exercise.subject, path) as probe:
        result = judge(exercise, probe, 0)
    assert not_made(result.outcomes, "torch._C.DisableTorchFunctionSubclass")


TAKEN_AWAY = """
from vjpcheck import torch_internals
def _gone(module, name):
    raise torch_internals.Unavailable(f"{module}.{name}")
torch_internals._lookup = _gone
"""


def test_nothing_is_asked_of_pytorch_at_import():
    program = (
        "import pkgutil, importlib, vjpcheck.torch_internals as internals\n"
        "def gone(module, name): raise internals.Unavailable(name)\n"
        "internals._lookup = gone\n"
        "import autograder, course.graph.torch_tape\n"
        "for module in pkgutil.walk_packages(autograder.__path__, 'autograder.'):\n"
        "    if not module.name.endswith(('__main__', 'run_autograder')):\n"
        "        importlib.import_module(module.name)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


# -- the releases that were tried


@pytest.mark.parametrize(
    ("here", "tried"),
    [
        ("2.8.0", True),
        ("2.13.0+cpu", True),
        ("2.15.0+cu132", True),
        ("2.16.0", False),
        ("2.7.1", False),
        ("my-build", False),
    ],
)
def test_a_release_that_was_not_tried_is_named_in_one_sentence(monkeypatch, here, tried):
    monkeypatch.setattr(torch_release, "version", lambda name: here)
    monkeypatch.setattr(
        torch_release,
        "requires",
        lambda name: ["numpy>=2", "torch>=2.8", 'torch<2.16,>=2.8; extra == "course"'],
    )
    told = torch_release.untried()
    assert (told == "") is tried
    assert tried or (here in told and ">=2.8,<2.16" in told and told.count(".\n") == 0)


def test_nothing_is_said_where_nothing_is_installed(monkeypatch):
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(torch_release, "version", missing)
    assert torch_release.untried() == ""


@pytest.mark.parametrize("warned", [True, False])
def test_importing_the_autograder_warns_outside_grading_alone(monkeypatch, warned):
    program = (
        "import importlib.metadata as m\n"
        "version = m.version\n"
        "m.version = lambda name: '99.0' if name == 'torch' else version(name)\n"
        "import autograder, sys\n"
        "assert 'torch' not in sys.modules\n"
    )
    if not warned:
        monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert ("PyTorch 99.0" in run.stderr) is warned
    assert warned or run.stderr == ""
