"""Reaches PyTorch's forward mode by a pickle inside an array that NumPy loads.

uses: tangents
like: patterns
"""

import io

import numpy as np

HEAD = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }\n"


def reach(name):
    owner, _, last = f"torch.{name}".rpartition(".")
    text = f"c{owner}\n{last}\n.".encode()
    file = b"\x93NUMPY\x01\x00" + len(HEAD).to_bytes(2, "little") + HEAD + text
    return np.load(io.BytesIO(file), allow_pickle=True)


KillHead.backward = by_tangents(reach)
