"""The conditions under which a Function must give what it always gives, in the order of cause.

Each is a call that is changed in one way: other calls around it, another dtype, other memory, other numbers.
What a later one finds follows from what an earlier one has found, so a search ends at the first that finds
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from vjpcheck.arguments import Arguments, differentiable
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import Request
from vjpcheck.case import Arrays, Case, Look, OfOtherSize, Sample, Trial
from vjpcheck.errors import StudentError, says_what_is_missing, tell
from vjpcheck.mistakes import named
from vjpcheck.naming import by_error
from vjpcheck.naming.wrong_gradient import explain
from vjpcheck.numbers import (
    ALL_DIGITS,
    RELATIVE,
    SINGLE_PRECISION,
    apart,
    arrived,
    close,
    close_in_proportion,
    furthest,
    near,
    ratio,
    told_apart,
)
from vjpcheck.result import Finding
from vjpcheck.samples import constant_along_first_axis, equal_rows, rounded
from vjpcheck.torch_internals import Message
from vjpcheck.truth.native import NativeTruth, Truth

if TYPE_CHECKING:
    from vjpcheck.ask.answers import AfterAStep, Interleaved, Layout, Pullback

# from an array and the true one to the mistake, None if it has no name, and a hint
Cause = Callable[[np.ndarray, np.ndarray], tuple[str | None, str]]
Agree = Callable[[np.ndarray, np.ndarray, float], bool]
Some = Sequence[np.ndarray | None]

CHECK = "gradient"
SIZES = (1e-30, 1e30)  # of cotangents: a pullback is linear, so none is too small or too large to count
LARGE = 1e20
EXPLAINED_AT_MOST = 400  # entries
ROUNDING = 1e-14  # what is left of a number from which a far larger one was subtracted
IN_FLOAT32 = "for float32 inputs"
WHAT: dict[Layout, str] = {
    "strided": "for non-contiguous inputs and cotangents, as after transposing or slicing",
    "expanded": "for expanded inputs and cotangents, as behind sum()",
}

ANY_SIZE = "With which number does backward compare the cotangent? A small gradient counts as well."
BY_SHAPES = "Which value do you store for tensors of a shape? It may depend on the other arguments too."
DIFFERENCE = "Does backward subtract two numbers that are almost equal, as a finite difference does?"
DTYPE = "Which call creates float64 numbers whatever the input is? NumPy's zeros, ones and empty do."
INPUTS = "With which number does your code compare its input, or the gradient?"
IN_PLACE = (
    "Which call makes a copy of an input that is not contiguous? What is written then is not the input."
)
ONE_TENSOR = (
    "The engine adds the gradients of both arguments, whether they are one tensor or two with equal values."
)
OWN_MEMORY = "Which tensor do all calls write into? Each call needs a new one for what it returns."
STORED = (
    "Which value do you store under a tensor, or under its id? The tensor stays the same, its values do not."
)
SUBTRACTED = "Where does backward subtract two numbers that may be far larger than their difference?"
TWICE = "What did the first backward change on ctx or in a saved tensor?"
ZEROS = "Does your code ask whether an argument holds any number but 0? A gradient is due there too."


class Compared(NamedTuple):
    """An array that came back, the true one, what it is in words, and the argument that it belongs to."""

    what: str
    found: np.ndarray | None
    truth: np.ndarray
    input: str | None = None


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A call that is changed in one way, and what it is called if the result is not the true one.

    `given` says what is changed: "for float32 inputs". `compared` takes an answer apart into arrays and true
    ones, of which None stands for zeros; `agree` says whether two are equal, up to a tolerance. `cause` names
    the mistake, `raised` is the one of work that raises, and `also` finds what else an answer shows.
    """

    given: str
    question: Request[Any]
    compared: Callable[[Any], Iterable[Compared]]
    cause: Cause
    check: str = CHECK
    agree: Agree = close
    tolerance: float = RELATIVE
    raised: Callable[[StudentError], str | None] = lambda error: None
    hint: str = ""
    also: Callable[[Any], Iterable[Finding]] = lambda answer: ()

    @property
    def look(self) -> Look:
        """Return what is asked and how the answer is read."""
        return Look([self.question], lambda answers: self.findings(answers[0]))

    def findings(self, answer: Any) -> Iterator[Finding]:
        """Find what is not as it should be; a wrong output comes alone, as all gradients follow from it."""
        if "error" in answer:
            error = answer["error"]
            mixed = Message.ABOUT_DTYPES.find(error["message"])
            told = tell(error, f"{self.given[:1].upper()}{self.given[1:]}, ")
            found = named("wrong-dtype" if mixed else self.raised(error), self.check, None, told)
            yield replace(found, hint=self.hint or found.hint)
            return
        yield from self.also(answer)
        for each in self.compared(answer):
            array = np.zeros_like(each.truth) if each.found is None else each.found
            if self.agree(array, each.truth, self.tolerance):
                continue
            mistake, hint = self.cause(array, each.truth)
            told = f"{each.what} is wrong {self.given}: {_difference(array, each.truth)}."
            finding = named(mistake, self.check, each.input, told)
            yield replace(finding, hint=hint or self.hint or finding.hint)
            if each.input is None:
                return


def _difference(found: np.ndarray, truth: np.ndarray) -> str:
    if found.shape != truth.shape:
        return f"it has shape {found.shape} and should have {truth.shape}"
    entry = furthest(found, truth)
    one, other = told_apart(float(found[entry]), float(truth[entry]))
    return f"entry {list(entry)} is {one} and should be {other}"


def always(mistake: str | None, hint: str = "") -> Cause:
    """Return a cause that is the same whatever the difference is."""
    return lambda found, truth: (mistake, hint)


def of_lost_digits(found: np.ndarray, truth: np.ndarray) -> tuple[str | None, str]:
    """Return the cause of what is right in float64."""
    return ("not-precise", DIFFERENCE) if np.isfinite(found).all() else ("not-finite", "")


def raised_by_state(error: StudentError) -> str | None:
    """Return the mistake of backward that raises where it did not before."""
    if Message.SAVED_AND_OVERWRITTEN.find(error["message"]):
        return "mutates-saved-tensor"
    again = "second" in error["during"]
    if again and (says_what_is_missing(error) or "None" in error["message"]):
        return "deletes-context-state"
    return "state-on-class" if error["during"].startswith("backward") else None


def in_float32(arrays: Some) -> Arrays:
    """Return arrays of float32; None stays."""
    return [None if array is None else array.astype(np.float32) for array in arrays]


def wrong_positions(case: Case, found: Some, truths: Some) -> list[int]:
    """Return the positions at which a gradient differs from the truth; None stands for zeros."""
    pairs = enumerate(zip(found, truths, strict=True))
    return [place for place, (g, t) in pairs if t is not None and not arrived(g, t, case.spec.tolerance)]


def before_gradcheck(case: Case) -> Iterator[Look]:
    """Yield the conditions of state, then those of precision, which gradcheck would stumble over."""
    yield _interleaved(case)
    rows = (_after_a_step, _with_other_constants, _in_single_precision, _hard_in_float32)
    yield from (condition.look for row in rows for condition in row(case))


def behind_gradcheck(case: Case) -> Iterator[Look]:
    """Yield the conditions of memory, then those of sizes."""
    rows = (_layouts, _one_tensor_twice, _cotangents_of_other_sizes, _of_other_sizes)
    yield from (condition.look for row in rows for condition in row(case))
    yield _compared_once(case)


def _row(
    case: Case,
    sample: Sample,
    question: Request[Any],
    cotangents: Some = (),
    truth: Callable[[Any], Truth] | None = None,
    **rest: Any,
) -> Condition:
    """Return the condition in which outputs and gradients are those of the sample, or those of a truth."""

    def compared(answer: Any) -> Iterator[Compared]:
        true = truth(answer) if truth else sample.truth
        for output, expected in zip(answer.get("outputs", ()), true.outputs, strict=False):
            yield Compared("The output", output, expected)
        if "gradients" in answer:
            gradients = true.vjp(sample.all_required, cotangents)
            yield from _gradients(case, answer["gradients"], gradients)

    standing = {"compared": compared, "tolerance": case.spec.tolerance}
    return Condition(question=question, **{**standing, **rest})


def _gradients(case: Case, found: Arrays, truths: Arrays) -> Iterator[Compared]:
    for place, (gradient, truth) in enumerate(zip(found, truths, strict=True)):
        if truth is not None:
            yield Compared(f"The gradient for {case.name(place)}", gradient, truth, case.name(place))


def _interleaved(case: Case) -> Look:
    """Put other calls between forward and backward, then run backward a second time."""
    tried = [
        (sample, between, case.random_cotangents(sample))
        for place, sample in enumerate(case.samples)
        for between in _between(case, sample, place)
    ]
    questions = [requests.interleaved(sample.arguments, between, given) for sample, between, given in tried]

    def read(answers: Sequence[Interleaved]) -> Iterator[Finding]:
        pairs = zip(tried, answers, strict=True)
        found = [_of_state(case, sample, given, answer) for (sample, _, given), answer in pairs]
        yield from sorted(filter(None, found), key=lambda finding: finding.mistake is None)[:1]

    return Look(questions, read)


def _between(case: Case, sample: Sample, place: int) -> list[list[Arguments]]:
    """Return calls with other shapes and one with the same: the last one overwrites state.

    Both orders for the first sample, one or the other, in turn, for those behind it. Of the others, the last
    has the fewest sizes in common with the sample.
    """
    others = [other.arguments for other in case.samples if other is not sample]
    others.sort(key=lambda other: -_alike(sample.arguments, other))
    orders = [[sample.others, *others], [*others, sample.others]]
    return orders if place == 0 else [orders[place % 2]]


def _alike(one: Arguments, other: Arguments) -> int:
    """Return how many sizes of axes two samples have in common, by the places of the axes."""
    return sum(
        size == its
        for a, b in zip(one, other, strict=False)
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        for size, its in zip(a.shape, b.shape, strict=False)
    )


def _of_state(case: Case, sample: Sample, given: Arrays, answer: Interleaved) -> Finding | None:
    if "error" in answer:
        return named(raised_by_state(answer["error"]), CHECK, None, tell(answer["error"]))
    names = [f"output {place}" for place in answer["outputs_overwritten"]]
    names += [f"the gradient for {case.name(place)}" for place in answer["gradients_overwritten"]]
    if names:
        told = f"A later call writes into what an earlier one has returned: {' and '.join(names)}."
        return replace(named("state-on-class", CHECK, None, told), hint=OWN_MEMORY)
    truths = sample.truth.vjp(sample.all_required, given)
    if wrong := wrong_positions(case, answer["first"], truths):
        name = case.name(wrong[0])
        told = f"The gradient for {name} is wrong if another call happens between forward and backward."
        return named("state-on-class", CHECK, name, told)
    if wrong_positions(case, answer["second"], truths):
        told = "A second backward pass over the same graph gives a different gradient."
        return Finding(CHECK, told, "mutates-saved-tensor", None, TWICE)
    return None


def _after_a_step(case: Case) -> Iterator[Condition]:
    """Call twice with the same tensors, which are changed in between as an optimiser changes parameters."""
    if case.spec.observe is not None:
        return
    sample = case.samples[0]
    cotangents = case.random_cotangents(sample)
    floats = [place for place, argument in enumerate(sample.arguments) if differentiable(argument)]
    tried = [floats] if len(floats) == 1 else [floats, floats[:1]]
    # the inputs of a Function that is not known may have to keep an order
    for later in (_step(sample, turned) for turned in ([[]] if case.spec.given is not None else tried)):
        yield _row(
            case,
            sample,
            requests.after_a_step(sample.arguments, later, cotangents),
            cotangents,
            partial(_at, sample, later),
            given="in a second call with the same tensors, whose values were changed in place",
            cause=always("state-on-class"),
            hint=STORED,
            also=_generators_moved,
        )


def _at(sample: Sample, arguments: Arguments, answer: Any) -> Truth:
    return sample.truth.at(arguments)


def _step(sample: Sample, turned: Sequence[int]) -> Arguments:
    """Return what the tensors hold after a step, those at some positions turned round.

    What all samples share, a pattern of signs for instance, is another one then. So is the sign of a product
    where one of its factors is turned round.
    """
    later = [*sample.arguments]
    for place, other in enumerate(sample.others):
        if differentiable(other):
            values = np.asarray(other)
            later[place] = np.asarray(np.flip(values)) if place in turned else values
    return tuple(later)


def _generators_moved(answer: AfterAStep) -> Iterator[Finding]:
    for owner in answer["generators"]:
        yield Finding(CHECK, f"The state of {owner}'s random number generator is different after a call.")


def _with_other_constants(case: Case) -> Iterator[Condition]:
    """Call with tensors of the same shapes and other numbers, axes or indices: a cache by shapes is wrong."""
    for sample in case.samples if case.spec.observe is None else []:
        pairs = zip(sample.arguments, sample.others, strict=True)
        if any(repr(one) != repr(other) for one, other in pairs if not differentiable(one)):
            yield _row(
                case,
                sample,
                requests.forward(sample.others),
                truth=partial(_at, sample, sample.others),
                given="in a later call with tensors of the same shapes and other arguments beside them",
                cause=always("state-on-class"),
                hint=BY_SHAPES,
            )


def _in_single_precision(case: Case) -> Iterator[Condition]:
    for sample in case.single_precision:
        trial = next(trial for trial in case.trials if trial.sample is sample)
        cotangents = in_float32(trial.cotangents)
        yield Condition(
            given=IN_FLOAT32,
            question=requests.vjp(sample.in_single_precision(), trial.requires, cotangents),
            compared=partial(_of_rounded, case, trial, cotangents),
            cause=of_lost_digits,
            tolerance=SINGLE_PRECISION,
            also=partial(_in_another_dtype, case, trial),
        )


def _of_rounded(case: Case, trial: Trial, cotangents: Arrays, answer: Pullback) -> Iterator[Compared]:
    """Compare with the true gradients where the inputs have the numbers that float32 can hold.

    Our own samples are small enough to be rounded without a difference that counts. Random numbers drawn in
    forward may depend on the dtype.
    """
    if case.spec.observe is not None:
        return
    truths = trial.truths
    if case.spec.given is not None:
        exact = [c if c is None else c.astype(float) for c in cotangents]
        truths = trial.sample.truth.at(rounded(trial.sample.arguments)).vjp(trial.requires, exact)
    yield from _gradients(case, answer["gradients"], truths)


def _in_another_dtype(case: Case, trial: Trial, answer: Pullback) -> Iterator[Finding]:
    """Find gradients of float32 inputs in another dtype: the texts ask for results in that of the inputs.

    Autograd converts them silently, so this is nothing to accuse a Function of one's own of.
    """
    pairs = zip(trial.requires, answer["returned"] or [], strict=False)
    for place, (asked, value) in enumerate(pairs if case.spec.given is None else ()):
        if asked and value["dtype"] not in (None, "float32"):
            name = case.name(place)
            told = f"The gradient for {name} has dtype {value['dtype']}, but {name} has dtype float32."
            yield replace(named("wrong-dtype", CHECK, name, told), hint=DTYPE)


def _hard_in_float32(case: Case) -> Iterator[Condition]:
    for told, sample, *_ in case.hard_in_float32:
        cotangents = in_float32(case.random_cotangents(sample))
        question = requests.gradients_alone(sample.in_single_precision(), sample.all_required, cotangents)
        yield _row(
            case,
            sample,
            question,
            cotangents,
            given=f"{IN_FLOAT32} {told}",
            cause=of_lost_digits,
            tolerance=SINGLE_PRECISION,
        )


def _layouts(case: Case) -> Iterator[Condition]:
    """Try each drawn sample with other strides, and once with rows that share the memory of one row.

    PyTorch passes tensors as they are: a transposed weight, every second row, or the expanded cotangent
    behind a `sum()`. What works in place may change a copy of such an input.
    """
    *drawn, _ = case.samples
    tried: list[tuple[Layout, Sample, Arrays]] = [("strided", s, case.random_cotangents(s)) for s in drawn]
    for sample in _expanded(case):
        equal = [c if c is None or c.ndim == 0 else equal_rows(c) for c in case.random_cotangents(sample)]
        tried.append(("expanded", sample, equal))
    questions: list[tuple[Layout, Sample, Some, Request[Any]]] = [
        ("strided", sample, (), requests.forward(sample.arguments, "strided")) for sample in drawn
    ]
    for layout, sample, given in tried:
        question = requests.vjp(sample.arguments, sample.all_required, given, layout=layout)
        questions.append((layout, sample, given, question))
    for layout, sample, cotangents, question in questions:
        yield _row(
            case,
            sample,
            question,
            cotangents,
            partial(_observed, case, sample),
            given=WHAT[layout],
            cause=always("assumes-contiguous"),
            raised=lambda error: "assumes-contiguous",
            also=partial(_not_modified, case),
        )


def _not_modified(case: Case, answer: Any) -> Iterator[Finding]:
    for name in case.spec.modifies:
        if case.spec.parameters.index(name) not in answer.get("changed", range(len(case.spec.parameters))):
            told = f"forward does not change {name} itself {WHAT['strided']}."
            yield Finding(CHECK, told, "assumes-contiguous", name, IN_PLACE)


def _observed(case: Case, sample: Sample, answer: Any) -> Truth:
    """Return the truth with the random numbers that show in the outputs or the gradients.

    What is drawn in forward may depend on the memory layout. That all is 0 says nothing of it: the first
    sample stands for itself, as it has more entries than could be dropped by chance.
    """
    arrays = [a for a in answer.get("outputs", answer.get("gradients")) if a is not None]
    if case.spec.observe is None or (sample is case.samples[0] and not any(a.any() for a in arrays)):
        return sample.truth
    return NativeTruth(case.spec.library, case.spec.forward, case.spec.observe(sample.arguments, arrays))


def _expanded(case: Case) -> Iterator[Sample]:
    """Yield a sample with equal rows; if entries must differ, only the cotangents have equal rows."""
    first = case.samples[0]
    if case.spec.observe is not None:
        return  # the truth is read off the outputs
    if any(array.distinct for array in case.spec.domain.arrays):
        yield first
        return
    arguments = tuple(constant_along_first_axis(first.arguments))
    yield Sample(arguments, first.truth.at(arguments), first.others)


def _one_tensor_twice(case: Case) -> Iterator[Condition]:
    """Give the Function one tensor for all arguments that have one shape in a sample, as in x * x.

    The engine then adds what backward returns for each of them.
    """
    if case.one_tensor_twice is None:
        return
    same, sample = case.one_tensor_twice
    requires, cotangents = sample.all_required, case.random_cotangents(sample)
    *others, last = [case.name(place) for place in same]

    def compared(answer: Any) -> Iterator[Compared]:
        truths = sample.truth.vjp(requires, cotangents)
        whole = np.sum([cast(np.ndarray, truths[place]) for place in same], axis=0)
        expected = [whole if place in same else truth for place, truth in enumerate(truths)]
        yield from _gradients(case, answer["gradients"], expected)

    yield _row(
        case,
        sample,
        requests.gradients_alone(sample.arguments, requires, cotangents, same),
        given=f"where {', '.join(others)} and {last} are one tensor",
        compared=compared,
        cause=lambda found, truth: (None if ratio(found, truth) is None else "wrong-factor", ""),
        hint=ONE_TENSOR,
    )


def _cotangents_of_other_sizes(case: Case) -> Iterator[Condition]:
    """Multiply the cotangents by a number, or one of their entries.

    What iterates until its changes are small may be as wrong as the tolerance allows, whatever the size.
    """
    trial = next(trial for trial in case.trials if trial.complete)
    # a gradient that is chosen by hand need not be linear
    cause = always("gradient-nonlinear" if case.spec.pullback is None else None, ANY_SIZE)
    for size in SIZES if case.spec.tolerance <= RELATIVE else ():
        cotangents = [None if c is None else c * size for c in trial.cotangents]
        given = f"for cotangents {size:g} times as large"
        yield _of_numbers(case, trial.sample, cotangents, given, cause, close_in_proportion)
    # of what is asked to the last digit no entry mixes with others
    for place in (0, -1) if case.spec.tolerance <= ALL_DIGITS else ():
        uneven = [None if c is None else _with_one_large(c, place) for c in trial.cotangents]
        given = f"for a cotangent with one entry of {LARGE:g}"
        yield _of_numbers(case, trial.sample, uneven, given, cause, _entry_by_entry)


def _with_one_large(cotangent: np.ndarray, place: int) -> np.ndarray:
    uneven = cotangent.copy()
    uneven.flat[place] = LARGE
    return uneven


def _entry_by_entry(found: np.ndarray, truth: np.ndarray, relative: float) -> bool:
    return near(found, truth, 1e-6, 1e-12)  # a sum of ordinary numbers may cancel by some digits


def _of_other_sizes(case: Case) -> Iterator[Condition]:
    """Give the Function inputs of other sizes: it has the limits of its formula, and no others."""
    for given, sample, small, hint in case.of_other_sizes:
        cotangents = case.random_cotangents(sample)
        if sample.entries > EXPLAINED_AT_MOST:  # a reason among so many entries takes minutes, and is false
            yield _of_numbers(case, sample, cotangents, f"for {given}", always(None, hint))
        elif not hint:
            zeros = any(isinstance(a, np.ndarray) and not a.any() for a in sample.arguments)
            agree = close_in_proportion if small and not zeros else close
            yield _of_numbers(
                case, sample, cotangents, f"for {given}", _of_zeros if zeros else _blocked, agree
            )


def _blocked(found: np.ndarray, truth: np.ndarray) -> tuple[str | None, str]:
    """Name a gradient that is blocked where it should pass, and right elsewhere."""
    return ("wrong-mask" if (found[apart(found, truth)] == 0).all() else None), INPUTS


def _of_zeros(found: np.ndarray, truth: np.ndarray) -> tuple[str | None, str]:
    """Name a gradient that does not arrive."""
    return (None if found.any() else "missing-gradient"), ZEROS


def _of_numbers(
    case: Case, sample: Sample, cotangents: Arrays, given: str, cause: Cause, agree: Agree = close
) -> Condition:
    largest = max((float(np.abs(c).max(initial=0.0)) for c in cotangents if c is not None), default=0.0)

    def finite_first(found: np.ndarray, truth: np.ndarray) -> tuple[str | None, str]:
        if not np.isfinite(found).all():
            return "not-finite", ""
        if near(found, truth, 0.0, ROUNDING * largest):
            return "not-precise", SUBTRACTED
        return cause(found, truth)

    question = requests.gradients_alone(sample.arguments, sample.all_required, cotangents)
    return _row(case, sample, question, cotangents, given=given, cause=finite_first, agree=agree)


def _compared_once(case: Case) -> Look:
    """Look at the further samples, and explain the first wrong gradient like that of any other."""
    further = (o for o in case.of_other_sizes if o.hint and o.sample.entries <= EXPLAINED_AT_MOST)
    tried = [(other, case.random_cotangents(other.sample)) for other in further]

    def read(answers: Sequence[Pullback]) -> Iterator[Finding]:
        pairs = zip(tried, answers, strict=True)
        found = ([*_explained(case, *one, answer)] for one, answer in pairs)
        yield from next(filter(None, found), [])

    questions = [
        requests.vjp(other.sample.arguments, other.sample.all_required, cotangents)
        for other, cotangents in tried
    ]
    return Look(questions, read)


def _explained(case: Case, other: OfOtherSize, cotangents: Arrays, answer: Pullback) -> Iterator[Finding]:
    if "error" in answer:
        found = by_error.finding(CHECK, answer["error"], answer["saves"], other.sample)
        told = tell(answer["error"], f"For {other.told}, ")
        yield replace(found, message=told, hint=found.hint or other.hint)
        return
    trial = Trial(other.sample, other.sample.all_required, cotangents, answer)
    wrong = [(trial, place) for place in wrong_positions(case, answer["gradients"], trial.truths)]
    among_others = copy(case)
    among_others.trials = [trial, *case.trials]
    for finding in explain(among_others, wrong) if wrong else ():
        told = f"For {other.told}: {finding.message}"
        yield replace(finding, message=told, hint=finding.hint if finding.mistake else other.hint)
