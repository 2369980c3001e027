"""Patches the probe to claim that backward returned what it must, raised nothing and is declared once.

uses: probe
"""

import numpy as np


def patch(probe):
    thing = type(probe)

    def vjp(self, arguments, requires, cotangents, *_, **__):
        given = np.array(cotangents[0])
        return {
            "gradients": [given, None],
            "returned": [
                {"type": "Tensor", "dtype": "float64", "shape": [3, 5], "value": None},
                {"type": "None", "dtype": None, "shape": None, "value": None},
            ],
            "arrived": [True],
            "inputs_changed": [],
            "outputs_changed": [],
            "cotangents_changed": [],
            "saves": 0,
            "disturbed": {},
            "passed": True,
            "score": 4.0,
        }

    thing.vjp = vjp
    thing.higher_vjp = lambda *_, **__: {
        "for_arguments": [None, None],
        "for_cotangents": [None],
        "declared_once": True,
        "detaching": [],
        "numpy": False,
        "kept": [],
        "functions": [],
        "functions_behind": [],
        "cut": [],
        "written": False,
    }


on_the_stack(patch)
