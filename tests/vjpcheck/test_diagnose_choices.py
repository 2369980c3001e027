"""What a caller may choose and pass: dtypes, seeds, tolerances, domains, findings to accept, any work."""

import functools

import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from vjpcheck import Array, Domain, assert_backward, diagnose

RANDOM = torch.Generator().manual_seed(5)


def normal(*shape):
    return torch.randn(*shape, generator=RANDOM)


def mistakes(result):
    return [finding.mistake for finding in result.findings]


def errors(result):
    assert not result.refusal, result.refusal
    return [finding.mistake for finding in result.findings if not finding.warning]


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g


class MinusCube(Cube):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -3 * x**2 * g


class Product(Function):
    """Right, and computes both gradients whoever asks."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g @ w.T, x.T @ g


class BroadcastSum(Function):
    """Leaves the sum over the repeated axis to autograd."""

    @staticmethod
    def forward(ctx, x, b):
        ctx.save_for_backward(x, b)
        return x * b

    @staticmethod
    def backward(ctx, g):
        x, b = ctx.saved_tensors
        return g * b, g * x


class KeptOnCtx(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x**2

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.x * g


@pytest.mark.parametrize(
    ("work", "inputs", "warning"),
    [
        (Product, (normal(3, 4), normal(4, 2)), "needless-work"),
        (BroadcastSum, (normal(3, 4), normal(4)), "missing-unbroadcast"),
        (KeptOnCtx, (normal(3),), "input-kept-on-ctx"),
    ],
)
def test_right_derivatives_are_never_wrong(work, inputs, warning):
    result = diagnose(work, *inputs)
    assert result.passed, repr(result)
    assert mistakes(result) == [warning]
    assert "right, with 1 warning\n" in repr(result)
    assert not diagnose(work, *inputs, strict=True).passed or warning == "missing-unbroadcast"


class RoundedConstant(Cube):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3 / 6


class EightDigits(RoundedConstant):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 0.49999999 * x**2 * g


class FourDigits(RoundedConstant):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 0.4999 * x**2 * g


def test_what_agrees_with_like_to_six_digits_is_a_warning():
    result = diagnose(EightDigits, normal(3), like=lambda x: x**3 / 6)
    assert result.passed
    assert mistakes(result) == ["not-precise"]
    assert not diagnose(FourDigits, normal(3), like=lambda x: x**3 / 6).passed


def test_the_kernel_of_like_may_have_few_digits():
    class HardSigmoid(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return (x / 6 + 0.5).clamp(0, 1)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g / 6 * ((x > -3) & (x < 3))

    assert diagnose(HardSigmoid, normal(5), like=torch.nn.functional.hardsigmoid).passed


class InFloat32(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.float() ** 3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -3 * x.float() ** 2 * g.float()


def test_checks_go_on_behind_a_wrong_dtype():
    x = torch.tensor([1.0, -2.0, 3.0])  # of an entry near 0 the dtype of the gradient would be found, too
    assert errors(diagnose(InFloat32, x, like=lambda x: x**3)) == ["wrong-dtype", "wrong-sign"]
    accepted = diagnose(InFloat32, x, like=lambda x: x**3, allow={"wrong-dtype"})
    assert errors(accepted) == ["wrong-sign"]


def test_allow_names_a_mistake_that_there_is():
    assert (
        "'wrong-dtpye', which is the id of no mistake"
        in diagnose(Cube, normal(3), allow={"wrong-dtpye"}).refusal
    )
    assert diagnose(MinusCube, normal(3), allow={"wrong-sign"}).passed is False  # what follows is not reached


class OnlyFloat32(Function):
    sign = 1

    @staticmethod
    def forward(ctx, x):
        if x.dtype != torch.float32:
            raise TypeError("expected float32")
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return OnlyFloat32.sign * 3 * x**2 * g


@pytest.mark.parametrize("like", [None, lambda x: x**3])
def test_a_forward_that_takes_float32_alone_is_given_float32(like, monkeypatch):
    result = diagnose(OnlyFloat32, normal(3), like=like)
    assert result.passed
    assert "given float32" in result.truth
    monkeypatch.setattr(OnlyFloat32, "sign", -1)
    assert errors(diagnose(OnlyFloat32, normal(3), like=like)) == ["wrong-sign"]


@pytest.mark.parametrize("dtype", ["float64", torch.float32, "float16", torch.bfloat16])
def test_right_and_wrong_work_in_every_dtype(dtype):
    assert diagnose(Cube, normal(4), dtype=dtype).passed
    assert errors(diagnose(MinusCube, normal(4), dtype=dtype)) == ["wrong-sign"]


def test_tensors_are_made_on_the_device():
    # the index makes it another device than the usual one, on any machine
    assert diagnose(Cube, normal(4), device="cpu:0", seed=0, like=lambda x: x**3).passed
    assert errors(diagnose(MinusCube, normal(4), device="cpu:0")) == ["wrong-sign"]
    assert (
        "device is cuda:99, which cannot be used here" in diagnose(Cube, normal(4), device="cuda:99").refusal
    )


def test_a_dtype_that_there_is_not_is_refused():
    assert "float8; it may be float64, float32" in diagnose(Cube, normal(3), dtype="float8").refusal


def test_tolerances_are_the_callers():
    work = functools.partial(diagnose, FourDigits, normal(3), like=lambda x: x**3 / 6)
    assert work(rtol=1e-3).passed
    assert not work(rtol=1e-5).passed
    assert work(atol=1e-2).passed


class Noise(Function):
    @staticmethod
    def forward(ctx, x):
        mask = torch.rand_like(x) > 0.5
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return g * mask


def test_a_seed_makes_random_work_repeatable():
    state = torch.get_rng_state()
    assert "pass seed=0" in diagnose(Noise, normal(8)).refusal
    assert diagnose(Noise, normal(8), seed=0).passed
    assert torch.equal(torch.get_rng_state(), state)


class Dropout(Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        kept = torch.rand(x.shape, generator=generator) > p
        ctx.save_for_backward(kept)
        ctx.times = 1 / (1 - p)
        return x * kept * ctx.times

    @staticmethod
    def backward(ctx, g):
        (kept,) = ctx.saved_tensors
        return g * kept * ctx.times, None, None


def test_a_generator_begins_anew_in_each_call():
    result = diagnose(Dropout, normal(8), 0.5, torch.Generator().manual_seed(3))
    assert result.passed, repr(result)


class Round(Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


def test_the_card_of_a_straight_through_gradient_says_how_to_say_so():
    result = diagnose(Round, normal(4))
    assert "soft(x) + (hard(x) - soft(x)).detach()" in result.truth
    assert diagnose(Round, normal(4), like=lambda x: x + (x.round() - x).detach()).passed
    assert "soft" not in diagnose(FourDigits, normal(3)).truth


class Clipped(Cube):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g / g.norm().clamp(min=1)


def clipped(cotangents, inputs):
    (g,), (x,) = cotangents, inputs
    return 3 * x**2 * g / g.norm().clamp(min=1)


def test_a_backward_that_is_not_linear_can_be_given():
    assert errors(diagnose(Clipped, normal(4))) == ["gradient-nonlinear"]
    assert diagnose(Clipped, normal(4), backward_like=clipped).passed
    wrong = diagnose(Cube, 3 * normal(4), backward_like=clipped)
    assert not wrong.passed
    assert not wrong.refusal
    assert (
        "2 gradients for 1 inputs"
        in diagnose(Cube, normal(4), backward_like=lambda g, x: (g[0], g[0])).refusal
    )


class WithAnything(Function):
    @staticmethod
    def forward(ctx, x, layer, act, options, dtype, device, size):
        assert isinstance(layer, torch.nn.Linear)
        assert isinstance(dtype, torch.dtype)
        assert isinstance(device, torch.device)
        assert isinstance(size, torch.Size)
        ctx.save_for_backward(x)
        ctx.times = options["times"]
        return act(x) * 0 + ctx.times * x**2, None, layer

    @staticmethod
    def backward(ctx, g, *_):
        (x,) = ctx.saved_tensors
        return (2 * ctx.times * x * g, *[None] * 6)


def test_constants_and_further_outputs_of_any_type_are_taken():
    constants = (
        torch.nn.Linear(2, 2),
        torch.relu,
        {"times": 3},
        torch.float16,
        torch.device("cpu"),
        torch.Size([2]),
    )
    result = diagnose(WithAnything, normal(3), *constants)
    assert result.passed, repr(result)


class Scaled(Cube):
    @classmethod
    def apply(cls, x, *, scale=1.0):
        return super().apply(x) * scale


class WithDefaults(Function):
    @staticmethod
    def forward(ctx, x, times=2.0, dim=-1):
        ctx.times, ctx.dim, ctx.shape = times, dim, x.shape
        return times * x.sum(dim)

    @staticmethod
    def backward(ctx, g):
        return ctx.times * g.unsqueeze(ctx.dim).expand(ctx.shape), None, None


def test_apply_and_names_are_taken():
    assert diagnose(Cube.apply, normal(3)).passed
    assert diagnose(Scaled, normal(3), scale=2.0).passed
    assert diagnose(WithDefaults, normal(3, 4), dim=0).passed
    assert "does not take these inputs" in diagnose(WithDefaults, normal(3, 4), axis=0).refusal


class Layer(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.weight = torch.nn.Parameter(normal(3))
        self.function = function

    def forward(self, x):
        return self.function(x) * self.weight


def test_a_module_and_a_function_are_judged_by_what_autograd_gives():
    assert diagnose(Layer(Cube.apply), normal(2, 3)).passed
    wrong = diagnose(Layer(MinusCube.apply), normal(2, 3))
    assert errors(wrong) == ["wrong-sign"]
    assert wrong.findings[0].input == "x"
    assert diagnose(lambda x: Cube.apply(x).sum(), normal(3)).passed
    assert errors(diagnose(lambda x: MinusCube.apply(x).sum(), normal(3))) == ["wrong-sign"]


@torch.library.custom_op("vjpcheck_tests::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return 2 * x


twice.register_fake(torch.empty_like)
twice.register_autograd(lambda ctx, g: g)  # lacks the 2


@torch.library.custom_op("vjpcheck_tests::unregistered", mutates_args=())
def unregistered(x: torch.Tensor) -> torch.Tensor:
    return 2 * x


unregistered.register_autograd(lambda ctx, g: 2 * g)


@pytest.mark.parametrize("op", [twice, torch.ops.vjpcheck_tests.twice], ids=["CustomOpDef", "torch.ops"])
def test_a_custom_operator_is_judged_beside_opcheck(op):
    result = diagnose(op, normal(3))
    assert {o.check: o.passed for o in result.outcomes}["opcheck"], "its registration is right"
    assert [finding.check for finding in result.findings] == ["gradient"]


def test_opcheck_finds_what_is_missing_in_a_registration():
    result = diagnose(unregistered, normal(3))
    assert {finding.check for finding in result.findings} == {"opcheck"}


class SymmetricLog(Function):
    """The gradient of log det, written for symmetric matrices alone."""

    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return torch.logdet(a)

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        inverse = torch.linalg.inv(a)
        return g * torch.tril(inverse + inverse.mT) - g * torch.diag_embed(inverse.diagonal())


def test_a_domain_keeps_a_matrix_symmetric():
    a = normal(3, 3).double()
    a = a @ a.T + 3 * torch.eye(3)
    domain = Domain({"a": Array("n n", on="positive definite")})
    assert diagnose(SymmetricLog, a, domain=domain).passed
    assert not diagnose(SymmetricLog, a).passed


@pytest.mark.parametrize(
    ("on", "inputs"),
    [
        ("simplex", normal(2, 4).softmax(-1)),
        ("sphere", normal(2, 4) / 3),
        ("orthogonal", torch.linalg.qr(normal(3, 3))[0]),
        ("ordered", torch.tensor([[0.1, 0.5, 2.0]])),
    ],
)
def test_domains_take_right_and_refuse_wrong_work(on, inputs):
    inputs = torch.nn.functional.normalize(inputs, dim=-1) if on == "sphere" else inputs
    domain = Domain({"x": Array("n n" if on == "orthogonal" else "n m", on=on)})
    assert diagnose(Cube, inputs, domain=domain).passed
    assert not diagnose(MinusCube, inputs, domain=domain).passed


class CubeUnderVmap(Cube):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)


class WrongUnderVmap(CubeUnderVmap):
    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, x):
        return (-x).pow(3), 0


def test_transforms_are_tried_on_request():
    result = diagnose(CubeUnderVmap, normal(3), under=("compile", "vmap"))
    assert result.passed, repr(result)
    assert [outcome.check for outcome in result.outcomes][-2:] == ["torch.compile", "torch.vmap"]
    wrong = diagnose(WrongUnderVmap, normal(3), under=["vmap"])
    assert {finding.check for finding in wrong.findings} == {"torch.vmap"}
    assert not diagnose(Cube, normal(3), under=["vmap"]).passed
    assert "it may have 'compile' and 'vmap'" in diagnose(Cube, normal(3), under=["grad"]).refusal


class Shared(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.empty_like(x)
        y.data = x.data
        return y

    @staticmethod
    def backward(ctx, g):
        return g


def test_memory_that_autograd_does_not_know_of_is_a_warning():
    result = diagnose(Shared, normal(3))
    assert result.passed
    assert "shares the memory of x" in result.findings[0].message


class SqueezedBias(Function):
    """Right but for one row: the stray squeeze takes an axis of size 1."""

    @staticmethod
    def forward(ctx, x, b):
        return x + b

    @staticmethod
    def backward(ctx, g):
        return g, g.sum(0).squeeze()


class LabelsWeight(Function):
    """Right while all weights are 1: takes the weight of the first class for that of each class."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(weight)
        return (x * weight).sum(-1)

    @staticmethod
    def backward(ctx, g):
        (weight,) = ctx.saved_tensors
        return g.unsqueeze(-1) * weight[0].expand(weight.shape), None


def test_other_shapes_and_other_numbers_are_tried_and_said():
    result = diagnose(SqueezedBias, normal(3, 4), torch.arange(4.0))
    assert not result.passed
    assert "Also tried with shapes" in result.truth
    x = normal(2, 3).requires_grad_()
    assert not diagnose(LabelsWeight, x, torch.ones(3)).passed


class RootAtZero(Function):
    """Its second derivative is infinite at 0."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() ** 1.5

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 1.5 * x.abs().sqrt() * x.sign() * g


def test_a_kink_is_left_before_it_is_refused():
    result = diagnose(RootAtZero, torch.tensor([0.0, 1.0, 2.0]))
    assert result.passed, repr(result)
    assert "moved away" in result.truth


class RootOfFourthPower(Function):
    """Right twice, but for 0, where its second derivative is NaN and the true one 0."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * (x**4).sqrt() * g


def test_a_second_derivative_that_is_not_finite_has_a_name():
    x = torch.tensor([0.0, 1.0, 2.0])
    assert errors(diagnose(RootOfFourthPower, x, like=lambda x: x**3)) == ["not-finite"]
    assert errors(diagnose(RootOfFourthPower, x)) == ["not-finite"]
    # where the true one is not finite, there is nothing to compare with
    assert diagnose(RootAtZero, x, like=lambda x: x.abs() ** 1.5).passed


class Once(Cube):
    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.from_numpy(3 * x.numpy() ** 2) * g


def test_assert_backward_raises_with_the_card():
    assert_backward(Cube, normal(3))
    assert_backward(Once, normal(3))
    with pytest.raises(AssertionError, match=r"MinusCube: not yet right(?s:.*)\[wrong-sign\]"):
        assert_backward(MinusCube, normal(3))
    with pytest.raises(AssertionError, match="could not be judged"):
        assert_backward(Noise, normal(3))
