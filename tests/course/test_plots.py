"""Tables of numbers: each number has room in its cell."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course.plots import tables


@pytest.mark.parametrize("numbers", [[0.0, 1.0, 10.0], [0.125, -0.0312, -0.0781], [1.23e-05, -1.23e-05, 1.0]])
def test_a_number_is_not_wider_than_its_cell(numbers: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plt, "show", lambda: None)
    matrix = np.array([numbers, numbers[::-1], numbers])
    tables({"one": matrix, "another": matrix, "a third": matrix}, xlabel="input", ylabel="output")
    figure = plt.gcf()
    figure.canvas.draw()
    for axes in figure.axes:
        left, right = axes.transData.transform([(0, 0), (1, 0)])[:, 0]
        for text in axes.texts:
            assert text.get_window_extent().width < 0.95 * (right - left)
    plt.close(figure)
