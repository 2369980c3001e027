"""Has the C interface of Python run a text that changes backward.

uses: hidden
like: text_timed
"""

import ctypes

run = ctypes.pythonapi.PyRun_String
run.restype = ctypes.py_object
run.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.py_object, ctypes.py_object]
run(HIDDEN.encode(), 257, KNOWN, KNOWN)
