"""What course work may reach, as data: names of modules, of types, of builtins, and of own classes.

None of it leads to the code of others, to the interpreter, to files or to native autograd. An exercise lists
further needs in its `may_use`, such as native autograd where its text allows it.
"""

from __future__ import annotations

import builtins
import importlib
from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import Any, Literal

from vjpcheck import torch_internals

# what some work needs beside operations on tensors
MayUse = Literal["autograd", "graph", "overrides", "custom ops"]

# "*" stands for the functions, classes and numbers that a module documents
MODULES: dict[str, str] = {
    "__future__": "annotations",
    "abc": "ABC abstractmethod",
    "autograder": "check grade exercises",
    "autograder.exercises": "eight_bugs",
    "autograder.exercises.eight_bugs": "*",
    "vjpcheck": "diagnose mistakes",
    "vjpcheck.mistakes": "*",
    "bisect": "*",
    "collections": "ChainMap Counter OrderedDict UserDict UserList abc defaultdict deque namedtuple",
    "collections.abc": "*",
    "contextlib": "ExitStack contextmanager nullcontext suppress",
    "copy": "copy deepcopy",
    "course": "engine",
    "course.engine": "*",
    "dataclasses": "KW_ONLY asdict astuple dataclass field fields is_dataclass replace",
    "fractions": "Fraction",
    "functools": "cache cached_property lru_cache partial reduce total_ordering update_wrapper wraps",
    "heapq": "*",
    "itertools": "*",
    "logging": (
        "CRITICAL DEBUG ERROR INFO WARNING basicConfig critical debug error exception getLogger info warning"
    ),
    "math": "*",
    "numbers": "*",
    "numpy": (
        "abs absolute add all allclose amax amin angle any append apply_along_axis arange arccos arccosh "
        "arcsin arcsinh arctan arctan2 arctanh argmax argmin argpartition argsort argwhere array "
        "array_equal array_equiv array_split asarray ascontiguousarray asfortranarray atleast_1d atleast_2d "
        "atleast_3d average bincount bitwise_and bitwise_not bitwise_or bitwise_xor block bool_ broadcast "
        "broadcast_arrays broadcast_shapes broadcast_to c_ can_cast cbrt ceil clip column_stack complex128 "
        "complex64 complexfloating concat concatenate conj conjugate convolve copy copysign copyto corrcoef "
        "correlate cos cosh count_nonzero cov cross cumprod cumsum cumulative_prod cumulative_sum deg2rad "
        "degrees delete diag diag_indices diagflat diagonal diff digitize divide divmod dot double dsplit "
        "dstack dtype e ediff1d einsum einsum_path empty empty_like equal errstate euler_gamma exp exp2 "
        "expand_dims expm1 extract eye fabs fft fill_diagonal finfo fix flatnonzero flip fliplr flipud "
        "float16 float32 float64 float_power floating floor floor_divide fmax fmin fmod frexp fromfunction "
        "fromiter full full_like gcd generic geomspace gradient greater greater_equal half heaviside "
        "histogram hsplit hstack hypot identity iinfo imag index_exp indices inf info inner insert int16 "
        "int32 int64 int8 int_ integer interp intersect1d intp invert isclose iscomplex iscomplexobj "
        "isdtype isfinite isin isinf isnan isneginf isposinf isreal isrealobj isscalar issubdtype iterable "
        "ix_ kron lcm ldexp less less_equal lexsort lib linalg linspace log log10 log1p log2 logaddexp "
        "logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul matrix_transpose matvec "
        "max maximum may_share_memory mean median meshgrid mgrid min minimum mod modf moveaxis multiply nan "
        "nan_to_num nanargmax nanargmin nanmax nanmean nanmin nanprod nanstd nansum nanvar ndarray "
        "ndenumerate ndim ndindex negative newaxis nextafter nonzero not_equal number ogrid ones ones_like "
        "outer pad partition percentile permute_dims pi piecewise place polyfit polyval positive pow power "
        "prod promote_types ptp put put_along_axis putmask quantile r_ rad2deg radians random "
        "ravel ravel_multi_index real reciprocal remainder repeat require reshape resize result_type rint "
        "roll rollaxis roots rot90 round row_stack s_ searchsorted select set_printoptions setdiff1d seterr "
        "setxor1d shape shares_memory sign signbit signedinteger sin sinc single sinh size sort spacing "
        "split sqrt square squeeze stack std subtract sum swapaxes take take_along_axis tan tanh tensordot "
        "testing tile trace transpose trapezoid tri tril tril_indices tril_indices_from triu triu_indices "
        "triu_indices_from true_divide trunc ufunc uint16 uint32 uint64 uint8 union1d unique unravel_index "
        "unsignedinteger unstack vander var vdot vecdot vecmat vectorize vsplit vstack where zeros zeros_like"
    ),
    "numpy.fft": "*",
    "numpy.lib": "stride_tricks",
    "numpy.lib.stride_tricks": "broadcast_to sliding_window_view",
    "numpy.linalg": "*",
    "numpy.random": (
        "Generator default_rng normal permutation rand randint randn random seed standard_normal uniform"
    ),
    "numpy.testing": "assert_allclose assert_array_almost_equal assert_array_equal",
    "numpy.typing": "ArrayLike NDArray",
    "operator": (
        "abs add and_ concat contains countOf eq floordiv ge getitem gt iadd imatmul imul index indexOf "
        "inv invert ior ipow is_ is_not isub itemgetter itruediv ixor le lshift lt matmul mod mul ne neg "
        "not_ or_ pos pow rshift setitem sub truediv truth xor"
    ),
    "random": "Random choice gauss random randint sample seed shuffle uniform",
    "scipy": "linalg ndimage signal sparse special",
    "scipy.linalg": "*",
    "scipy.ndimage": "*",
    "scipy.signal": "*",
    "scipy.sparse": "*",
    "scipy.sparse.linalg": "*",
    "scipy.special": "*",
    "statistics": "*",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits punctuation whitespace",
    "sys": "exit float_info getrecursionlimit maxsize setrecursionlimit stderr stdout version version_info",
    "textwrap": "dedent fill indent shorten wrap",
    "time": "monotonic perf_counter sleep time",
    "torch": (
        "* Generator Size Tensor autograd backends bfloat16 bool channels_last complex64 complex128 "
        "contiguous_format cuda default_generator device double dtype e enable_grad fft finfo float float16 "
        "float32 float64 get_default_dtype half iinfo inf initial_seed int int16 int32 int64 int8 "
        "is_grad_enabled is_tensor linalg long manual_seed nan newaxis nn no_grad pi preserve_format "
        "set_default_dtype set_grad_enabled set_num_threads set_printoptions short special strided tensor "
        "testing typename uint8 vmap"
    ),
    "torch.autograd": "Function function",
    "torch.autograd.function": "Function FunctionCtx once_differentiable",
    "torch.backends": "mps",
    "torch.backends.mps": "is_available is_built",
    "torch.cuda": "device_count is_available",
    "torch.fft": "*",
    "torch.linalg": "*",
    "torch.nn": "* functional grad init",
    "torch.nn.functional": "*",
    "torch.nn.grad": "*",
    "torch.nn.init": "*",
    "torch.special": "*",
    "torch.testing": "assert_close make_tensor",
    "traceback": "format_exc format_exception print_exc print_exception print_stack",
    "typing": (
        "Any Callable ClassVar Dict Final Generic Iterable Iterator List Literal NamedTuple Optional "
        "Protocol Sequence Set TYPE_CHECKING Tuple TypeAlias TypeVar Union cast"
    ),
    "warnings": "catch_warnings filterwarnings simplefilter warn",
}  # fmt: skip
_NOT_OF_A_MODULE = {
    "course.engine": "GradcheckError grad gradcheck gradgradcheck",
    "scipy.linalg": "lapack blas",
    "scipy.sparse": "load_npz save_npz",
    "torch": "as_strided as_strided_ from_file frombuffer",
}  # fmt: skip

# by type: public names. A name that a class inherits is allowed if any of its classes here lists it.
_ARRAY = (
    "T all any argmax argmin argpartition argsort astype base byteswap choose clip compress conj conjugate "
    "copy cumprod cumsum device diagonal dot dtype fill flags flat flatten imag item itemsize mT max mean "
    "min nbytes ndim newbyteorder nonzero partition prod ptp put ravel real repeat reshape round "
    "searchsorted shape size sort squeeze std strides sum swapaxes take tobytes tolist trace transpose var "
    "view"
)
_MODULE = (
    "add_module apply bias buffers children cpu double eps eval extra_repr float forward half in_features "
    "load_state_dict modules named_buffers named_children named_modules named_parameters out_features "
    "parameters register_buffer register_parameter requires_grad_ reset_parameters state_dict to train "
    "training type weight zero_grad"
)
_CTX = (
    "mark_dirty mark_non_differentiable needs_input_grad save_for_backward save_for_forward saved_tensors "
    "set_materialize_grads"
)
_FUNCTION = "apply backward forward generate_vmap_rule jvp setup_context vjp vmap"
TYPES: dict[str, str] = {
    "BaseException": "add_note args message msg name value",
    "collections.Counter": "* elements most_common subtract total",
    "collections.OrderedDict": "* move_to_end",
    "collections.abc.KeysView": "isdisjoint",
    "collections.defaultdict": "default_factory",
    "fractions.Fraction": "*",
    "functools._lru_cache_wrapper": "cache_clear cache_info",
    "functools.partial": "args func keywords",
    "generator": "close send throw",
    "_io.StringIO": "flush getvalue write",
    "_io._TextIOBase": "flush write",
    "ipykernel.iostream.OutStream": "flush write",
    "logging.Logger": "critical debug error exception info isEnabledFor log setLevel warning",
    "numpy.dtype": "* byteorder char itemsize kind name names newbyteorder type",
    "numpy.finfo": "bits dtype eps max min resolution smallest_normal smallest_subnormal tiny",
    "numpy.flatiter": "base copy index",
    "numpy.generic": _ARRAY,
    "numpy.iinfo": "bits max min",
    "numpy.ndarray": _ARRAY,
    "numpy.random._generator.Generator": (
        "choice integers normal permutation permuted random shuffle standard_normal uniform"
    ),
    "numpy.ufunc": "accumulate at outer reduce reduceat",
    "numpy.vectorize": "pyfunc",
    "numpy._core.multiarray.flagsobj": "c_contiguous contiguous f_contiguous owndata writeable",
    "property": "deleter fget getter setter",
    "random.Random": "* choice gauss randint random sample seed shuffle uniform",
    "_random.Random": "random seed",
    "scipy.sparse._base._spbase": (
        "T astype copy data diagonal dot format getcol getrow indices indptr maximum minimum multiply ndim "
        "nnz power reshape shape size sum toarray tocoo tocsc tocsr todense tolil transpose"
    ),
    "scipy.sparse._data._data_matrix": "data dtype astype conj copy power",
    "scipy.sparse._coo._coo_base": "col coords row",
    "torch.Tensor": "*",
    "torch._C.Generator": "device get_state initial_seed manual_seed seed set_state",
    "torch._C._FunctionBase": _CTX,
    "torch._functorch.autograd_function.WrappedCtx": _CTX,
    "torch.autograd.function.Function": _FUNCTION,
    "torch.autograd.function.FunctionCtx": _CTX,
    "torch.finfo": "bits dtype eps max min resolution smallest_normal smallest_subnormal tiny",
    "torch.iinfo": "bits dtype max min",
    "torch.nn.modules.module.Module": _MODULE,
    "torch.device": "index type",
    "torch.dtype": "is_complex is_floating_point is_signed itemsize to_complex to_real",
    "tuple": "count index",
}  # fmt: skip
# of these types, and of all types in these modules, all public names
_PUBLIC = frozenset(
    """
    str bytes bytearray list dict set frozenset int float complex range slice dict_keys dict_values dict_items
    collections.deque collections.ChainMap collections.UserDict collections.UserList torch.Size
    contextlib.ExitStack
    """.split()  # noqa: SIM905 - a table of words
)
_PUBLIC_MODULES = (
    "torch.return_types",
    "course.engine",
    "autograder.exercises.eight_bugs",
)  # of all types there
# public names of those types that run autograd, or reach memory or files
_FORBIDDEN = frozenset(
    """
    as_strided as_strided_ as_subclass backward data_ptr from_bytes grad_fn map2_ map_ module_load
    register_hook register_post_accumulate_grad_hook resize_ resize_as_ retain_grad set_ share_memory_
    storage to_device untyped_storage
    """.split()  # noqa: SIM905
)
# attributes of a library's objects that may be assigned, by type
WRITABLE = {
    "course.engine.core.Tensor": "data grad requires_grad",
    "torch.Tensor": "data grad requires_grad",
    "numpy.ndarray": "shape",
    "BaseException": "args",
}
# types whose instances take names of the student's
FREE = frozenset(
    {
        "course.engine.function.Context",
        "torch._functorch.autograd_function.WrappedCtx",
        "torch.autograd.function.FunctionCtx",
    }
)
# the classes of these names may be called to make an object, also by `super().__new__`
MADE = frozenset(
    """
    object int float complex str tuple list dict set frozenset torch.Tensor torch.nn.parameter.Parameter
    torch.nn.modules.module.Module torch.autograd.function.Function
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
READ_ONLY_DUNDERS = frozenset({"__class__", "__module__", "__dict__"})
NAMES = frozenset({"__name__", "__class__", "__debug__", "__doc__"})

_EXCEPTIONS = (e for e in vars(builtins).values() if isinstance(e, type) and issubclass(e, BaseException))
BUILTINS = frozenset(e.__name__ for e in _EXCEPTIONS) | frozenset(
    """
    Ellipsis NotImplemented abs all any bin bool bytearray bytes callable chr classmethod complex dict dir
    divmod enumerate filter float format frozenset hasattr hash hex id int isinstance issubclass iter len
    list map max min next object oct ord pow print property range repr reversed round set slice sorted
    staticmethod str sum super tuple zip
    __build_class__ __import__
    """.split()  # noqa: SIM905 - the last two are for the interpreter; the code cannot name them
)

# further names that the text of some exercises allows; "" has attributes of any object
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
        "": (
            "__torch_function__ __torch_dispatch__ as_subclass __get__ __torch_functions__ "
            "_make_wrapper_subclass _make_subclass"
        ),
        "torch": "Tag _C _tensor overrides utils",
        "torch._C": "DisableTorchFunctionSubclass _disabled_torch_function_impl",
        "torch._tensor": "Tensor _convert",
        "torch.overrides": "*",
        "torch.utils": "_pytree",
        "torch.utils._pytree": "tree_map tree_map_only",
    },
    "custom ops": {
        "": "register_autograd register_fake register_kernel register_vmap define impl opcheck default",
        "torch": "library ops",
        "torch.library": "* register_autograd register_kernel",
    },
}


class Allowed:
    """What the work of exercises with this `may_use` may reach."""

    def __init__(self, may_use: Iterable[MayUse]) -> None:
        self._groups = [_GROUPS[group] for group in may_use]
        self.words = frozenset(word for group in self._groups for word in group.get("", "").split())
        self.dunders = DUNDERS | {word for word in self.words if is_dunder(word)}

    def has_module(self, module: str) -> bool:
        """Return whether a module may be imported."""
        return module in MODULES or any(module in group for group in self._groups)

    def has_of(self, module: str, name: str) -> bool:
        """Return whether a name of a module may be used."""
        if any(name in _named(module, group.get(module, "")) for group in self._groups):
            return True
        if module.startswith("torch.ops") and self.has_of("torch", "ops"):
            return not name.startswith("_")
        return name in _named(module, MODULES.get(module, "")) or self.has_module(f"{module}.{name}")

    def has_attribute(self, owner: type, name: str) -> bool:
        """Return whether a public name that a library's class defines or inherits may be used."""
        return name in self.words or name in names_of(owner)


def is_dunder(name: str) -> bool:
    """Return whether a name has a meaning for Python."""
    return name.startswith("__") and name.endswith("__")


def path_of(kind: type) -> str:
    """Return the dotted name of a class, as the tables have it."""
    module = type.__dict__["__module__"].__get__(kind)
    name = type.__dict__["__qualname__"].__get__(kind)
    return str(name) if module == "builtins" else f"{module}.{name}"


@cache
def names_of(kind: type) -> frozenset[str]:
    """Return the public names that the table lists for a class itself."""
    path = path_of(kind)
    public = frozenset(name for name in dir(kind) if not name.startswith("_")) - _FORBIDDEN
    if path in _PUBLIC or path.startswith(_PUBLIC_MODULES) or (issubclass(kind, tuple) and kind is not tuple):
        return public
    words = frozenset(TYPES.get(path, "").split())
    return words - {"*"} | public if "*" in words else words


@cache
def writable(kind: type) -> frozenset[str]:
    """Return the attributes of a library's class that may be assigned."""
    return frozenset(WRITABLE.get(path_of(kind), "").split())


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
        if not name.startswith("_") and not isinstance(getattr(imported, name, imported), ModuleType)
    }
    if module == "torch":  # torch.__all__ has the interpreter's settings and its compiler too
        public = {n for n in torch_internals.tensor_functions() if not n.startswith("_")}
        public |= {"block_diag", "broadcast_shapes", "broadcast_tensors", "cartesian_prod", "cdist", "einsum"}
        public |= {"atleast_1d", "atleast_2d", "atleast_3d", "meshgrid", "norm", "split", "stft", "tensordot"}
        public |= {"chain_matmul", "lu", "unique", "unique_consecutive", "unravel_index"}
    return frozenset({n for n in public if "backward" not in n} - excluded | listed)
