"""Runs a student's file, a Python file or a notebook, and returns the value of one name."""

from __future__ import annotations

import sys
import types
from importlib import import_module
from pathlib import Path
from typing import Any

from vjpcheck.errors import brief
from vjpcheck.result import CannotRun


def load(path: Path, name: str) -> Any:
    """Run a file or a module, such as `package.module`, and return its value of a dotted name.

    A file in a package may import from it. Raises CannotRun with one sentence on failure.
    """
    outer, *inner = name.split(".")
    if path.suffix == ".ipynb":
        sys.path.append(str(path.parent.resolve()))
        value = _from_notebook(path, outer)
    elif path.suffix == ".py" or path.exists() or not all(map(str.isidentifier, str(path).split("."))):
        value = _from_script(path, outer)
    else:
        value = _from_module(str(path), outer)
    for part in inner:
        if not hasattr(value, part):
            raise CannotRun(f"{path} does not define {name}.")
        value = getattr(value, part)
    return value


def _from_module(module: str, name: str) -> Any:
    sys.path.append(str(Path.cwd()))
    try:
        loaded = import_module(module)
    except ModuleNotFoundError as missing:
        raise CannotRun(f"{module} cannot be imported: there is no {missing.name}.") from None
    except BaseException as error:
        raise CannotRun(f"{module} cannot be imported: {brief(error)}") from None
    if not hasattr(loaded, name):
        raise CannotRun(f"{module} does not define {name}.")
    return getattr(loaded, name)


def _package_of(path: Path) -> tuple[Path, str]:
    """Return the folder from which a file is imported, and its package, '' for none."""
    folder, names = path.parent.resolve(), []
    while (folder / "__init__.py").is_file():
        names.append(folder.name)
        folder = folder.parent
    return folder, ".".join(reversed(names))


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
    root, module.__package__ = _package_of(path)
    # at the end, so that a torch.py beside it shadows nothing
    sys.path += dict.fromkeys([str(path.parent.resolve()), str(root)])
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
