"""The names that course work needs, as allow-lists: modules and their names, attributes, builtins.

None of them leads to the code of others, to the interpreter, to a file's code or to native autograd. An
exercise lists further needs in its `may_use`, such as native autograd where its text allows it.
"""

from __future__ import annotations

import builtins
import collections
import fractions
import importlib
import sys
import types
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import torch

from autograder.exercise import MayUse
from vjpcheck import torch_internals

_EXCEPTIONS = (e for e in vars(builtins).values() if isinstance(e, type) and issubclass(e, BaseException))
BUILTINS = frozenset(e.__name__ for e in _EXCEPTIONS) | frozenset(
    """
    Ellipsis NotImplemented __name__ abs all any bin bool bytearray bytes callable chr classmethod complex
    dict display divmod enumerate filter float format frozenset getattr hasattr hash id int isinstance
    issubclass iter len list map max min next object ord pow print property range repr reversed round set
    slice sorted staticmethod str sum super tuple type zip
    """.split()  # noqa: SIM905 - a table of words
)
# these names stand for reflection, even if a notebook binds them
REFLECTION = frozenset(
    """
    __builtins__ __import__ __loader__ __spec__ breakpoint compile copyright credits delattr eval exec exit
    get_ipython globals help license locals memoryview open quit setattr vars
    """.split()  # noqa: SIM905
)
DUNDERS = frozenset(
    f"__{name}__"
    for name in """
    abs add all and bool call constants contains copy deepcopy doc enter eq exit float floordiv ge
    getitem gt hash iadd imul index init int invert isub iter itruediv le len lt matmul mod mul name ne
    neg new next or pos post_init pow qualname radd repr reversed rmatmul rmul rpow rsub rtruediv
    setitem slots str sub truediv version xor
    """.split()  # noqa: SIM905
)
# methods and attributes of ctx, of the results of PyTorch's and SciPy's functions, of modules and of nodes
_ATTRIBUTES = frozenset(
    """
    save_for_backward saved_tensors needs_input_grad mark_dirty mark_non_differentiable save_for_forward
    set_materialize_grads values indices eigenvalues eigenvectors Q R U S V Vh L P LU pivots sign
    logabsdet solution residuals rank singular_values mode count counts inverse apply forward
    setup_context weight bias in_features out_features register_parameter register_buffer
    reset_parameters extra_repr training train eval parameters buffers state_dict load_state_dict eps
    max min tiny resolution smallest_normal bits toarray todense tocsr tocsc tocoo nnz get_state
    set_state manual_seed initial_seed seed warn message args add_note resolve_name debug info setLevel
    write flush getvalue getLogger DEBUG keep operands partials standard_normal normal uniform integers
    choice permutation shuffle random at outer reduce accumulate reduceat cache_clear cache_info maxlen
    sample gauss _asdict _fields _make _replace numerator denominator batch_size randomness in_dims
    Multiply Exp TakeRows Reorder AddBias ScaleAndShift Linear Relu
    """.split()  # noqa: SIM905
)
_OF = (
    torch.Tensor, torch.Size, torch.dtype, torch.device, torch.Generator, np.ndarray, np.generic, np.dtype,
    str, list, dict, set, frozenset, tuple, int, float, range, slice, collections.deque,
    collections.Counter, collections.defaultdict, collections.OrderedDict, fractions.Fraction,
)  # fmt: skip
# public attributes of those types that run autograd, or reach memory or files
_FORBIDDEN_ATTRIBUTES = frozenset(
    """
    as_subclass backward ctypes data_ptr dump dumps from_bytes getfield grad_fn map2_ metadata module_load
    register_hook register_post_accumulate_grad_hook retain_grad setfield setflags share_memory_ storage
    tofile to_device untyped_storage
    """.split()  # noqa: SIM905
)
# types whose attributes' names the notebook's own attributes must not have
_OF_THE_INTERPRETER = (
    type, types.FunctionType, types.CodeType, types.FrameType, types.GeneratorType, types.CoroutineType,
    types.AsyncGeneratorType, types.TracebackType, types.ModuleType, types.MethodType, BaseException,
    *(base for base in torch.autograd.Function.__mro__ if base.__module__ == "torch._C"),
    torch.Tensor, np.ndarray,
)  # fmt: skip

# modules of the standard library that hold plain functions and classes alone
_LEAD_NOWHERE = {"bisect", "heapq", "math", "numbers"}

# the allowed names of each module; "*" stands for its public functions and classes
_MODULES: dict[str, str] = {
    "__future__": "annotations",
    "abc": "ABC abstractmethod",
    "autograder": "check grade exercises",
    "autograder.exercises": "eight_bugs",
    "autograder.exercises.eight_bugs": "*",
    "vjpcheck": "diagnose mistakes",
    "vjpcheck.mistakes": "*",
    "bisect": "*",
    "collections": "*",
    "collections.abc": "*",
    "contextlib": "ExitStack contextmanager nullcontext suppress",
    "copy": "copy deepcopy",
    "course": "engine",
    "course.engine": "*",
    "dataclasses": "dataclass field replace asdict astuple",
    "fractions": "Fraction",
    "functools": "cache cached_property lru_cache partial reduce total_ordering update_wrapper wraps",
    "heapq": "*",
    "itertools": "*",
    "logging": "DEBUG INFO WARNING debug getLogger info warning",
    "math": "*",
    "numbers": "*",
    "numpy": "*",
    "numpy.lib": "stride_tricks",
    "numpy.lib.stride_tricks": "broadcast_to sliding_window_view",
    "numpy.linalg": "*",
    "numpy.random": "Generator default_rng",
    "numpy.testing": "assert_allclose assert_array_equal",
    "operator": "*",
    "random": "Random choice gauss random randint sample seed shuffle uniform",
    "scipy": "linalg ndimage signal sparse special",
    "scipy.linalg": "*",
    "scipy.ndimage": "*",
    "scipy.signal": "*",
    "scipy.sparse": "*",
    "scipy.sparse.linalg": "*",
    "scipy.special": "*",
    "statistics": "*",
    "string": "*",
    "sys": "exit float_info getrecursionlimit maxsize setrecursionlimit stderr stdout version version_info",
    "time": "monotonic perf_counter sleep time",
    "torch": (
        "* Generator Size Tensor autograd bfloat16 bool contiguous_format default_generator device dtype "
        "e enable_grad finfo float float16 float32 float64 complex64 complex128 double get_default_dtype "
        "half iinfo inf int int16 int32 int64 int8 is_grad_enabled is_tensor linalg long manual_seed nan "
        "newaxis nn no_grad pi preserve_format set_default_dtype set_grad_enabled set_num_threads "
        "set_printoptions special strided tensor testing uint8 vmap"
    ),
    "torch.autograd": "Function function",
    "torch.autograd.function": "Function FunctionCtx once_differentiable",
    "torch.backends": "mps",
    "torch.backends.mps": "is_available is_built",
    "torch.cuda": "device_count is_available",
    "torch.linalg": "*",
    "torch.nn": "* functional grad init",
    "torch.nn.functional": "*",
    "torch.nn.grad": "*",
    "torch.nn.init": "*",
    "torch.special": "*",
    "torch.testing": "assert_close",
    "typing": (
        "Any Callable ClassVar Dict Final Generic Iterable Iterator List Literal NamedTuple Optional "
        "Sequence Set Tuple TypeVar Union cast"
    ),
    "warnings": "catch_warnings filterwarnings simplefilter warn",
}  # fmt: skip
_NOT_OF_A_MODULE = {
    "collections": "abc",
    "course.engine": "GradcheckError grad gradcheck gradgradcheck",
    "numpy": (
        "DataSource fromfile fromregex genfromtxt get_printoptions geterrcall load loadtxt memmap recfromcsv "
        "recfromtxt save savetxt savez savez_compressed seterrcall"
    ),
    "operator": "attrgetter call methodcaller",
    "torch": "from_file",
    "scipy.linalg": "lapack blas",
    "scipy.sparse": "load_npz save_npz",
    "string": "Formatter",
}  # fmt: skip

# further names that the text of some exercises allows
_GROUPS: dict[MayUse, dict[str, str]] = {
    "autograd": {
        "": "backward grad_fn primal tangent",
        "course.engine": "GradcheckError grad gradcheck gradgradcheck",
        "torch": "func",
        "torch.autograd": "backward forward_ad functional grad gradcheck gradgradcheck",
        "torch.autograd.forward_ad": "dual_level make_dual unpack_dual",
        "torch.autograd.functional": "*",
        "torch.func": "*",
    },
    "graph": {"": "grad_fn next_functions variable number name receive"},
    "overrides": {
        "": "__torch_function__ __torch_dispatch__ as_subclass __get__ __torch_functions__",
        "torch": "Tag _C _tensor overrides utils",
        "torch._C": "DisableTorchFunctionSubclass _disabled_torch_function_impl",
        "torch._tensor": "Tensor _convert",
        "torch.Tensor": "_make_wrapper_subclass",
        "torch.overrides": "*",
        "torch.utils": "_pytree",
        "torch.utils._pytree": "tree_map tree_map_only",
    },
    "custom ops": {
        "": "register_autograd register_fake register_vmap define impl opcheck default",
        "torch": "library ops",
        "torch.library": "* register_autograd register_kernel",
    },
}


class Vocabulary:
    """The names that the work of one exercise may use."""

    def __init__(self, may_use: Iterable[MayUse]) -> None:
        self._groups = [_GROUPS[group] for group in may_use]
        self.own_words = frozenset(word for group in self._groups for word in group.get("", "").split())

    def has_module(self, module: str) -> bool:
        """Return whether a module may be imported."""
        return module in _MODULES or any(module in group for group in self._groups)

    def has_of(self, module: str, name: str) -> bool:
        """Return whether a name of a module may be used."""
        if any(name in _named(module, group.get(module, "")) for group in self._groups):
            return True
        if module.startswith("torch.ops") and self.has_of("torch", "ops"):
            return not name.startswith("_")
        return name in _named(module, _MODULES.get(module, ""))

    def has_attribute(self, name: str) -> bool:
        """Return whether an attribute of any object may be used."""
        return name in attributes() or name in DUNDERS or name in self.own_words


@cache
def attributes() -> frozenset[str]:
    """Return the attributes that are harmless on any object."""
    public = {name for kind in _OF for name in dir(kind) if not name.startswith("_")}
    return frozenset(public - _FORBIDDEN_ATTRIBUTES | _ATTRIBUTES)


@cache
def powerful() -> frozenset[str]:
    """Return names that the notebook's own attributes must not have, as other objects have them."""
    of_objects = {name for kind in _OF_THE_INTERPRETER for name in dir(kind)}
    modules = (torch, torch.autograd, torch.nn, torch.nn.functional, np, np.lib, importlib)
    inner = {name for m in modules for name, value in vars(m).items() if isinstance(value, types.ModuleType)}
    return frozenset(of_objects | inner | sys.stdlib_module_names) - attributes() - DUNDERS - _LEAD_NOWHERE


def is_ready_made(name: str) -> bool:
    """Return whether a name has a value that no cell has assigned and no exercise needs.

    These are the other builtins and IPython's own names; any other name raises NameError.
    """
    of_ipython = name in ("In", "Out", "exit", "quit") or name.startswith("_")
    return name not in BUILTINS and (of_ipython or name in vars(builtins))


def begins_nothing_powerful(start: str) -> bool:
    """Return whether no powerful name has this beginning; getattr may build an attribute's name from it."""
    names = powerful() | _FORBIDDEN_ATTRIBUTES
    return len(start) > 2 and not start.startswith("__") and not any(n.startswith(start) for n in names)


@cache
def of_the_library(name: str) -> bool:
    """Return whether assigning to an attribute of this name could change PyTorch or NumPy."""
    owners: tuple[Any, ...] = (torch, torch.Tensor, torch.nn.functional, torch.autograd, np, np.linalg)
    return any(hasattr(owner, name) for owner in owners)


@cache
def _named(module: str, words: str) -> frozenset[str]:
    listed = frozenset(words.split())
    if "*" not in listed:
        return listed
    try:
        imported: Any = importlib.import_module(module)
    except ImportError:  # such as SciPy, which a course may not have
        return frozenset()
    excluded = {"backward", *_NOT_OF_A_MODULE.get(module, "").split()}
    public = {
        name
        for name in getattr(imported, "__all__", dir(imported))
        if not name.startswith("_") and not isinstance(getattr(imported, name, imported), types.ModuleType)
    }
    if module == "torch":  # torch.__all__ has the interpreter's settings and its compiler too
        public = {n for n in torch_internals.tensor_functions() if not n.startswith("_")}
        public |= set(torch.functional.__all__)
    return frozenset({n for n in public if "backward" not in n} - excluded | listed)
