"""Has timeit run a text that changes backward.

uses: hidden
"""

import timeit

timeit.timeit(HIDDEN, number=1, globals=KNOWN)
