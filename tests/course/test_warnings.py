"""What PyTorch's own code calls and will lose does not reach a notebook; what a reader's line calls does."""

import subprocess
import sys

PROGRAM = """
import warnings, course
warnings.warn_explicit("of PyTorch's own", FutureWarning, "_script.py", 1, module="torch.jit._script")
warnings.warn_explicit("of a reader's line", FutureWarning, "cell", 1, module="__main__")
"""


def test_deprecations_of_pytorchs_own_code_are_not_shown():
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=60
    )
    assert "of PyTorch's own" not in run.stderr
    assert "of a reader's line" in run.stderr
