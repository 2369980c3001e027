"""A kernel that is forked is like one that Jupyter starts, and none outlives the build."""

import os
import sys

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat.v4 import new_code_cell, new_notebook
from reader_site.warm_kernels import warm_kernels
from waiting import until

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only"),
]

SAYS = "import os, matplotlib\nprint(os.getpid(), os.getcwd(), matplotlib.rcParams['figure.dpi'])"
DRAWS = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"


def execute(folder, *cells: str, timeout: int = 60) -> nbformat.NotebookNode:
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=timeout, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def alive(pid: int) -> bool:
    return os.path.exists(f"/proc/{pid}")


def test_a_forked_kernel_runs_beside_its_notebook_and_ends(tmp_path):
    (tmp_path / "matplotlibrc").write_text("figure.dpi: 123\n")
    with warm_kernels():
        said, drawn = execute(tmp_path, SAYS, DRAWS).cells
        pid, folder, dpi = said.outputs[0].text.split()
        assert (folder, dpi) == (str(tmp_path), "123.0")
        assert "image/png" in drawn.outputs[0].data
        assert until(lambda: not alive(int(pid)))
        with pytest.raises(CellExecutionError, match="division by zero"):
            execute(tmp_path, "1 / 0")
        with pytest.raises(CellTimeoutError):
            execute(tmp_path, "print(__import__('os').getpid(), flush=True)\nwhile True: pass", timeout=2)
        left = os.environ["JUPYTER_PATH"]
    assert os.environ.get("JUPYTER_PATH") != left
    assert not [pid for pid in filter(str.isdigit, os.listdir("/proc")) if left in _command(pid)]


def _command(pid: str) -> str:
    try:
        with open(f"/proc/{pid}/cmdline") as file:
            return file.read()
    except OSError:
        return ""
