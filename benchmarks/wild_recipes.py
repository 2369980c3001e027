"""Recipes for public Functions: where each is defined, and inputs of the kind that its callers give.

A recipe is code, because inputs may be functions and modules. `soft` is the computation whose derivative a
straight-through or surrogate gradient is; `like` is a reference in PyTorch operations. `setup` replaces what
cannot be installed: compiled kernels, and a GPU.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """A Function of a repository, by the end of its file's path and its name, and code for its inputs."""

    repository: str
    path: str
    name: str
    inputs: str
    like: str = ""
    soft: str = ""
    setup: str = ""
    after: str = ""  # code that runs when the module is loaded; may define Function
    seed: int | None = None

    @property
    def key(self) -> str:
        """Return a name that no other recipe has."""
        return f"{self.repository}/{self.path}:{self.name}"


_NO_GPU = "torch.Tensor.cuda = lambda self, *_, **__: self\n"
_ONE_PROCESS = """\
import tempfile
import torch.distributed as dist
dist.init_process_group("gloo", init_method=f"file://{tempfile.mktemp()}", rank=0, world_size=1)
"""
_ISOTONIC = """\
import types
kernels = sys.modules["torchsort.isotonic_cpu"] = types.ModuleType("torchsort.isotonic_cpu")
def blocks(solution):
    starts = torch.cat([torch.ones(1, dtype=torch.bool), solution[1:] != solution[:-1]])
    return starts.long().cumsum(0) - 1
def pooled(rows, value):
    parts = []
    for k in range(rows[0].numel()):
        parts.append([r[k:k + 1] for r in rows])
        while len(parts) > 1 and value(*parts[-2]) <= value(*parts[-1]):
            last = parts.pop()
            parts[-1] = [torch.cat(pair) for pair in zip(parts[-1], last)]
    return torch.cat([value(*p).expand(p[0].numel()) for p in parts])
def kl(s, w):
    return torch.logsumexp(s, 0) - torch.logsumexp(w, 0)
def mean(y):
    return y.mean()
kernels.isotonic_l2 = lambda y: torch.stack([pooled([row], mean) for row in y])
kernels.isotonic_kl = lambda s, w: torch.stack([pooled(list(r), kl) for r in zip(s, w.expand_as(s))])
def l2_backward(s, solution, grad):
    rows = []
    for sol, g in zip(solution, grad):
        of = blocks(sol)
        total = torch.zeros(len(sol), dtype=g.dtype).index_add(0, of, g)
        rows.append((total / torch.bincount(of, minlength=len(sol)).clamp(min=1))[of])
    return torch.stack(rows)
def kl_backward(s, solution, grad):
    rows = []
    for x, sol, g in zip(s, solution, grad):
        of = blocks(sol)
        total = torch.zeros(len(sol), dtype=g.dtype).index_add(0, of, g)[of]
        e = x.exp()
        rows.append(e / torch.zeros(len(sol), dtype=e.dtype).index_add(0, of, e)[of] * total)
    return torch.stack(rows)
kernels.isotonic_l2_backward, kernels.isotonic_kl_backward = l2_backward, kl_backward
for kernel in [name for name in vars(kernels) if name.startswith("isotonic")]:
    setattr(kernels, kernel, torch.no_grad()(getattr(kernels, kernel)))  # compiled ones record no graph
"""
_SWISH = "def reference(x):\n    return x * x.sigmoid()"
_LOSS = "CoinCheung/pytorch-loss"
_LABELS = "torch.tensor([0, 2, 1, 2])"
_SIGNED = "torch.tensor([[1., 0., 1.], [0., 1., 0.]], dtype=torch.float64)"
_SMOOTHED = """\
def reference(x, labels, smooth, ignore):
    n = x.size(1)
    target = torch.full_like(x, smooth / n).scatter(1, labels.unsqueeze(1), 1 - smooth)
    return -(torch.log_softmax(x, 1) * target).sum(1)"""
_FOCAL = """\
def reference(x, y, alpha, gamma):
    p = x.sigmoid()
    ce = alpha * y * torch.nn.functional.logsigmoid(x)
    ce = ce + (1 - alpha) * (1 - y) * torch.nn.functional.logsigmoid(-x)
    return -(y - p).abs() ** gamma * ce"""
_DICE = """\
def reference(x, y, p, smooth):
    s = x.sigmoid()
    return 1 - (2 * (s * y).sum(1) + smooth) / ((s ** p + y ** p).sum(1) + smooth)"""
_PC = """\
def reference(x, labels, weights, reduction, ignore):
    w = torch.tensor(weights, dtype=x.dtype)
    loss = torch.log((w * x.exp()).sum(1)) - x.gather(1, labels.unsqueeze(1)).squeeze(1)
    return loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss"""
_PC_WEIGHTS = "torch.randn(4, 3), torch.tensor([0, 2, 1, 2]), [0.2, 0.3, 0.5], 'mean', -100"

PYTORCH_LOSS = [
    Recipe(
        _LOSS,
        "pytorch_loss/hswish.py",
        "HSwishFunctionV2",
        "torch.randn(3, 4) * 3",
        "def reference(x):\n    return x * torch.nn.functional.relu6(x + 3) / 6",
    ),
    Recipe(_LOSS, "pytorch_loss/pc_softmax.py", "PCSoftmaxCrossEntropyFunction", _PC_WEIGHTS, _PC),
    Recipe(
        _LOSS,
        "pytorch_loss/label_smooth.py",
        "LSRCrossEntropyFunctionV2",
        f"torch.randn(4, 3), {_LABELS}, 0.1, -100",
        _SMOOTHED,
    ),
    Recipe(
        _LOSS,
        "pytorch_loss/focal_loss.py",
        "FocalSigmoidLossFuncV2",
        f"torch.randn(2, 3).requires_grad_(), {_SIGNED}, 0.25, 2.0",
        _FOCAL,
    ),
    Recipe(
        _LOSS,
        "pytorch_loss/focal_loss_old.py",
        "FocalSigmoidLossFuncV2",
        f"torch.randn(2, 3).requires_grad_(), {_SIGNED}, 0.25, 2.0",
        _FOCAL,
    ),
    Recipe(
        _LOSS,
        "pytorch_loss/soft_dice_loss.py",
        "SoftDiceLossV2Func",
        f"torch.randn(2, 3).requires_grad_(), {_SIGNED}, 1, 1.0",
        _DICE,
    ),
    Recipe(
        _LOSS,
        "pytorch_loss/iou_loss.py",
        "CIOURegFunc",
        "torch.tensor([[1., 1., 4., 6.], [2., 1., 5., 3.]]), "
        "torch.tensor([[2., 2., 5., 4.], [1., 1., 4., 4.]]), 1e-5",
    ),
    Recipe(_LOSS, "pytorch_loss/swish.py", "SwishFunction", "torch.randn(3, 4)", _SWISH),
    Recipe(
        _LOSS,
        "pytorch_loss/mish.py",
        "MishFunctionV2",
        "torch.randn(3, 4)",
        "reference = torch.nn.functional.mish",
    ),
    Recipe(
        _LOSS,
        "pytorch_loss/large_margin_softmax.py",
        "LargeMarginSoftmaxFuncV2",
        f"torch.randn(4, 5), {_LABELS}, 0.3",
    ),
    Recipe(
        _LOSS, "large_margin_softmax.py", "LargeMarginSoftmaxFuncV2", f"torch.randn(4, 5), {_LABELS}, 0.3"
    ),
    Recipe(
        _LOSS,
        "pytorch_loss/layer_norm.py",
        "LayerNormV2Func",
        "torch.randn(2, 3, 4), 1e-6",
        "def reference(x, eps):\n"
        "    m = x.mean(1, keepdim=True)\n"
        "    return (x - m) * (x.var(1, keepdim=True, unbiased=False) + eps).rsqrt()",
    ),
    Recipe(
        _LOSS,
        "pytorch_loss/info_nce_dist.py",
        "InfoNceFunction",
        "torch.randn(3, 4), torch.randn(3, 4), 2.0, 0.1",
        setup=_NO_GPU + _ONE_PROCESS,
    ),
    Recipe(
        _LOSS,
        "pytorch_loss/partial_fc_amsoftmax.py",
        "GatherFunction",
        "torch.randn(3, 4), torch.tensor([0, 1, 2])",
        setup=_ONE_PROCESS,
    ),
    Recipe(
        _LOSS,
        "pytorch_loss/partial_fc_amsoftmax.py",
        "SampleFunction",
        "torch.randn(3, 8), torch.tensor([0, 3, 2, 3]), 0.6",
        setup=_ONE_PROCESS,
        seed=0,
    ),
    Recipe(
        _LOSS,
        "pytorch_loss/partial_fc_amsoftmax.py",
        "PartialFCFunction",
        "torch.randn(3, 4), torch.randn(4, 5), torch.tensor([True, True, True]), "
        "torch.tensor([0, 4, 2]), torch.tensor(3), 2.0, 0.1",
        setup=_ONE_PROCESS,
    ),
]

_ENT = "deep-spin/entmax"
_SORTED = "torch.tensor([[0.3, 1.1, -0.4, 0.8], [1.5, -0.2, 0.6, 0.9]])"
_ENT_LABELS = "torch.tensor([1, 3])"
ENTMAX = [
    Recipe(_ENT, "entmax/activations.py", "SparsemaxFunction", f"{_SORTED}, -1, None"),
    Recipe(_ENT, "entmax/activations.py", "Entmax15Function", f"{_SORTED}, -1, None"),
    Recipe(_ENT, "entmax/root_finding.py", "EntmaxBisectFunction", f"{_SORTED}, 1.5, -1, 50, True"),
    Recipe(
        _ENT,
        "entmax/root_finding.py",
        "EntmaxBisectFunction ",
        f"{_SORTED}, torch.tensor([[1.3], [1.6]]), -1, 50, True",
    ),
    Recipe(_ENT, "entmax/root_finding.py", "SparsemaxBisectFunction", f"{_SORTED}, -1, 50, True"),
    Recipe(_ENT, "entmax/root_finding.py", "NormmaxBisectFunction", f"{_SORTED}, 2, -1, 60"),
    Recipe(_ENT, "entmax/root_finding.py", "NormmaxBisectFunction ", f"{_SORTED}, 1.5, -1, 60"),
    Recipe(_ENT, "entmax/root_finding.py", "BudgetBisectFunction", f"{_SORTED}, 2, -1, 60"),
    Recipe(_ENT, "entmax/root_finding.py", "BudgetBisectFunction ", f"{_SORTED}.reshape(2, 1, 4), 2, -1, 60"),
    Recipe(_ENT, "entmax/losses.py", "SparsemaxLossFunction", f"{_SORTED}, {_ENT_LABELS}, None, False"),
    Recipe(_ENT, "entmax/losses.py", "Entmax15LossFunction", f"{_SORTED}, {_ENT_LABELS}, None, False"),
    Recipe(_ENT, "entmax/losses.py", "Entmax15LossFunction ", f"{_SORTED}, {_ENT_LABELS}, None, True"),
    Recipe(_ENT, "entmax/losses.py", "SparsemaxBisectLossFunction", f"{_SORTED}, {_ENT_LABELS}, 50"),
    Recipe(_ENT, "entmax/losses.py", "EntmaxBisectLossFunction", f"{_SORTED}, {_ENT_LABELS}, 1.5, 50"),
    Recipe(_ENT, "entmax/losses.py", "NormmaxBisectLossFunction", f"{_SORTED}, {_ENT_LABELS}, 2, 60"),
]

_TAB = "dreamquark-ai/tabnet"
TABNET = [
    Recipe(_TAB, "pytorch_tabnet/sparsemax.py", "SparsemaxFunction", f"{_SORTED}, -1"),
    Recipe(_TAB, "pytorch_tabnet/sparsemax.py", "SparsemaxFunction ", f"{_SORTED}.reshape(2, 1, 4), -1"),
    Recipe(_TAB, "pytorch_tabnet/sparsemax.py", "Entmax15Function", f"{_SORTED}, -1"),
    Recipe(
        _TAB,
        "pytorch_tabnet/sparsemax.py",
        "Entmoid15",
        "torch.tensor([[0.3, 1.1, -0.4, 0.8], [1.5, -0.2, 0.6, 3.9]])",
    ),
]

_HYP = "leymir/hyperbolic-image-embeddings"
_BALL = "torch.tensor([-0.7, 0.2, 0.5])"
HYPERBOLIC = [
    Recipe(_HYP, "hyptorch/pmath.py", "Artanh", _BALL, "reference = torch.atanh"),
    Recipe(
        _HYP,
        "hyptorch/pmath.py",
        "Artanh ",
        "torch.tensor([-0.7, 0.2, 1.5])",
        "def reference(x):\n    return x.clamp(-1 + 1e-5, 1 - 1e-5).atanh()",
    ),
    Recipe(_HYP, "hyptorch/pmath.py", "Arsinh", "torch.tensor([-1.7, 0.2, 2.5])", "reference = torch.asinh"),
    Recipe(_HYP, "hyptorch/pmath.py", "RiemannianGradient", "torch.randn(3, 2) / 4"),
    Recipe("HazyResearch/hgcn", "utils/math_utils.py", "Artanh", _BALL, "reference = torch.atanh"),
    Recipe(
        "HazyResearch/hgcn",
        "utils/math_utils.py",
        "Artanh ",
        "torch.tensor([-0.7, 0.2, 1.5])",
        "def reference(x):\n    return x.clamp(-1 + 1e-15, 1 - 1e-15).atanh()",
    ),
    Recipe(
        "HazyResearch/hgcn",
        "utils/math_utils.py",
        "Arsinh",
        "torch.tensor([-1.7, 0.2, 2.5])",
        "reference = torch.asinh",
    ),
    Recipe(
        "HazyResearch/hgcn",
        "utils/math_utils.py",
        "Arcosh",
        "torch.tensor([1.7, 1.2, 2.5])",
        "reference = torch.acosh",
    ),
    Recipe(
        "HazyResearch/hgcn",
        "utils/math_utils.py",
        "Arcosh ",
        "torch.tensor([0.7, 1.2, 2.5])",
        "def reference(x):\n    return x.clamp(min=1 + 1e-15).acosh()",
    ),
    Recipe(
        "HazyResearch/hgcn",
        "layers/att_layers.py",
        "SpecialSpmmFunction",
        "torch.tensor([[0, 0, 1, 2], [1, 2, 0, 2]]), torch.randn(4), torch.Size([3, 3]), torch.randn(3, 2)",
        "def reference(indices, values, shape, b):\n"
        "    return torch.zeros(*shape, dtype=b.dtype).index_put(tuple(indices), values) @ b",
    ),
]

_QP_INPUTS = """\
def make(shared):
    q, g, a = torch.eye(2) * 2 + 0.3, torch.cat([torch.eye(2), -torch.eye(2)]), torch.ones(1, 2)
    h, p = torch.full((4,), 0.9), torch.randn(2, 2)
    b = torch.tensor([0.3] if shared else [[0.3], [0.3]]).requires_grad_()
    return [q, p, g, h, a, b]
class Solve(torch.nn.Module):
    def forward(self, *inputs):
        return module.QPFunction(eps=1e-14, maxIter=30, verbose=-1)(*inputs)
Function = Solve()
"""
_BATCHED = """\
def reference(q, p, g, h, a, b):
    return Function(q, p, g, h, a, b.expand(2, 1))"""
OTHERS = [
    Recipe("locuslab/qpth", "qpth/qp.py", "QPFunctionFn", "*make(False)", after=_QP_INPUTS),
    Recipe("locuslab/qpth", "qpth/qp.py", "QPFunctionFn ", "*make(True)", like=_BATCHED, after=_QP_INPUTS),
    Recipe(
        "lukemelas/EfficientNet-PyTorch",
        "efficientnet_pytorch/utils.py",
        "SwishImplementation",
        "torch.randn(3, 4)",
        _SWISH,
    ),
    Recipe(
        "martius-lab/blackbox-backprop",
        "blackbox_backprop/ranking.py",
        "TrueRanker",
        "torch.randn(2, 4), 5.0",
    ),
    Recipe(
        "martius-lab/blackbox-backprop",
        "blackbox_backprop/shortest_path.py",
        "ShortestPath",
        "torch.rand(2, 3, 3), 5.0",
        setup="sys.modules['ray'] = types.SimpleNamespace(is_initialized=lambda: False)\n",
    ),
    Recipe(
        "rtqichen/torchdiffeq",
        "torchdiffeq/_impl/rk_common.py",
        "_UncheckedAssign",
        "torch.zeros(3, 2), torch.randn(2), 1",
        "def reference(scratch, value, index):\n"
        "    keep = torch.arange(len(scratch))[:, None] != index\n"
        "    return torch.where(keep, scratch, value)",
    ),
    Recipe(
        "rtqichen/torchdiffeq",
        "torchdiffeq/_impl/misc.py",
        "_StitchGradient",
        "torch.tensor(1.5), torch.tensor(1.6)",
    ),
    Recipe(
        "rtqichen/torchdiffeq",
        "torchdiffeq/_impl/odeint.py",
        "ImplicitFnGradientRerouting",
        "lambda t, y: -y, lambda t, y: y.sum() - 1, torch.tensor(0.5), torch.tensor([0.4, 0.6])",
    ),
    Recipe(
        "rtqichen/torchdiffeq",
        "torchdiffeq/_impl/adjoint.py",
        "OdeintAdjointMethod",
        "None, ode, torch.tensor([0.4, 0.6], dtype=torch.float64).requires_grad_(), "
        "torch.tensor([0., 0.5, 1.], dtype=torch.float64), 1e-9, 1e-9, 'dopri5', {}, None, 1e-9, 1e-9, "
        "'dopri5', {}, False",
        after="matrix = torch.randn(2, 2, dtype=torch.float64)\n"
        "def ode(t, y):\n    return torch.tanh(matrix.to(y) @ y)",
    ),
    Recipe(
        "lucidrains/reformer-pytorch",
        "reformer_pytorch/reversible.py",
        "_ReversibleFunction",
        "torch.randn(1, 3, 4), blocks, {'f_args': {}, 'g_args': {}}",
        after="torch.manual_seed(0)\n"
        "pairs = [(torch.nn.Linear(2, 2).double(), torch.nn.Linear(2, 2).double()) for _ in range(2)]\n"
        "blocks = module.ReversibleSequence(torch.nn.ModuleList(map(torch.nn.ModuleList, pairs))).blocks",
    ),
    Recipe(
        "eladhoffer/quantized.pytorch",
        "models/modules/rnlu.py",
        "BiReLUFunction",
        "torch.randn(3, 4), False",
        "def reference(x, inplace):\n"
        "    a, b = x.chunk(2, 1)\n"
        "    return torch.cat([a.clamp(min=0), b.clamp(max=0)], 1)",
    ),
    Recipe(
        "eladhoffer/quantized.pytorch",
        "models/modules/quantize.py",
        "UniformQuantize",
        "torch.randn(3, 4), 8, -2.0, 2.0",
        soft="inputs[0]",
    ),
    Recipe(
        "eladhoffer/quantized.pytorch",
        "models/modules/quantize.py",
        "UniformQuantizeGrad",
        "torch.randn(3, 4), 8, -2.0, 2.0, False",
        soft="inputs[0]",
    ),
]

TORCHSORT = [
    Recipe("teddykoker/torchsort", "torchsort/ops.py", "SoftRank", f"{_SORTED}, 'l2', 0.7", setup=_ISOTONIC),
    Recipe("teddykoker/torchsort", "torchsort/ops.py", "SoftRank ", f"{_SORTED}, 'kl', 0.7", setup=_ISOTONIC),
    Recipe("teddykoker/torchsort", "torchsort/ops.py", "SoftSort", f"{_SORTED}, 'l2', 0.7", setup=_ISOTONIC),
    Recipe("teddykoker/torchsort", "torchsort/ops.py", "SoftSort ", f"{_SORTED}, 'kl', 0.7", setup=_ISOTONIC),
]

_BREVITAS = "Xilinx/brevitas"
_STE = "src/brevitas/ops/autograd_ste_ops.py"
_JIT = "import brevitas.jit\nsys.modules['brevitas'].NATIVE_STE_BACKEND_LOADED = False\n"
_SPREAD = "torch.tensor([[0.3, 1.2, -0.4, 0.8], [1.7, -0.2, 0.6, -3.9]])"
_THROUGH = {
    "ScalarClampSteFn": ", -1.0, 1.0",
    "ScalarClampMinSteFn": ", -1.0",
    "TensorClampSteFn": ", torch.tensor(-1.0), torch.tensor(1.0)",
    "InplaceTensorClampSteFn": ", torch.tensor(-1.0), torch.tensor(1.0)",
    "RoundToZeroSteFn": "",
    "DPURoundSteFn": "",
    "CeilSteFn": "",
    "FloorSteFn": "",
    "BinarySignSteFn": "",
    "TernarySignSteFn": "",
    "RoundSteFn": "",
}
BREVITAS = [
    *(
        Recipe(_BREVITAS, _STE, name, _SPREAD + ".requires_grad_()" + more, soft="inputs[0]", setup=_JIT)
        for name, more in _THROUGH.items()
    ),
    Recipe(_BREVITAS, _STE, "AbsBinarySignGradFn", _SPREAD, "reference = torch.abs", setup=_JIT),
    Recipe(
        _BREVITAS,
        "src/brevitas/core/function_wrapper/stochastic_round.py",
        "StochasticRoundSteFn",
        _SPREAD,
        soft="inputs[0]",
        seed=0,
        setup=_JIT,
        after="Function = module.stochastic_round_ste_fn(None)",
    ),
    Recipe(
        _BREVITAS,
        "src/brevitas_examples/bnn_pynq/models/losses.py",
        "squared_hinge_loss",
        "torch.randn(3, 4).requires_grad_(), torch.tensor([[1., -1., -1., -1.]] * 3)",
        "def reference(x, targets):\n    return (1 - x * targets).clamp(min=0).square().mean()",
    ),
]

_HAWQ = "Zhen-Dong/HAWQ"
_QUANT = "utils/quantization_utils/quant_utils.py"
HAWQ = [
    Recipe(_HAWQ, _QUANT, "ste_round", _SPREAD, soft="inputs[0]"),
    Recipe(
        _HAWQ,
        _QUANT,
        "SymmetricQuantFunction",
        f"{_SPREAD}, 4, torch.tensor([0.5, 0.3])",
        soft="inputs[0] / inputs[2].view(-1, 1)",
        setup=_NO_GPU,
    ),
    Recipe(
        _HAWQ,
        _QUANT,
        "AsymmetricQuantFunction",
        f"{_SPREAD}, 4, torch.tensor([0.5, 0.3])",
        soft="inputs[0] / inputs[2].view(-1, 1)",
        setup=_NO_GPU,
    ),
    Recipe(_HAWQ, _QUANT, "transfer_float_averaging_to_int_averaging", _SPREAD + ", 0.01", soft="inputs[0]"),
    Recipe(
        _HAWQ,
        _QUANT,
        "fixedpoint_fn",
        f"{_SPREAD}, 8, 'symmetric', torch.tensor([0.5]), 0, torch.tensor([0.1]), torch.tensor([0.2])",
        soft="inputs[0] / inputs[3]",
        setup=_NO_GPU,
    ),
    Recipe(
        _HAWQ,
        "utils/export/function.py",
        "QuantFunc",
        f"{_SPREAD}, torch.tensor(0.1), torch.tensor(0.), torch.tensor(8.), True, False, 'ROUND'",
    ),
    Recipe(_HAWQ, "utils/export/function.py", "RoundFunc", _SPREAD),
]

_JELLY = "fangwei123456/spikingjelly"
_SURROGATE = "spikingjelly/activation_based/surrogate.py"
_WIDE = "torch.tensor([[0.3, 1.2, -0.4, 0.05], [1.7, -0.2, 0.6, -3.9]])"
_SOFT = {
    "piecewise_quadratic": ("1.0", "torch.where(x.abs() < 1, -0.5 * x * x.abs() + x, 0.5 * x.sign())"),
    "piecewise_exp": ("2.0", "x.sign() * (1 - torch.exp(-2 * x.abs())) / 2"),
    "sigmoid": ("4.0", "torch.sigmoid(4 * x)"),
    "soft_sign": ("2.0", "0.5 * 2 * x / (1 + (2 * x).abs())"),
    "super_spike": ("2.0", ""),
    "atan": ("2.0", "torch.atan(math.pi / 2 * 2 * x) / math.pi"),
    "nonzero_sign_log_abs": ("2.0", "x.sign() * torch.log((2 * x).abs() + 1)"),
    "erf": ("2.0", "-torch.erfc(2 * x) / 2"),
    "piecewise_leaky_relu": ("1.0, 0.01", "torch.where(x.abs() <= 1, x / 2, 0.01 * x)"),
    "squarewave_fourier_series": (
        "3, 8.0",
        "2 / math.pi * sum(torch.sin((2 * i - 1) * 2 * math.pi / 8 * x) / (2 * i - 1) for i in (1, 2))",
    ),
    "s2nn": ("4.0, 1.0", "torch.where(x < 0, torch.sigmoid(4 * x), torch.log((x + 1).abs()))"),
    "q_pseudo_spike": ("2.0", ""),
    "leaky_k_relu": ("0.1, 1.0", "torch.where(x < 0, 0.1 * x, x)"),
    "fake_numerical_gradient": ("0.3", ""),
    "log_tailed_relu": ("0.1", "torch.where(x <= 0, 0.1 * x, torch.where(x <= 1, x, x.clamp(min=1).log()))"),
    "deterministic_pass": ("", "x"),
    "rect": ("1.0", "x.clamp(-0.5, 0.5)"),
}
_ATGF = "spikingjelly/activation_based/quantize.py"
SPIKINGJELLY = [
    *(
        Recipe(
            _JELLY,
            _SURROGATE,
            name,
            ", ".join(filter(None, (_WIDE, more))),
            soft=soft and f"(lambda x: {soft})(inputs[0])",
        )
        for name, (more, soft) in _SOFT.items()
    ),
    Recipe(_JELLY, _SURROGATE, "poisson_pass", "torch.rand(3, 4)", soft="inputs[0]", seed=0),
    Recipe(_JELLY, "spikingjelly/activation_based/model/spike_dhs.py", "dSpike", f"{_WIDE} / 2, 3.0"),
    Recipe(
        _JELLY,
        "spikingjelly/activation_based/examples/cifar10_r11_enabling_spikebased_backpropagation.py",
        "relu",
        _WIDE,
        soft="inputs[0].relu()",
        setup='sys.modules["torch.utils.tensorboard"] = MissingModule("torch.utils.tensorboard")\n',
    ),
    Recipe(_JELLY, _ATGF, "round_atgf", _SPREAD, soft="inputs[0]"),
    Recipe(_JELLY, _ATGF, "ceil_atgf", _SPREAD, soft="inputs[0]"),
    Recipe(_JELLY, _ATGF, "floor_atgf", _SPREAD, soft="inputs[0]"),
    Recipe(
        _JELLY,
        _ATGF,
        "clamp_atgf",
        _SPREAD + ", -1.0, 1.0",
        "def reference(x, low, high):\n    return x.clamp(low, high)",
    ),
    Recipe(_JELLY, _ATGF, "step_quantize_atgf", _SPREAD + ", 0.5", soft="inputs[0]"),
    Recipe(_JELLY, _ATGF, "k_bit_quantize_atgf", "torch.rand(2, 3), 2", soft="inputs[0]"),
    Recipe(
        _JELLY, _ATGF, "multi_level_spike_count_atgf", _SPREAD + ", 4, 0.0, 4.0", soft="inputs[0].clamp(0, 4)"
    ),
    Recipe(
        _JELLY,
        "spikingjelly/activation_based/lava_exchange.py",
        "step_quantize_atgf",
        _SPREAD + ", 0.5",
        soft="inputs[0]",
    ),
    Recipe(
        _JELLY,
        "spikingjelly/activation_based/lava_exchange.py",
        "LeakyIntegratorStep",
        "torch.tensor([3., 5.]), torch.tensor(1024.), torch.tensor([40., 20.]), 64",
        soft="inputs[2] * (1 - inputs[1] / 4096) + inputs[0]",
    ),
    Recipe(
        _JELLY,
        "spikingjelly/activation_based/layer/online_learning.py",
        "ReplaceforGrad",
        "torch.randn(3), torch.randn(3)",
        soft="inputs[0] + inputs[1]",
    ),
    Recipe(
        _JELLY,
        "spikingjelly/activation_based/neuron/dsr.py",
        "DSRIFNode.DSRIFFunction",
        "torch.rand(4, 3), 4, torch.tensor(0.6), 0.5, 1.0",
    ),
    Recipe(
        _JELLY,
        "spikingjelly/activation_based/neuron/dsr.py",
        "DSRLIFNode.DSRLIFFunction",
        "torch.rand(4, 3), 4, torch.tensor(0.6), 2.0, 0.05, 0.3, 1.0",
    ),
    Recipe(
        _JELLY,
        "spikingjelly/activation_based/memopt/checkpointing.py",
        "InputCompressedGC",
        "layer, module.NullSpikeCompressor(), torch.randn(3, 4)",
        "def reference(f, compressor, x):\n    return f(x)",
        after="torch.manual_seed(0)\nlayer = torch.nn.Linear(4, 2).double()",
    ),
    Recipe(
        _JELLY,
        "spikingjelly/activation_based/distributed/tensor_parallel/channel.py",
        "_ColwiseBackwardAllReduce",
        "torch.randn(3), None, 1",
    ),
]

_FAST = "idiap/fast-transformers"
_KERNELS = """\
import types
def fake(name, **kernels):
    module = sys.modules[name] = types.ModuleType(name)
    for kernel, function in kernels.items():  # compiled ones record no graph
        setattr(module, kernel, torch.no_grad()(function))
def causal(Q, K, V, out):
    out.copy_((Q @ K.mT).tril() @ V)
def causal_backward(Q, K, V, grad, grad_Q, grad_K, grad_V):
    scores, d = (Q @ K.mT).tril(), (grad @ V.mT).tril()
    grad_Q.copy_(d @ K), grad_K.copy_(d.mT @ Q), grad_V.copy_(scores.mT @ grad)
fake("fast_transformers.causal_product.causal_product_cpu",
     causal_dot_product=causal, causal_dot_backward=causal_backward)
def gathered(K, topk):
    N, H, S, E = K.shape
    L, k = topk.shape[2:]
    return K.gather(2, topk.reshape(N, H, L * k, 1).expand(-1, -1, -1, E)).view(N, H, L, k, E)
def scattered(grad, topk, into):
    N, H, L, k, E = grad.shape
    into.scatter_add_(2, topk.reshape(N, H, L * k, 1).expand(-1, -1, -1, E), grad.reshape(N, H, L * k, E))
def sparse(Q, K, topk, out):
    out.copy_((Q.unsqueeze(3) * gathered(K, topk)).sum(-1))
def sparse_backward(Q, K, topk, grad, grad_Q, grad_K):
    grad_Q.copy_((grad.unsqueeze(-1) * gathered(K, topk)).sum(3))
    scattered(grad.unsqueeze(-1) * Q.unsqueeze(3), topk, grad_K)
def average(A, V, topk, out):
    out.copy_((A.unsqueeze(-1) * gathered(V, topk)).sum(3))
def average_backward(A, V, topk, grad, grad_A, grad_V):
    grad_A.copy_((grad.unsqueeze(3) * gathered(V, topk)).sum(-1))
    scattered(A.unsqueeze(-1) * grad.unsqueeze(3), topk, grad_V)
none = lambda *_: None
fake("fast_transformers.sparse_product.sparse_product_cpu", sparse_dot_product=sparse,
     sparse_dot_backward=sparse_backward, sparse_weighted_average=average,
     sparse_weighted_average_backward=average_backward)
fake("fast_transformers.sparse_product.clustered_sparse_product_cpu", clustered_sparse_dot_product=none,
     clustered_sparse_dot_backward=none, clustered_sparse_weighted_average=none,
     clustered_sparse_weighted_average_backward=none)
def aggregate(x, clusters, factors, lengths):
    one_hot = torch.nn.functional.one_hot(clusters, factors.shape[-1]).to(x.dtype)
    return one_hot.mT @ x * factors.unsqueeze(-1).to(x.dtype)
def broadcast(y, clusters, counts, factors):
    one_hot = torch.nn.functional.one_hot(clusters, factors.shape[-1]).to(y.dtype)
    return one_hot @ (y * factors.unsqueeze(-1).to(y.dtype))
fake("fast_transformers.aggregate", clustered_aggregate=aggregate, clustered_broadcast=broadcast)
for part in ("attention_registry", "events", "masking", "clustering", "clustering.hamming", "hashing"):
    fake("fast_transformers." + part, cluster=none, compute_hashes=none, EventDispatcher=none,
         FullMask=none, Optional=none, Float=none, Int=none, Bool=none, EventDispatcherInstance=none)
fast = sys.modules["fast_transformers"]
class Registry:
    def __getattr__(self, name):
        return lambda *_, **__: Registry()
registry = sys.modules["fast_transformers.attention_registry"].AttentionRegistry = Registry()
"""
_CLUSTERS = "torch.tensor([[[0, 1, 0, 1, 1]]]), torch.tensor([[[2, 3]]]), torch.tensor([5])"
_TOP = "torch.tensor([[[[0, 2], [1, 0], [2, 1]]]])"
FAST = [
    Recipe(
        _FAST,
        "fast_transformers/causal_product/__init__.py",
        "CausalDotProduct",
        "torch.randn(1, 2, 3, 2), torch.randn(1, 2, 3, 2), torch.randn(1, 2, 3, 4)",
        "def reference(q, k, v):\n    return (q @ k.mT).tril() @ v",
        setup=_KERNELS,
    ),
    Recipe(
        _FAST,
        "fast_transformers/sparse_product/__init__.py",
        "SparseDotProduct",
        f"torch.randn(1, 1, 3, 2), torch.randn(1, 1, 3, 2), {_TOP}",
        "def reference(q, k, top):\n    return (q.unsqueeze(3) * gathered(k, top)).sum(-1)",
        setup=_KERNELS,
    ),
    Recipe(
        _FAST,
        "fast_transformers/sparse_product/__init__.py",
        "SparseWeightedAverage",
        f"torch.randn(1, 1, 3, 2), torch.randn(1, 1, 3, 2), {_TOP}",
        "def reference(a, v, top):\n    return (a.unsqueeze(-1) * gathered(v, top)).sum(3)",
        setup=_KERNELS,
    ),
    Recipe(
        _FAST,
        "fast_transformers/attention/clustered_attention.py",
        "_GroupQueries",
        f"torch.randn(1, 1, 5, 2), {_CLUSTERS}",
        setup=_KERNELS,
    ),
    Recipe(
        _FAST,
        "fast_transformers/attention/clustered_attention.py",
        "_BroadcastValues",
        f"torch.randn(1, 1, 2, 3), {_CLUSTERS}",
        setup=_KERNELS,
    ),
]

ALL = [*PYTORCH_LOSS, *ENTMAX, *TABNET, *HYPERBOLIC, *OTHERS, *TORCHSORT, *BREVITAS, *HAWQ, *SPIKINGJELLY]
ALL += FAST
