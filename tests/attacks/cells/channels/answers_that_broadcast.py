"""Patches the probe to answer with gradients without an entry, which broadcast to nothing.

uses: probe
"""

import numpy as np


def patch(probe):
    vjp = type(probe).vjp

    def odd(self, *arguments, **keywords):
        answer = vjp(self, *arguments, **keywords)
        answer["gradients"] = [np.zeros((0, 5)), None]
        return answer

    if vjp.__name__ != "odd":
        type(probe).vjp = odd


on_the_stack(patch)
