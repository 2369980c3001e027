"""Functions that watch a node of the graph, and may change what it hands out."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

Hook = Callable[[Any, Any], Any]
keys = itertools.count()


class Hooks(dict[int, Hook]):
    """The hooks of one node, in order of registration."""

    def __call__(self, grad_inputs: tuple[Any, ...], grad_outputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Call each hook with the gradients that the one before it left; return what the last one leaves."""
        for hook in tuple(self.values()):
            changed = hook(grad_inputs, grad_outputs)
            if changed is not None:
                grad_inputs = changed if isinstance(changed, tuple) else (changed,)
        return grad_inputs


class Handle:
    """What registering a hook returns: `remove()` takes the hook away again."""

    def __init__(self, hooks: Hooks, hook: Hook) -> None:
        self.hooks, self.key = hooks, next(keys)
        hooks[self.key] = hook

    def remove(self) -> None:
        """Take the hook away; doing so twice is harmless."""
        self.hooks.pop(self.key, None)
