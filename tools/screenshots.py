"""Takes pictures of the players in a browser: `make screenshots` writes them into screenshots/."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import torch
from playwright.sync_api import Browser, sync_playwright
from torch.autograd import Function

from course.engine import Tensor, exp, sin
from course.graph import Graph, play, record

SCREENSHOTS = Path(__file__).resolve().parent.parent / "screenshots"
THEMES = {"light": "#ffffff; color: #1b1b1b", "dark": "#111111; color: #eeeeee"}
WIDTHS = {"wide": 1100, "narrow": 390}


def five_nodes() -> Graph:
    """Record the graph that lesson 1 opens with."""
    w1, w2 = Tensor(2.0, requires_grad=True), Tensor(3.0, requires_grad=True)
    w3, w4 = w1 * w2, sin(w1)
    w5 = w3 + w4
    return record(w5)


def diamond() -> Graph:
    """Record a leaf with three uses, two of them by one operation."""
    x = Tensor(-1.5, requires_grad=True)
    a, b = exp(x), x * x
    y = a - b
    return record(y)


class KillHead(Function):
    """The identity, whose backward kills the gradient of the first n columns."""

    @staticmethod
    def forward(ctx, x, n):  # type: ignore[no-untyped-def]  # as students write it
        """Keep n, and give back a copy."""
        ctx.n = n
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):  # type: ignore[no-untyped-def]
        """Kill the first n columns."""
        grad = grad_output.clone()
        grad[:, : ctx.n] = 0
        return grad, None


def kill_head() -> Graph:
    """Record a custom Function between native operations."""
    x = torch.arange(1.0, 7.0).reshape(2, 3).requires_grad_()
    y = KillHead.apply(x, 2)
    z = y * x
    total = z.sum()
    return record(total)


def cube() -> Graph:
    """Record a derivative that was itself computed on the tape."""
    x = torch.tensor(2.0, requires_grad=True)
    (slope,) = torch.autograd.grad(x**3, x, create_graph=True)
    return record(slope)


def mlp() -> Graph:
    """Record a network of 12 layers."""
    torch.manual_seed(0)
    layers = [layer for _ in range(12) for layer in (torch.nn.Linear(16, 16), torch.nn.ReLU())]
    net = torch.nn.Sequential(*layers)
    loss = net(torch.randn(8, 16)).square().mean()
    return record(loss)


def shoot(browser: Browser, name: str, body: str) -> None:
    """Take a player at its start, in the middle and at its end, in each theme and width."""
    for theme, colours in THEMES.items():
        for width, pixels in WIDTHS.items():
            page = browser.new_page(viewport={"width": pixels, "height": 700}, reduced_motion="reduce")
            page.set_content(f'<body style="margin: 12px; background: {colours}">{body}')
            last = int(page.get_by_role("slider").get_attribute("max") or 0)
            for moment, step in (("start", 0), ("middle", 3 * last // 4), ("end", last)):
                page.get_by_role("slider").fill(str(step))
                path = SCREENSHOTS / f"{name}-{moment}-{theme}-{width}.png"
                page.screenshot(path=path, full_page=True)
            page.close()


def main() -> None:
    """Take all pictures."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        sys.exit(
            "There is no chromium or google-chrome to take pictures with (Debian: apt install chromium)."
        )
    SCREENSHOTS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        for graph in (five_nodes, diamond, kill_head, cube, mlp):
            shoot(browser, graph.__name__.replace("_", "-"), play(graph()).html())
        browser.close()
    print(f"{len(list(SCREENSHOTS.glob('*.png')))} pictures in {SCREENSHOTS.name}/")


if __name__ == "__main__":
    main()
