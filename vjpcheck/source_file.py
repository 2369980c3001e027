"""Runs a student's file, a Python file or a notebook, and returns the value of one name."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

from vjpcheck.errors import brief
from vjpcheck.result import CannotRun


def load(path: Path, name: str) -> Any:
    """Run the file and return its value of `name`; raises CannotRun with one sentence on failure."""
    sys.path.append(str(path.parent.resolve()))  # at the end, so that a torch.py beside it shadows nothing
    return _from_notebook(path, name) if path.suffix == ".ipynb" else _from_script(path, name)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CannotRun(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise CannotRun(f"{path} is a folder; give the path of the .py file or notebook in it.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise CannotRun(f"{path} cannot be read: {error}.") from None


def _from_script(path: Path, name: str) -> Any:
    source = _read(path)
    module = types.ModuleType("submission")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        code = compile(source, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        where = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise CannotRun(f"{path} has a syntax error{where}: {getattr(error, 'msg', error)}.") from None
    try:
        exec(code, vars(module))
    except SystemExit as error:  # harmless at the end of a script
        if not hasattr(module, name):
            raise CannotRun(f"{path} raised an error before it defined {name}: {brief(error)}") from None
    except BaseException as error:
        raise CannotRun(f"{path} cannot be imported: {brief(error)}") from None
    if not hasattr(module, name):
        raise CannotRun(f"{path} does not define {name}.")
    return getattr(module, name)


def _from_notebook(path: Path, name: str) -> Any:
    try:  # only a notebook needs these
        import nbformat
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config
    except ModuleNotFoundError as missing:
        message = f"{path} is a notebook, but {missing.name}, which runs notebooks, is not installed"
        raise CannotRun(f"{message}: install it, or give a .py file.") from None
    source = _read(path)
    try:
        notebook = nbformat.reads(source, as_version=4)
        cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    except Exception as error:
        raise CannotRun(f"{path} is not a readable notebook: {str(error).splitlines()[0]}") from None
    # the shell would write its history into the user's profile
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    stopped = ""
    for number, cell in enumerate(cells, start=1):
        outcome = shell.run_cell(cell, silent=True)
        raised = outcome.error_before_exec or outcome.error_in_exec
        if raised is not None and not stopped:
            stopped = f" Code cell {number} raised an error: {brief(raised)}"
    if name not in shell.user_ns:
        raise CannotRun(f"{path} does not define {name}.{stopped}")
    return shell.user_ns[name]
