"""Judges ScaledLinear: what it registers, its numbers for a drawn state, and its repr."""

import math
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from autograder.tasks.findings import difference, disturbed, few_digits, gradient_finding, raised, wrong
from autograder.tasks.inputs import drawn
from autograder.tasks.scaled_linear.probe import Probe, Registrations, ReprAnswer, Run
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.errors import tell
from vjpcheck.numbers import EXACT, arrived, close
from vjpcheck.result import Finding

IN, OUT, ROWS = 3, 2, 4
SIZES = ((IN, OUT), (1, 4))
REGISTER_NONE = "Which method of nn.Module takes a name and a parameter that may be None?"
REQUIRES_GRAD = "What does an optimiser do with a parameter that does not require grad?"
OF_ITS_OWN = "Each module needs tensors of its own. Which line makes them, and how often does it run?"
NOW = "Which value does forward multiply by, and when was it read from the buffer?"
TERMS = "Which terms of the output are multiplied by scale?"
NOT_NOW = "forward does not use the scale of the moment."
NEW = "Which tensor of the module is not made in torch's default dtype?"
# outputs that must equal the first one, and the message and mistake if one differs
SAME = {
    "reloaded": ("A second module with the state_dict of the first gives a different output.", None),
    "again": (
        "A module gives a different output after another module was created and called.",
        "state-on-class",
    ),
    "evaluated": ("In evaluation mode the output differs.", "forward-value"),
}
BUFFER = "Which method makes a tensor part of state_dict and .to() but not a parameter?"
PARAMETER = "Which class makes a tensor a parameter when it is assigned to the module?"


def _registered(probe: ProbeClient, _: np.random.Generator, bias: bool) -> Iterator[Finding]:
    answers = probe.each(Probe.registered, [(*sizes, bias) for sizes in SIZES])
    for sizes, module in zip(SIZES, answers, strict=True):
        yield from _of_sizes(module, *sizes, bias)


def _of_sizes(module: Registrations, ins: int, outs: int, bias: bool) -> Iterator[Finding]:
    words = f"ScaledLinear({ins}, {outs}, {bias})"
    if "error" in module:
        yield raised(module["error"], words)
        return
    yield from disturbed(module["changes"], words)
    yield from _names(module, {"weight": [outs, ins]} | ({"bias": [outs]} if bias else {}), words)
    for name in module["frozen"]:
        yield wrong(f"The parameter {name} does not require grad.", "missing-gradient", name, REQUIRES_GRAD)
    if not bias and "bias" not in module["none"]:
        message = f"{words} has not registered bias as None, so the module does not list it."
        yield wrong(message, None, "bias", REGISTER_NONE)


def _names(module: Registrations, expected: dict[str, list[int]], words: str) -> Iterator[Finding]:
    for name, shape in expected.items():
        if name in module["plain"]:
            message = f"{name} is a plain attribute ({module['plain'][name]}), so no optimiser updates it."
            yield wrong(f"In {words}, {message}", None, name, PARAMETER)
        elif name in module["buffers"]:
            yield wrong(f"In {words}, {name} is a buffer, so no optimiser updates it.", None, name, PARAMETER)
        elif name not in module["parameters"]:
            listing = ", ".join(module["parameters"]) or "none"
            yield wrong(f"{words} has no parameter {name}; its parameters: {listing}.", None, name, PARAMETER)
        elif module["parameters"][name] != shape:
            actual = tuple(module["parameters"][name])
            yield wrong(
                f"In {words}, {name} has shape {actual}; it should be {tuple(shape)}.", "wrong-shape", name
            )
    for name in module["parameters"]:
        if name == "scale":
            message = f"In {words}, scale is a parameter: module.parameters() gives it to the optimiser."
            yield wrong(message, None, name, BUFFER)
        elif name not in expected:
            yield wrong(f"{words} has a parameter {name} that the exercise does not ask for.", None, name)


def _buffer(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    module, second, without_bias = probe.each(
        Probe.registered, [*((*sizes, True) for sizes in SIZES), (IN, OUT, False)]
    )
    if "scale" in module["plain"]:
        message = f"scale is a plain attribute ({module['plain']['scale']})"
        yield wrong(f"{message}: state_dict and .to() do not include it.", None, "scale", BUFFER)
    elif "scale" not in module["buffers"]:
        listing = ", ".join(module["buffers"]) or "none"
        yield wrong(f"There is no buffer scale; the buffers: {listing}.", None, "scale", BUFFER)
    elif "scale" not in module["saved"]:
        yield wrong("The buffer scale is not part of state_dict.", None, "scale", "Is it persistent?")
    for (ins, outs), one in zip(SIZES, (module, second), strict=True):
        shape = tuple(one["buffers"].get("scale", ()))
        if math.prod(shape) not in (1, outs):
            message = f"In ScaledLinear({ins}, {outs}, True), scale has shape {shape}"
            yield wrong(f"{message}: it should be one number, or one per output.", None, "scale")
    for name in module["shared"]:
        message = f"Two modules have {name} in the same memory: load_state_dict on one changes the other."
        yield wrong(message, "state-on-class", name, OF_ITS_OWN)
    for name, dtype in module["dtypes"].items():
        if dtype != "float64" and name in ("weight", "bias", "scale"):
            yield wrong(f"After .to(torch.float64), {name} is still {dtype}.", "wrong-dtype", name)
    yield from _numbers(probe, generator, "state", [module, without_bias])


def _forward(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    modules = _modules(probe)
    for module in modules:
        if module["single"] not in ("", "float32"):
            message = f"A float32 input of a new module gives an output of dtype {module['single']}"
            yield wrong(f"{message}: it should be float32.", "wrong-dtype", None, NEW)
            break
    yield from _numbers(probe, generator, "forward", modules)


def _gradient(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    yield from _numbers(probe, generator, "gradient", _modules(probe))


def _modules(probe: ProbeClient) -> list[Registrations]:
    """Return the registrations of a module with a bias, and of one without."""
    return probe.each(Probe.registered, [(IN, OUT, bias) for bias in (True, False)])


def _numbers(
    probe: ProbeClient, generator: np.random.Generator, of: str, modules: Sequence[Registrations]
) -> Iterator[Finding]:
    shapes = (ROWS, IN), (ROWS, OUT)
    calls: list[Any] = [
        ((IN, OUT), _state(module, generator), *drawn(generator, *shapes, planted=planted))
        for planted in (False, True)
        for module in modules
    ]
    # one output of one row, from a bias of 0
    single = {
        name: array[:1] if array.ndim else array for name, array in _state(modules[0], generator).items()
    }
    single |= {"bias": np.zeros(1)} if "bias" in single else {}
    calls.append(((IN, 1), single, *drawn(generator, (1, IN), (1, 1))))
    answers = probe.each(Probe.run, calls)
    for (sizes, state, x, g), answer in zip(calls, answers, strict=True):
        if answer["output"] is None:
            if of != "state" or answer["error"]["during"] != "forward":  # the check of forward reports that
                yield raised(answer["error"], f"ScaledLinear({sizes[0]}, {sizes[1]}, {'bias' in state})")
            return
        leaves = {"x": x, **{n: a for n, a in state.items() if n != "scale"}}
        tensors = {name: torch.tensor(array, requires_grad=True) for name, array in leaves.items()}
        scale = torch.tensor(state.get("scale", np.asarray(1.0)))
        plain = torch.nn.functional.linear(tensors["x"], tensors["weight"], tensors.get("bias"))
        truth = plain * scale
        if of == "forward":
            yield from disturbed(answer["changes"], f"an x of shape {x.shape}")
            yield from _output(answer["output"], truth.detach().numpy(), plain.detach().numpy(), state)
        elif of == "gradient":
            if "error" in answer and not answer["gradients"]:
                yield raised(answer["error"])
                return
            gradients = torch.autograd.grad(truth, [*tensors.values()], torch.tensor(g))
            for name, gradient in zip(tensors, gradients, strict=True):
                observed = answer["gradients"].get(name)
                if not arrived(observed, gradient.numpy(), EXACT):
                    yield gradient_finding(f"The gradient for {name}", observed, gradient.numpy(), name)
            yield from disturbed(answer["changes"], f"an x of shape {x.shape}")
        elif "error" in answer:
            yield wrong(tell(answer["error"]))
        else:
            yield from _of_other_states(answer, answer["output"])


def _of_other_states(answer: Run, output: np.ndarray) -> Iterator[Finding]:
    for name, (message, mistake) in SAME.items():
        result: np.ndarray | None = answer[name]  # type: ignore[literal-required]
        if result is not None and not close(result, output):
            yield wrong(f"{message} {difference(result, output)}", mistake)
    if answer["without_scale"] is not None and answer["without_scale"].any():
        message = "After load_state_dict with a scale of 0 the output is not 0."
        same = close(answer["without_scale"], output)
        yield wrong(f"{message} {NOT_NOW * same}".strip(), "forward-value", "scale", NOW if same else TERMS)
    if answer["written"] is not None and not close(answer["written"], output):
        message = "After scale.copy_(value) the output is not the one with this scale"
        yield wrong(f"{message}: {NOT_NOW}", "forward-value", "scale", NOW)


def _state(module: Registrations, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """Return a value for each required tensor that the module saves."""
    scale = tuple(module["buffers"].get("scale", ()))
    shapes = {"weight": (OUT, IN), "bias": (OUT,), "scale": scale if math.prod(scale) <= OUT else ()}
    names = [name for name in shapes if name in module["saved"]]
    names = [name for name in names if name in (*module["parameters"], *module["buffers"])]
    return dict(zip(names, drawn(generator, *(shapes[name] for name in names)), strict=True))


def _output(
    output: np.ndarray, truth: np.ndarray, plain: np.ndarray, state: dict[str, np.ndarray]
) -> Iterator[Finding]:
    if output.shape != truth.shape:
        yield wrong(f"The output has shape {output.shape}; it should be {truth.shape}.", "forward-value")
    elif close(output, truth, EXACT):
        return
    elif close(output, plain):
        message = "The output is linear(x) without the product with the current buffer scale"
        yield wrong(f"{message} ({state['scale'].ravel()[0]:.3g}).", "forward-value", "scale")
    elif "bias" in state and close(output, truth + (1 - state["scale"]) * state["bias"]):
        message = "The bias is added after the product with scale; it belongs to linear(x) before it."
        yield wrong(message, "forward-value", "bias")
    elif few := few_digits("The output", output, truth):
        yield wrong(few[1], few[0])
    else:
        yield wrong(f"The output differs from linear(x)·scale: {difference(output, truth)}", "forward-value")


def _extra_repr(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
    sizes = ((17, 23), (29, 19))
    for pair, answer in zip(sizes, probe.each(Probe.shown, sizes), strict=True):
        yield from _sizes_in_repr(answer, *pair)


def _sizes_in_repr(answer: ReprAnswer, ins: int, outs: int) -> Iterator[Finding]:
    if "error" in answer:
        yield raised(answer["error"])
        return
    text = answer["extra_repr"]
    numbers = re.findall(r"\d+", text)
    labelled = dict(re.findall(r"(in|out)(?:_features)?\s*[=:]?\s*(\d+)", text))
    sizes = {"in_features": str(ins), "out_features": str(outs)}
    missing = [name for name, size in sizes.items() if size not in numbers]
    sentence = f"ScaledLinear({ins}, {outs}, True) has the repr {' '.join(answer['shown'].split())[:100]}"
    in_order = [n for n in numbers if n in sizes.values()][:1] == [str(ins)]
    if not answer["own"]:
        yield wrong("repr(module) does not show the sizes: extra_repr is not written.")
    elif missing:
        yield wrong(f"{sentence}, without {' and '.join(missing)}.")
    elif labelled != {"in": str(ins), "out": str(outs)} if len(labelled) == 2 else not in_order:
        yield wrong(f"{sentence}: in_features and out_features are swapped.")
    elif "".join(text.split()) not in "".join(answer["shown"].split()):  # several lines are indented
        yield wrong("repr(module) does not contain the result of extra_repr.")


CHECKS = {
    "parameters": partial(_registered, bias=True),
    "buffer": _buffer,
    "forward": _forward,
    "gradient": _gradient,
    "without bias": partial(_registered, bias=False),
    "extra_repr": _extra_repr,
}
