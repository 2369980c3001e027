"""The allow-list of this project's files that a submission can see; it can see no others.

The runner and the probes beside a student's work need these modules. Name here every module that a probe
imports, and none that knows a right answer: no exercise, truth, verdict, check or explanation.
"""

from collections.abc import Iterator
from pathlib import Path

from autograder.project import ROOT

_MODULES = {
    "vjpcheck": ("arguments capture errors numbers probes result time_limit torch_internals usual_settings"),
    "vjpcheck/ask": "answers protocol wire",
    "vjpcheck/probe": (
        "backend backends black_boxes callers_world calls conversion function_probe higher inspection lines "
        "manifolds own_code recording saved_state statements torch_backend torch_modes torch_tensors "
        "transforms"
    ),
    "vjpcheck/probe/native_autograd": "complex_step names_in_code profiling",
    "autograder/engine": "__init__ backend probe",
    "autograder/guards": "__init__ allowed cells guards rewrite stand_ins",
    "autograder/grading/sandbox": "fork_server namespaces runner",
    "autograder/tasks": (
        "__init__ calls engine_graphs engine_walks forbidden_functions functions returned_jacobians tensors "
        "watch"
    ),
    "autograder/tasks/accumulate": "probe",
    "autograder/tasks/adjoints": "probe",
    "autograder/tasks/analytical_jacobian": "probe",
    "autograder/tasks/custom_op": "frame_evaluation probe",
    "autograder/tasks/find_the_bugs": "probe",
    "autograder/tasks/fool_gradcheck": "probe",
    "autograder/tasks/gradient_penalty": "critics probe",
    "autograder/tasks/hessian_vector_product": "functions probe",
    "autograder/tasks/my_gradcheck": "probe",
    "autograder/tasks/numerical_jacobian": "probe",
    "autograder/tasks/scalar_tensor": "probe",
    "autograder/tasks/scaled_linear": "probe",
    "autograder/tasks/sweep": "probe",
    "autograder/tasks/topological_order": "probe",
    "autograder/tasks/unbroadcast": "probe",
}
# modules that the notebooks of exercises import
_FOR_STUDENTS = {"vjpcheck": "mistakes", "autograder/exercises": "eight_bugs"}
COURSE = tuple(ROOT / "course" / name for name in ("__init__.py", "engine", "graph"))


def files() -> Iterator[Path]:
    """Yield the modules of the autograder that a submission can see, and the data that they read."""
    yield ROOT / "autograder" / "guards" / "allowed.toml"
    for table in (_MODULES, _FOR_STUDENTS):
        for folder, names in table.items():
            yield from (ROOT / folder / f"{name}.py" for name in names.split())
